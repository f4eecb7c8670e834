// Expressions, their simplification, and a compiler to a stack machine.
datatype Expr = Num(value: int) | Var(name: nat) | Add(left: Expr, right: Expr) | Mul(left: Expr, right: Expr)

type Store = nat -> int

function Eval(e: Expr, s: Store): int {
  match e
  case Num(v) => v
  case Var(x) => s(x)
  case Add(l, r) => Eval(l, s) + Eval(r, s)
  case Mul(l, r) => Eval(l, s) * Eval(r, s)
}

function method Simplify(e: Expr): Expr {
  match e
  case Num(_) => e
  case Var(_) => e
  case Add(l, r) =>
    var l, r := Simplify(l), Simplify(r);
    if l.Num? && r.Num? then Num(l.value + r.value)
    else if l == Num(0) then r
    else if r == Num(0) then l
    else Add(l, r)
  case Mul(l, r) =>
    var l, r := Simplify(l), Simplify(r);
    if l == Num(0) || r == Num(0) then Num(0)
    else if l == Num(1) then r
    else if r == Num(1) then l
    else Mul(l, r)
}

lemma SimplifyKeepsMeaning(e: Expr, s: Store)
  ensures Eval(Simplify(e), s) == Eval(e, s)
{
  match e
  case Num(_) =>
  case Var(_) =>
  case Add(l, r) =>
    SimplifyKeepsMeaning(l, s);
    SimplifyKeepsMeaning(r, s);
  case Mul(l, r) =>
    SimplifyKeepsMeaning(l, s);
    SimplifyKeepsMeaning(r, s);
}

datatype Code = Push(value: int) | Load(name: nat) | Plus | Times

function Step(c: Code, stack: seq<int>, s: Store): seq<int> {
  match c
  case Push(v) => [v] + stack
  case Load(x) => [s(x)] + stack
  case Plus => if |stack| < 2 then stack else [stack[0] + stack[1]] + stack[2..]
  case Times => if |stack| < 2 then stack else [stack[0] * stack[1]] + stack[2..]
}

function Run(code: seq<Code>, stack: seq<int>, s: Store): seq<int>
  decreases |code|
{
  if code == [] then stack else Run(code[1..], Step(code[0], stack, s), s)
}

function Compile(e: Expr): seq<Code> {
  match e
  case Num(v) => [Push(v)]
  case Var(x) => [Load(x)]
  case Add(l, r) => Compile(r) + Compile(l) + [Plus]
  case Mul(l, r) => Compile(r) + Compile(l) + [Times]
}

lemma RunAppend(a: seq<Code>, b: seq<Code>, stack: seq<int>, s: Store)
  ensures Run(a + b, stack, s) == Run(b, Run(a, stack, s), s)
  decreases |a|
{
  if a == [] {
    assert a + b == b;
  } else {
    assert (a + b)[1..] == a[1..] + b;
    RunAppend(a[1..], b, Step(a[0], stack, s), s);
  }
}
