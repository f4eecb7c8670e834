empty
(forall ((k K)) (and (not (Map.in Map.empty k)) (= (Map.card Map.empty) 0) (Set.equal<K> (Map.domain Map.empty) Set.empty<K>)))

domain of an update
(forall ((m Map) (k K) (v V) (x K)) (= (Map.in (Map.update m k v) x) (or (= x k) (Map.in m x))))

lookup after update
(forall ((m Map) (k K) (v V) (x K)) (and (= (Map.lookup (Map.update m k v) k) v) (=> (not (= x k)) (= (Map.lookup (Map.update m k v) x) (Map.lookup m x)))))

size of an update
(forall ((m Map) (k K) (v V)) (= (Map.card (Map.update m k v)) (ite (Map.in m k) (Map.card m) (+ (Map.card m) 1))))

size of two keys
(forall ((j K) (k K) (v V)) (=> (not (= j k)) (= (Map.card (Map.update (Map.update Map.empty j v) k v)) 2)))

range of an update
(forall ((m Map) (k K) (v V)) (Set.in<V> (Map.range (Map.update m k v)) v))

values of keys are in the range
(forall ((m Map) (k K)) (=> (Map.in m k) (Set.in<V> (Map.range m) (Map.lookup m k))))

what is in the range has a key
(forall ((m Map) (v V)) (=> (Set.in<V> (Map.range m) v) (exists ((k K)) (! (and (Map.in m k) (= (Map.lookup m k) v)) :pattern ((Map.lookup m k))))))

two updates
(forall ((m Map) (j K) (k K) (v V) (w V)) (=> (not (= j k)) (Map.equal (Map.update (Map.update m j v) k w) (Map.update (Map.update m k w) j v))))

an update overwrites
(forall ((m Map) (k K) (v V) (w V)) (Map.equal (Map.update (Map.update m k v) k w) (Map.update m k w)))

an update with what is there
(forall ((m Map) (k K)) (=> (Map.in m k) (Map.equal (Map.update m k (Map.lookup m k)) m)))

size zero is empty
(forall ((m Map)) (= (= (Map.card m) 0) (Map.equal m Map.empty)))

equal is equality
(forall ((m Map) (n Map)) (= (Map.equal m n) (= m n)))

equal maps agree
(forall ((m Map) (n Map) (k K)) (=> (Map.equal m n) (and (= (Map.in m k) (Map.in n k)) (= (Map.lookup m k) (Map.lookup n k)))))

what is looked up is in the range for quantifiers too
(forall ((m Map) (k K) (x V)) (=> (and (Map.in m k) (= (Map.lookup m k) x)) (not (forall ((v V)) (! (not (Set.in<V> (Map.range m) v)) :pattern ((Map.read m v)))))))

the range is no larger than the domain
(forall ((m Map)) (<= (Set.card<V> (Map.range m)) (Map.card m)))
