// Binary search trees as values.
datatype Tree = Leaf | Node(left: Tree, key: int, right: Tree)

function Keys(t: Tree): set<int>
{
  match t
  case Leaf => {}
  case Node(l, k, r) => Keys(l) + {k} + Keys(r)
}

predicate Ordered(t: Tree)
{
  match t
  case Leaf => true
  case Node(l, k, r) =>
    Ordered(l) && Ordered(r) && (forall x :: x in Keys(l) ==> x < k) && (forall x :: x in Keys(r) ==> k < x)
}

function method Insert(t: Tree, x: int): Tree
{
  match t
  case Leaf => Node(Leaf, x, Leaf)
  case Node(l, k, r) =>
    if x < k then Node(Insert(l, x), k, r)
    else if k < x then Node(l, k, Insert(r, x))
    else t
}

function method Contains(t: Tree, x: int): bool
{
  match t
  case Leaf => false
  case Node(l, k, r) => if x < k then Contains(l, x) else if k < x then Contains(r, x) else true
}

lemma InsertKeys(t: Tree, x: int)
  ensures Keys(Insert(t, x)) == Keys(t) + {x}
{
}

lemma InsertOrdered(t: Tree, x: int)
  requires Ordered(t)
  ensures Ordered(Insert(t, x))
{
  match t
  case Leaf =>
  case Node(l, k, r) =>
    InsertKeys(l, x);
    InsertKeys(r, x);
    if x < k {
      InsertOrdered(l, x);
    } else if k < x {
      InsertOrdered(r, x);
    }
}

lemma ContainsKeys(t: Tree, x: int)
  requires Ordered(t)
  ensures Contains(t, x) <==> x in Keys(t)
{
}

method FromArray(a: array<int>) returns (t: Tree)
  ensures Ordered(t)
  ensures forall i :: 0 <= i < a.Length ==> a[i] in Keys(t)
{
  t := Leaf;
  var i := 0;
  while i < a.Length
    invariant 0 <= i <= a.Length && Ordered(t)
    invariant forall j :: 0 <= j < i ==> a[j] in Keys(t)
  {
    InsertOrdered(t, a[i]);
    InsertKeys(t, a[i]);
    t := Insert(t, a[i]);
    i := i + 1;
  }
}
