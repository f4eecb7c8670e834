// Boyer and Moore's majority vote.
function Count(a: seq<int>, lo: int, hi: int, x: int): nat
  requires 0 <= lo <= hi <= |a|
  decreases hi - lo
{
  if lo == hi then 0 else Count(a, lo, hi - 1, x) + if a[hi - 1] == x then 1 else 0
}

predicate HasMajority(a: seq<int>, lo: int, hi: int, x: int)
  requires 0 <= lo <= hi <= |a|
{
  hi - lo < 2 * Count(a, lo, hi, x)
}

lemma Split(a: seq<int>, lo: int, middle: int, hi: int, x: int)
  requires 0 <= lo <= middle <= hi <= |a|
  ensures Count(a, lo, middle, x) + Count(a, middle, hi, x) == Count(a, lo, hi, x)
  decreases hi - middle
{
  if middle < hi {
    Split(a, lo, middle, hi - 1, x);
  }
}

lemma Unique(a: seq<int>, lo: int, hi: int, x: int, y: int)
  requires 0 <= lo <= hi <= |a|
  ensures x != y ==> Count(a, lo, hi, x) + Count(a, lo, hi, y) <= hi - lo
  decreases hi - lo
{
  if lo < hi {
    Unique(a, lo, hi - 1, x, y);
  }
}

method FindWinner(a: seq<int>, ghost winner: int) returns (x: int)
  requires HasMajority(a, 0, |a|, winner)
  ensures x == winner
{
  x := a[0];
  var n, c, s := 1, 1, 0;
  while n < |a|
    invariant 0 <= s <= n <= |a|
    invariant 2 * Count(a, s, |a|, winner) > |a| - s
    invariant 2 * Count(a, s, n, x) > n - s
    invariant c == Count(a, s, n, x)
  {
    if a[n] == x {
      n, c := n + 1, c + 1;
    } else if 2 * c > n + 1 - s {
      n := n + 1;
    } else {
      n := n + 1;
      Unique(a, s, n, winner, x);
      Split(a, s, n, |a|, winner);
      if n < |a| {
        x, s, n, c := a[n], n, n + 1, 1;
      } else {
        s := n;
        c := 0;
        assert false;
      }
    }
  }
  Unique(a, s, |a|, winner, x);
}
