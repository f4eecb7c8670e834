// Contracts at calls: each clause in order, globals that are modified, old values, constraints.
var g: int where g >= 0;
var h: int;

procedure bump(by: int) returns (old_value: int)
  requires by > 0;
  requires 100 div by <= 100;
  modifies g;
  ensures g == old(g) + by;
  ensures old_value == old(g);
  free ensures h == 7;
{
  old_value := g;
  g := g + by;
}

procedure caller()
  modifies g;
{
  var before: int;
  assert h == 7; // error
  call before := bump(3);
  assert g == before + 3;
  assert h == 7;
  assert g >= 3;
  assert g == 3; // error
  call before := bump(0); // error
}

procedure wrong(x: int) returns (r: int)
  ensures r > x;
  ensures r == x + 1;
{
  if (x > 0) {
    r := x + 1;
    return;
  }
  r := x + 2;
} // error

procedure {:inline 1} twice(x: int) returns (y: int)
{
  y := 2 * x;
}

procedure inlined()
{
  var a: int;
  call a := twice(21);
  assert a == 42;
  call a := twice(a);
  assert a == 42; // error
}

// What parameters are declared to satisfy holds whenever they are forgotten.
procedure Results(n: int where n > 3) returns (r: int where r > n)
{
  assert r > n;
  havoc r;
  assert r > 4;
  while (*) {
    havoc r;
  }
  assert r > n;
  r := 0;
  assert r > n; // error
}
procedure Copies(n: int) returns (r: int where r > 3);
implementation Copies(m: int) returns (s: int)
{
  s := 1;
  havoc s;
  assert s > 3;
  call s := Copies(m);
  assert s > 3;
  assert m > 3; // error
}
