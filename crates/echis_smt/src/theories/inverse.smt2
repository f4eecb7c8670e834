; A quotient is a product with an inverse, so that quotients by the same amount are added and compared like multiples of it.
(declare-fun Perm.inverse (Real) Real)
(assert (forall ((q Real)) (! (=> (not (= q 0.0)) (= (* q (Perm.inverse q)) 1.0))
  :pattern ((Perm.inverse q)) :qid perm.inverse)))
(assert (forall ((q Real)) (! (and (=> (< 0.0 q) (< 0.0 (Perm.inverse q))) (=> (< q 0.0) (< (Perm.inverse q) 0.0)))
  :pattern ((Perm.inverse q)) :qid perm.inverse.sign)))
