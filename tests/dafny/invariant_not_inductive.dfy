method Loop(n: int)
{
  var i := 0;
  var j := 0;
  while i < n
    invariant j <= 10
  { i := i + 1; j := j + 1; }
}
