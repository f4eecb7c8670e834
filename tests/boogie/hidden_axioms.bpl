// What is hidden is not used.
function f(x: int): int uses {
  hideable axiom (forall x: int :: {f(x)} f(x) == x + 1);
}

procedure visible()
{
  assert f(1) == 2;
}

procedure hidden()
{
  hide f;
  assert f(1) == 2; // error
  reveal f;
  assert f(1) == 2;
  push;
  hide *;
  pop;
  assert f(2) == 3;
}
