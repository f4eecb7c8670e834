// Search in a matrix whose rows and columns are in order.
predicate InOrder(m: array2<int>)
  reads m
{
  (forall i, j, k :: 0 <= i < m.Length0 && 0 <= j < k < m.Length1 ==> m[i, j] <= m[i, k]) &&
  (forall i, j, k :: 0 <= i < k < m.Length0 && 0 <= j < m.Length1 ==> m[i, j] <= m[k, j])
}

method Search(m: array2<int>, key: int) returns (found: bool, r: int, c: int)
  requires InOrder(m)
  ensures found ==> 0 <= r < m.Length0 && 0 <= c < m.Length1 && m[r, c] == key
  ensures !found ==> forall i, j :: 0 <= i < m.Length0 && 0 <= j < m.Length1 ==> m[i, j] != key
{
  r, c := 0, m.Length1 - 1;
  while r < m.Length0 && 0 <= c
    invariant 0 <= r <= m.Length0 && -1 <= c < m.Length1
    invariant forall i, j :: 0 <= i < m.Length0 && 0 <= j < m.Length1 && (i < r || c < j) ==> m[i, j] != key
    decreases m.Length0 - r + c
  {
    if m[r, c] == key {
      return true, r, c;
    } else if m[r, c] < key {
      r := r + 1;
    } else {
      c := c - 1;
    }
  }
  found := false;
}

method Fill(rows: nat, columns: nat) returns (m: array2<int>)
  ensures fresh(m) && m.Length0 == rows && m.Length1 == columns
  ensures InOrder(m)
{
  m := new int[rows, columns]((i, j) => i + j);
}

method Client() {
  var m := Fill(3, 4);
  var found, r, c := Search(m, 100);
  if found {
    assert m[r, c] == 100;
  }
}
