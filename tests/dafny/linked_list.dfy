class Node { var next: Node? var value: int
  ghost var list: seq<int>
  ghost var repr: set<Node>
  predicate Valid() reads this, repr decreases repr
  {
    this in repr && |list| > 0 && list[0] == value &&
    (next == null ==> list == [value]) &&
    (next != null ==> next in repr && next.repr <= repr && this !in next.repr && next.Valid() && next.list == list[1..])
  }
}
method Prepend(n: Node, v: int) returns (r: Node)
  requires n.Valid()
  ensures r.Valid() && r.list == [v] + n.list
{
  r := new Node;
  r.value := v;
  r.next := n;
  r.list := [v] + n.list;
  r.repr := {r} + n.repr;
}
