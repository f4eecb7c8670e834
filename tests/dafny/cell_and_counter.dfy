// Counters made of cells; each owns its own.
class Cell {
  var data: int
  constructor (d: int)
    ensures data == d
  {
    data := d;
  }
}

class Counter {
  ghost var Value: int
  ghost var Repr: set<object>
  var incs: Cell
  var decs: Cell

  predicate Valid()
    reads this, Repr
  {
    this in Repr && incs in Repr && decs in Repr && incs != decs &&
    Value == incs.data - decs.data
  }

  constructor ()
    ensures Valid() && fresh(Repr) && Value == 0
  {
    incs := new Cell(0);
    decs := new Cell(0);
    Value := 0;
    new;
    Repr := {this, incs, decs};
  }

  method Inc()
    requires Valid()
    modifies Repr
    ensures Valid() && fresh(Repr - old(Repr)) && Value == old(Value) + 1
  {
    incs.data, Value := incs.data + 1, Value + 1;
  }

  method Dec()
    requires Valid()
    modifies Repr
    ensures Valid() && fresh(Repr - old(Repr)) && Value == old(Value) - 1
  {
    decs.data, Value := decs.data + 1, Value - 1;
  }

  method Clear()
    requires Valid()
    modifies Repr
    ensures Valid() && fresh(Repr - old(Repr)) && Value == 0
  {
    incs := new Cell(0);
    decs := new Cell(0);
    Value := 0;
    Repr := Repr + {incs, decs};
  }

  method Get() returns (n: int)
    requires Valid()
    ensures n == Value
  {
    n := incs.data - decs.data;
  }
}

method Client() {
  var c := new Counter();
  var d := new Counter();
  c.Inc();
  d.Dec();
  c.Inc();
  d.Clear();
  d.Dec();
  var x := c.Get();
  var y := d.Get();
  assert x == 2 && y == -1;
}
