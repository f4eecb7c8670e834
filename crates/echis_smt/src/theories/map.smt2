; Finite maps, by their domain and the value at each key of it.
(declare-fun Map.domain<K~V> (Map<K~V>) Set<K>)
(declare-fun Map.range<K~V> (Map<K~V>) Set<V>)
(declare-fun Map.lookup<K~V> (Map<K~V> $K) $V)
(declare-fun Map.empty<K~V> () Map<K~V>)
(declare-fun Map.update<K~V> (Map<K~V> $K $V) Map<K~V>)
(declare-fun Map.equal<K~V> (Map<K~V> Map<K~V>) Bool)
; True of the values that are looked up: quantifiers over the range trigger on it too.
(declare-fun Map.read<K~V> (Map<K~V> $V) Bool)
; Witnesses: a key of a value in the range, and a key at which two maps with the same domain differ.
(declare-fun Map.key<K~V> (Map<K~V> $V) $K)
(declare-fun Map.apart<K~V> (Map<K~V> Map<K~V>) $K)
(define-fun Map.in<K~V> ((m Map<K~V>) (k $K)) Bool (Set.in<K> (Map.domain<K~V> m) k))
(define-fun Map.card<K~V> ((m Map<K~V>)) Int (Set.card<K> (Map.domain<K~V> m)))

(assert (= (Map.domain<K~V> Map.empty<K~V>) Set.empty<K>))
(assert (forall ((m Map<K~V>)) (! (=> (= (Map.domain<K~V> m) Set.empty<K>) (= m Map.empty<K~V>))
  :pattern ((Map.domain<K~V> m)) :qid map.domain.empty)))
(assert (forall ((m Map<K~V>) (k $K) (v $V)) (! (and
    (= (Map.domain<K~V> (Map.update<K~V> m k v)) (Set.add<K> (Map.domain<K~V> m) k))
    (= (Map.lookup<K~V> (Map.update<K~V> m k v) k) v))
  :pattern ((Map.update<K~V> m k v)) :qid map.update)))
(assert (forall ((m Map<K~V>) (k $K) (v $V) (x $K)) (!
  (= (Map.lookup<K~V> (Map.update<K~V> m k v) x) (ite (=K x k) v (Map.lookup<K~V> m x)))
  :pattern ((Map.lookup<K~V> (Map.update<K~V> m k v) x)) :pattern ((Map.lookup<K~V> m x) (Map.update<K~V> m k v)) :qid map.lookup.update)))
(assert (forall ((m Map<K~V>) (v $V)) (! (=> (Set.in<V> (Map.range<K~V> m) v)
    (and (Set.in<K> (Map.domain<K~V> m) (Map.key<K~V> m v)) (= (Map.lookup<K~V> m (Map.key<K~V> m v)) v)))
  :pattern ((Set.in<V> (Map.range<K~V> m) v)) :qid map.in.range)))
(assert (forall ((m Map<K~V>) (k $K)) (! (=> (Set.in<K> (Map.domain<K~V> m) k) (Set.in<V> (Map.range<K~V> m) (Map.lookup<K~V> m k)))
  :pattern ((Map.range<K~V> m) (Map.lookup<K~V> m k)) :pattern ((Map.range<K~V> m) (Set.in<K> (Map.domain<K~V> m) k)) :qid map.range.lookup)))
; Each value of the range has a key, and different values have different ones.
(assert (forall ((m Map<K~V>)) (! (<= (Set.card<V> (Map.range<K~V> m)) (Set.card<K> (Map.domain<K~V> m)))
  :pattern ((Set.card<V> (Map.range<K~V> m))) :qid map.range.card)))
(assert (forall ((m Map<K~V>) (k $K)) (! (=> (Set.in<K> (Map.domain<K~V> m) k) (Map.read<K~V> m (Map.lookup<K~V> m k)))
  :pattern ((Map.lookup<K~V> m k)) :qid map.read.lookup)))
(assert (forall ((m Map<K~V>) (v $V)) (! (=> (Map.read<K~V> m v) (Set.in<V> (Map.range<K~V> m) v))
  :pattern ((Set.in<V> (Map.range<K~V> m) v) (Map.read<K~V> m v)) :qid map.in.read)))
(assert (forall ((m Map<K~V>) (n Map<K~V>)) (! (and
    (=> (Map.equal<K~V> m n) (= m n))
    (or (Map.equal<K~V> m n) (not (Set.equal<K> (Map.domain<K~V> m) (Map.domain<K~V> n)))
        (and (Set.in<K> (Map.domain<K~V> m) (Map.apart<K~V> m n))
             (not (=V (Map.lookup<K~V> m (Map.apart<K~V> m n)) (Map.lookup<K~V> n (Map.apart<K~V> m n)))))))
  :pattern ((Map.equal<K~V> m n)) :qid map.equal)))
