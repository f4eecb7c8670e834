// Selection sort: the smallest of what is left goes to the front.
predicate SortedTo(a: array<int>, n: int)
  requires 0 <= n <= a.Length
  reads a
{
  forall i, j :: 0 <= i < j < n ==> a[i] <= a[j]
}

method FindMin(a: array<int>, from: int) returns (m: int)
  requires 0 <= from < a.Length
  ensures from <= m < a.Length
  ensures forall k :: from <= k < a.Length ==> a[m] <= a[k]
{
  m := from;
  var j := from + 1;
  while j < a.Length
    invariant from < j <= a.Length && from <= m < a.Length
    invariant forall k :: from <= k < j ==> a[m] <= a[k]
  {
    if a[j] < a[m] {
      m := j;
    }
    j := j + 1;
  }
}

method SelectionSort(a: array<int>)
  modifies a
  ensures SortedTo(a, a.Length)
  ensures multiset(a[..]) == multiset(old(a[..]))
{
  var n := 0;
  while n < a.Length
    invariant 0 <= n <= a.Length
    invariant SortedTo(a, n)
    invariant forall i, j :: 0 <= i < n <= j < a.Length ==> a[i] <= a[j]
    invariant multiset(a[..]) == multiset(old(a[..]))
  {
    var m := FindMin(a, n);
    a[n], a[m] := a[m], a[n];
    n := n + 1;
  }
}
