// What is assumed after an assertion must not hide that it fails; what is asserted is known afterwards.
procedure hidden(x: int)
{
  assert x > 0; // error
  assume false;
}

procedure known(x: int)
{
  assert x > 0; // error
  assert x >= 0;
  assert {:subsumption 0} x > 5; // error
  assert x > 5; // error
}

procedure branches(b: bool, x: int)
{
  if (b) {
    assume x > 0;
  } else {
    assume x < 0;
    assert x > 0; // error
  }
  assert x > 0;
}

procedure separate(b: bool, x: int)
{
  if (b) {
    assume false;
  }
  assert !b;
  assert x != 0; // error
}
