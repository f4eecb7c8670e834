; The keys of a quantified resource's map. Maps whose keys are spoken of are equal if they agree on
; their keys; it is functions of the snapshots they are wrapped into that want to know.
(declare-fun SnapMap.keys<T> ($T) Set<K>)
(declare-fun SnapMap.apart<T> ($T $T) $K)
; True; facts about a map's keys come with it.
(declare-fun SnapMap.keyed<T> ($T) Bool)
(assert (forall ((m $T)) (! (SnapMap.keyed<T> m) :pattern ((SnapMap.keys<T> m)) :qid snapmap.keyed)))
(assert (forall ((m $T) (n $T)) (! (or (= m n)
    (not (Set.equal<K> (SnapMap.keys<T> m) (SnapMap.keys<T> n)))
    (and (Set.in<K> (SnapMap.keys<T> m) (SnapMap.apart<T> m n))
         (SnapMap.mark<T> m (SnapMap.apart<T> m n)) (SnapMap.mark<T> n (SnapMap.apart<T> m n))
         (not (=V (SnapMap.lookup<T> m (SnapMap.apart<T> m n)) (SnapMap.lookup<T> n (SnapMap.apart<T> m n))))))
  :pattern ((Snap%compared (Snap.wrap<T> m) (Snap.wrap<T> n)) (SnapMap.keyed<T> m) (SnapMap.keyed<T> n)) :qid snapmap.equal)))
; Any two of them, where nothing else is left to try: each pair brings a location at which the two differ, and every range
; has to say whether it is one of its own.
(assert (forall ((m $T) (n $T)) (! (or (= m n)
    (not (Set.equal<K> (SnapMap.keys<T> m) (SnapMap.keys<T> n)))
    (and (Set.in<K> (SnapMap.keys<T> m) (SnapMap.apart<T> m n))
         (SnapMap.mark<T> m (SnapMap.apart<T> m n)) (SnapMap.mark<T> n (SnapMap.apart<T> m n))
         (not (=V (SnapMap.lookup<T> m (SnapMap.apart<T> m n)) (SnapMap.lookup<T> n (SnapMap.apart<T> m n))))))
  :pattern ((Snap.wrap<T> m) (SnapMap.keyed<T> m) (Snap.wrap<T> n) (SnapMap.keyed<T> n)) :weight 6 :qid snapmap.equal.far)))
