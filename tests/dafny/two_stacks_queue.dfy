// A functional queue as two lists, and its meaning as a sequence.
datatype List<T> = Nil | Cons(head: T, tail: List<T>)

function Elements<T>(xs: List<T>): seq<T> {
  match xs
  case Nil => []
  case Cons(x, rest) => [x] + Elements(rest)
}

function Backwards<T>(xs: List<T>): seq<T> {
  match xs
  case Nil => []
  case Cons(x, rest) => Backwards(rest) + [x]
}

function method ReverseOnto<T>(xs: List<T>, acc: List<T>): List<T> {
  match xs
  case Nil => acc
  case Cons(x, rest) => ReverseOnto(rest, Cons(x, acc))
}

lemma ReverseOntoMeans<T>(xs: List<T>, acc: List<T>)
  ensures Elements(ReverseOnto(xs, acc)) == Backwards(xs) + Elements(acc)
{
  match xs
  case Nil =>
  case Cons(x, rest) =>
    ReverseOntoMeans(rest, Cons(x, acc));
}

datatype Queue<T> = Queue(front: List<T>, back: List<T>)

function Meaning<T>(q: Queue<T>): seq<T> {
  Elements(q.front) + Backwards(q.back)
}

method Enqueue<T>(q: Queue<T>, x: T) returns (r: Queue<T>)
  ensures Meaning(r) == Meaning(q) + [x]
{
  r := Queue(q.front, Cons(x, q.back));
}

method Dequeue<T>(q: Queue<T>) returns (x: T, r: Queue<T>)
  requires Meaning(q) != []
  ensures [x] + Meaning(r) == Meaning(q)
{
  match q.front
  case Cons(head, rest) =>
    x := head;
    r := Queue(rest, q.back);
  case Nil =>
    var turned := ReverseOnto(q.back, Nil);
    ReverseOntoMeans(q.back, Nil);
    assert Elements(turned) == Meaning(q);
    match turned
    case Cons(head, rest) =>
      x := head;
      r := Queue(rest, Nil);
}
