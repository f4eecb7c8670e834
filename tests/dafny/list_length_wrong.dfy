datatype List<T> = Nil | Cons(head: T, tail: List<T>)
function Length<T>(l: List<T>): nat { match l case Nil => 0 case Cons(_, t) => 1 + Length(t) }
lemma Short<T>(l: List<T>)
  ensures Length(l) < 5
{ }
