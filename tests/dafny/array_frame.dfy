method Set(a: array<int>, i: int, v: int)
  requires 0 <= i < a.Length
  modifies a
  ensures a[i] == v
  ensures forall j :: 0 <= j < a.Length && j != i ==> a[j] == old(a[j])
{ a[i] := v; }
method Client(a: array<int>, b: array<int>)
  requires a.Length == 3 && b.Length == 3 && a != b
  modifies a
{ var x := b[0]; Set(a, 1, 5); assert a[1] == 5; assert b[0] == x; }
