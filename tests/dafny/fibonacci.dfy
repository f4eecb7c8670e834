function fib(n: nat): nat { if n < 2 then n else fib(n - 1) + fib(n - 2) }
method ComputeFib(n: nat) returns (b: nat)
  ensures b == fib(n)
{
  var i, c := 0, 1;
  b := 0;
  while i < n
    invariant 0 <= i <= n
    invariant b == fib(i) && c == fib(i + 1)
  { b, c := c, b + c; i := i + 1; }
}
