// A cell that several views share. A view that does not know of the others cannot keep them valid.
class Cell {
  var value: int
  constructor (v: int)
    ensures value == v
  {
    value := v;
  }
}

class View {
  const cell: Cell
  var seen: int
  ghost var Repr: set<object>

  predicate Valid()
    reads this, Repr
  {
    this in Repr && cell in Repr && cell.value == seen
  }

  constructor (c: Cell)
    ensures Valid() && cell == c && fresh(Repr - {c})
  {
    cell := c;
    seen := c.value;
    Repr := {this, c};
  }

  method Set(v: int)
    requires Valid()
    modifies Repr
    ensures Valid() && Repr == old(Repr) && cell.value == v
  {
    cell.value := v;
    seen := v;
  }
}

method TwoViews() {
  var c := new Cell(1);
  var a := new View(c);
  var b := new View(c);
  assert a.Valid() && b.Valid();
  a.Set(2);
  assert a.Valid();
  assert b.Valid();
}

method Separate() {
  var one := new Cell(1);
  var five := new Cell(5);
  var a := new View(one);
  var b := new View(five);
  assert a.Repr !! b.Repr;
  a.Set(2);
  assert b.Valid() && b.cell.value == 5;
}
