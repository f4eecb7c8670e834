// A stack that forgets to put its larger array into its set of objects.
class Stack {
  ghost var Contents: seq<int>
  ghost var Repr: set<object>
  var elements: array<int>
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
    elements := new int[4];
    count := 0;
    Contents := [];
    new;
    Repr := {this, elements};
  }

  method Push(value: int)
    requires Valid()
    modifies Repr
    ensures Valid() && fresh(Repr - old(Repr))
    ensures Contents == old(Contents) + [value]
  {
    if count == elements.Length {
      var larger := new int[2 * count];
      forall i | 0 <= i < count {
        larger[i] := elements[i];
      }
      elements := larger;
    }
    elements[count] := value;
    count := count + 1;
    Contents := Contents + [value];
  }

  method Pop() returns (value: int)
    requires Valid() && Contents != []
    modifies Repr
    ensures Valid() && fresh(Repr - old(Repr))
    ensures Contents == old(Contents)[..|old(Contents)| - 1]
  {
    count := count - 1;
    value := elements[count];
    Contents := Contents[..count];
  }
}
