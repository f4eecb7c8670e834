// Invariants: on entry, kept, and all that is known behind the loop.
procedure sum(n: int) returns (s: int)
  requires n >= 0;
  ensures 2 * s == n * (n + 1);
{
  var i: int;
  i, s := 0, 0;
  while (i < n)
    invariant 0 <= i && i <= n;
    invariant 2 * s == i * (i + 1);
  {
    i := i + 1;
    s := s + i;
  }
}

procedure broken(n: int)
{
  var i: int;
  i := 1;
  while (i < n)
    invariant i == 0; // error
    invariant i <= 7;
  {
    i := i + 1;
  }
}

procedure forgotten(n: int)
{
  var i, j: int;
  i, j := 0, 5;
  while (*)
  {
    i := i + 1;
  }
  assert j == 5;
  assert i == 0; // error
}

procedure jumps(n: int)
{
  var i: int;
  i := 0;
  head:
    assert 0 <= i;
    goto again, done;
  again:
    assume i < n;
    i := i + 1;
    goto head;
  done:
    assert 0 <= i;
    assert i <= n; // error
}

procedure leaves(n: int)
{
  var i: int;
  i := 0;
  outer: while (true)
    invariant i >= 0;
  {
    while (true)
      invariant i >= 0;
    {
      i := i + 1;
      if (i > 10) { break outer; }
      if (i > 5) { break; }
    }
  }
  assert i > 10;
}

// What variables are declared to satisfy is known of their new values, not of one new and one old value.
procedure DeclaredTogether()
{
  var y: int;
  var x: int where x < y;
  y := 5;
  x := 0;
  while (*) {
    havoc y;
    havoc x;
  }
  assert x < y;
  assert x < 5; // error
}

// A free invariant says nothing of how the loop is entered or comes back.
procedure free_invariants()
{
  var i: int;
  i := 0;
  while (i < 2)
    invariant i <= 2;
    free invariant i >= 1;
  {
    i := i + 1;
  }
  assert i == 2;
  assert i == 3; // error
}

procedure invariants_after_free_ones()
{
  var i: int;
  i := 0;
  while (i < 2)
    free invariant i >= 1;
    invariant i >= 1; // error
  {
    i := i + 1;
  }
}
