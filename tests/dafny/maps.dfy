method Maps(m: map<int, bool>)
{
  var n := m[3 := true];
  assert n[3];
  assert 3 in n;
  assert forall k :: k in m && k != 3 ==> n[k] == m[k];
}
