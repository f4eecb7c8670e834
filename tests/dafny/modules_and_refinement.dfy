// Modules: an abstract queue, an implementation by refinement, and an importer that sees only the contract.
abstract module QueueSpec {
  type Queue<T>
  function method Empty<T>(): Queue<T>
  function Contents<T>(q: Queue<T>): seq<T>
  function method Enqueue<T>(q: Queue<T>, x: T): Queue<T>
  lemma EmptyContents<T>()
    ensures Contents<T>(Empty()) == []
  lemma EnqueueContents<T>(q: Queue<T>, x: T)
    ensures Contents(Enqueue(q, x)) == Contents(q) + [x]
}

module ListQueue refines QueueSpec {
  datatype List<T> = Nil | Cons(head: T, tail: List<T>)
  datatype Queue<T> = FQ(front: List<T>, back: List<T>)
  function ToSeq<T>(l: List<T>): seq<T>
  { match l case Nil => [] case Cons(h, t) => [h] + ToSeq(t) }
  function Backwards<T>(l: List<T>): seq<T>
  { match l case Nil => [] case Cons(h, t) => Backwards(t) + [h] }
  function method Empty<T>(): Queue<T> { FQ(Nil, Nil) }
  function Contents<T>(q: Queue<T>): seq<T> { ToSeq(q.front) + Backwards(q.back) }
  function method Enqueue<T>(q: Queue<T>, x: T): Queue<T> { FQ(q.front, Cons(x, q.back)) }
  lemma EmptyContents<T>() { }
  lemma EnqueueContents<T>(q: Queue<T>, x: T)
  {
    assert ToSeq(q.front) + (Backwards(q.back) + [x]) == (ToSeq(q.front) + Backwards(q.back)) + [x];
  }
}

module Arithmetic {
  export provides Square, Half, SquareIsPositive
  function Square(x: int): int { x * x }
  method Half(n: nat) returns (h: nat)
    ensures 2 * h <= n < 2 * h + 2
  { h := n / 2; }
  lemma SquareIsPositive(x: int)
    ensures Square(x) >= 0
  { }
}

module Client {
  import A = Arithmetic
  import Q = ListQueue
  method Main() {
    A.SquareIsPositive(-3);
    assert A.Square(-3) >= 0;
    var h := A.Half(9);
    assert h == 4;
    var q := Q.Enqueue(Q.Enqueue(Q.Empty(), 1), 2);
    Q.EmptyContents<int>();
    assert Q.Contents(q) == [1, 2];
  }
}
