// What speaks of other threads is named; the other procedures are verified.
var {:layer 0,1} x: int;
yield invariant {:layer 1} Positive(); // error
invariant x >= 0;
atomic action {:layer 1} Increment() // error
  modifies x;
{
  x := x + 1;
}
yield procedure {:layer 0} Step(); // error
refines Increment;
yield procedure {:layer 1} Main() // error
  requires call Positive();
{
  call Step();
  par Step() | Step();
}
procedure Larger(n: int) returns (m: int)
  ensures m > n;
{
  m := n + 1;
}
procedure Same(n: int) returns (m: int)
  ensures m > n;
{
  m := n;
} // error
