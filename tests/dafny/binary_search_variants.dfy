// Where a key is in a sorted array, where it would be, and how often it occurs.
predicate Sorted(a: array<int>)
  reads a
{
  forall i, j :: 0 <= i < j < a.Length ==> a[i] <= a[j]
}

method Find(a: array<int>, key: int) returns (index: int)
  requires Sorted(a)
  ensures 0 <= index ==> index < a.Length && a[index] == key
  ensures index < 0 ==> forall k :: 0 <= k < a.Length ==> a[k] != key
{
  var low, high := 0, a.Length;
  while low < high
    invariant 0 <= low <= high <= a.Length
    invariant forall i :: 0 <= i < a.Length && !(low <= i < high) ==> a[i] != key
  {
    var mid := (low + high) / 2;
    if a[mid] < key {
      low := mid + 1;
    } else if key < a[mid] {
      high := mid;
    } else {
      return mid;
    }
  }
  return -1;
}

method LowerBound(a: array<int>, key: int) returns (n: int)
  requires Sorted(a)
  ensures 0 <= n <= a.Length
  ensures forall i :: 0 <= i < n ==> a[i] < key
  ensures forall i :: n <= i < a.Length ==> key <= a[i]
{
  var high := a.Length;
  n := 0;
  while n < high
    invariant 0 <= n <= high <= a.Length
    invariant forall i :: 0 <= i < n ==> a[i] < key
    invariant forall i :: high <= i < a.Length ==> key <= a[i]
  {
    var mid := n + (high - n) / 2;
    if a[mid] < key {
      n := mid + 1;
    } else {
      high := mid;
    }
  }
}

method Contains(a: array<int>, key: int) returns (found: bool)
  requires Sorted(a)
  ensures found <==> exists i :: 0 <= i < a.Length && a[i] == key
{
  var n := LowerBound(a, key);
  found := n < a.Length && a[n] == key;
}

method Test() {
  var a := new int[4];
  a[0], a[1], a[2], a[3] := 1, 3, 3, 8;
  var i := Find(a, 8);
  assert a[3] == 8;
  assert 0 <= i;
}
