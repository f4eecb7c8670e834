// Concurrent programs are not verified; what is wrong with their measures is said nevertheless.
yield procedure {:layer 1} Loop()
{
  var n: int;
  n := 10;
  while (n >= 1)
    measure n; // error
  {
    n := n - 1;
    while (*)
      measure {:layer 1} n;
      measure {:layer 2} n; // error
    {
    }
  }
}
yield left procedure {:layer 2} Recursive(n: int)
  measure {:layer 3} n; // error
{
}
