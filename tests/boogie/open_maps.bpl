// A map with type parameters has values at all types, also at those that a procedure does not mention.
type F _;
type M = <a>[F a]a;
var h: M;
var g: M;
const size: F int;

procedure NoInstance()
  ensures h == g;
{
} // error

procedure OneInstance()
  ensures h[size] == g[size] ==> h == g;
{
} // error

procedure SomeInstance(k: F bool)
{
  assume (forall f: F int :: h[f] == g[f]);
  assume (forall f: F bool :: h[f] == g[f]);
  assert h == g; // error
}

procedure Same(k: F bool)
  modifies g;
{
  g := h;
  g[k] := !h[k];
  assert h != g;
  g[k] := h[k];
  assert h == g;
}

// Inside other values.
datatype Pair { Pair(first: M, second: int) }
function of(m: M): int;
function twice<a>(m: M, x: a): int;

procedure InDatatype(p: Pair, q: Pair)
{
  assert p == Pair(p->first, p->second);
  assert p->second == q->second ==> p == q; // error
}

procedure InRange(a: [int]M, b: [int]M)
{
  assert (forall i: int :: a[i] == b[i]) ==> a == b;
  assert a == b; // error
}

procedure InArgument(m: M)
{
  assert m == h ==> of(m) == of(h);
  assert of(m) == of(h); // error
}

procedure InQuantifier()
{
  assert (forall m: M :: m == h); // error
}

procedure InExistence()
{
  assert (exists m: M :: m[size] == h[size]);
  assert (exists m: M :: m != h); // error
}

procedure InFunction(m: M)
{
  assert twice(m, 1) == twice(h, 1); // error
}

// A map at an instance that contains it.
procedure AtItself(k: F M, l: F M)
{
  var m: M;
  assert m[k := h][k] == h;
  assert k != l ==> m[k := h][l] == m[l];
  assert m[k := h][size] == m[size];
  assert m[size := 3][k] == m[k];
  assert m[k := m][k] == m;
  assert m[k] != m; // error
}

type N = <a>[F a][int]a;
procedure AtEachOther(k: F N, l: F M)
{
  var m: M;
  var n: N;
  assert m[k := n][k] == n;
  assert n[l][0 := m][0] == m;
  assert m[k][l][3] != m; // error
}

// A type parameter may stand for a type that is known.
procedure Parameter<T>(f: F T, x: T)
  modifies h;
{
  h[f] := x;
  assert h[f] == x;
  assert h[size] == old(h)[size]; // error
}

procedure KnownFirst<T>(f: F T)
  modifies h;
{
  h[size] := 7;
  assert h[size] == 7;
  assert h[f] == old(h)[f]; // error
}

procedure Compared<T>(x: T, f: F T)
{
  assert f == size ==> f == size;
  assert x != 3; // error
}

procedure TwoParameters<S, T>(f: F S, k: F T, x: S)
  modifies h;
{
  h[f] := x;
  assert h[k] == old(h)[k]; // error
}

// What is only said of all types.
function keeps<a>(f: F a): bool;
const before: M;
const after: M;
axiom after == before[size := before[size] + 1];
axiom (forall<a> f: F a :: { keeps(f) } keeps(f) <==> before[f] == after[f]);

procedure Kept()
{
  assert (forall<a> f: F a :: keeps(f)); // error
}

procedure KeptElsewhere()
{
  assert (forall<a> f: F a :: f != size ==> keeps(f));
}

function is3<a>(x: a): bool;
axiom (forall<a> x: a :: { is3(x) } is3(x) <==> x == 3);

procedure NeverThree()
{
  assert (forall<a> x: a :: !is3(x)); // error
}
