members of a literal
(forall ((x T) (y T) (z T)) (= (Set.in (Set.add (Set.singleton x) y) z) (or (= z x) (= z y))))

members of a union
(forall ((s Set) (t Set) (x T)) (= (Set.in (Set.union s t) x) (or (Set.in s x) (Set.in t x))))

members of an intersection
(forall ((s Set) (t Set) (x T)) (= (Set.in (Set.intersection s t) x) (and (Set.in s x) (Set.in t x))))

members of a difference
(forall ((s Set) (t Set) (x T)) (= (Set.in (Set.difference s t) x) (and (Set.in s x) (not (Set.in t x)))))

union is commutative and associative
(forall ((s Set) (t Set) (u Set)) (and (Set.equal (Set.union s t) (Set.union t s)) (Set.equal (Set.union (Set.union s t) u) (Set.union s (Set.union t u)))))

intersection is commutative and associative
(forall ((s Set) (t Set) (u Set)) (and (Set.equal (Set.intersection s t) (Set.intersection t s)) (Set.equal (Set.intersection (Set.intersection s t) u) (Set.intersection s (Set.intersection t u)))))

distributivity
(forall ((s Set) (t Set) (u Set)) (Set.equal (Set.intersection s (Set.union t u)) (Set.union (Set.intersection s t) (Set.intersection s u))))

difference of a union
(forall ((s Set) (t Set)) (Set.equal (Set.union (Set.difference s t) (Set.intersection s t)) s))

adding and taking away
(forall ((s Set) (x T)) (=> (not (Set.in s x)) (Set.equal (Set.difference (Set.union s (Set.singleton x)) (Set.singleton x)) s)))

taking away and adding
(forall ((s Set) (x T)) (=> (Set.in s x) (Set.equal (Set.union (Set.difference s (Set.singleton x)) (Set.singleton x)) s)))

normal form without asking for elements
(forall ((s Set) (x T)) (=> (not (Set.in s x)) (and (= (Set.difference (Set.union s (Set.singleton x)) (Set.singleton x)) s) (= (Set.difference (Set.add s x) (Set.singleton x)) s))))

empty
(forall ((s Set) (x T)) (and (not (Set.in Set.empty x)) (Set.equal (Set.union s Set.empty) s) (Set.equal (Set.intersection s Set.empty) Set.empty) (Set.subset Set.empty s)))

inclusion is an order
(forall ((s Set) (t Set) (u Set)) (and (Set.subset s s) (=> (and (Set.subset s t) (Set.subset t u)) (Set.subset s u)) (=> (and (Set.subset s t) (Set.subset t s)) (Set.equal s t))))

inclusion and operations
(forall ((s Set) (t Set)) (and (Set.subset s (Set.union s t)) (Set.subset (Set.intersection s t) s) (Set.subset (Set.difference s t) s)))

inclusion by union
(forall ((s Set) (t Set)) (= (Set.subset s t) (Set.equal (Set.union s t) t)))

inclusion and members
(forall ((s Set) (t Set) (x T)) (=> (and (Set.subset s t) (Set.in s x)) (Set.in t x)))

inclusion by members
(forall ((s Set) (t Set)) (=> (forall ((x T)) (! (=> (Set.in s x) (Set.in t x)) :pattern ((Set.in s x)))) (Set.subset s t)))

inclusion and size
(forall ((s Set) (t Set)) (=> (Set.subset s t) (<= (Set.card s) (Set.card t))))

inclusion and equal size
(forall ((s Set) (t Set)) (=> (and (Set.subset s t) (= (Set.card s) (Set.card t))) (Set.equal s t)))

sizes
(forall ((s Set) (x T)) (and (<= 0 (Set.card s)) (= (Set.card Set.empty) 0) (= (Set.card (Set.singleton x)) 1)))

size zero is empty
(forall ((s Set)) (= (= (Set.card s) 0) (Set.equal s Set.empty)))

a member makes a size
(forall ((s Set) (x T)) (=> (Set.in s x) (< 0 (Set.card s))))

a size makes a member
(forall ((s Set)) (=> (< 0 (Set.card s)) (exists ((x T)) (! (Set.in s x) :pattern ((Set.in s x))))))

size of adding
(forall ((s Set) (x T)) (= (Set.card (Set.add s x)) (ite (Set.in s x) (Set.card s) (+ (Set.card s) 1))))

size of a union with one
(forall ((s Set) (x T)) (= (Set.card (Set.union s (Set.singleton x))) (ite (Set.in s x) (Set.card s) (+ (Set.card s) 1))))

size of taking one away
(forall ((s Set) (x T)) (=> (Set.in s x) (= (Set.card (Set.difference s (Set.singleton x))) (- (Set.card s) 1))))

size of a disjoint union
(forall ((s Set) (t Set)) (=> (Set.equal (Set.intersection s t) Set.empty) (= (Set.card (Set.union s t)) (+ (Set.card s) (Set.card t)))))

size of a difference
(forall ((s Set) (t Set)) (=> (Set.subset t s) (= (Set.card (Set.intersection s t)) (Set.card (Set.intersection s t)))))

size of two different elements
(forall ((x T) (y T)) (=> (not (= x y)) (= (Set.card (Set.add (Set.singleton x) y)) 2)))

equal is equality
(forall ((s Set) (t Set)) (= (Set.equal s t) (= s t)))

equal by members
(forall ((s Set) (t Set)) (=> (forall ((x T)) (! (= (Set.in s x) (Set.in t x)) :pattern ((Set.in s x)) :pattern ((Set.in t x)))) (Set.equal s t)))

disjoint
(forall ((s Set) (t Set) (x T)) (=> (and (Set.equal (Set.intersection s t) Set.empty) (Set.in s x)) (not (Set.in t x))))

an intersection is no larger and a union no smaller than its parts
(forall ((s Set) (t Set)) (and (<= (Set.card (Set.intersection s t)) (Set.card s)) (<= (Set.card (Set.intersection s t)) (Set.card t)) (<= (Set.card s) (Set.card (Set.union s t))) (<= (Set.card t) (Set.card (Set.union s t)))))
