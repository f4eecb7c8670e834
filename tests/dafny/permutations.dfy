// Permutations as equal multisets: lemmas by induction on sequences.
predicate Permuted<T>(a: seq<T>, b: seq<T>) {
  multiset(a) == multiset(b)
}

function Count<T>(x: T, s: seq<T>): nat {
  if s == [] then 0
  else (if s[0] == x then 1 else 0) + Count(x, s[1..])
}

lemma CountIsMultiplicity<T>(x: T, s: seq<T>)
  ensures Count(x, s) == multiset(s)[x]
{
  if s != [] {
    assert s == [s[0]] + s[1..];
    CountIsMultiplicity(x, s[1..]);
  }
}

lemma PermutedLength<T>(a: seq<T>, b: seq<T>)
  requires Permuted(a, b)
  ensures |a| == |b|
{
  assert |multiset(a)| == |a|;
  assert |multiset(b)| == |b|;
}

lemma PermutedAppend<T>(a: seq<T>, b: seq<T>)
  ensures Permuted(a + b, b + a)
{
  assert multiset(a + b) == multiset(a) + multiset(b);
  assert multiset(b + a) == multiset(b) + multiset(a);
}

function Reverse<T>(s: seq<T>): seq<T> {
  if s == [] then [] else Reverse(s[1..]) + [s[0]]
}

lemma ReversePermutes<T>(s: seq<T>)
  ensures Permuted(s, Reverse(s))
  ensures |Reverse(s)| == |s|
{
  if s != [] {
    assert s == [s[0]] + s[1..];
    ReversePermutes(s[1..]);
  }
}

lemma ReverseIndex<T>(s: seq<T>, i: nat)
  requires i < |s|
  ensures |Reverse(s)| == |s|
  ensures Reverse(s)[i] == s[|s| - 1 - i]
{
  ReversePermutes(s);
  if i < |s| - 1 {
    ReversePermutes(s[1..]);
    ReverseIndex(s[1..], i);
  } else {
    ReversePermutes(s[1..]);
  }
}

lemma PermutedContains<T>(a: seq<T>, b: seq<T>, x: T)
  requires Permuted(a, b)
  requires x in a
  ensures x in b
{
  assert x in multiset(a);
  assert x in multiset(b);
}

lemma PermutedAll(a: seq<int>, b: seq<int>, bound: int)
  requires Permuted(a, b)
  requires forall i :: 0 <= i < |a| ==> a[i] <= bound
  ensures forall i :: 0 <= i < |b| ==> b[i] <= bound
{
  forall i | 0 <= i < |b|
    ensures b[i] <= bound
  {
    PermutedContains(b, a, b[i]);
  }
}
