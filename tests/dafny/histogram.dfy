// How often each value occurs, as a map.
function Count(s: seq<int>, x: int): nat
{
  if |s| == 0 then 0 else Count(s[..|s| - 1], x) + (if s[|s| - 1] == x then 1 else 0)
}

predicate IsHistogram(m: map<int, nat>, s: seq<int>)
{
  (forall x :: x in m ==> m[x] == Count(s, x) && m[x] > 0) &&
  (forall x :: x in s ==> x in m)
}

lemma CountAbsent(s: seq<int>, x: int)
  requires x !in s
  ensures Count(s, x) == 0
{
}

lemma CountAppend(s: seq<int>, y: int, x: int)
  ensures Count(s + [y], x) == Count(s, x) + (if x == y then 1 else 0)
{
  assert (s + [y])[..|s|] == s;
}

method Histogram(a: array<int>) returns (m: map<int, nat>)
  ensures IsHistogram(m, a[..])
{
  m := map[];
  var i := 0;
  while i < a.Length
    invariant 0 <= i <= a.Length
    invariant IsHistogram(m, a[..i])
  {
    var y := a[i];
    assert a[..i + 1] == a[..i] + [y];
    forall x
      ensures Count(a[..i + 1], x) == Count(a[..i], x) + (if x == y then 1 else 0)
    {
      CountAppend(a[..i], y, x);
    }
    if y in m {
      m := m[y := m[y] + 1];
    } else {
      if y !in a[..i] {
        CountAbsent(a[..i], y);
      }
      m := m[y := 1];
    }
    i := i + 1;
  }
  assert a[..a.Length] == a[..];
}
