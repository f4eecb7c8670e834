method Pick(s: set<int>) returns (x: int) { x :| x in s; }
