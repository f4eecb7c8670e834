class Cell { var data: int }
method Clear(c: Cell) { c.data := 0; }
