// Insertion sort on sequences, as functions with lemmas.
predicate Sorted(s: seq<int>) {
  forall i, j :: 0 <= i < j < |s| ==> s[i] <= s[j]
}

function Insert(x: int, s: seq<int>): seq<int> {
  if s == [] then [x]
  else if x <= s[0] then [x] + s
  else [s[0]] + Insert(x, s[1..])
}

function Sort(s: seq<int>): seq<int> {
  if s == [] then [] else Insert(s[0], Sort(s[1..]))
}

lemma InsertKeepsElements(x: int, s: seq<int>)
  ensures multiset(Insert(x, s)) == multiset(s) + multiset{x}
{
  if s != [] && x > s[0] {
    InsertKeepsElements(x, s[1..]);
    assert s == [s[0]] + s[1..];
  }
}

lemma InsertMembers(x: int, s: seq<int>)
  ensures forall y :: y in Insert(x, s) ==> y == x || y in s
{
  if s != [] && x > s[0] {
    InsertMembers(x, s[1..]);
  }
}

lemma InsertSorts(x: int, s: seq<int>)
  requires Sorted(s)
  ensures Sorted(Insert(x, s))
{
  if s != [] && x > s[0] {
    InsertSorts(x, s[1..]);
    InsertMembers(x, s[1..]);
    var rest := Insert(x, s[1..]);
    forall j | 0 <= j < |rest|
      ensures s[0] <= rest[j]
    {
      assert rest[j] in rest;
    }
  }
}

lemma SortSorts(s: seq<int>)
  ensures Sorted(Sort(s))
  ensures multiset(Sort(s)) == multiset(s)
{
  if s != [] {
    SortSorts(s[1..]);
    InsertSorts(s[0], Sort(s[1..]));
    InsertKeepsElements(s[0], Sort(s[1..]));
    assert s == [s[0]] + s[1..];
  }
}
