; Snapshots that a function is applied to, with the same arguments otherwise: whether they are equal matters. True, a mark.
(declare-fun Snap%compared (Snap Snap) Bool)
(assert (forall ((a Snap) (b Snap) (c Snap) (d Snap)) (! (and (Snap%compared a c) (Snap%compared b d))
  :pattern ((Snap%compared (Snap.combine a b) (Snap.combine c d))) :qid snap.compared)))
