newtype Small = x | 0 <= x < 10
method Fine(a: Small) returns (b: Small) requires a < 9 { b := a + 1; }
method Overflow(a: Small) returns (b: Small) { b := a + 1; }
