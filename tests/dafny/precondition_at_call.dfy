method Root(x: int) requires x >= 0 { }
method Caller(y: int) { Root(4); Root(y); }
