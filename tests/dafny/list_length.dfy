datatype List<T> = Nil | Cons(head: T, tail: List<T>)
function Length<T>(l: List<T>): nat { match l case Nil => 0 case Cons(_, t) => 1 + Length(t) }
function Append<T>(a: List<T>, b: List<T>): List<T> { match a case Nil => b case Cons(h, t) => Cons(h, Append(t, b)) }
lemma LengthOfAppend<T>(a: List<T>, b: List<T>)
  ensures Length(Append(a, b)) == Length(a) + Length(b)
{ match a { case Nil => case Cons(h, t) => LengthOfAppend(t, b); } }
