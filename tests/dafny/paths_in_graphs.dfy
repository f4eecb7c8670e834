// Paths in a graph of numbered nodes, as sequences and as a relation by steps.
type Graph = map<nat, set<nat>>

predicate Edge(g: Graph, a: nat, b: nat) {
  a in g && b in g[a]
}

predicate Path(g: Graph, p: seq<nat>) {
  p != [] && forall i :: 0 <= i < |p| - 1 ==> Edge(g, p[i], p[i + 1])
}

predicate Reaches(g: Graph, a: nat, b: nat, n: nat)
  decreases n
{
  if n == 0 then a == b else exists c :: Edge(g, a, c) && Reaches(g, c, b, n - 1)
}

lemma PathGivesReach(g: Graph, p: seq<nat>)
  requires Path(g, p)
  ensures Reaches(g, p[0], p[|p| - 1], |p| - 1)
  decreases |p|
{
  if |p| > 1 {
    assert Edge(g, p[0], p[1]);
    assert forall i :: 0 <= i < |p[1..]| - 1 ==> Edge(g, p[i + 1], p[i + 2]);
    PathGivesReach(g, p[1..]);
  }
}

lemma ReachGivesPath(g: Graph, a: nat, b: nat, n: nat) returns (p: seq<nat>)
  requires Reaches(g, a, b, n)
  ensures Path(g, p) && p[0] == a && p[|p| - 1] == b && |p| == n + 1
  decreases n
{
  if n == 0 {
    p := [a];
  } else {
    var c :| Edge(g, a, c) && Reaches(g, c, b, n - 1);
    var rest := ReachGivesPath(g, c, b, n - 1);
    p := [a] + rest;
  }
}

lemma Transitive(g: Graph, a: nat, b: nat, c: nat, m: nat, n: nat)
  requires Reaches(g, a, b, m) && Reaches(g, b, c, n)
  ensures Reaches(g, a, c, m + n)
  decreases m
{
  if m > 0 {
    var d :| Edge(g, a, d) && Reaches(g, d, b, m - 1);
    Transitive(g, d, b, c, m - 1, n);
  }
}
