// Where a call is verified under a condition, its preconditions are checked where the condition does not hold.
procedure Positive(n: int);
  requires n > 0;

procedure Under(n: int, b: bool)
{
  if (*) {
    call {:verified_under b} Positive(n); // error
    assert n > 0;
  } else {
    assume b;
    call {:verified_under b} Positive(n);
    assert n > 0;
  }
}
procedure Forgotten(n: int)
{
  call {:subsumption 0} Positive(n); // error
  assert n > 0; // error
}
