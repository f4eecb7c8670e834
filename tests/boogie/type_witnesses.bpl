// Each existence of a type may be witnessed by another type, and by another one for each value.
function kind<a>(x: a): int;
axiom (forall<a> x, y: a :: { kind(x), kind(y) } kind(x) == kind(y));

procedure Some(k: int);
  ensures (exists<a> x: a :: kind(x) == k);

procedure TwoCalls()
{
  call Some(1);
  call Some(2);
  assert false; // error
}

procedure ForEachValue()
{
  assume (forall k: int :: (exists<a> x: a :: kind(x) == k));
  assert false; // error
}

procedure OneOfBoth(b: bool)
{
  assume b <==> (forall<a> x: a :: kind(x) == 1);
  assume !(forall<a> x: a :: kind(x) == 2);
  assert !b; // error
}

procedure Value(x: int)
{
  var b: bool;
  b := (forall<a> x: a :: kind(x) == 1);
  assert b ==> kind(x) == 1;
  b := (forall<a> x: a :: false ==> kind(x) == 1);
  assert b;
  assert (forall<a> x: a :: kind(x) == 1); // error
}

procedure KnownAfterwards(x: int)
{
  assume (forall<a> x: a :: { kind(x) } kind(x) == 1);
  assert (forall<a> x: a :: { kind(x) } kind(x) > 0);
  assert kind(x) > 0;
}

procedure Demanded()
{
  assert (forall y: int :: (forall<a> x: a :: kind(x) == y ==> kind(x) >= y));
  assert (exists<a> x: a :: kind(x) == kind(x));
}

// What is demanded for all types is demanded for those of which something is known.
type Field a;
var H: <a>[Field a]a;
const f: Field int;

procedure Written()
  modifies H;
{
  H[f] := 3;
  assert (forall<a> x: Field a :: x == f || H[x] == old(H)[x]);
  assert (forall<a> x: Field a :: H[x] == old(H)[x]); // error
}

procedure Promised()
  modifies H;
  ensures (forall<a> x: Field a :: H[x] == old(H)[x]);
{
  H[f] := 3;
} // error

procedure Compared(i: int)
{
  assert (forall<a> x: a :: x == x);
  assert (forall<a> x: a :: x != i); // error
}

procedure SameType()
{
  assert (forall<a, b> x: a, y: b :: x != y); // error
}
