// A heap in an array: inserting sifts up, and the first element is the greatest.
class MaxHeap {
  var data: array<int>
  var size: nat
  ghost var Repr: set<object>

  predicate Valid()
    reads this, Repr
    ensures Valid() ==> this in Repr
  {
    this in Repr && data in Repr && size <= data.Length
    && forall i :: 1 <= i < size ==> data[(i - 1) / 2] >= data[i]
  }

  constructor (capacity: nat)
    ensures Valid() && fresh(Repr) && size == 0 && data.Length == capacity
  {
    data := new int[capacity];
    size := 0;
    new;
    Repr := {this, data};
  }

  lemma FirstIsGreatest(i: nat)
    requires Valid() && i < size
    ensures data[0] >= data[i]
    decreases i
  {
    if i > 0 {
      FirstIsGreatest((i - 1) / 2);
    }
  }

  method Greatest() returns (m: int)
    requires Valid() && size > 0
    ensures forall i :: 0 <= i < size ==> m >= data[i]
    ensures exists i :: 0 <= i < size && m == data[i]
  {
    m := data[0];
    forall i | 0 <= i < size
      ensures m >= data[i]
    {
      FirstIsGreatest(i);
    }
  }

  method Insert(x: int)
    requires Valid() && size < data.Length
    modifies Repr
    ensures Valid() && Repr == old(Repr) && size == old(size) + 1 && data == old(data)
  {
    data[size] := x;
    size := size + 1;
    var i := size - 1;
    while i > 0 && data[(i - 1) / 2] < data[i]
      invariant 0 <= i < size && size == old(size) + 1 && size <= data.Length
      invariant data == old(data) && Repr == old(Repr) && this in Repr && data in Repr
      invariant forall j :: 1 <= j < size && j != i ==> data[(j - 1) / 2] >= data[j]
      invariant forall j :: 1 <= j < size && (j - 1) / 2 == i && i > 0 ==> data[(i - 1) / 2] >= data[j]
      decreases i
    {
      var p := (i - 1) / 2;
      data[p], data[i] := data[i], data[p];
      i := p;
    }
  }
}
