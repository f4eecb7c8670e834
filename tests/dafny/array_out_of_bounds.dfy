method Last(a: array<int>) returns (x: int) { x := a[a.Length - 1]; }
method Fine(a: array<int>) returns (x: int) requires a.Length > 0 { x := a[a.Length - 1]; }
