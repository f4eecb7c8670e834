method Up(n: int) decreases n { if n > 0 { Up(n + 1); } }
method Loop(n: int) { var i := 0; while i != n { i := i + 1; } }
