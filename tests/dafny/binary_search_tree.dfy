// Binary search trees as a data type, with insertion, membership and the set of their elements.
datatype Tree = Leaf | Node(left: Tree, value: int, right: Tree)

function Elements(t: Tree): set<int> {
  match t
  case Leaf => {}
  case Node(l, v, r) => Elements(l) + {v} + Elements(r)
}

predicate Ordered(t: Tree) {
  match t
  case Leaf => true
  case Node(l, v, r) =>
    Ordered(l) && Ordered(r) &&
    (forall x :: x in Elements(l) ==> x < v) &&
    (forall x :: x in Elements(r) ==> v < x)
}

function method Insert(t: Tree, x: int): Tree {
  match t
  case Leaf => Node(Leaf, x, Leaf)
  case Node(l, v, r) =>
    if x < v then Node(Insert(l, x), v, r)
    else if v < x then Node(l, v, Insert(r, x))
    else t
}

lemma InsertIsRight(t: Tree, x: int)
  requires Ordered(t)
  ensures Ordered(Insert(t, x))
  ensures Elements(Insert(t, x)) == Elements(t) + {x}
{
  match t
  case Leaf =>
  case Node(l, v, r) =>
    if x < v {
      InsertIsRight(l, x);
    } else if v < x {
      InsertIsRight(r, x);
    }
}

method Contains(t: Tree, x: int) returns (found: bool)
  requires Ordered(t)
  ensures found <==> x in Elements(t)
{
  var at := t;
  while at != Leaf
    invariant Ordered(at)
    invariant x in Elements(t) <==> x in Elements(at)
    decreases at
  {
    if x == at.value {
      return true;
    }
    at := if x < at.value then at.left else at.right;
  }
  found := false;
}

function Smallest(t: Tree): int
  requires t != Leaf
{
  if t.left == Leaf then t.value else Smallest(t.left)
}

lemma SmallestIsSmallest(t: Tree)
  requires Ordered(t) && t != Leaf
  ensures Smallest(t) in Elements(t)
  ensures forall x :: x in Elements(t) ==> Smallest(t) <= x
{
  if t.left != Leaf {
    SmallestIsSmallest(t.left);
  }
}
