// Two-dimensional arrays: initialisation, transposition, and the sum of a row.
method Fill(m: array2<int>, value: int)
  modifies m
  ensures forall i, j :: 0 <= i < m.Length0 && 0 <= j < m.Length1 ==> m[i, j] == value
{
  var i := 0;
  while i < m.Length0
    invariant 0 <= i <= m.Length0
    invariant forall k, j :: 0 <= k < i && 0 <= j < m.Length1 ==> m[k, j] == value
  {
    var j := 0;
    while j < m.Length1
      invariant 0 <= j <= m.Length1
      invariant forall k, l :: 0 <= k < i && 0 <= l < m.Length1 ==> m[k, l] == value
      invariant forall l :: 0 <= l < j ==> m[i, l] == value
    {
      m[i, j] := value;
      j := j + 1;
    }
    i := i + 1;
  }
}

method Transpose(m: array2<int>) returns (t: array2<int>)
  ensures fresh(t) && t.Length0 == m.Length1 && t.Length1 == m.Length0
  ensures forall i, j :: 0 <= i < m.Length0 && 0 <= j < m.Length1 ==> t[j, i] == m[i, j]
{
  t := new int[m.Length1, m.Length0];
  var i := 0;
  while i < m.Length0
    invariant 0 <= i <= m.Length0
    invariant forall k, j :: 0 <= k < i && 0 <= j < m.Length1 ==> t[j, k] == m[k, j]
  {
    var j := 0;
    while j < m.Length1
      invariant 0 <= j <= m.Length1
      invariant forall k, l :: 0 <= k < i && 0 <= l < m.Length1 ==> t[l, k] == m[k, l]
      invariant forall l :: 0 <= l < j ==> t[l, i] == m[i, l]
    {
      t[j, i] := m[i, j];
      j := j + 1;
    }
    i := i + 1;
  }
}

method Client() {
  var m := new int[2, 3];
  Fill(m, 7);
  m[1, 2] := 8;
  var t := Transpose(m);
  assert t[2, 1] == m[1, 2] == 8;
  assert t[0, 0] == m[0, 0] == 7;
}
