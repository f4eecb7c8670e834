// Merge sort on sequences, with the proof that nothing is lost.
predicate Sorted(s: seq<int>) {
  forall i, j :: 0 <= i < j < |s| ==> s[i] <= s[j]
}

function method Merge(a: seq<int>, b: seq<int>): seq<int> {
  if a == [] then b
  else if b == [] then a
  else if a[0] <= b[0] then [a[0]] + Merge(a[1..], b)
  else [b[0]] + Merge(a, b[1..])
}

lemma MergeMultiset(a: seq<int>, b: seq<int>)
  ensures multiset(Merge(a, b)) == multiset(a) + multiset(b)
{
  if a != [] && b != [] {
    if a[0] <= b[0] {
      assert a == [a[0]] + a[1..];
      MergeMultiset(a[1..], b);
    } else {
      assert b == [b[0]] + b[1..];
      MergeMultiset(a, b[1..]);
    }
  }
}

lemma MergeSorted(a: seq<int>, b: seq<int>)
  requires Sorted(a) && Sorted(b)
  ensures Sorted(Merge(a, b))
  ensures Merge(a, b) != [] ==> (a != [] && Merge(a, b)[0] == a[0]) || (b != [] && Merge(a, b)[0] == b[0])
{
  if a != [] && b != [] {
    if a[0] <= b[0] {
      MergeSorted(a[1..], b);
    } else {
      MergeSorted(a, b[1..]);
    }
  }
}

method MergeSort(s: seq<int>) returns (r: seq<int>)
  ensures Sorted(r)
  ensures multiset(r) == multiset(s)
  decreases |s|
{
  if |s| <= 1 {
    return s;
  }
  var middle := |s| / 2;
  var left := MergeSort(s[..middle]);
  var right := MergeSort(s[middle..]);
  r := Merge(left, right);
  MergeSorted(left, right);
  MergeMultiset(left, right);
  assert s == s[..middle] + s[middle..];
}

method Client() {
  var r := MergeSort([3, 1, 2]);
  assert Sorted(r);
  assert multiset(r) == multiset{1, 2, 3};
}
