// Only what is reached behind the mark is checked; other assertions are assumed.
procedure {:selective_checking} behind(x: int)
{
  assert x > 5;
  assume {:start_checking_here} true;
  assert x > 3;
  assert x > 6; // error
}

procedure {:selective_checking} one_branch(x: int, y: int)
{
  if (x > 0) {
    assert y > 1;
    assume {:start_checking_here} true;
    assert y > 0;
  } else {
    assert y > 10;
  }
  assert y > 1;
  assert y > 2; // error
}

procedure {:selective_checking false} everything(x: int)
{
  assert x > 5; // error
  assume {:start_checking_here} true;
  assert x > 3;
}

procedure {:selective_checking} around(n: int)
{
  var i: int;
  i := 0;
  while (i < n)
  {
    assert i < 7; // error
    assume {:start_checking_here} true;
    i := i + 1;
  }
}
