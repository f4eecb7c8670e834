// A list with its footprint. Adding at the front forgets the footprint of the old front, so the list is no longer valid.
class Cell {
  var data: int
  var next: Cell?
  ghost var Repr: set<object>
  ghost var Values: seq<int>

  predicate Valid()
    reads this, Repr
  {
    this in Repr &&
    (next == null ==> Values == [data]) &&
    (next != null ==>
      next in Repr && next.Repr <= Repr && this !in next.Repr &&
      next.Valid() && Values == [data] + next.Values)
  }

  constructor Single(d: int)
    ensures Valid() && fresh(Repr) && Values == [d]
  {
    data, next := d, null;
    Repr, Values := {this}, [d];
  }

  constructor Before(d: int, rest: Cell)
    requires rest.Valid()
    ensures Valid() && fresh(Repr - rest.Repr)
    ensures Values == [d] + rest.Values
  {
    data, next := d, rest;
    Repr, Values := {this, rest}, [d] + rest.Values;
  }

  method Sum() returns (s: int)
    requires Valid()
    ensures s == SumOf(Values)
    decreases Repr
  {
    s := data;
    if next != null {
      var t := next.Sum();
      s := s + t;
    }
  }

  static function SumOf(s: seq<int>): int {
    if s == [] then 0 else s[0] + SumOf(s[1..])
  }
}

method Client() {
  var c := new Cell.Single(2);
  var d := new Cell.Before(1, c);
  assert d.Values == [1, 2];
}
