// Fibonacci numbers that are computed once: a cache whose contents are right, and a ghost counter of misses.
function Fib(n: nat): nat {
  if n < 2 then n else Fib(n - 1) + Fib(n - 2)
}

predicate Right(cache: map<nat, nat>) {
  forall k :: k in cache ==> cache[k] == Fib(k)
}

class Memo {
  var cache: map<nat, nat>
  ghost var Misses: nat

  predicate Valid()
    reads this
  {
    Right(cache) && Misses == |cache|
  }

  constructor ()
    ensures Valid() && cache == map[]
  {
    cache, Misses := map[], 0;
  }

  method Get(n: nat) returns (f: nat)
    requires Valid()
    modifies this
    ensures Valid() && f == Fib(n)
    ensures n in cache
    ensures forall k :: k in old(cache) ==> k in cache
    ensures forall k :: k in cache ==> k in old(cache) || k <= n
    decreases n
  {
    if n in cache {
      f := cache[n];
      return;
    }
    if n < 2 {
      f := n;
    } else {
      var a := Get(n - 1);
      var b := Get(n - 2);
      f := a + b;
    }
    assert n !in cache;
    Put(n, f);
  }

  method Put(n: nat, f: nat)
    requires Valid() && n !in cache && f == Fib(n)
    modifies this
    ensures Valid() && cache == old(cache)[n := f]
  {
    ghost var keys := cache.Keys;
    cache := cache[n := f];
    assert cache.Keys == keys + {n};
    Misses := Misses + 1;
  }
}

lemma Monotone(m: nat, n: nat)
  requires m <= n
  ensures Fib(m) <= Fib(n)
  decreases n
{
  if m < n {
    Monotone(m, n - 1);
    if n == 1 {
      assert Fib(m) == 0;
    }
  }
}

method Client() {
  var memo := new Memo();
  var a := memo.Get(10);
  var b := memo.Get(12);
  Monotone(10, 12);
  assert a <= b;
}
