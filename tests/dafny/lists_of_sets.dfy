// Sets: cardinality, subsets, and a method that lists the elements of a set.
lemma SubsetIsSmaller<T>(a: set<T>, b: set<T>)
  requires a <= b
  ensures |a| <= |b|
{
  if a != {} {
    var x :| x in a;
    SubsetIsSmaller(a - {x}, b - {x});
  }
}

lemma UnionSize<T>(a: set<T>, b: set<T>)
  ensures |a + b| <= |a| + |b|
{
  assert a + b == a + (b - a);
  SubsetIsSmaller(b - a, b);
}

function Range(n: nat): set<int> {
  set i | 0 <= i < n
}

lemma RangeSize(n: nat)
  ensures |Range(n)| == n
{
  if n > 0 {
    RangeSize(n - 1);
    assert Range(n) == Range(n - 1) + {n - 1};
  }
}

lemma Pigeonhole(s: set<int>, n: nat)
  requires forall x :: x in s ==> 0 <= x < n
  ensures |s| <= n
{
  RangeSize(n);
  SubsetIsSmaller(s, Range(n));
}

method ToSequence(s: set<int>) returns (q: seq<int>)
  ensures |q| == |s|
  ensures forall x :: x in s <==> x in q
{
  q := [];
  var rest := s;
  while rest != {}
    invariant rest <= s
    invariant |q| + |rest| == |s|
    invariant forall x :: x in s <==> x in q || x in rest
    decreases rest
  {
    var x :| x in rest;
    q := q + [x];
    rest := rest - {x};
  }
}

method Sum(s: set<int>) returns (total: int)
  requires forall x :: x in s ==> 0 <= x
  ensures total >= 0
{
  var q := ToSequence(s);
  total := 0;
  var i := 0;
  while i < |q|
    invariant 0 <= i <= |q| && total >= 0
  {
    assert q[i] in q;
    total := total + q[i];
    i := i + 1;
  }
}
