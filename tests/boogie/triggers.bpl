// What is no trigger by the program's own words is none.
function {:never_pattern true} never(x: int): int;
function {:never_pattern false} usual(x: int): int;
function other(x: int): int;

procedure Never()
{
  assume (forall x: int :: never(x) > 0 && usual(x) > 0);
  assert usual(3) > 0;
  assert never(4) > 0; // error
}

procedure Excluded()
{
  assume (forall x: int :: {:nopats other(x)} other(x) > 0 && usual(x) > 0);
  assert usual(3) > 0;
  assert other(4) > 0; // error
}
