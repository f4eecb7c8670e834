type Positive = x: int | x > 0 witness 1
method Fine(a: Positive) returns (b: Positive) { b := a + 1; }
method Wrong(a: Positive) returns (b: Positive) { b := a - 1; }
