function Double(x: int): int { var y := x; y + y }
method Use() { assert Double(4) == 8; assert var z := 3; z + 1 == 4; }
