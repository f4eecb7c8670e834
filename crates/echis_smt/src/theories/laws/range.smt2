length
(forall ((a Int) (b Int)) (= (Seq.length (Seq.range a b)) (ite (< a b) (- b a) 0)))

index
(forall ((a Int) (b Int) (i Int)) (=> (and (<= 0 i) (< i (- b a))) (= (Seq.index (Seq.range a b) i) (+ a i))))

members
(forall ((a Int) (b Int) (x Int)) (= (Seq.in (Seq.range a b) x) (and (<= a x) (< x b))))

an empty range
(forall ((a Int) (b Int)) (=> (<= b a) (Seq.equal (Seq.range a b) Seq.empty)))

a range is split
(forall ((a Int) (b Int) (c Int)) (=> (and (<= a b) (<= b c)) (Seq.equal (Seq.append (Seq.range a b) (Seq.range b c)) (Seq.range a c))))

a range as a literal
(Seq.equal (Seq.range 0 3) (Seq.append (Seq.append (Seq.singleton 0) (Seq.singleton 1)) (Seq.singleton 2)))
