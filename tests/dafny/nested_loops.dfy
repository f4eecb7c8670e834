method Multiply(a: nat, b: nat) returns (r: nat)
  ensures r == a * b
{
  r := 0;
  var i := 0;
  while i < a
    invariant 0 <= i <= a && r == i * b
  {
    var j := 0;
    while j < b
      invariant 0 <= j <= b && r == i * b + j
    { r := r + 1; j := j + 1; }
    i := i + 1;
  }
}
