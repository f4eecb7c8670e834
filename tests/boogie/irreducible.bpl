// Loops that can be entered at two places: what holds at one entry need not hold at the other.
procedure two_entries()
{
  var x: int;
  goto left, right;
  left:
    x := 1;
    goto a;
  right:
    x := 2;
    goto b;
  a:
    assert x == 1; // error
    goto b, done;
  b:
    goto a, done;
  done:
    assume true;
}

procedure unreachable_entry()
{
  goto left, right;
  left:
    assume false;
    goto a;
  right:
    goto b;
  a:
    assert false; // error
    goto b;
  b:
    goto a;
}
