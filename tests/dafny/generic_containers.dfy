// Generic pairs, zipping, filtering and folding.
datatype Pair<A, B> = Pair(first: A, second: B)

function method Zip<A, B>(a: seq<A>, b: seq<B>): seq<Pair<A, B>>
  requires |a| == |b|
  ensures |Zip(a, b)| == |a|
  ensures forall i :: 0 <= i < |a| ==> Zip(a, b)[i] == Pair(a[i], b[i])
{
  if a == [] then [] else [Pair(a[0], b[0])] + Zip(a[1..], b[1..])
}

function method Map<A, B>(f: A -> B, s: seq<A>): seq<B>
  ensures |Map(f, s)| == |s|
  ensures forall i :: 0 <= i < |s| ==> Map(f, s)[i] == f(s[i])
{
  if s == [] then [] else [f(s[0])] + Map(f, s[1..])
}

function method Filter<A>(p: A -> bool, s: seq<A>): seq<A>
  ensures forall i :: 0 <= i < |Filter(p, s)| ==> p(Filter(p, s)[i])
  ensures |Filter(p, s)| <= |s|
{
  if s == [] then [] else if p(s[0]) then [s[0]] + Filter(p, s[1..]) else Filter(p, s[1..])
}

lemma MapCompose<A, B, C>(f: A -> B, g: B -> C, s: seq<A>)
  ensures Map(g, Map(f, s)) == Map(x => g(f(x)), s)
{
}

lemma FilterConcat<A>(p: A -> bool, s: seq<A>, t: seq<A>)
  ensures Filter(p, s + t) == Filter(p, s) + Filter(p, t)
{
  if s == [] {
    assert s + t == t;
  } else {
    assert (s + t)[1..] == s[1..] + t;
    FilterConcat(p, s[1..], t);
  }
}

class Box<T(==)> {
  var items: seq<T>
  constructor ()
    ensures items == []
  { items := []; }
  method Add(x: T)
    modifies this
    ensures items == old(items) + [x]
  { items := items + [x]; }
  method IndexOf(x: T) returns (i: int)
    ensures i == -1 ==> x !in items
    ensures i != -1 ==> 0 <= i < |items| && items[i] == x
  {
    i := 0;
    while i < |items|
      invariant 0 <= i <= |items|
      invariant x !in items[..i]
    {
      if items[i] == x { return; }
      i := i + 1;
    }
    i := -1;
  }
}

method Client()
{
  var zipped := Zip([1, 2, 3], ['a', 'b', 'c']);
  assert zipped[1] == Pair(2, 'b');
  var box := new Box<int>();
  box.Add(4);
  box.Add(7);
  var at := box.IndexOf(9);
  assert 9 !in box.items;
  assert at == -1;
}
