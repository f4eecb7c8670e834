// The sieve of Eratosthenes, with lemmas on divisors.
predicate Divides(d: int, n: int)
  requires 0 < d
{
  exists k :: 0 <= k && k * d == n
}

predicate Prime(n: int) {
  2 <= n && forall d :: 2 <= d < n ==> !Divides(d, n)
}

lemma Multiple(k: int, d: int)
  requires 0 < d && 0 <= k
  ensures Divides(d, k * d)
{
}

lemma SmallerMultiple(n: int, p: int, m: int)
  requires 2 <= p && m <= n < m + p && 0 <= m
  requires Divides(p, m) && Divides(p, n)
  ensures n == m
{
  var j :| 0 <= j && j * p == m;
  var k :| 0 <= k && k * p == n;
  if j < k {
    assert (k - j) * p >= p by { Scale(k - j, p); }
    assert (k - j) * p == n - m;
  } else if k < j {
    assert (j - k) * p >= p by { Scale(j - k, p); }
    assert (j - k) * p == m - n;
  }
}

lemma Scale(q: int, p: int)
  requires 1 <= q && 2 <= p
  ensures q * p >= p
{
}

method Sieve(n: nat) returns (composite: array<bool>)
  requires 2 <= n
  ensures fresh(composite) && composite.Length == n
  ensures forall i :: 2 <= i < n && composite[i] ==> !Prime(i)
{
  composite := new bool[n](_ => false);
  var p := 2;
  while p < n
    invariant 2 <= p <= n
    invariant forall i :: 2 <= i < n && composite[i] ==> !Prime(i)
  {
    if !composite[p] {
      var m, k := p + p, 2;
      while m < n
        invariant m == k * p && 2 <= k
        invariant p < m
        invariant forall i :: 2 <= i < n && composite[i] ==> !Prime(i)
      {
        Multiple(k, p);
        assert Divides(p, m);
        composite[m] := true;
        m, k := m + p, k + 1;
      }
    }
    p := p + 1;
  }
}
