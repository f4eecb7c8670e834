// Insertion sort of an array, with a method of its own for one insertion.
predicate Sorted(s: seq<int>) {
  forall i, j :: 0 <= i < j < |s| ==> s[i] <= s[j]
}

method InsertLast(a: array<int>, n: int)
  requires 0 <= n < a.Length
  requires Sorted(a[..n])
  modifies a
  ensures Sorted(a[..n + 1])
  ensures forall i :: n < i < a.Length ==> a[i] == old(a[i])
{
  var x := a[n];
  var j := n;
  while j > 0 && a[j - 1] > x
    invariant 0 <= j <= n
    invariant forall i, k :: 0 <= i < k <= n && k != j && i != j ==> a[i] <= a[k]
    invariant forall k :: j < k <= n ==> x < a[k]
    invariant forall i :: n < i < a.Length ==> a[i] == old(a[i])
  {
    a[j] := a[j - 1];
    j := j - 1;
  }
  a[j] := x;
}

method Sort(a: array<int>)
  modifies a
  ensures Sorted(a[..])
{
  var n := 0;
  while n < a.Length
    invariant 0 <= n <= a.Length
    invariant Sorted(a[..n])
  {
    InsertLast(a, n);
    n := n + 1;
  }
  assert a[..n] == a[..];
}

method IsSorted(a: array<int>) returns (yes: bool)
  ensures yes <==> Sorted(a[..])
{
  var n := 1;
  while n < a.Length
    invariant 1 <= n && (n <= a.Length || a.Length == 0)
    invariant a.Length > 0 ==> Sorted(a[..n])
  {
    if a[n - 1] > a[n] {
      return false;
    }
    n := n + 1;
  }
  yes := true;
  assert a.Length > 0 ==> a[..n] == a[..];
}
