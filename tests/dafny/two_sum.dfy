// Finding two numbers with a given sum, by a map from values to indices.
predicate IsPair(a: seq<int>, target: int, i: int, j: int) {
  0 <= i < j < |a| && a[i] + a[j] == target
}

method TwoSum(a: seq<int>, target: int) returns (found: bool, i: int, j: int)
  ensures found ==> IsPair(a, target, i, j)
  ensures !found ==> forall p, q :: !IsPair(a, target, p, q)
{
  var index: map<int, int> := map[];
  var n := 0;
  while n < |a|
    invariant 0 <= n <= |a|
    invariant forall v :: v in index ==> 0 <= index[v] < n && a[index[v]] == v
    invariant forall k :: 0 <= k < n ==> a[k] in index
    invariant forall p, q :: q < n ==> !IsPair(a, target, p, q)
  {
    var rest := target - a[n];
    if rest in index {
      return true, index[rest], n;
    }
    forall p, q | q < n + 1
      ensures !IsPair(a, target, p, q)
    {
      if IsPair(a, target, p, q) && q == n {
        assert a[p] in index;
      }
    }
    index := index[a[n] := n];
    n := n + 1;
  }
  found, i, j := false, 0, 0;
}

method Distinct(a: seq<int>) returns (distinct: bool)
  ensures distinct <==> forall i, j :: 0 <= i < j < |a| ==> a[i] != a[j]
{
  var seen := {};
  var n := 0;
  while n < |a|
    invariant 0 <= n <= |a|
    invariant seen == set k | 0 <= k < n :: a[k]
    invariant forall i, j :: 0 <= i < j < n ==> a[i] != a[j]
  {
    if a[n] in seen {
      return false;
    }
    seen := seen + {a[n]};
    n := n + 1;
  }
  distinct := true;
}
