// Two counters that may share a cell: one says too little about what it owns.
class Cell {
  var data: int
}

class Counter {
  ghost var Value: int
  ghost var Repr: set<object>
  var cell: Cell

  predicate Valid()
    reads this, Repr
  {
    this in Repr && cell in Repr && Value == cell.data
  }

  constructor (c: Cell)
    ensures Valid() && Value == c.data
    ensures Repr == {this, c}
  {
    cell := c;
    Value := c.data;
    Repr := {this, c};
  }

  method Inc()
    requires Valid()
    modifies Repr
    ensures Valid() && fresh(Repr - old(Repr)) && Value == old(Value) + 1
  {
    cell.data, Value := cell.data + 1, Value + 1;
  }
}

method Client() {
  var cell := new Cell;
  var c := new Counter(cell);
  var d := new Counter(cell);
  c.Inc();
  d.Inc();
}
