// Disjoint sets by an array of parents; the ghost rank of each element grows towards its root.
class UnionFind {
  var parent: array<nat>
  ghost var Rank: seq<nat>
  ghost var Root: seq<nat>
  ghost var Repr: set<object>

  predicate Valid()
    reads this, Repr
  {
    this in Repr && parent in Repr &&
    |Rank| == parent.Length && |Root| == parent.Length &&
    (forall i :: 0 <= i < parent.Length ==> parent[i] < parent.Length) &&
    (forall i :: 0 <= i < parent.Length ==> Root[i] < parent.Length) &&
    (forall i :: 0 <= i < parent.Length ==> Root[i] == Root[parent[i]]) &&
    (forall i :: 0 <= i < parent.Length && parent[i] == i ==> Root[i] == i) &&
    (forall i :: 0 <= i < parent.Length ==> parent[Root[i]] == Root[i]) &&
    (forall i :: 0 <= i < parent.Length && parent[i] != i ==> Rank[parent[i]] < Rank[i])
  }

  constructor (n: nat)
    ensures Valid() && fresh(Repr)
    ensures |Root| == n && forall i :: 0 <= i < n ==> Root[i] == i
  {
    var p := new nat[n];
    var ranks: seq<nat>, roots: seq<nat>, k := [], [], 0;
    while k < n
      invariant 0 <= k <= n && |ranks| == k && |roots| == k
      invariant forall i :: 0 <= i < k ==> p[i] == i && roots[i] == i && ranks[i] == 0
    {
      p[k] := k;
      ranks, roots, k := ranks + [0], roots + [k], k + 1;
    }
    parent, Rank, Root := p, ranks, roots;
    Repr := {this, p};
  }

  method Find(x: nat) returns (r: nat)
    requires Valid() && x < parent.Length
    ensures r < parent.Length && r == Root[x] && parent[r] == r
  {
    r := x;
    while parent[r] != r
      invariant r < parent.Length && Root[r] == Root[x]
      decreases Rank[r]
    {
      r := parent[r];
    }
  }

  method Connected(x: nat, y: nat) returns (same: bool)
    requires Valid() && x < parent.Length && y < parent.Length
    ensures same <==> Root[x] == Root[y]
  {
    var rx := Find(x);
    var ry := Find(y);
    same := rx == ry;
  }

  method Compress(x: nat)
    requires Valid() && x < parent.Length
    modifies Repr
    ensures Valid() && Repr == old(Repr) && Root == old(Root) && parent == old(parent)
    ensures parent[x] == Root[x]
  {
    var r := Find(x);
    RootIsLower(x);
    parent[x] := r;
  }

  lemma RootIsLower(x: nat)
    requires Valid() && x < parent.Length
    ensures Root[x] == x || Rank[Root[x]] < Rank[x]
    decreases Rank[x]
  {
    if parent[x] != x {
      RootIsLower(parent[x]);
    }
  }
}
