// Hypotheses about all types below other quantifiers, as frames of functions and of calls are.
type ref;
type Field a;
type Heap = <a>[ref, Field a]a;
const unique alloc: Field bool;
const unique size: Field int;
const unique next: Field ref;
var heap: Heap;

function Valid(h: Heap, r: ref): bool;
axiom (forall h, g: Heap, r: ref :: { Valid(h, r), Valid(g, r) }
  (forall<a> o: ref, f: Field a :: h[o, alloc] ==> h[o, f] == g[o, f]) ==> Valid(h, r) == Valid(g, r));

procedure Nothing(r: ref)
  modifies heap;
{
  assume Valid(heap, r);
  assert Valid(heap, r);
}

procedure Allocates(r: ref, n: ref)
  requires !heap[n, alloc];
  modifies heap;
{
  assume Valid(heap, r);
  heap[n, size] := 3;
  heap[n, alloc] := true;
  assert Valid(heap, r);
}

procedure Writes(r: ref, n: ref)
  modifies heap;
{
  assume Valid(heap, r);
  heap[n, size] := heap[n, size] + 1;
  assert Valid(heap, r); // error
}

procedure Frame(o: ref);
  modifies heap;
  ensures (forall<a> p: ref, f: Field a :: { heap[p, f] } old(heap)[p, alloc] && p != o ==> heap[p, f] == old(heap)[p, f]);

procedure Calls(r: ref, n: ref)
  requires !heap[n, alloc];
  modifies heap;
{
  assume Valid(heap, r);
  call Frame(n);
  assert Valid(heap, r);
}

procedure CallsElsewhere(r: ref, n: ref)
  modifies heap;
{
  assume Valid(heap, r);
  call Frame(n);
  assert Valid(heap, r); // error
}

// What holds of the fields that are known does not hold of all.
procedure OnlyKnown(r: ref, g: Heap)
{
  assume Valid(heap, r);
  assume (forall o: ref, f: Field int :: heap[o, f] == g[o, f]);
  assume (forall o: ref, f: Field bool :: heap[o, f] == g[o, f]);
  assume (forall o: ref, f: Field ref :: heap[o, f] == g[o, f]);
  assert Valid(g, r); // error
}

// A frame as a map.
procedure Framed(r: ref, n: ref)
  requires !heap[n, alloc];
  modifies heap;
{
  var frame: <a>[ref, Field a]bool;
  assume Valid(heap, r);
  frame := (lambda<a> o: ref, f: Field a :: !heap[o, alloc]);
  assert (forall<a> o: ref, f: Field a :: o == n ==> frame[o, f]);
  call Frame(n);
  assert Valid(heap, r);
  assert (forall<a> o: ref, f: Field a :: frame[o, f]); // error
}

// The hypothesis is for one type and one field each: two fields may belong to two types.
function kind<a>(f: Field a): int;
axiom (forall<a> f, g: Field a :: { kind(f), kind(g) } kind(f) == kind(g));

procedure Kinds()
{
  assume (forall k: int :: (exists<a> f: Field a :: kind(f) == k));
  assert false; // error
}

// Stated below a quantifier, and as a value.
procedure Value(r: ref)
{
  var same: [Heap, Heap]bool;
  same := (lambda h, g: Heap :: (forall<a> o: ref, f: Field a :: h[o, f] == g[o, f]));
  assert same[heap, heap];
  assert same[heap, heap[r, size := 1]] ==> heap[r, size] == 1;
  assert same[heap, heap[r, size := 1]]; // error
}

procedure Exists(r: ref, g: Heap)
{
  assume (forall h: Heap :: { Valid(h, r) } Valid(h, r) ==> (exists<a> f: Field a :: h[r, f] != g[r, f]));
  assume Valid(heap, r);
  assert heap != g;
  assert heap[r, size] != g[r, size]; // error
}
