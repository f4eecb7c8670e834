method Sets(s: set<int>, t: set<int>)
{
  assert s * t <= s;
  assert s <= s + t;
  assert s - t <= s;
  assert 3 in s + {3};
  if s <= t && t <= s { assert s == t; }
}
