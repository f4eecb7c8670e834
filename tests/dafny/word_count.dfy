// Counting occurrences, in a sequence and in a map.
function Count(s: seq<int>, x: int): nat {
  if s == [] then 0 else (if s[|s| - 1] == x then 1 else 0) + Count(s[..|s| - 1], x)
}

lemma CountZero(s: seq<int>, x: int)
  ensures Count(s, x) == 0 <==> x !in s
{
  if s != [] {
    CountZero(s[..|s| - 1], x);
    assert s == s[..|s| - 1] + [s[|s| - 1]];
  }
}

lemma CountAppend(s: seq<int>, t: seq<int>, x: int)
  ensures Count(s + t, x) == Count(s, x) + Count(t, x)
{
  if t == [] {
    assert s + t == s;
  } else {
    CountAppend(s, t[..|t| - 1], x);
    assert (s + t)[..|s + t| - 1] == s + t[..|t| - 1];
  }
}

method Histogram(s: seq<int>) returns (counts: map<int, nat>)
  ensures forall x :: x in s <==> x in counts
  ensures forall x :: x in counts ==> counts[x] == Count(s, x)
{
  counts := map[];
  var i := 0;
  while i < |s|
    invariant 0 <= i <= |s|
    invariant forall x :: x in s[..i] <==> x in counts
    invariant forall x :: x in counts ==> counts[x] == Count(s[..i], x)
  {
    var x := s[i];
    assert s[..i + 1][..i] == s[..i];
    if x in counts {
      counts := counts[x := counts[x] + 1];
    } else {
      CountZero(s[..i], x);
      counts := counts[x := 1];
    }
    i := i + 1;
  }
  assert s[..i] == s;
}

method MostFrequent(s: seq<int>) returns (best: int)
  requires s != []
  ensures best in s
  ensures forall x :: x in s ==> Count(s, x) <= Count(s, best)
{
  var counts := Histogram(s);
  best := s[0];
  var i := 1;
  while i < |s|
    invariant 1 <= i <= |s|
    invariant best in s
    invariant forall k :: 0 <= k < i ==> Count(s, s[k]) <= Count(s, best)
  {
    if counts[s[i]] > counts[best] {
      best := s[i];
    }
    i := i + 1;
  }
}
