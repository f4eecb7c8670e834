// A bag in an array, with a multiset as its contents.
class Bag {
  ghost var Contents: multiset<int>
  ghost var Repr: set<object>
  var data: array<int>
  var size: nat

  predicate Valid()
    reads this, Repr
  {
    this in Repr && data in Repr && size <= data.Length &&
    Contents == multiset(data[..size])
  }

  constructor (capacity: nat)
    ensures Valid() && fresh(Repr)
    ensures Contents == multiset{} && size == 0 && data.Length == capacity
  {
    data := new int[capacity];
    size := 0;
    Contents := multiset{};
    new;
    Repr := {this, data};
  }

  method Add(x: int)
    requires Valid() && size < data.Length
    modifies Repr
    ensures Valid() && fresh(Repr - old(Repr))
    ensures Contents == old(Contents) + multiset{x}
    ensures size == old(size) + 1 && data == old(data)
  {
    data[size] := x;
    assert data[..size + 1] == data[..size] + [x];
    size := size + 1;
    Contents := Contents + multiset{x};
  }

  method Contains(x: int) returns (found: bool)
    requires Valid()
    ensures found <==> x in Contents
  {
    var i := 0;
    while i < size
      invariant 0 <= i <= size
      invariant x !in data[..i]
    {
      if data[i] == x {
        assert x in data[..size];
        return true;
      }
      assert data[..i + 1] == data[..i] + [data[i]];
      i := i + 1;
    }
    found := false;
  }
}

method Client() {
  var b := new Bag(5);
  b.Add(3);
  b.Add(3);
  assert b.Contents == multiset{3, 3};
  var found := b.Contains(3);
  assert found;
  found := b.Contains(4);
  assert !found;
}
