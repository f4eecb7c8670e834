// A queue in a circular buffer of fixed capacity.
class Queue {
  ghost var Contents: seq<int>
  ghost var Repr: set<object>
  var buffer: array<int>
  var start: nat
  var size: nat

  predicate Valid()
    reads this, Repr
  {
    this in Repr && buffer in Repr &&
    0 < buffer.Length && start < buffer.Length && size <= buffer.Length &&
    |Contents| == size &&
    forall i :: 0 <= i < size ==>
      Contents[i] == if start + i < buffer.Length then buffer[start + i] else buffer[start + i - buffer.Length]
  }

  constructor (capacity: nat)
    requires 0 < capacity
    ensures Valid() && fresh(Repr)
    ensures Contents == [] && buffer.Length == capacity
  {
    buffer := new int[capacity];
    start, size, Contents := 0, 0, [];
    new;
    Repr := {this, buffer};
  }

  method Enqueue(value: int)
    requires Valid() && size < buffer.Length
    modifies Repr
    ensures Valid() && fresh(Repr - old(Repr))
    ensures Contents == old(Contents) + [value]
    ensures buffer == old(buffer)
  {
    var index := if start + size < buffer.Length then start + size else start + size - buffer.Length;
    buffer[index] := value;
    size := size + 1;
    Contents := Contents + [value];
  }

  method Dequeue() returns (value: int)
    requires Valid() && 0 < size
    modifies Repr
    ensures Valid() && fresh(Repr - old(Repr))
    ensures value == old(Contents)[0] && Contents == old(Contents)[1..]
    ensures buffer == old(buffer)
  {
    value := buffer[start];
    start := if start + 1 == buffer.Length then 0 else start + 1;
    size := size - 1;
    Contents := Contents[1..];
  }
}

method Client() {
  var q := new Queue(2);
  q.Enqueue(1);
  q.Enqueue(2);
  var x := q.Dequeue();
  assert x == 1;
  q.Enqueue(3);
  x := q.Dequeue();
  assert x == 2;
  x := q.Dequeue();
  assert x == 3 && q.Contents == [];
}
