method Bags(a: multiset<int>)
{
  var b := a + multiset{1, 1};
  assert b[1] >= 2;
  assert a <= b;
}
