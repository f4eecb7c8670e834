; The maps of a quantified resource. The mark is true everywhere; quantifiers trigger on it.
(declare-fun SnapMap.lookup<T> ($T $K) $V)
(declare-fun SnapMap.mark<T> ($T $K) Bool)
(assert (forall ((m $T) (k $K)) (! (SnapMap.mark<T> m k) :pattern ((SnapMap.mark<T> m k)) :qid snapmap.mark)))
