method Pick(s: set<int>) returns (x: int)
  requires s != {}
  ensures x in s
{ x :| x in s; }
