method Abs(x: int) returns (y: int)
  ensures 0 <= y
  ensures y == x || y == -x
{
  if x < 0 { return -x; } else { return x; }
}
method Test() { var v := Abs(3); assert 0 <= v; }
