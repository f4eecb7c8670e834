// Insertion sort of an array, with its multiset.
predicate Sorted(s: seq<int>)
{
  forall i, j :: 0 <= i < j < |s| ==> s[i] <= s[j]
}

method InsertionSort(a: array<int>)
  modifies a
  ensures Sorted(a[..])
  ensures multiset(a[..]) == multiset(old(a[..]))
{
  var i := 0;
  while i < a.Length
    invariant 0 <= i <= a.Length
    invariant forall k, l :: 0 <= k < l < i ==> a[k] <= a[l]
    invariant multiset(a[..]) == multiset(old(a[..]))
  {
    var j := i;
    while j > 0 && a[j - 1] > a[j]
      invariant 0 <= j <= i
      invariant forall k, l :: 0 <= k < l <= i && l != j ==> a[k] <= a[l]
      invariant multiset(a[..]) == multiset(old(a[..]))
    {
      a[j - 1], a[j] := a[j], a[j - 1];
      j := j - 1;
    }
    i := i + 1;
  }
}

method SmallestAndLargest(a: array<int>) returns (lo: int, hi: int)
  requires a.Length > 0
  modifies a
  ensures forall i :: 0 <= i < a.Length ==> lo <= a[i] <= hi
{
  InsertionSort(a);
  lo := a[0];
  hi := a[a.Length - 1];
  assert forall i :: 0 <= i < a.Length ==> a[..][i] == a[i];
}
