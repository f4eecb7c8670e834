// Measures that are tuples, and functions that call each other.
function method Ackermann(m: nat, n: nat): nat
  decreases m, n
{
  if m == 0 then n + 1
  else if n == 0 then Ackermann(m - 1, 1)
  else Ackermann(m - 1, Ackermann(m, n - 1))
}

lemma AckermannGrows(m: nat, n: nat)
  ensures Ackermann(m, n) > n
  decreases m, n
{
  if m > 0 && n > 0 {
    AckermannGrows(m, n - 1);
    AckermannGrows(m - 1, Ackermann(m, n - 1));
  } else if m > 0 {
    AckermannGrows(m - 1, 1);
  }
}

datatype Tree = Leaf | Node(left: Tree, value: int, right: Tree)
datatype Forest = Empty | More(tree: Tree, rest: Forest)

function method Size(t: Tree): nat
{
  match t
  case Leaf => 0
  case Node(l, _, r) => Size(l) + 1 + Size(r)
}

function method Work(trees: Forest): nat
{
  match trees
  case Empty => 0
  case More(t, rest) => 2 * Size(t) + 1 + Work(rest)
}

method SumAll(t: Tree) returns (total: int)
{
  total := 0;
  var trees := More(t, Empty);
  while trees.More?
    decreases Work(trees)
  {
    match trees.tree
    case Leaf =>
      trees := trees.rest;
    case Node(l, v, r) =>
      total := total + v;
      assert Work(More(l, More(r, trees.rest))) == 2 * Size(l) + 1 + Work(More(r, trees.rest));
      trees := More(l, More(r, trees.rest));
  }
}

method Countdown(outer: nat, width: nat) returns (steps: nat)
{
  var i, j := outer, width;
  steps := 0;
  while i > 0
    invariant 0 <= i && 0 <= j <= width
    decreases i, j
  {
    if j == 0 {
      i := i - 1;
      j := width;
    } else {
      j := j - 1;
    }
    steps := steps + 1;
  }
}

function method IsEven(n: nat): bool decreases n, 0 { if n == 0 then true else IsOdd(n - 1) }
function method IsOdd(n: nat): bool decreases n, 1 { !IsEven(n) }

lemma EvenIsEven(n: nat)
  ensures IsEven(n) <==> n % 2 == 0
{
  if n > 0 {
    EvenIsEven(n - 1);
  }
}
