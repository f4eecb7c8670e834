// Lists as a generic data type, with the laws of append, reverse and length.
datatype List<T> = Nil | Cons(head: T, tail: List<T>)

function Length<T>(xs: List<T>): nat {
  match xs
  case Nil => 0
  case Cons(_, rest) => 1 + Length(rest)
}

function Append<T>(xs: List<T>, ys: List<T>): List<T> {
  match xs
  case Nil => ys
  case Cons(x, rest) => Cons(x, Append(rest, ys))
}

function Reverse<T>(xs: List<T>): List<T> {
  match xs
  case Nil => Nil
  case Cons(x, rest) => Append(Reverse(rest), Cons(x, Nil))
}

function ReverseOnto<T>(xs: List<T>, acc: List<T>): List<T> {
  match xs
  case Nil => acc
  case Cons(x, rest) => ReverseOnto(rest, Cons(x, acc))
}

lemma AppendNil<T>(xs: List<T>)
  ensures Append(xs, Nil) == xs
{
}

lemma AppendAssociative<T>(xs: List<T>, ys: List<T>, zs: List<T>)
  ensures Append(Append(xs, ys), zs) == Append(xs, Append(ys, zs))
{
}

lemma LengthOfAppend<T>(xs: List<T>, ys: List<T>)
  ensures Length(Append(xs, ys)) == Length(xs) + Length(ys)
{
}

lemma ReverseOfAppend<T>(xs: List<T>, ys: List<T>)
  ensures Reverse(Append(xs, ys)) == Append(Reverse(ys), Reverse(xs))
{
  match xs
  case Nil =>
    AppendNil(Reverse(ys));
  case Cons(x, rest) =>
    ReverseOfAppend(rest, ys);
    AppendAssociative(Reverse(ys), Reverse(rest), Cons(x, Nil));
}

lemma ReverseTwice<T>(xs: List<T>)
  ensures Reverse(Reverse(xs)) == xs
{
  match xs
  case Nil =>
  case Cons(x, rest) =>
    ReverseTwice(rest);
    ReverseOfAppend(Reverse(rest), Cons(x, Nil));
}

lemma FastReverse<T>(xs: List<T>, acc: List<T>)
  ensures ReverseOnto(xs, acc) == Append(Reverse(xs), acc)
{
  match xs
  case Nil =>
  case Cons(x, rest) =>
    FastReverse(rest, Cons(x, acc));
    AppendAssociative(Reverse(rest), Cons(x, Nil), acc);
}
