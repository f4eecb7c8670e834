predicate Even(n: nat) { if n == 0 then true else Odd(n - 1) }
predicate Odd(n: nat) { if n == 0 then false else Even(n - 1) }
lemma One(n: nat) ensures Even(n) != Odd(n) { if n > 0 { One(n - 1); } }
