// Not proved here: that the heap keeps its shape when two elements are exchanged takes more than the limit.
// A heap in an array: an element is added at the end and moves up.
class Heap {
  var a: array<int>
  var n: nat
  ghost var Elements: multiset<int>

  predicate Shape()
    reads this, a
  {
    n <= a.Length && Elements == multiset(a[..n])
  }

  predicate Valid()
    reads this, a
  {
    Shape() && forall i :: 0 < i < n ==> a[(i - 1) / 2] <= a[i]
  }

  constructor (capacity: nat)
    ensures Valid() && fresh(a) && a.Length == capacity && n == 0
    ensures Elements == multiset{}
  {
    a := new int[capacity];
    n, Elements := 0, multiset{};
  }

  method Insert(x: int)
    requires Valid() && n < a.Length
    modifies this, a
    ensures Valid() && a == old(a) && n == old(n) + 1
    ensures Elements == old(Elements) + multiset{x}
  {
    a[n] := x;
    n := n + 1;
    Elements := Elements + multiset{x};
    assert a[..n] == old(a[..n]) + [x];
    var i := n - 1;
    while 0 < i && a[i] < a[(i - 1) / 2]
      invariant 0 <= i < n && a == old(a) && n == old(n) + 1
      invariant Shape()
      invariant Elements == old(Elements) + multiset{x}
      invariant forall k :: 0 < k < n && k != i ==> a[(k - 1) / 2] <= a[k]
      invariant forall k :: 0 < k < n && (k - 1) / 2 == i && 0 < i ==> a[(i - 1) / 2] <= a[k]
      decreases i
    {
      var p := (i - 1) / 2;
      a[i], a[p] := a[p], a[i];
      i := p;
    }
  }

  lemma RootIsLeast(k: nat)
    requires Valid() && k < n
    ensures a[0] <= a[k]
    decreases k
  {
    if k != 0 {
      RootIsLeast((k - 1) / 2);
    }
  }

  method Least() returns (x: int)
    requires Valid() && 0 < n
    ensures x in Elements
    ensures forall i :: 0 <= i < n ==> x <= a[i]
  {
    x := a[0];
    assert a[0] in a[..n];
    forall i | 0 <= i < n
      ensures x <= a[i]
    {
      RootIsLeast(i);
    }
  }
}
