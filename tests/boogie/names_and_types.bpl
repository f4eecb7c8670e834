// Errors before verification are reported where they are.
function f(x: int): int;
procedure p(x: int) returns (y: int)
  requires f(x) == true; // error
{
  y := f(true); // error
  x := 3; // error
  assert y; // error
}
