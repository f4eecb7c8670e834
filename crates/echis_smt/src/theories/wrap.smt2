; Values as snapshots. Unwrapping undoes wrapping; nothing is said about snapshots that are no wrapped value.
(declare-fun Snap.wrap<T> ($T) Snap)
(declare-fun Snap.unwrap<T> (Snap) $T)
(assert (forall ((x $T)) (! (= (Snap.unwrap<T> (Snap.wrap<T> x)) x) :pattern ((Snap.wrap<T> x)) :qid wrap.unwrap)))
