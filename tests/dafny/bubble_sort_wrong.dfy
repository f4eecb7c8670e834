// Bubble sort whose outer loop ends one step too early for its invariant.
predicate Sorted(a: array<int>, lo: int, hi: int)
  requires 0 <= lo <= hi <= a.Length
  reads a
{
  forall i, j :: lo <= i < j < hi ==> a[i] <= a[j]
}

method BubbleSort(a: array<int>)
  modifies a
  ensures Sorted(a, 0, a.Length)
{
  var i := a.Length;
  while i > 2
    invariant 0 <= i <= a.Length
    invariant Sorted(a, i, a.Length)
    invariant forall k, l :: 0 <= k < i <= l < a.Length ==> a[k] <= a[l]
  {
    var j := 0;
    while j < i - 1
      invariant 0 <= j < i
      invariant Sorted(a, i, a.Length)
      invariant forall k, l :: 0 <= k < i <= l < a.Length ==> a[k] <= a[l]
      invariant forall k :: 0 <= k < j ==> a[k] <= a[j]
    {
      if a[j] > a[j + 1] {
        a[j], a[j + 1] := a[j + 1], a[j];
      }
      j := j + 1;
    }
    i := i - 1;
  }
}
