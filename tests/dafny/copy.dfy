method Copy(a: array<int>) returns (b: array<int>)
  ensures fresh(b) && b.Length == a.Length
  ensures forall i :: 0 <= i < a.Length ==> b[i] == a[i]
{
  b := new int[a.Length];
  var i := 0;
  while i < a.Length
    invariant 0 <= i <= a.Length
    invariant forall j :: 0 <= j < i ==> b[j] == a[j]
  { b[i] := a[i]; i := i + 1; }
}
