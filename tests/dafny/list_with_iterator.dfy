// A linked list with its footprint, and a cursor that walks along it.
class Node {
  var value: int
  var next: Node?
  ghost var list: seq<int>
  ghost var Repr: set<Node>

  predicate Valid()
    reads this, Repr
    decreases Repr
  {
    this in Repr
    && (next == null ==> list == [value])
    && (next != null ==> next in Repr && next.Repr < Repr && this !in next.Repr && next.Valid() && list == [value] + next.list)
  }

  constructor Last(v: int)
    ensures Valid() && fresh(Repr) && list == [v]
  {
    value, next := v, null;
    list := [v];
    Repr := {this};
  }

  constructor Before(v: int, rest: Node)
    requires rest.Valid()
    ensures Valid() && fresh(Repr - rest.Repr) && list == [v] + rest.list
  {
    value, next := v, rest;
    list := [v] + rest.list;
    Repr := {this} + rest.Repr;
  }
}

class Cursor {
  var at: Node?
  ghost var rest: seq<int>

  predicate Valid()
    reads this, at, if at != null then at.Repr else {}
  {
    (at == null ==> rest == []) && (at != null ==> at.Valid() && rest == at.list)
  }

  constructor (n: Node)
    requires n.Valid()
    ensures Valid() && rest == n.list
  {
    at := n;
    rest := n.list;
  }

  method Next() returns (x: int)
    requires Valid() && rest != []
    modifies this
    ensures Valid() && x == old(rest)[0] && rest == old(rest)[1..]
  {
    x := at.value;
    at := at.next;
    rest := rest[1..];
  }

  method HasNext() returns (b: bool)
    requires Valid()
    ensures b <==> rest != []
  {
    b := at != null;
  }
}

method Sum(n: Node) returns (total: int, length: nat)
  requires n.Valid()
  ensures length == |n.list|
{
  var cursor := new Cursor(n);
  total, length := 0, 0;
  var more := cursor.HasNext();
  while more
    invariant cursor.Valid() && (more <==> cursor.rest != []) && fresh(cursor)
    invariant length + |cursor.rest| == |n.list| && n.Valid()
    decreases |cursor.rest|
  {
    var x := cursor.Next();
    total := total + x;
    length := length + 1;
    more := cursor.HasNext();
  }
}
