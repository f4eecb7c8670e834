// Opaque functions are revealed where their definitions are needed.
function {:opaque} Triangle(n: nat): nat
{ if n == 0 then 0 else n + Triangle(n - 1) }

predicate {:opaque} Sorted(s: seq<int>)
{ forall i, j :: 0 <= i <= j < |s| ==> s[i] <= s[j] }

lemma TriangleStep(n: nat)
  requires n > 0
  ensures Triangle(n) == n + Triangle(n - 1)
{ reveal Triangle(); }

lemma TriangleBase()
  ensures Triangle(0) == 0
{ reveal Triangle(); }

method ComputeTriangle(n: nat) returns (t: nat)
  ensures t == Triangle(n)
{
  t := 0;
  var i := 0;
  TriangleBase();
  while i < n
    invariant 0 <= i <= n && t == Triangle(i)
  {
    i := i + 1;
    TriangleStep(i);
    t := t + i;
  }
}

lemma SortedPrefix(s: seq<int>, n: nat)
  requires Sorted(s) && n <= |s|
  ensures Sorted(s[..n])
{
  reveal Sorted();
}

lemma SortedAppend(s: seq<int>, x: int)
  requires Sorted(s) && (|s| > 0 ==> s[|s| - 1] <= x)
  ensures Sorted(s + [x])
{
  reveal Sorted();
}

method MergeSorted(a: seq<int>, b: seq<int>) returns (r: seq<int>)
  requires Sorted(a) && Sorted(b)
  ensures Sorted(r) && multiset(r) == multiset(a) + multiset(b)
{
  r := [];
  reveal Sorted();
  var i, j := 0, 0;
  assert a[..0] == [] && b[..0] == [];
  while i < |a| || j < |b|
    invariant 0 <= i <= |a| && 0 <= j <= |b|
    invariant Sorted(r) && multiset(r) == multiset(a[..i]) + multiset(b[..j])
    invariant |r| > 0 && i < |a| ==> r[|r| - 1] <= a[i]
    invariant |r| > 0 && j < |b| ==> r[|r| - 1] <= b[j]
    decreases |a| - i + |b| - j
  {
    if j == |b| || (i < |a| && a[i] <= b[j]) {
      assert a[..i + 1] == a[..i] + [a[i]];
      SortedAppend(r, a[i]);
      r := r + [a[i]];
      i := i + 1;
    } else {
      assert b[..j + 1] == b[..j] + [b[j]];
      SortedAppend(r, b[j]);
      r := r + [b[j]];
      j := j + 1;
    }
  }
  assert a[..i] == a && b[..j] == b;
}
