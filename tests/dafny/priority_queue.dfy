// A heap in an array: insertion with sift-up, and the minimum.
class Heap {
  var data: array<int>
  var size: int
  ghost var Repr: set<object>

  predicate Valid()
    reads this, Repr
  {
    this in Repr && data in Repr && 0 <= size <= data.Length && 0 < data.Length &&
    forall i :: 1 <= i < size ==> data[(i - 1) / 2] <= data[i]
  }

  constructor (capacity: nat)
    requires 0 < capacity
    ensures Valid() && fresh(Repr) && size == 0 && data.Length == capacity
  {
    data := new int[capacity];
    size := 0;
    new;
    Repr := {this, data};
  }

  method Insert(x: int)
    requires Valid() && size < data.Length
    modifies Repr
    ensures Valid() && fresh(Repr - old(Repr)) && size == old(size) + 1
    ensures data == old(data)
  {
    data[size] := x;
    size := size + 1;
    var i := size - 1;
    while i > 0 && data[i] < data[(i - 1) / 2]
      invariant 0 <= i < size <= data.Length
      invariant data == old(data) && data in Repr && this in Repr && Repr == old(Repr) && size == old(size) + 1
      invariant forall k :: 1 <= k < size && k != i ==> data[(k - 1) / 2] <= data[k]
      invariant forall k :: 1 <= k < size && (k - 1) / 2 == i && i > 0 ==> data[(i - 1) / 2] <= data[k]
      decreases i
    {
      var parent := (i - 1) / 2;
      data[i], data[parent] := data[parent], data[i];
      i := parent;
    }
  }

  lemma RootIsSmallest(i: int)
    requires Valid() && 0 <= i < size
    ensures data[0] <= data[i]
    decreases i
  {
    if i > 0 {
      RootIsSmallest((i - 1) / 2);
    }
  }

  method Minimum() returns (x: int)
    requires Valid() && size > 0
    ensures forall i :: 0 <= i < size ==> x <= data[i]
  {
    x := data[0];
    forall i | 0 <= i < size
      ensures data[0] <= data[i]
    {
      RootIsSmallest(i);
    }
  }
}
