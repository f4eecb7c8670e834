// Bubble sort.
predicate Sorted(a: array<int>, lo: int, hi: int)
  requires 0 <= lo <= hi <= a.Length
  reads a
{
  forall i, j :: lo <= i < j < hi ==> a[i] <= a[j]
}

method BubbleSort(a: array<int>)
  modifies a
  ensures Sorted(a, 0, a.Length)
  ensures multiset(a[..]) == multiset(old(a[..]))
{
  var i := a.Length;
  while i > 1
    invariant 0 <= i <= a.Length
    invariant Sorted(a, i, a.Length)
    invariant forall k, l :: 0 <= k < i <= l < a.Length ==> a[k] <= a[l]
    invariant multiset(a[..]) == multiset(old(a[..]))
  {
    var j := 0;
    while j < i - 1
      invariant 0 <= j < i
      invariant Sorted(a, i, a.Length)
      invariant forall k, l :: 0 <= k < i <= l < a.Length ==> a[k] <= a[l]
      invariant forall k :: 0 <= k < j ==> a[k] <= a[j]
      invariant multiset(a[..]) == multiset(old(a[..]))
    {
      if a[j] > a[j + 1] {
        a[j], a[j + 1] := a[j + 1], a[j];
      }
      j := j + 1;
    }
    i := i - 1;
  }
}

method Test() {
  var a := new int[3];
  a[0], a[1], a[2] := 3, 1, 2;
  BubbleSort(a);
  assert a[0] <= a[1] <= a[2];
}
