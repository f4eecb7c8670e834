class Cell { var data: int }
method Get(c: Cell?) returns (x: int) { x := c.data; }
method Safe(c: Cell?) returns (x: int) { if c != null { x := c.data; } }
