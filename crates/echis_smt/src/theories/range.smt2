; The integers from `a` up to, not including, `b`.
(declare-fun Seq.range<T> (Int Int) Seq<T>)
(assert (forall ((a Int) (b Int)) (! (= (Seq.length<T> (Seq.range<T> a b)) (ite (< a b) (- b a) 0))
  :pattern ((Seq.length<T> (Seq.range<T> a b))) :qid seq.length.range)))
(assert (forall ((a Int) (b Int) (i Int)) (! (=> (and (<= 0 i) (< i (- b a))) (= (Seq.index<T> (Seq.range<T> a b) i) (+ a i)))
  :pattern ((Seq.index<T> (Seq.range<T> a b) i)) :qid seq.index.range)))
(assert (forall ((a Int) (b Int) (x Int)) (! (= (Seq.in<T> (Seq.range<T> a b) x) (and (<= a x) (< x b)))
  :pattern ((Seq.in<T> (Seq.range<T> a b) x)) :qid seq.in.range)))
