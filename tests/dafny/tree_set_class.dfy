// A set of numbers as a tree of objects.
class TreeNode {
  ghost var Contents: set<int>
  ghost var Repr: set<object>
  var value: int
  var left: TreeNode?
  var right: TreeNode?

  predicate Valid()
    reads this, Repr
    decreases Repr
  {
    this in Repr &&
    (left != null ==> left in Repr && left.Repr <= Repr && this !in left.Repr && left.Valid() &&
      forall x :: x in left.Contents ==> x < value) &&
    (right != null ==> right in Repr && right.Repr <= Repr && this !in right.Repr && right.Valid() &&
      forall x :: x in right.Contents ==> value < x) &&
    (left != null && right != null ==> left.Repr !! right.Repr) &&
    Contents == {value} + (if left == null then {} else left.Contents) + (if right == null then {} else right.Contents)
  }

  constructor (x: int)
    ensures Valid() && fresh(Repr)
    ensures Contents == {x}
  {
    value, left, right, Contents := x, null, null, {x};
    new;
    Repr := {this};
  }

  method Insert(x: int)
    requires Valid()
    modifies Repr
    ensures Valid() && fresh(Repr - old(Repr))
    ensures Contents == old(Contents) + {x}
    decreases Repr
  {
    if x == value {
      return;
    }
    if x < value {
      if left == null {
        left := new TreeNode(x);
      } else {
        left.Insert(x);
      }
      Repr := Repr + left.Repr;
    } else {
      if right == null {
        right := new TreeNode(x);
      } else {
        right.Insert(x);
      }
      Repr := Repr + right.Repr;
    }
    Contents := Contents + {x};
  }

  method Find(x: int) returns (found: bool)
    requires Valid()
    ensures found <==> x in Contents
    decreases Repr
  {
    if x == value {
      found := true;
    } else if x < value {
      if left == null {
        found := false;
      } else {
        found := left.Find(x);
      }
    } else if right == null {
      found := false;
    } else {
      found := right.Find(x);
    }
  }
}

method Client() {
  var t := new TreeNode(4);
  t.Insert(2);
  t.Insert(7);
  var found := t.Find(2);
  assert found;
  found := t.Find(5);
  assert !found;
}
