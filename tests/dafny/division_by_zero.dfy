method Divide(a: int, b: int) returns (q: int) { q := a / b; }
method Checked(a: int, b: int) returns (q: int) requires b != 0 { q := a / b; }
