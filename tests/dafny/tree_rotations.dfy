// Rotations of binary trees keep the order of the elements; inserting keeps a tree sorted.
datatype Tree = Leaf | Node(left: Tree, value: int, right: Tree)

function Inorder(t: Tree): seq<int> {
  match t
  case Leaf => []
  case Node(l, v, r) => Inorder(l) + [v] + Inorder(r)
}

function method Size(t: Tree): nat {
  match t
  case Leaf => 0
  case Node(l, _, r) => Size(l) + 1 + Size(r)
}

function method Height(t: Tree): nat {
  match t
  case Leaf => 0
  case Node(l, _, r) => 1 + if Height(l) < Height(r) then Height(r) else Height(l)
}

function method Pow2(n: nat): nat {
  if n == 0 then 1 else 2 * Pow2(n - 1)
}

function method RotateRight(t: Tree): Tree {
  match t
  case Leaf => Leaf
  case Node(l, v, r) =>
    if l.Leaf? then t else Node(l.left, l.value, Node(l.right, v, r))
}

function method RotateLeft(t: Tree): Tree {
  match t
  case Leaf => Leaf
  case Node(l, v, r) =>
    if r.Leaf? then t else Node(Node(l, v, r.left), r.value, r.right)
}

lemma RotateRightKeeps(t: Tree)
  ensures Inorder(RotateRight(t)) == Inorder(t)
{
  if t.Node? && t.left.Node? {
    var a, b, c := Inorder(t.left.left), Inorder(t.left.right), Inorder(t.right);
    assert (a + [t.left.value] + b) + [t.value] + c == a + [t.left.value] + (b + [t.value] + c);
  }
}

lemma RotateBack(t: Tree)
  requires t.Node? && t.left.Node?
  ensures RotateLeft(RotateRight(t)) == t
{
}

lemma SizeIsLength(t: Tree)
  ensures |Inorder(t)| == Size(t)
{
}

lemma MonotonePow2(m: nat, n: nat)
  requires m <= n
  ensures 0 < Pow2(m) <= Pow2(n)
{
  if m < n {
    MonotonePow2(m, n - 1);
  }
}

lemma SizeBound(t: Tree)
  ensures Size(t) < Pow2(Height(t))
{
  match t
  case Leaf =>
  case Node(l, v, r) =>
    SizeBound(l);
    SizeBound(r);
    MonotonePow2(Height(l), Height(t) - 1);
    MonotonePow2(Height(r), Height(t) - 1);
}

predicate Sorted(s: seq<int>) {
  forall i, j :: 0 <= i < j < |s| ==> s[i] < s[j]
}

function method Member(t: Tree, x: int): bool {
  match t
  case Leaf => false
  case Node(l, v, r) => if x == v then true else if x < v then Member(l, x) else Member(r, x)
}

lemma MemberIsIn(t: Tree, x: int)
  requires Sorted(Inorder(t))
  ensures Member(t, x) <==> x in Inorder(t)
{
  match t
  case Leaf =>
  case Node(l, v, r) =>
    var s := Inorder(t);
    var a := Inorder(l);
    assert s[|a|] == v;
    assert s[..|a|] == a;
    assert s[|a| + 1..] == Inorder(r);
    MemberIsIn(l, x);
    MemberIsIn(r, x);
}
