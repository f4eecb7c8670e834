// A stack as a chain of nodes, each of which owns the rest of the chain.
class Node {
  var value: int
  var next: Node?
  ghost var Elements: seq<int>
  ghost var Repr: set<object>

  predicate Valid()
    reads this, Repr
    decreases Repr
  {
    this in Repr &&
    (next == null ==> Elements == [value]) &&
    (next != null ==>
      next in Repr && next.Repr <= Repr && this !in next.Repr &&
      next.Valid() && Elements == [value] + next.Elements)
  }

  constructor (v: int, n: Node?)
    requires n == null || n.Valid()
    ensures Valid()
    ensures Elements == [v] + (if n == null then [] else n.Elements)
    ensures fresh(Repr - (if n == null then {} else n.Repr))
  {
    value := v;
    next := n;
    if n == null {
      Elements := [v];
      Repr := {this};
    } else {
      Elements := [v] + n.Elements;
      Repr := {this} + n.Repr;
    }
  }
}

class Stack {
  var top: Node?
  ghost var Elements: seq<int>
  ghost var Repr: set<object>

  predicate Valid()
    reads this, Repr
  {
    this in Repr &&
    (top == null ==> Elements == []) &&
    (top != null ==>
      top in Repr && top.Repr <= Repr && this !in top.Repr &&
      top.Valid() && Elements == top.Elements)
  }

  constructor ()
    ensures Valid() && fresh(Repr)
    ensures Elements == []
  {
    top := null;
    Elements := [];
    Repr := {this};
  }

  method Push(v: int)
    requires Valid()
    modifies Repr
    ensures Valid() && fresh(Repr - old(Repr))
    ensures Elements == [v] + old(Elements)
  {
    var n := new Node(v, top);
    top := n;
    Elements := n.Elements;
    Repr := Repr + n.Repr;
  }

  method Pop() returns (v: int)
    requires Valid() && Elements != []
    modifies Repr
    ensures Valid() && fresh(Repr - old(Repr))
    ensures v == old(Elements)[0] && Elements == old(Elements)[1..]
  {
    v := top.value;
    top := top.next;
    if top == null {
      Elements := [];
    } else {
      Elements := top.Elements;
    }
  }

  method IsEmpty() returns (empty: bool)
    requires Valid()
    ensures empty <==> Elements == []
  {
    empty := top == null;
  }
}

method Client() {
  var s := new Stack();
  s.Push(1);
  s.Push(2);
  var x := s.Pop();
  assert x == 2;
  assert s.Elements == [1];
  var t := new Stack();
  t.Push(7);
  assert s.Elements == [1];
  var empty := s.IsEmpty();
  assert !empty;
}
