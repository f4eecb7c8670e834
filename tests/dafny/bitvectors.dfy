method Bits(x: bv8) { assert x & 0 == 0; assert x ^ x == 0; assert x | x == x; }
method Wrong(x: bv8) { assert x + 1 > x; }
