// A stack in an array that grows, with its contents as a ghost sequence and its objects as a ghost set.
class Stack<T(0)> {
  ghost var Contents: seq<T>
  ghost var Repr: set<object>
  var elements: array<T>
  var count: int

  predicate Valid()
    reads this, Repr
  {
    this in Repr && elements in Repr &&
    0 <= count <= elements.Length && 0 < elements.Length &&
    Contents == elements[..count]
  }

  constructor ()
    ensures Valid() && fresh(Repr)
    ensures Contents == []
  {
    elements := new T[4];
    count := 0;
    Contents := [];
    new;
    Repr := {this, elements};
  }

  method Push(value: T)
    requires Valid()
    modifies Repr
    ensures Valid() && fresh(Repr - old(Repr))
    ensures Contents == old(Contents) + [value]
  {
    if count == elements.Length {
      var larger := new T[2 * count];
      forall i | 0 <= i < count {
        larger[i] := elements[i];
      }
      elements := larger;
      Repr := Repr + {larger};
    }
    elements[count] := value;
    count := count + 1;
    Contents := Contents + [value];
  }

  method Pop() returns (value: T)
    requires Valid() && Contents != []
    modifies Repr
    ensures Valid() && fresh(Repr - old(Repr))
    ensures value == old(Contents)[|old(Contents)| - 1]
    ensures Contents == old(Contents)[..|old(Contents)| - 1]
  {
    count := count - 1;
    value := elements[count];
    Contents := Contents[..count];
  }

  predicate method IsEmpty()
    requires Valid()
    reads this, Repr
    ensures IsEmpty() <==> Contents == []
  {
    count == 0
  }
}

method Client() {
  var s := new Stack<int>();
  s.Push(3);
  s.Push(5);
  assert s.Contents == [3, 5];
  var x := s.Pop();
  assert x == 5 && !s.IsEmpty();
  x := s.Pop();
  assert x == 3 && s.IsEmpty();
}
