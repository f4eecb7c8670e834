// Maps of one and more dimensions, with type parameters, and lambda expressions.
type Ref;
type Field a;
const unique size: Field int;
const unique full: Field bool;
const unique depth: Field int;
var heap: <a>[Ref, Field a]a;

procedure write(r: Ref, q: Ref)
  modifies heap;
{
  var m: [int, bool]int;
  heap[r, size] := 5;
  heap[r, full] := true;
  assert heap[r, size] == 5;
  assert heap[r, full];
  heap[q, depth] := 6;
  assert heap[r, size] == 5;
  heap[q, size] := 6;
  assert heap[r, size] == 5; // error
  m[1, true] := 3;
  m[1, false] := 4;
  assert m[1, true] == 3;
  assert m[1, true := 9][1, true] == 9;
  assert m[2, true] == 3; // error
}

procedure lambdas(k: int)
{
  var f: [int]int;
  f := (lambda i: int :: i + k);
  assert f[3] == 3 + k;
  assert f == (lambda j: int :: j + k);
  assert (forall x: int :: f[x] - x == k);
  assert f[0] == 0; // error
}
