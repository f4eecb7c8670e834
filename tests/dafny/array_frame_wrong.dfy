method Set(a: array<int>, i: int, v: int)
  requires 0 <= i < a.Length
{ a[i] := v; }
