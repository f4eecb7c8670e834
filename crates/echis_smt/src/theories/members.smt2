; Membership in sequences. Apart, because it speaks of every element that is read.
(declare-fun Seq.in<T> (Seq<T> $T) Bool)
; True of the elements that some index term reads: quantifiers over members trigger on it too.
(declare-fun Seq.read<T> (Seq<T> $T) Bool)
; A witness: where a member stands.
(declare-fun Seq.at<T> (Seq<T> $T) Int)
(assert (forall ((s Seq<T>) (x $T)) (! (=> (Seq.in<T> s x)
    (and (<= 0 (Seq.at<T> s x)) (< (Seq.at<T> s x) (Seq.length<T> s)) (= (Seq.index<T> s (Seq.at<T> s x)) x)))
  :pattern ((Seq.in<T> s x)) :qid seq.in.at)))
(assert (forall ((s Seq<T>) (i Int)) (! (=> (and (<= 0 i) (< i (Seq.length<T> s))) (Seq.read<T> s (Seq.index<T> s i)))
  :pattern ((Seq.index<T> s i)) :qid seq.read.index)))
(assert (forall ((s Seq<T>) (t Seq<T>) (x $T)) (! (= (Seq.in<T> (Seq.append<T> s t) x) (or (Seq.in<T> s x) (Seq.in<T> t x)))
  :pattern ((Seq.in<T> (Seq.append<T> s t) x)) :qid seq.in.append)))
(assert (forall ((y $T) (x $T)) (! (= (Seq.in<T> (Seq.singleton<T> y) x) (=T x y))
  :pattern ((Seq.in<T> (Seq.singleton<T> y) x)) :qid seq.in.singleton)))
(assert (forall ((s Seq<T>) (x $T)) (! (=> (Seq.read<T> s x) (Seq.in<T> s x))
  :pattern ((Seq.in<T> s x) (Seq.read<T> s x)) :qid seq.in.read)))
