; Finite sequences, by length and index. Index arithmetic goes through named functions: triggers have no
; arithmetic in them, and going to a part and back gives the same index term, which ends matching loops.
(declare-fun Seq.length<T> (Seq<T>) Int)
(declare-fun Seq.index<T> (Seq<T> Int) $T)
(declare-fun Seq.empty<T> () Seq<T>)
(declare-fun Seq.singleton<T> ($T) Seq<T>)
(declare-fun Seq.append<T> (Seq<T> Seq<T>) Seq<T>)
(declare-fun Seq.update<T> (Seq<T> Int $T) Seq<T>)
(declare-fun Seq.take<T> (Seq<T> Int) Seq<T>)
(declare-fun Seq.drop<T> (Seq<T> Int) Seq<T>)
(declare-fun Seq.equal<T> (Seq<T> Seq<T>) Bool)
; A witness: where two sequences of equal length differ.
(declare-fun Seq.apart<T> (Seq<T> Seq<T>) Int)
(declare-fun Seq.plus<T> (Int Int) Int)
(declare-fun Seq.minus<T> (Int Int) Int)
(assert (forall ((i Int) (j Int)) (! (= (Seq.plus<T> i j) (+ i j)) :pattern ((Seq.plus<T> i j)) :qid seq.plus)))
(assert (forall ((i Int) (j Int)) (! (= (Seq.minus<T> i j) (- i j)) :pattern ((Seq.minus<T> i j)) :qid seq.minus)))

; Length.
(assert (= (Seq.length<T> Seq.empty<T>) 0))
(assert (forall ((s Seq<T>)) (! (and (<= 0 (Seq.length<T> s)) (=> (= (Seq.length<T> s) 0) (= s Seq.empty<T>)))
  :pattern ((Seq.length<T> s)) :qid seq.length)))
(assert (forall ((x $T)) (! (and (= (Seq.length<T> (Seq.singleton<T> x)) 1) (= (Seq.index<T> (Seq.singleton<T> x) 0) x))
  :pattern ((Seq.singleton<T> x)) :qid seq.singleton)))

; Append.
(assert (forall ((s Seq<T>) (t Seq<T>)) (! (= (Seq.length<T> (Seq.append<T> s t)) (+ (Seq.length<T> s) (Seq.length<T> t)))
  :pattern ((Seq.append<T> s t)) :qid seq.length.append)))
(assert (forall ((s Seq<T>) (t Seq<T>)) (! (and
    (=> (= s Seq.empty<T>) (= (Seq.append<T> s t) t))
    (=> (= t Seq.empty<T>) (= (Seq.append<T> s t) s)))
  :pattern ((Seq.append<T> s t)) :qid seq.append.empty)))
(assert (forall ((s Seq<T>) (t Seq<T>) (n Int)) (! (=> (and (<= 0 n) (< n (Seq.length<T> s)))
    (= (Seq.index<T> (Seq.append<T> s t) n) (Seq.index<T> s n)))
  :pattern ((Seq.index<T> (Seq.append<T> s t) n)) :pattern ((Seq.index<T> s n) (Seq.append<T> s t)) :qid seq.index.append.left)))
(assert (forall ((s Seq<T>) (t Seq<T>) (n Int)) (! (=>
    (and (not (= s Seq.empty<T>)) (<= (Seq.length<T> s) n) (< n (Seq.length<T> (Seq.append<T> s t))))
    (and (= (Seq.plus<T> (Seq.minus<T> n (Seq.length<T> s)) (Seq.length<T> s)) n)
         (= (Seq.index<T> (Seq.append<T> s t) n) (Seq.index<T> t (Seq.minus<T> n (Seq.length<T> s))))))
  :pattern ((Seq.index<T> (Seq.append<T> s t) n)) :qid seq.index.append.right)))
(assert (forall ((s Seq<T>) (t Seq<T>) (m Int)) (! (=>
    (and (not (= s Seq.empty<T>)) (<= 0 m) (< m (Seq.length<T> t)))
    (and (= (Seq.minus<T> (Seq.plus<T> m (Seq.length<T> s)) (Seq.length<T> s)) m)
         (= (Seq.index<T> (Seq.append<T> s t) (Seq.plus<T> m (Seq.length<T> s))) (Seq.index<T> t m))))
  :pattern ((Seq.index<T> t m) (Seq.append<T> s t)) :qid seq.index.append.back)))

; Update.
(assert (forall ((s Seq<T>) (i Int) (v $T)) (! (= (Seq.length<T> (Seq.update<T> s i v)) (Seq.length<T> s))
  :pattern ((Seq.length<T> (Seq.update<T> s i v))) :pattern ((Seq.length<T> s) (Seq.update<T> s i v)) :qid seq.length.update)))
(assert (forall ((s Seq<T>) (i Int) (v $T) (n Int)) (! (=> (and (<= 0 n) (< n (Seq.length<T> s)))
    (= (Seq.index<T> (Seq.update<T> s i v) n) (ite (= i n) v (Seq.index<T> s n))))
  :pattern ((Seq.index<T> (Seq.update<T> s i v) n)) :pattern ((Seq.index<T> s n) (Seq.update<T> s i v)) :qid seq.index.update)))

; Take.
(assert (forall ((s Seq<T>) (n Int)) (! (= (Seq.length<T> (Seq.take<T> s n))
    (ite (<= n 0) 0 (ite (<= n (Seq.length<T> s)) n (Seq.length<T> s))))
  :pattern ((Seq.length<T> (Seq.take<T> s n))) :pattern ((Seq.take<T> s n) (Seq.length<T> s)) :qid seq.length.take)))
(assert (forall ((s Seq<T>) (n Int) (j Int)) (! (=> (and (<= 0 j) (< j n) (< j (Seq.length<T> s)))
    (= (Seq.index<T> (Seq.take<T> s n) j) (Seq.index<T> s j)))
  :pattern ((Seq.index<T> (Seq.take<T> s n) j)) :pattern ((Seq.index<T> s j) (Seq.take<T> s n)) :qid seq.index.take)))
(assert (forall ((s Seq<T>) (n Int)) (! (and
    (=> (<= n 0) (= (Seq.take<T> s n) Seq.empty<T>))
    (=> (<= (Seq.length<T> s) n) (= (Seq.take<T> s n) s)))
  :pattern ((Seq.take<T> s n)) :qid seq.take.ends)))

; Drop.
(assert (forall ((s Seq<T>) (n Int)) (! (= (Seq.length<T> (Seq.drop<T> s n))
    (ite (<= n 0) (Seq.length<T> s) (ite (<= n (Seq.length<T> s)) (- (Seq.length<T> s) n) 0)))
  :pattern ((Seq.length<T> (Seq.drop<T> s n))) :pattern ((Seq.drop<T> s n) (Seq.length<T> s)) :qid seq.length.drop)))
(assert (forall ((s Seq<T>) (n Int) (j Int)) (! (=> (and (< 0 n) (<= 0 j) (< j (- (Seq.length<T> s) n)))
    (and (= (Seq.minus<T> (Seq.plus<T> j n) n) j)
         (= (Seq.index<T> (Seq.drop<T> s n) j) (Seq.index<T> s (Seq.plus<T> j n)))))
  :pattern ((Seq.index<T> (Seq.drop<T> s n) j)) :qid seq.index.drop)))
(assert (forall ((s Seq<T>) (n Int) (i Int)) (! (=> (and (< 0 n) (<= n i) (< i (Seq.length<T> s)))
    (and (= (Seq.plus<T> (Seq.minus<T> i n) n) i)
         (= (Seq.index<T> (Seq.drop<T> s n) (Seq.minus<T> i n)) (Seq.index<T> s i))))
  :pattern ((Seq.index<T> s i) (Seq.drop<T> s n)) :qid seq.index.drop.back)))
(assert (forall ((s Seq<T>) (n Int)) (! (and
    (=> (<= n 0) (= (Seq.drop<T> s n) s))
    (=> (<= (Seq.length<T> s) n) (= (Seq.drop<T> s n) Seq.empty<T>)))
  :pattern ((Seq.drop<T> s n)) :qid seq.drop.ends)))

; Take and drop of what was appended.
(assert (forall ((s Seq<T>) (t Seq<T>) (n Int)) (! (and
    (=> (and (< 0 n) (<= n (Seq.length<T> s))) (= (Seq.take<T> (Seq.append<T> s t) n) (Seq.take<T> s n)))
    (=> (and (< 0 (Seq.length<T> s)) (< (Seq.length<T> s) n))
        (and (= (Seq.plus<T> (Seq.minus<T> n (Seq.length<T> s)) (Seq.length<T> s)) n)
             (= (Seq.take<T> (Seq.append<T> s t) n) (Seq.append<T> s (Seq.take<T> t (Seq.minus<T> n (Seq.length<T> s))))))))
  :pattern ((Seq.take<T> (Seq.append<T> s t) n)) :qid seq.take.append)))
(assert (forall ((s Seq<T>) (t Seq<T>) (n Int)) (! (and
    (=> (and (< 0 n) (<= n (Seq.length<T> s))) (= (Seq.drop<T> (Seq.append<T> s t) n) (Seq.append<T> (Seq.drop<T> s n) t)))
    (=> (and (< 0 (Seq.length<T> s)) (< (Seq.length<T> s) n))
        (and (= (Seq.plus<T> (Seq.minus<T> n (Seq.length<T> s)) (Seq.length<T> s)) n)
             (= (Seq.drop<T> (Seq.append<T> s t) n) (Seq.drop<T> t (Seq.minus<T> n (Seq.length<T> s)))))))
  :pattern ((Seq.drop<T> (Seq.append<T> s t) n)) :qid seq.drop.append)))

; Take and drop of what was updated.
(assert (forall ((s Seq<T>) (i Int) (v $T) (n Int)) (! (and
    (=> (and (<= 0 n) (<= n i)) (= (Seq.take<T> (Seq.update<T> s i v) n) (Seq.take<T> s n)))
    (=> (and (<= 0 i) (< i n)) (= (Seq.take<T> (Seq.update<T> s i v) n) (Seq.update<T> (Seq.take<T> s n) i v))))
  :pattern ((Seq.take<T> (Seq.update<T> s i v) n)) :qid seq.take.update)))
(assert (forall ((s Seq<T>) (i Int) (v $T) (n Int)) (! (and
    (=> (and (<= 0 i) (< i n)) (= (Seq.drop<T> (Seq.update<T> s i v) n) (Seq.drop<T> s n)))
    (=> (and (< 0 n) (<= n i))
        (and (= (Seq.plus<T> (Seq.minus<T> i n) n) i)
             (= (Seq.drop<T> (Seq.update<T> s i v) n) (Seq.update<T> (Seq.drop<T> s n) (Seq.minus<T> i n) v)))))
  :pattern ((Seq.drop<T> (Seq.update<T> s i v) n)) :qid seq.drop.update)))

; Equality.
(assert (forall ((s Seq<T>) (t Seq<T>)) (! (and
    (=> (Seq.equal<T> s t) (= s t))
    (or (Seq.equal<T> s t) (not (= (Seq.length<T> s) (Seq.length<T> t)))
        (and (<= 0 (Seq.apart<T> s t)) (< (Seq.apart<T> s t) (Seq.length<T> s))
             (not (=T (Seq.index<T> s (Seq.apart<T> s t)) (Seq.index<T> t (Seq.apart<T> s t)))))))
  :pattern ((Seq.equal<T> s t)) :qid seq.equal)))
