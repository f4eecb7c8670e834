// A queue in an array of fixed size, as a sequence of its contents.
class RingBuffer<T(0)> {
  var data: array<T>
  var first: nat
  var len: nat
  ghost var Contents: seq<T>
  ghost var N: nat
  ghost var Repr: set<object>

  predicate Valid()
    reads this, Repr
  {
    this in Repr && data in Repr &&
    data.Length == N &&
    (N == 0 ==> len == first == 0 && Contents == []) &&
    (N != 0 ==> len <= N && first < N) &&
    Contents == if first + len <= N then data[first..first + len]
                else data[first..] + data[..first + len - N]
  }

  constructor (n: nat)
    ensures Valid() && fresh(Repr)
    ensures Contents == [] && N == n
  {
    data := new T[n];
    first, len := 0, 0;
    Contents, N := [], n;
    new;
    Repr := {this, data};
  }

  method Clear()
    requires Valid()
    modifies Repr
    ensures Valid() && fresh(Repr - old(Repr))
    ensures Contents == [] && N == old(N)
  {
    len := 0;
    Contents := [];
  }

  method Head() returns (x: T)
    requires Valid() && Contents != []
    ensures x == Contents[0]
  {
    x := data[first];
  }

  method Enqueue(x: T)
    requires Valid() && |Contents| != N
    modifies Repr
    ensures Valid() && fresh(Repr - old(Repr))
    ensures Contents == old(Contents) + [x] && N == old(N)
  {
    var nextEmpty := if first + len < data.Length then first + len else first + len - data.Length;
    data[nextEmpty] := x;
    len := len + 1;
    Contents := Contents + [x];
  }

  method Dequeue() returns (x: T)
    requires Valid() && Contents != []
    modifies Repr
    ensures Valid() && fresh(Repr - old(Repr))
    ensures x == old(Contents)[0] && Contents == old(Contents)[1..] && N == old(N)
  {
    x := data[first];
    first, len := if first + 1 == data.Length then 0 else first + 1, len - 1;
    Contents := Contents[1..];
  }
}

method Harness(x: int, y: int, z: int) {
  var b := new RingBuffer<int>(2);
  b.Enqueue(x);
  b.Enqueue(y);
  var h := b.Dequeue();
  assert h == x && b.Contents == [y];
  b.Enqueue(z);
  assert b.Contents == [y, z];
  h := b.Dequeue();
  h := b.Dequeue();
  assert h == z;
}
