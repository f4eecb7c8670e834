method Search(a: array2<int>, k: int) returns (found: bool)
{
  found := false;
  var i := 0;
  label outer: while i < a.Length0
    invariant 0 <= i <= a.Length0
  {
    var j := 0;
    while j < a.Length1
      invariant 0 <= j <= a.Length1
    { if a[i, j] == k { found := true; break outer; } j := j + 1; }
    i := i + 1;
  }
}
