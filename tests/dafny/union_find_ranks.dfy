// Union-find over sequences: parents point to larger ranks, so looking for roots ends.
predicate Forest(parent: seq<nat>, rank: seq<nat>)
{
  |parent| == |rank|
  && (forall i :: 0 <= i < |parent| ==> parent[i] < |parent|)
  && (forall i :: 0 <= i < |parent| && parent[i] != i ==> rank[i] < rank[parent[i]])
}

function MaxRank(rank: seq<nat>): nat
  ensures forall i :: 0 <= i < |rank| ==> rank[i] <= MaxRank(rank)
{
  if rank == [] then 0 else
    var rest := MaxRank(rank[1..]);
    assert forall i :: 1 <= i < |rank| ==> rank[i] == rank[1..][i - 1];
    if rank[0] > rest then rank[0] else rest
}

function Root(parent: seq<nat>, rank: seq<nat>, i: nat): nat
  requires Forest(parent, rank) && i < |parent|
  ensures Root(parent, rank, i) < |parent| && parent[Root(parent, rank, i)] == Root(parent, rank, i)
  decreases MaxRank(rank) - rank[i]
{
  if parent[i] == i then i else Root(parent, rank, parent[i])
}

method Find(parent: seq<nat>, ghost rank: seq<nat>, i: nat) returns (r: nat)
  requires Forest(parent, rank) && i < |parent|
  ensures r == Root(parent, rank, i)
{
  r := i;
  while parent[r] != r
    invariant r < |parent| && Root(parent, rank, r) == Root(parent, rank, i)
    decreases MaxRank(rank) - rank[r]
  {
    r := parent[r];
  }
}

lemma RootAfterLink(parent: seq<nat>, rank: seq<nat>, a: nat, b: nat, i: nat)
  requires Forest(parent, rank) && a < |parent| && b < |parent| && i < |parent|
  requires parent[a] == a && parent[b] == b && a != b && rank[a] < rank[b]
  ensures Forest(parent[a := b], rank)
  ensures Root(parent[a := b], rank, i) == if Root(parent, rank, i) == a then b else Root(parent, rank, i)
  decreases MaxRank(rank) - rank[i]
{
  var linked := parent[a := b];
  if parent[i] == i {
    if i == a {
      assert linked[i] == b && linked[b] == b;
      assert Root(linked, rank, i) == Root(linked, rank, b) == b;
    }
  } else {
    RootAfterLink(parent, rank, a, b, parent[i]);
    assert linked[i] == parent[i];
  }
}

method Link(parent: seq<nat>, ghost rank: seq<nat>, a: nat, b: nat) returns (linked: seq<nat>)
  requires Forest(parent, rank) && a < |parent| && b < |parent|
  requires parent[a] == a && parent[b] == b && a != b && rank[a] < rank[b]
  ensures Forest(linked, rank) && |linked| == |parent|
  ensures forall i :: 0 <= i < |parent| ==>
    Root(linked, rank, i) == if Root(parent, rank, i) == a then b else Root(parent, rank, i)
{
  linked := parent[a := b];
  forall i | 0 <= i < |parent|
    ensures Forest(linked, rank) && Root(linked, rank, i) == if Root(parent, rank, i) == a then b else Root(parent, rank, i)
  {
    RootAfterLink(parent, rank, a, b, i);
  }
  RootAfterLink(parent, rank, a, b, a);
}
