; Division of integers by what is not a literal is beyond linear arithmetic. Where a number is less than one divisor away from
; being its own remainder, as the positions of a ring are, nothing needs to be divided.
(assert (forall ((x Int) (n Int)) (! (=> (and (<= 0 x) (< x n)) (= (mod x n) x)) :pattern ((mod x n)) :qid remainder.below)))
(assert (forall ((x Int) (n Int)) (! (=> (and (<= n x) (< x (+ n n))) (= (mod x n) (- x n))) :pattern ((mod x n)) :qid remainder.next)))
(assert (forall ((x Int) (n Int)) (! (=> (and (<= 0 (+ x n)) (< x 0)) (= (mod x n) (+ x n))) :pattern ((mod x n)) :qid remainder.previous)))
(assert (forall ((x Int) (n Int)) (! (=> (and (<= 0 x) (< x n)) (= (div x n) 0)) :pattern ((div x n)) :qid quotient.below)))
(assert (forall ((x Int) (n Int)) (! (=> (and (<= n x) (< x (+ n n))) (= (div x n) 1)) :pattern ((div x n)) :qid quotient.next)))
