// A stack of linked nodes: each node knows the values from it on, and the nodes that it consists of.
class Node {
  ghost var List: seq<int>
  ghost var Repr: set<Node>
  var data: int
  var next: Node?

  predicate Valid()
    reads this, Repr
    decreases Repr
  {
    this in Repr &&
    (next == null ==> List == [data]) &&
    (next != null ==> next in Repr && next.Repr <= Repr && this !in next.Repr &&
      List == [data] + next.List && next.Valid())
  }

  constructor Singleton(d: int)
    ensures Valid() && fresh(Repr)
    ensures List == [d]
  {
    data, next, List := d, null, [d];
    new;
    Repr := {this};
  }

  constructor Before(d: int, tail: Node)
    requires tail.Valid()
    ensures Valid() && fresh(Repr - tail.Repr)
    ensures List == [d] + tail.List
  {
    data, next := d, tail;
    List := [d] + tail.List;
    new;
    Repr := {this} + tail.Repr;
  }

  method SkipHead() returns (tail: Node?)
    requires Valid()
    ensures tail == null ==> |List| == 1
    ensures tail != null ==> tail.Valid() && tail.List == List[1..] && tail.Repr <= Repr
  {
    tail := next;
  }

  method ReverseInPlace() returns (reverse: Node)
    requires Valid()
    modifies Repr
    ensures reverse.Valid() && reverse.Repr <= old(Repr)
    ensures |reverse.List| == |old(List)|
    ensures forall k :: 0 <= k < |old(List)| ==> reverse.List[k] == old(List)[|old(List)| - 1 - k]
  {
    var current := next;
    reverse := this;
    reverse.next := null;
    reverse.Repr := {reverse};
    reverse.List := [data];
    while current != null
      invariant reverse.Valid() && reverse.Repr <= old(Repr)
      invariant current == null ==> |old(List)| == |reverse.List|
      invariant current != null ==> current.Valid() && current in old(Repr) && current.Repr <= old(Repr) &&
        current.Repr !! reverse.Repr
      invariant current != null ==> |old(List)| == |reverse.List| + |current.List| &&
        current.List == old(List)[|reverse.List|..]
      invariant forall k :: 0 <= k < |reverse.List| ==> reverse.List[k] == old(List)[|reverse.List| - 1 - k]
      decreases if current != null then |current.List| else -1
    {
      var rest := current.next;
      assert rest != null ==> rest.Valid() && rest.Repr <= current.Repr && current !in rest.Repr;
      current.next := reverse;
      current.Repr := {current} + reverse.Repr;
      current.List := [current.data] + reverse.List;
      reverse := current;
      current := rest;
    }
  }
}
