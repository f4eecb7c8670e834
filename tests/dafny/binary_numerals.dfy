// Numbers as sequences of digits, the lowest first: their values, addition with carry, and increment of an array.
predicate Digits(s: seq<int>) {
  forall i :: 0 <= i < |s| ==> 0 <= s[i] < 2
}

function Value(s: seq<int>): int {
  if s == [] then 0 else s[0] + 2 * Value(s[1..])
}

function Power(n: nat): int {
  if n == 0 then 1 else 2 * Power(n - 1)
}

lemma ValueBound(s: seq<int>)
  requires Digits(s)
  ensures 0 <= Value(s) < Power(|s|)
{
  if s != [] {
    ValueBound(s[1..]);
  }
}

lemma ValueAppend(s: seq<int>, d: int)
  ensures Value(s + [d]) == Value(s) + d * Power(|s|)
{
  if s == [] {
    assert s + [d] == [d];
    assert Value([d]) == d + 2 * Value([]);
  } else {
    assert (s + [d])[1..] == s[1..] + [d];
    ValueAppend(s[1..], d);
    assert d * Power(|s|) == 2 * (d * Power(|s| - 1));
  }
}

function method AddCarry(a: seq<int>, b: seq<int>, c: int): seq<int>
  requires |a| == |b|
{
  if a == [] then [c]
  else
    var t := a[0] + b[0] + c;
    [t % 2] + AddCarry(a[1..], b[1..], t / 2)
}

lemma AddCorrect(a: seq<int>, b: seq<int>, c: int)
  requires |a| == |b| && Digits(a) && Digits(b) && 0 <= c < 2
  ensures Digits(AddCarry(a, b, c))
  ensures Value(AddCarry(a, b, c)) == Value(a) + Value(b) + c
{
  if a == [] {
    assert Value([c]) == c + 2 * Value([]);
  } else {
    var t := a[0] + b[0] + c;
    AddCorrect(a[1..], b[1..], t / 2);
    var rest := AddCarry(a[1..], b[1..], t / 2);
    var sum := AddCarry(a, b, c);
    assert sum[0] == t % 2 && sum[1..] == rest;
  }
}

method Zero(n: nat) returns (s: seq<int>)
  ensures |s| == n && Digits(s) && Value(s) == 0
{
  s := [];
  while |s| < n
    invariant |s| <= n && Digits(s) && Value(s) == 0
  {
    ghost var before := s;
    s := [0] + s;
    assert s[1..] == before;
  }
}
