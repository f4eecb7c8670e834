// A set of numbers as a binary search tree of objects.
class Node {
  ghost var Contents: set<int>
  ghost var Repr: set<object>
  var data: int
  var left: Node?
  var right: Node?

  predicate Valid()
    reads this, Repr
    decreases Repr
  {
    this in Repr &&
    (left != null ==>
      left in Repr && left.Repr <= Repr && this !in left.Repr && left.Valid() &&
      (forall y :: y in left.Contents ==> y < data)) &&
    (right != null ==>
      right in Repr && right.Repr <= Repr && this !in right.Repr && right.Valid() &&
      (forall y :: y in right.Contents ==> data < y)) &&
    (left == null && right == null ==> Contents == {data}) &&
    (left != null && right == null ==> Contents == left.Contents + {data}) &&
    (left == null && right != null ==> Contents == {data} + right.Contents) &&
    (left != null && right != null ==>
      left.Repr !! right.Repr && Contents == left.Contents + {data} + right.Contents)
  }

  constructor (x: int)
    ensures Valid() && fresh(Repr)
    ensures Contents == {x}
  {
    data := x;
    left, right := null, null;
    Contents := {x};
    Repr := {this};
  }

  method Insert(x: int)
    requires Valid()
    modifies Repr
    ensures Valid() && fresh(Repr - old(Repr))
    ensures Contents == old(Contents) + {x}
    decreases Repr
  {
    if x == data {
      return;
    }
    if x < data {
      if left == null {
        left := new Node(x);
      } else {
        left.Insert(x);
      }
      Repr := Repr + left.Repr;
    } else {
      if right == null {
        right := new Node(x);
      } else {
        right.Insert(x);
      }
      Repr := Repr + right.Repr;
    }
    Contents := Contents + {x};
  }

  method Contains(x: int) returns (found: bool)
    requires Valid()
    ensures found <==> x in Contents
    decreases Repr
  {
    if x == data {
      return true;
    } else if x < data && left != null {
      found := left.Contains(x);
    } else if data < x && right != null {
      found := right.Contains(x);
    } else {
      return false;
    }
  }
}

method Client() {
  var t := new Node(5);
  t.Insert(3);
  t.Insert(8);
  var found := t.Contains(3);
  assert found;
  found := t.Contains(4);
  assert !found;
}
