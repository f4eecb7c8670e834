maps with equal keys and values are equal where functions look
(forall ((m SnapMap ) (n SnapMap ) (s Set)) (=> (and (Snap%compared (Snap.wrap<T> m) (Snap.wrap<T> n)) (SnapMap.keyed<T> m) (SnapMap.keyed<T> n)
  (forall ((r Ref)) (! (= (Set.in (SnapMap.keys<T> m) r) (Set.in s r)) :pattern ((Set.in (SnapMap.keys<T> m) r))))
  (forall ((r Ref)) (! (= (Set.in (SnapMap.keys<T> n) r) (Set.in s r)) :pattern ((Set.in (SnapMap.keys<T> n) r))))
  (forall ((r Ref)) (! (=> (Set.in s r) (= (SnapMap.lookup<T> m r) (SnapMap.lookup<T> n r))) :pattern ((SnapMap.lookup<T> m r)))))
  (= (Snap.wrap<T> m) (Snap.wrap<T> n))))

marks are true
(forall ((m SnapMap ) (r Ref)) (SnapMap.mark<T> m r))

unwrapping undoes wrapping
(forall ((m SnapMap )) (= (Snap.unwrap<T> (Snap.wrap<T> m)) m))
