// Ghost state: a counter that keeps a history, and a monitor that proves something about it.
class Counter {
  var value: int
  ghost var History: seq<int>

  predicate Valid()
    reads this
  {
    History != [] && History[|History| - 1] == value &&
    History[0] == 0 &&
    forall i :: 0 < i < |History| ==> History[i - 1] < History[i]
  }

  constructor ()
    ensures Valid() && value == 0
  {
    value := 0;
    History := [0];
  }

  method Increase(amount: int)
    requires Valid() && 0 < amount
    modifies this
    ensures Valid()
    ensures value == old(value) + amount
    ensures old(History) <= History && |History| == |old(History)| + 1
  {
    value := value + amount;
    History := History + [value];
  }

  lemma NotNegative(i: int)
    requires Valid() && 0 <= i < |History|
    ensures 0 <= History[i]
    decreases i
  {
    if i > 0 {
      NotNegative(i - 1);
    }
  }

  twostate predicate Later()
    reads this
  {
    old(value) <= value && old(|History|) <= |History|
  }
}

method Twice(c: Counter)
  requires c.Valid()
  modifies c
  ensures c.Valid() && c.value == old(c.value) + 3
  ensures |c.History| == |old(c.History)| + 2
{
  c.Increase(1);
  c.Increase(2);
}

method Client() {
  var c := new Counter();
  Twice(c);
  assert c.value == 3;
  c.Increase(4);
  c.NotNegative(|c.History| - 1);
}
