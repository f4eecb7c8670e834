length of a literal
(forall ((x T) (y T) (z T)) (= (Seq.length (Seq.append (Seq.append (Seq.singleton x) (Seq.singleton y)) (Seq.singleton z))) 3))

index in a literal
(forall ((x T) (y T) (z T)) (let ((s (Seq.append (Seq.append (Seq.singleton x) (Seq.singleton y)) (Seq.singleton z))))
  (and (= (Seq.index s 0) x) (= (Seq.index s 1) y) (= (Seq.index s 2) z))))

append is associative
(forall ((s Seq) (t Seq) (u Seq)) (Seq.equal (Seq.append (Seq.append s t) u) (Seq.append s (Seq.append t u))))

append with empty
(forall ((s Seq)) (and (Seq.equal (Seq.append s Seq.empty) s) (Seq.equal (Seq.append Seq.empty s) s)))

take and drop make the whole
(forall ((s Seq) (n Int)) (Seq.equal (Seq.append (Seq.take s n) (Seq.drop s n)) s))

take undoes append
(forall ((s Seq) (t Seq)) (Seq.equal (Seq.take (Seq.append s t) (Seq.length s)) s))

drop undoes append
(forall ((s Seq) (t Seq)) (Seq.equal (Seq.drop (Seq.append s t) (Seq.length s)) t))

drop one by one
(forall ((s Seq) (i Int)) (=> (and (<= 0 i) (< i (Seq.length s))) (Seq.equal (Seq.drop s i) (Seq.append (Seq.singleton (Seq.index s i)) (Seq.drop s (+ i 1))))))

take one by one
(forall ((s Seq) (i Int)) (=> (and (<= 0 i) (< i (Seq.length s))) (Seq.equal (Seq.take s (+ i 1)) (Seq.append (Seq.take s i) (Seq.singleton (Seq.index s i))))))

head and tail
(forall ((s Seq)) (=> (< 0 (Seq.length s)) (Seq.equal s (Seq.append (Seq.singleton (Seq.index s 0)) (Seq.drop s 1)))))

a slice out of range
(forall ((s Seq)) (=> (= (Seq.length s) 3) (and (= (Seq.length (Seq.drop (Seq.take s 10) 1)) 2) (Seq.equal (Seq.drop s 5) Seq.empty) (Seq.equal (Seq.drop s (- 1)) s) (= (Seq.length (Seq.take s (- 1))) 0))))

index in a slice
(forall ((s Seq) (i Int) (j Int) (k Int)) (=> (and (<= 0 i) (<= i j) (<= j (Seq.length s)) (<= 0 k) (< k (- j i)))
  (= (Seq.index (Seq.drop (Seq.take s j) i) k) (Seq.index s (+ i k)))))

slices of slices
(forall ((s Seq) (m Int) (n Int)) (=> (and (<= 0 m) (<= 0 n)) (Seq.equal (Seq.drop (Seq.drop s m) n) (Seq.drop s (+ m n)))))

take of take
(forall ((s Seq) (m Int) (n Int)) (=> (<= m n) (Seq.equal (Seq.take (Seq.take s n) m) (Seq.take s m))))

update and read
(forall ((s Seq) (i Int) (j Int) (x T)) (=> (and (<= 0 i) (< i (Seq.length s)) (<= 0 j) (< j (Seq.length s)))
  (and (= (Seq.index (Seq.update s i x) i) x) (=> (not (= i j)) (= (Seq.index (Seq.update s i x) j) (Seq.index s j))))))

update keeps the length
(forall ((s Seq) (i Int) (x T)) (= (Seq.length (Seq.update s i x)) (Seq.length s)))

update with what is there
(forall ((s Seq) (i Int)) (=> (and (<= 0 i) (< i (Seq.length s))) (Seq.equal (Seq.update s i (Seq.index s i)) s)))

two updates
(forall ((s Seq) (i Int) (j Int) (x T) (y T)) (=> (and (<= 0 i) (< i (Seq.length s)) (<= 0 j) (< j (Seq.length s)) (not (= i j)))
  (Seq.equal (Seq.update (Seq.update s i x) j y) (Seq.update (Seq.update s j y) i x))))

update as take and drop
(forall ((s Seq) (i Int) (x T)) (=> (and (<= 0 i) (< i (Seq.length s)))
  (Seq.equal (Seq.update s i x) (Seq.append (Seq.append (Seq.take s i) (Seq.singleton x)) (Seq.drop s (+ i 1))))))

members are at indices
(forall ((s Seq) (x T)) (=> (Seq.in s x) (exists ((i Int)) (! (and (<= 0 i) (< i (Seq.length s)) (= (Seq.index s i) x)) :pattern ((Seq.index s i))))))

what is at an index is a member
(forall ((s Seq) (i Int)) (=> (and (<= 0 i) (< i (Seq.length s))) (Seq.in s (Seq.index s i))))

members of an append
(forall ((s Seq) (t Seq) (x T)) (= (Seq.in (Seq.append s t) x) (or (Seq.in s x) (Seq.in t x))))

members of literals
(forall ((x T) (y T) (z T)) (= (Seq.in (Seq.append (Seq.singleton x) (Seq.singleton y)) z) (or (= z x) (= z y))))

no members of empty
(forall ((x T)) (not (Seq.in Seq.empty x)))

members of a slice
(forall ((s Seq) (n Int) (x T)) (=> (or (Seq.in (Seq.take s n) x) (Seq.in (Seq.drop s n) x)) (Seq.in s x)))

a member of a split is in one part
(forall ((s Seq) (n Int) (x T)) (=> (Seq.in s x) (or (Seq.in (Seq.take s n) x) (Seq.in (Seq.drop s n) x))))

a quantifier over members speaks of what is read
(forall ((s Seq) (y T)) (=> (and (< 0 (Seq.length s)) (forall ((x T)) (! (=> (Seq.in s x) (= x y)) :pattern ((Seq.in s x)) :pattern ((Seq.read s x))))) (= (Seq.index s 0) y)))

length zero is empty
(forall ((s Seq)) (= (= (Seq.length s) 0) (Seq.equal s Seq.empty)))

equal sequences have equal parts
(forall ((s Seq) (t Seq) (i Int)) (=> (Seq.equal s t) (and (= (Seq.length s) (Seq.length t)) (= (Seq.index s i) (Seq.index t i)))))

unequal lengths
(forall ((s Seq) (t Seq)) (=> (not (= (Seq.length s) (Seq.length t))) (not (Seq.equal s t))))

equal is equality
(forall ((s Seq) (t Seq)) (= (Seq.equal s t) (= s t)))

pointwise equal
(forall ((s Seq) (t Seq)) (=> (and (= (Seq.length s) (Seq.length t)) (forall ((i Int)) (! (=> (and (<= 0 i) (< i (Seq.length s))) (= (Seq.index s i) (Seq.index t i))) :pattern ((Seq.index s i)) :pattern ((Seq.index t i))))) (Seq.equal s t)))

cancelling in front
(forall ((s Seq) (t Seq) (u Seq)) (=> (Seq.equal (Seq.append s t) (Seq.append s u)) (Seq.equal t u)))

slices of an update, without asking for elements
(forall ((s Seq) (i Int) (x T)) (=> (and (<= 0 i) (< i (Seq.length s))) (and (= (Seq.drop (Seq.update s i x) (+ i 1)) (Seq.drop s (+ i 1))) (= (Seq.take (Seq.update s i x) i) (Seq.take s i)))))
