// Partitioning and quick sort of a part of an array.
predicate Between(a: array<int>, lo: int, hi: int, low: int, high: int)
  requires 0 <= lo <= hi <= a.Length
  reads a
{
  forall i :: lo <= i < hi ==> low <= a[i] <= high
}

predicate Sorted(a: array<int>, lo: int, hi: int)
  requires 0 <= lo <= hi <= a.Length
  reads a
{
  forall i, j :: lo <= i < j < hi ==> a[i] <= a[j]
}

method Partition(a: array<int>, lo: int, hi: int, ghost low: int, ghost high: int) returns (p: int)
  requires 0 <= lo < hi <= a.Length
  requires Between(a, lo, hi, low, high)
  modifies a
  ensures lo <= p < hi
  ensures Between(a, lo, hi, low, high)
  ensures forall i :: lo <= i < p ==> a[i] <= a[p]
  ensures forall i :: p < i < hi ==> a[p] <= a[i]
  ensures forall i :: 0 <= i < lo || hi <= i < a.Length ==> a[i] == old(a[i])
{
  var pivot := a[hi - 1];
  p := lo;
  var j := lo;
  while j < hi - 1
    invariant lo <= p <= j <= hi - 1
    invariant Between(a, lo, hi, low, high)
    invariant forall i :: lo <= i < p ==> a[i] <= pivot
    invariant forall i :: p <= i < j ==> pivot <= a[i]
    invariant a[hi - 1] == pivot
    invariant forall i :: 0 <= i < lo || hi <= i < a.Length ==> a[i] == old(a[i])
  {
    if a[j] < pivot {
      a[p], a[j] := a[j], a[p];
      p := p + 1;
    }
    j := j + 1;
  }
  a[p], a[hi - 1] := a[hi - 1], a[p];
}

method QuickSort(a: array<int>, lo: int, hi: int, ghost low: int, ghost high: int)
  requires 0 <= lo <= hi <= a.Length
  requires Between(a, lo, hi, low, high)
  modifies a
  ensures Sorted(a, lo, hi)
  ensures Between(a, lo, hi, low, high)
  ensures forall i :: 0 <= i < lo || hi <= i < a.Length ==> a[i] == old(a[i])
  decreases hi - lo
{
  if hi - lo < 2 {
    return;
  }
  var p := Partition(a, lo, hi, low, high);
  ghost var middle := a[p];
  QuickSort(a, lo, p, low, middle);
  assert a[p] == middle;
  QuickSort(a, p + 1, hi, middle, high);
}
