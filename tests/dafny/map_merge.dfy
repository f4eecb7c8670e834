// Maps: domain, restriction, merging and inversion.
function Restrict(m: map<int, int>, s: set<int>): map<int, int> {
  map k | k in m && k in s :: m[k]
}

function Merge(a: map<int, int>, b: map<int, int>): map<int, int> {
  map k | k in a.Keys + b.Keys :: if k in b then b[k] else a[k]
}

lemma MergeHasBoth(a: map<int, int>, b: map<int, int>)
  ensures Merge(a, b).Keys == a.Keys + b.Keys
  ensures forall k :: k in b ==> Merge(a, b)[k] == b[k]
  ensures forall k :: k in a && k !in b ==> Merge(a, b)[k] == a[k]
{
}

lemma MergeDisjoint(a: map<int, int>, b: map<int, int>)
  requires a.Keys !! b.Keys
  ensures Merge(a, b) == Merge(b, a)
{
}

lemma MergeAssociative(a: map<int, int>, b: map<int, int>, c: map<int, int>)
  ensures Merge(Merge(a, b), c) == Merge(a, Merge(b, c))
{
}

lemma RestrictTwice(m: map<int, int>, s: set<int>, t: set<int>)
  ensures Restrict(Restrict(m, s), t) == Restrict(m, s * t)
{
}

predicate Injective(m: map<int, int>) {
  forall a, b :: a in m && b in m && a != b ==> m[a] != m[b]
}

method Invert(m: map<int, int>) returns (inverse: map<int, int>)
  requires Injective(m)
  ensures forall k :: k in m ==> m[k] in inverse && inverse[m[k]] == k
{
  inverse := map[];
  var rest := m.Keys;
  while rest != {}
    invariant rest <= m.Keys
    invariant forall k :: k in m && k !in rest ==> m[k] in inverse && inverse[m[k]] == k
    decreases rest
  {
    var k :| k in rest;
    inverse := inverse[m[k] := k];
    rest := rest - {k};
  }
}
