lemma NoLargest(n: int) ensures exists m: int :: m > n { assert n + 1 > n; }
lemma Impossible(x: int) requires x < x ensures false { }
