// Names and numbers of arguments come before types: nothing is said about types here.
type A = B; // error
type B = [int]A; // error
type C = A; // error
type D = int;

procedure callee(x: int) returns (y: int);
procedure caller()
{
  var x: D;
  var y: D;
  call x := callee(); // error
  call callee(x); // error
  call x, y := callee(1); // error
  assert x;
}

procedure two() returns (a: int, b: int);
procedure twice()
{
  var x: int;
  call x, x := two(); // error
}
