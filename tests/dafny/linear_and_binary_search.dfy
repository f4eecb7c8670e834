// Three searches and a client that uses their contracts only.
predicate Sorted(a: array<int>)
  reads a
{
  forall i, j :: 0 <= i < j < a.Length ==> a[i] <= a[j]
}

method Linear(a: array<int>, key: int) returns (index: int)
  ensures 0 <= index <= a.Length
  ensures forall i :: 0 <= i < index ==> a[i] != key
  ensures index < a.Length ==> a[index] == key
{
  index := 0;
  while index < a.Length && a[index] != key
    invariant 0 <= index <= a.Length
    invariant forall i :: 0 <= i < index ==> a[i] != key
  {
    index := index + 1;
  }
}

method LowerBound(a: array<int>, key: int) returns (index: int)
  requires Sorted(a)
  ensures 0 <= index <= a.Length
  ensures forall i :: 0 <= i < index ==> a[i] < key
  ensures forall i :: index <= i < a.Length ==> key <= a[i]
{
  var lo, hi := 0, a.Length;
  while lo < hi
    invariant 0 <= lo <= hi <= a.Length
    invariant forall i :: 0 <= i < lo ==> a[i] < key
    invariant forall i :: hi <= i < a.Length ==> key <= a[i]
  {
    var middle := lo + (hi - lo) / 2;
    if a[middle] < key {
      lo := middle + 1;
    } else {
      hi := middle;
    }
  }
  index := lo;
}

method Member(a: array<int>, key: int) returns (found: bool)
  requires Sorted(a)
  ensures found <==> exists i :: 0 <= i < a.Length && a[i] == key
{
  var index := LowerBound(a, key);
  found := index < a.Length && a[index] == key;
}

method CountBelow(a: array<int>, lo: int, hi: int) returns (count: int)
  requires Sorted(a) && lo <= hi
  ensures count >= 0
{
  var first := LowerBound(a, lo);
  var last := LowerBound(a, hi);
  if last < first {
    assert lo <= a[last] && hi <= a[last];
    assert a[last] < lo;
  }
  count := last - first;
}

method Client() {
  var a := new int[3];
  a[0], a[1], a[2] := 2, 5, 9;
  var found := Member(a, 5);
  assert a[1] == 5;
  assert found;
  var index := Linear(a, 9);
  assert a[2] == 9;
  assert index == 2;
}
