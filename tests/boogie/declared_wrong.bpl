// What is wrong with declarations is found where these are.
datatype Shape { Circle(size: int), Square(size: int), Line(size: bool) } // error
datatype Pair<T, U> { Left(first: T, second: U), Right(second: U, first: T) }

const limit: int;
procedure p() // error
  modifies limit;
{
}
