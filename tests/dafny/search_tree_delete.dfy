// Binary search trees as a datatype: insertion, lookup, removal of the least element and of any element.
datatype Tree = Empty | Node(left: Tree, key: int, right: Tree)

function Keys(t: Tree): set<int>
{
  match t
  case Empty => {}
  case Node(l, k, r) => Keys(l) + {k} + Keys(r)
}

predicate Ordered(t: Tree)
{
  match t
  case Empty => true
  case Node(l, k, r) =>
    Ordered(l) && Ordered(r) && (forall x :: x in Keys(l) ==> x < k) && (forall x :: x in Keys(r) ==> k < x)
}

function method Insert(t: Tree, x: int): Tree
  requires Ordered(t)
  ensures Ordered(Insert(t, x)) && Keys(Insert(t, x)) == Keys(t) + {x}
{
  match t
  case Empty => Node(Empty, x, Empty)
  case Node(l, k, r) =>
    if x == k then t
    else if x < k then Node(Insert(l, x), k, r)
    else Node(l, k, Insert(r, x))
}

function method Contains(t: Tree, x: int): bool
  requires Ordered(t)
  ensures Contains(t, x) <==> x in Keys(t)
{
  match t
  case Empty => false
  case Node(l, k, r) => if x == k then true else if x < k then Contains(l, x) else Contains(r, x)
}

function method Least(t: Tree): int
  requires Ordered(t) && t.Node?
  ensures Least(t) in Keys(t) && forall x :: x in Keys(t) ==> Least(t) <= x
{
  if t.left.Empty? then t.key else Least(t.left)
}

function method RemoveLeast(t: Tree): Tree
  requires Ordered(t) && t.Node?
  ensures Ordered(RemoveLeast(t)) && Keys(RemoveLeast(t)) == Keys(t) - {Least(t)}
{
  if t.left.Empty? then t.right else Node(RemoveLeast(t.left), t.key, t.right)
}

function method Remove(t: Tree, x: int): Tree
  requires Ordered(t)
  ensures Ordered(Remove(t, x)) && Keys(Remove(t, x)) == Keys(t) - {x}
{
  match t
  case Empty => Empty
  case Node(l, k, r) =>
    if x < k then Node(Remove(l, x), k, r)
    else if k < x then Node(l, k, Remove(r, x))
    else if r.Empty? then l
    else Node(l, Least(r), RemoveLeast(r))
}

method Client()
{
  var t := Insert(Insert(Insert(Empty, 5), 2), 8);
  assert Contains(t, 2);
  t := Remove(t, 5);
  assert Keys(t) == {2, 8};
  assert !Contains(t, 5);
}
