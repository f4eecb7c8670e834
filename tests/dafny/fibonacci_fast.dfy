// Fibonacci numbers: by recursion, by iteration, by a pair, and a law about them.
function Fib(n: nat): nat {
  if n < 2 then n else Fib(n - 1) + Fib(n - 2)
}

method Iterate(n: nat) returns (f: nat)
  ensures f == Fib(n)
{
  var i, next := 0, 1;
  f := 0;
  while i < n
    invariant 0 <= i <= n
    invariant f == Fib(i) && next == Fib(i + 1)
  {
    f, next := next, f + next;
    i := i + 1;
  }
}

function method Pair(n: nat): (nat, nat)
  ensures Pair(n) == (Fib(n), Fib(n + 1))
{
  if n == 0 then (0, 1)
  else
    var p := Pair(n - 1);
    (p.1, p.0 + p.1)
}

lemma Growing(m: nat, n: nat)
  requires m <= n
  ensures Fib(m) <= Fib(n)
{
  if m < n {
    Growing(m, n - 1);
  }
}

function SumOfFib(n: nat): nat {
  if n == 0 then 0 else SumOfFib(n - 1) + Fib(n)
}

lemma SumLaw(n: nat)
  ensures SumOfFib(n) + 1 == Fib(n + 2)
{
  if n > 0 {
    SumLaw(n - 1);
  }
}

method Client() {
  var f := Iterate(7);
  assert Fib(3) == 2;
  assert Fib(5) == 5;
  Growing(5, 7);
  assert f >= 5;
}
