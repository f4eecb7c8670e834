class Cell { var data: int }
method Two() returns (a: Cell, b: Cell)
  ensures fresh(a) && fresh(b) && a != b
{ a := new Cell; b := new Cell; }
