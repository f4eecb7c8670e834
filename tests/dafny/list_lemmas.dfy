// Lists: append, reverse, length, membership.
datatype List<T> = Nil | Cons(head: T, tail: List<T>)

function method Append<T>(xs: List<T>, ys: List<T>): List<T>
{
  match xs
  case Nil => ys
  case Cons(x, rest) => Cons(x, Append(rest, ys))
}

function method Length<T>(xs: List<T>): nat
{
  match xs
  case Nil => 0
  case Cons(_, rest) => 1 + Length(rest)
}

function method Reverse<T>(xs: List<T>): List<T>
{
  match xs
  case Nil => Nil
  case Cons(x, rest) => Append(Reverse(rest), Cons(x, Nil))
}

function Elements<T>(xs: List<T>): set<T>
{
  match xs
  case Nil => {}
  case Cons(x, rest) => {x} + Elements(rest)
}

lemma AppendNil<T>(xs: List<T>)
  ensures Append(xs, Nil) == xs
{
}

lemma AppendAssociative<T>(xs: List<T>, ys: List<T>, zs: List<T>)
  ensures Append(Append(xs, ys), zs) == Append(xs, Append(ys, zs))
{
}

lemma LengthAppend<T>(xs: List<T>, ys: List<T>)
  ensures Length(Append(xs, ys)) == Length(xs) + Length(ys)
{
}

lemma ReverseAppend<T>(xs: List<T>, ys: List<T>)
  ensures Reverse(Append(xs, ys)) == Append(Reverse(ys), Reverse(xs))
{
  match xs
  case Nil =>
    AppendNil(Reverse(ys));
  case Cons(x, rest) =>
    ReverseAppend(rest, ys);
    AppendAssociative(Reverse(ys), Reverse(rest), Cons(x, Nil));
}

lemma ReverseReverse<T>(xs: List<T>)
  ensures Reverse(Reverse(xs)) == xs
{
  match xs
  case Nil =>
  case Cons(x, rest) =>
    ReverseReverse(rest);
    ReverseAppend(Reverse(rest), Cons(x, Nil));
}

lemma ElementsAppend<T>(xs: List<T>, ys: List<T>)
  ensures Elements(Append(xs, ys)) == Elements(xs) + Elements(ys)
{
}
