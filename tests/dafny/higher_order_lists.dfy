// Functions as values: map, filter and fold over sequences.
function Map<A, B>(f: A -> B, s: seq<A>): seq<B> {
  if s == [] then [] else [f(s[0])] + Map(f, s[1..])
}

function Filter<A>(p: A -> bool, s: seq<A>): seq<A> {
  if s == [] then [] else if p(s[0]) then [s[0]] + Filter(p, s[1..]) else Filter(p, s[1..])
}

function Fold<A, B>(f: (A, B) -> B, s: seq<A>, b: B): B {
  if s == [] then b else f(s[0], Fold(f, s[1..], b))
}

lemma MapLength<A, B>(f: A -> B, s: seq<A>)
  ensures |Map(f, s)| == |s|
  ensures forall i :: 0 <= i < |s| ==> Map(f, s)[i] == f(s[i])
{
  if s != [] {
    MapLength(f, s[1..]);
  }
}

lemma FilterIsRight<A>(p: A -> bool, s: seq<A>)
  ensures |Filter(p, s)| <= |s|
  ensures forall x :: x in Filter(p, s) ==> x in s && p(x)
  ensures forall x :: x in s && p(x) ==> x in Filter(p, s)
{
  if s != [] {
    FilterIsRight(p, s[1..]);
  }
}

lemma FilterAll<A>(p: A -> bool, s: seq<A>)
  requires forall x :: x in s ==> p(x)
  ensures Filter(p, s) == s
{
  if s != [] {
    FilterAll(p, s[1..]);
  }
}

lemma MapAppend<A, B>(f: A -> B, s: seq<A>, t: seq<A>)
  ensures Map(f, s + t) == Map(f, s) + Map(f, t)
{
  if s == [] {
    assert s + t == t;
  } else {
    assert (s + t)[1..] == s[1..] + t;
    MapAppend(f, s[1..], t);
  }
}

method Client() {
  var double := x => 2 * x;
  var s := [1, 2, 3];
  MapLength(double, s);
  assert Map(double, s)[2] == 6;
  var large := x => x > 1;
  FilterIsRight(large, s);
  assert 2 in Filter(large, s);
  assert 1 !in Filter(large, s);
}
