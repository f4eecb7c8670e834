method Seqs(s: seq<int>, t: seq<int>) { assert s + t == t + s; }
