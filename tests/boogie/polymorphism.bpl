// Functions, axioms and procedures with type parameters.
type Box;
function box<T>(value: T): Box;
function unbox<T>(b: Box): T;
axiom (forall<T> value: T :: {box(value)} unbox(box(value)) == value);

procedure boxes(i: int, b: bool)
{
  assert (unbox(box(i)): int) == i;
  assert (unbox(box(b)): bool) <==> b;
  assert box(i) == box(i + 1); // error
}

procedure swap<T>(a: T, b: T) returns (x: T, y: T)
  ensures x == b && y == a;
{
  x, y := b, a;
}

procedure use()
{
  var i, j: int;
  var p, q: bool;
  call i, j := swap(1, 2);
  call p, q := swap(true, false);
  assert i == 2 && !p;
  assert i == j; // error
}

function {:inline} id<T>(x: T): T { x }
function twice(x: int): int { id(x) + id(x) }

procedure functions(x: int)
{
  assert twice(x) == 2 * x;
  assert twice(x) == x; // error
}

procedure any<T>(x: T, y: T)
{
  assert x == x;
  assert x == y; // error
}
