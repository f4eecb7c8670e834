method Sets(s: set<int>, t: set<int>) { assert s + t == s; }
