// Statements inside expressions: demanded, all executions return true; stated, one does.
function r(int): bool;
var g: bool;

procedure {:inline 1} Global() returns (l: bool) { l := g; }

procedure Values(x: int) returns (z: bool)
  ensures z == (x < 3);
{
  z := |{ var a: bool; B: a := x < 3; return a; }|;
}

procedure WrongValue(x: int) returns (z: bool)
  ensures z == (x < 3);
{
  z := |{ var a: bool; B: a := x < 3; return !a; }|;
} // error

procedure Branches(x: int, y: int)
{
  assume x < y;
  assume (forall t: int :: |{
    var a: bool;
    Start: a := x < 3 + t; goto Yes, No;
    Yes: assume a; return r(t);
    No: assume !a; return true;
  }|);
  assert r(y);
  assert r(x - 10); // error
}

procedure AllExecutions()
{
  assert |{ Start: goto A, B; A: return true; B: return true; }|;
  assert |{ Start: goto A, B; A: return true; B: return false; }|; // error
}

procedure NothingIsKnownOfIt()
{
  assert |{ var a: bool; Start: return a || !a; }|;
  assert |{ var a: bool; Start: return a; }|; // error
}

procedure OneExecutionIsEnough()
{
  assume |{ Start: goto A, B; A: return true; B: return false; }|;
  assert false; // error
}

procedure Called()
  modifies g;
{
  g := true;
  assert |{ var l: bool; A: call l := Global(); return l; }|;
  assert (forall p: bool :: |{ var l: bool; A: call l := Global(); return l; }|);
  assert |{ var l: bool; A: call l := Global(); return !l; }|; // error
}

procedure EndlessCode()
{
  assert |{ A: goto A; }|; // error
}
