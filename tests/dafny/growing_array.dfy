// An array that grows by doubling; clients see a sequence.
class Vector<T(0)> {
  ghost var Elements: seq<T>
  ghost var Repr: set<object>
  var store: array<T>
  var size: nat

  predicate Valid()
    reads this, Repr
    ensures Valid() ==> this in Repr
  {
    this in Repr && store in Repr &&
    0 < store.Length && size <= store.Length &&
    Elements == store[..size]
  }

  constructor ()
    ensures Valid() && fresh(Repr) && Elements == []
  {
    store := new T[4];
    size, Elements := 0, [];
    new;
    Repr := {this, store};
  }

  function method Length(): nat
    requires Valid()
    reads Repr
    ensures Length() == |Elements|
  {
    size
  }

  method Get(i: nat) returns (t: T)
    requires Valid() && i < |Elements|
    ensures t == Elements[i]
  {
    t := store[i];
  }

  method Set(i: nat, t: T)
    requires Valid() && i < |Elements|
    modifies Repr
    ensures Valid() && fresh(Repr - old(Repr))
    ensures Elements == old(Elements)[i := t]
  {
    store[i] := t;
    Elements := Elements[i := t];
  }

  method Push(t: T)
    requires Valid()
    modifies Repr
    ensures Valid() && fresh(Repr - old(Repr))
    ensures Elements == old(Elements) + [t]
  {
    if size == store.Length {
      var bigger := new T[2 * size];
      forall i | 0 <= i < size {
        bigger[i] := store[i];
      }
      assert bigger[..size] == Elements;
      store := bigger;
      Repr := Repr + {bigger};
    }
    store[size] := t;
    size := size + 1;
    Elements := Elements + [t];
  }

  method Pop() returns (t: T)
    requires Valid() && Elements != []
    modifies Repr
    ensures Valid() && Repr == old(Repr)
    ensures t == old(Elements)[|old(Elements)| - 1]
    ensures Elements == old(Elements)[..|old(Elements)| - 1]
  {
    size := size - 1;
    t := store[size];
    Elements := Elements[..size];
  }
}

method Client() {
  var v := new Vector<int>();
  var i := 0;
  while i < 10
    invariant 0 <= i <= 10
    invariant v.Valid() && fresh(v.Repr)
    invariant |v.Elements| == i
    invariant forall j :: 0 <= j < i ==> v.Elements[j] == j * j
  {
    v.Push(i * i);
    i := i + 1;
  }
  var last := v.Pop();
  assert last == 81;
  var third := v.Get(3);
  assert third == 9;
}
