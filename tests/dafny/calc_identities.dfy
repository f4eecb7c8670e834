// Proofs by calculation about sums and reversal.
function Sum(n: nat): nat { if n == 0 then 0 else n + Sum(n - 1) }
function Reverse<T>(s: seq<T>): seq<T> { if s == [] then [] else Reverse(s[1..]) + [s[0]] }

lemma Gauss(n: nat)
  ensures 2 * Sum(n) == n * (n + 1)
{
  if n > 0 {
    calc {
      2 * Sum(n);
      2 * n + 2 * Sum(n - 1);
      { Gauss(n - 1); }
      2 * n + (n - 1) * n;
      n * (n + 1);
    }
  }
}

lemma ReverseConcat<T>(s: seq<T>, t: seq<T>)
  ensures Reverse(s + t) == Reverse(t) + Reverse(s)
{
  if s == [] {
    assert s + t == t;
    assert Reverse(t) + [] == Reverse(t);
  } else {
    calc {
      Reverse(s + t);
      { assert (s + t)[1..] == s[1..] + t; }
      Reverse(s[1..] + t) + [s[0]];
      { ReverseConcat(s[1..], t); }
      (Reverse(t) + Reverse(s[1..])) + [s[0]];
      Reverse(t) + (Reverse(s[1..]) + [s[0]]);
      Reverse(t) + Reverse(s);
    }
  }
}

lemma ReverseTwice<T>(s: seq<T>)
  ensures Reverse(Reverse(s)) == s
{
  if s != [] {
    calc {
      Reverse(Reverse(s));
      Reverse(Reverse(s[1..]) + [s[0]]);
      { ReverseConcat(Reverse(s[1..]), [s[0]]); }
      Reverse([s[0]]) + Reverse(Reverse(s[1..]));
      { ReverseTwice(s[1..]); }
      [s[0]] + s[1..];
      s;
    }
  }
}
