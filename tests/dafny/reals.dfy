method Half(x: real) returns (y: real) ensures y + y == x { y := x / 2.0; }
method Wrong(x: real) { assert x * x > 0.0; }
