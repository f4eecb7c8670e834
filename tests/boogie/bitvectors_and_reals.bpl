// Numbers that are not integers.
function {:bvbuiltin "bvadd"} add(a: bv8, b: bv8): bv8;
function {:bvbuiltin "bvult"} less(a: bv8, b: bv8): bool;

procedure bits(a: bv8)
{
  assert add(255bv8, 1bv8) == 0bv8;
  assert (1bv4 ++ 2bv4) == 18bv8;
  assert a[8:4] ++ a[4:0] == a;
  assert less(a, add(a, 1bv8)); // error
}

procedure reals(x: real)
{
  assert 1.0 / 3.0 < 0.34;
  assert x > 0.0 ==> x / 2.0 < x;
  assert real(int(x)) <= x;
  assert 1 / 2 == 0.5;
  assert real(int(x)) == x; // error
}

procedure division(a: int)
{
  assert -7 div 2 == -4 && -7 mod 2 == 1;
  assert 7 div -2 == -3 && 7 mod -2 == 1;
  assert a mod 2 == 0; // error
}
