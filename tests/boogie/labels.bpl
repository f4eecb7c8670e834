// Elements with labels; which of them proofs need is said by a test.
procedure callee(n: int) returns (r: int)
  requires {:id "positive"} n > 0;
  requires {:id "small"} n < 100;
  ensures {:id "larger"} r > n;
  ensures {:id "above_zero"} r > 0;
{
  r := {:id "next"} n + 1;
}

procedure caller(n: int) returns (r: int)
  requires {:id "start"} n > 1;
  requires {:id "limit"} n < 50;
  ensures {:id "result"} r > 2;
{
  call {:id "call"} r := callee(n);
  assume {:id "never"} n == n + 1;
  assert {:id "vacuous"} r == 17;
}

procedure counts(n: int)
  requires {:id "natural"} n >= 0;
{
  var i, unused: int;
  i := {:id "zero"} 0;
  while (i < n)
    invariant {:id "bounds"} 0 <= i && i <= n;
    invariant {:id "spare"} n >= 0;
  {
    i := {:id "step"} i + 1;
    unused := {:id "unused"} i;
  }
  assert {:id "end"} i == n;
}
