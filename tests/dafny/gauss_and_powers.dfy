// Sums and powers by induction.
function Sum(n: nat): nat {
  if n == 0 then 0 else n + Sum(n - 1)
}

lemma Gauss(n: nat)
  ensures 2 * Sum(n) == n * (n + 1)
{
}

function Power(b: int, n: nat): int {
  if n == 0 then 1 else b * Power(b, n - 1)
}

lemma PowerIsPositive(b: int, n: nat)
  requires b > 0
  ensures Power(b, n) > 0
{
  if n > 0 {
    PowerIsPositive(b, n - 1);
  }
}

lemma PowersOfTwoGrow(m: nat, n: nat)
  requires m <= n
  ensures Power(2, m) <= Power(2, n)
{
  if m < n {
    PowersOfTwoGrow(m, n - 1);
    PowerIsPositive(2, n - 1);
  }
}

lemma PowerOfTwoIsLarge(n: nat)
  ensures Power(2, n) > n
{
  if n > 0 {
    PowerOfTwoIsLarge(n - 1);
  }
}

function Odds(n: nat): nat {
  if n == 0 then 0 else Odds(n - 1) + 2 * n - 1
}

lemma OddsAreSquares(n: nat)
  ensures Odds(n) == n * n
{
}

method SumLoop(n: nat) returns (s: nat)
  ensures s == Sum(n)
{
  s := 0;
  var i := 0;
  while i < n
    invariant 0 <= i <= n
    invariant s == Sum(i)
  {
    i := i + 1;
    s := s + i;
  }
}

method PowerLoop(b: int, n: nat) returns (p: int)
  ensures p == Power(b, n)
{
  p := 1;
  var i := 0;
  while i < n
    invariant 0 <= i <= n
    invariant p == Power(b, i)
  {
    p := b * p;
    i := i + 1;
  }
}
