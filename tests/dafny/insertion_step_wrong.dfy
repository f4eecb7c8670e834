predicate Sorted(s: seq<int>) { forall i, j :: 0 <= i < j < |s| ==> s[i] <= s[j] }
method InsertAtEnd(s: seq<int>, x: int) returns (r: seq<int>)
  requires Sorted(s)
  ensures Sorted(r)
{ r := s + [x]; }
