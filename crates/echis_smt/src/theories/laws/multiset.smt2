a literal counts repetitions
(forall ((x T)) (= (Multiset.count (Multiset.add (Multiset.singleton x) x) x) 2))

counts
(forall ((m Multiset) (n Multiset) (x T)) (and (= (Multiset.count (Multiset.union m n) x) (+ (Multiset.count m x) (Multiset.count n x)))
  (<= (Multiset.count (Multiset.intersection m n) x) (Multiset.count m x)) (<= (Multiset.count (Multiset.difference m n) x) (Multiset.count m x))))

union is commutative and associative
(forall ((m Multiset) (n Multiset) (o Multiset)) (and (Multiset.equal (Multiset.union m n) (Multiset.union n m)) (Multiset.equal (Multiset.union (Multiset.union m n) o) (Multiset.union m (Multiset.union n o)))))

intersection is commutative
(forall ((m Multiset) (n Multiset)) (Multiset.equal (Multiset.intersection m n) (Multiset.intersection n m)))

taking away what was added
(forall ((m Multiset) (n Multiset)) (Multiset.equal (Multiset.difference (Multiset.union m n) n) m))

adding what was taken away
(forall ((m Multiset) (x T)) (=> (< 0 (Multiset.count m x)) (Multiset.equal (Multiset.add (Multiset.difference m (Multiset.singleton x)) x) m)))

empty
(forall ((m Multiset) (x T)) (and (= (Multiset.count Multiset.empty x) 0) (Multiset.equal (Multiset.union m Multiset.empty) m) (Multiset.subset Multiset.empty m)))

sizes
(forall ((m Multiset) (n Multiset) (x T)) (and (<= 0 (Multiset.card m)) (= (Multiset.card Multiset.empty) 0) (= (Multiset.card (Multiset.singleton x)) 1)
  (= (Multiset.card (Multiset.add m x)) (+ (Multiset.card m) 1)) (= (Multiset.card (Multiset.union m n)) (+ (Multiset.card m) (Multiset.card n)))))

size zero is empty
(forall ((m Multiset)) (= (= (Multiset.card m) 0) (Multiset.equal m Multiset.empty)))

size of taking one away
(forall ((m Multiset) (x T)) (=> (and (< 0 (Multiset.count m x)) (Multiset.equal (Multiset.intersection m (Multiset.singleton x)) (Multiset.singleton x))) (= (Multiset.card (Multiset.difference m (Multiset.singleton x))) (- (Multiset.card m) 1))))

a count is at most the size
(forall ((m Multiset) (x T)) (<= (Multiset.count m x) (Multiset.card m)))

inclusion is an order
(forall ((m Multiset) (n Multiset) (o Multiset)) (and (Multiset.subset m m) (=> (and (Multiset.subset m n) (Multiset.subset n o)) (Multiset.subset m o)) (=> (and (Multiset.subset m n) (Multiset.subset n m)) (Multiset.equal m n))))

inclusion and size
(forall ((m Multiset) (n Multiset)) (=> (Multiset.subset m n) (<= (Multiset.card m) (Multiset.card n))))

inclusion and operations
(forall ((m Multiset) (n Multiset)) (and (Multiset.subset m (Multiset.union m n)) (Multiset.subset (Multiset.intersection m n) m) (Multiset.subset (Multiset.difference m n) m)))

equal is equality
(forall ((m Multiset) (n Multiset)) (= (Multiset.equal m n) (= m n)))

equal by counts
(forall ((m Multiset) (n Multiset)) (=> (forall ((x T)) (! (= (Multiset.count m x) (Multiset.count n x)) :pattern ((Multiset.count m x)) :pattern ((Multiset.count n x)))) (Multiset.equal m n)))
