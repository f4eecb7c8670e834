// A compiler from expressions to a stack machine, and why it is right.
datatype Expr = Const(n: int) | Var(name: nat) | Add(left: Expr, right: Expr) | Mul(left: Expr, right: Expr)
datatype Instr = Push(n: int) | Load(name: nat) | AddI | MulI
datatype Code = Empty | Then(first: Instr, rest: Code)
datatype Stack = Bottom | On(top: int, below: Stack)

type Env = nat -> int

function Eval(e: Expr, env: Env): int
{
  match e
  case Const(n) => n
  case Var(x) => env(x)
  case Add(l, r) => Eval(l, env) + Eval(r, env)
  case Mul(l, r) => Eval(l, env) * Eval(r, env)
}

function Join(a: Code, b: Code): Code
{
  match a
  case Empty => b
  case Then(i, rest) => Then(i, Join(rest, b))
}

function Compile(e: Expr): Code
{
  match e
  case Const(n) => Then(Push(n), Empty)
  case Var(x) => Then(Load(x), Empty)
  case Add(l, r) => Join(Join(Compile(l), Compile(r)), Then(AddI, Empty))
  case Mul(l, r) => Join(Join(Compile(l), Compile(r)), Then(MulI, Empty))
}

function Step(i: Instr, s: Stack, env: Env): Stack
{
  match i
  case Push(n) => On(n, s)
  case Load(x) => On(env(x), s)
  case AddI => if s.On? && s.below.On? then On(s.below.top + s.top, s.below.below) else s
  case MulI => if s.On? && s.below.On? then On(s.below.top * s.top, s.below.below) else s
}

function Run(c: Code, s: Stack, env: Env): Stack
{
  match c
  case Empty => s
  case Then(i, rest) => Run(rest, Step(i, s, env), env)
}

lemma RunJoin(a: Code, b: Code, s: Stack, env: Env)
  ensures Run(Join(a, b), s, env) == Run(b, Run(a, s, env), env)
{
  match a
  case Empty =>
  case Then(i, rest) => RunJoin(rest, b, Step(i, s, env), env);
}

lemma Correct(e: Expr, s: Stack, env: Env)
  ensures Run(Compile(e), s, env) == On(Eval(e, env), s)
{
  match e
  case Const(n) =>
  case Var(x) =>
  case Add(l, r) =>
    Correct(l, s, env);
    Correct(r, On(Eval(l, env), s), env);
    RunJoin(Compile(l), Compile(r), s, env);
    RunJoin(Join(Compile(l), Compile(r)), Then(AddI, Empty), s, env);
  case Mul(l, r) =>
    Correct(l, s, env);
    Correct(r, On(Eval(l, env), s), env);
    RunJoin(Compile(l), Compile(r), s, env);
    RunJoin(Join(Compile(l), Compile(r)), Then(MulI, Empty), s, env);
}
