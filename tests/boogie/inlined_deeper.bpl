// Bodies that are inlined into themselves have variables of their own each time; deeper executions are cut off.
procedure {:inline 3} Factorial(n: int) returns (r: int)
{
  var rest: int;
  r := 1;
  if (n > 0) {
    call rest := Factorial(n - 1);
    r := n * rest;
  }
}

procedure Small()
{
  var x: int;
  call x := Factorial(2);
  assert x == 2;
  assert x == 1; // error
}

procedure TooDeep()
{
  var x: int;
  call x := Factorial(5);
  assert false;
}

procedure InALoop(n: int)
{
  var x, i: int;
  i := 0;
  x := 2;
  while (i < n)
    invariant x == 2;
  {
    call x := Factorial(2);
    i := i + 1;
  }
  assert x == 2;
  assert i == 0; // error
}
