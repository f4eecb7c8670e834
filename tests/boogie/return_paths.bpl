// A body ends where its last statement does: at a brace, at an `if` without an `else`, at a loop, or at a
// `break` out of it.
procedure loop(n: int) returns (r: int)
  ensures r == 1;
{
  r := 0;
  while (r < n) // error
  {
    r := r + 1;
  }
}

procedure branch(n: int) returns (r: int)
  ensures r > 0;
{
  r := n;
  if (n > 0) // error
  {
    r := 2;
  }
}

procedure branches(n: int) returns (r: int)
  ensures r == 0;
{
  r := 0;
  if (n > 0)
  {
    r := 2;
  } // error
  else if (n < 0)
  {
    r := 3;
  } // error
}

procedure nested(n: int) returns (r: int)
  ensures n > 0 ==> r == 1;
{
  r := 0;
  if (n > 0)
  {
    while (r < n) // error
    {
      r := r + 1;
    }
  }
}

procedure way_out(n: int) returns (r: int)
  ensures r == 1;
{
  r := 1;
  L: while (n > 0)
    invariant r == 1;
  {
    while (*) {
      r := 5;
      break L; // error
    }
  }
}

procedure no_way_out(n: int) returns (r: int)
  ensures r == 1;
{
  r := 2;
  while (n > 0) // error
    invariant r == 2;
  {
    if (*) { r := 1; break; }
  }
}
