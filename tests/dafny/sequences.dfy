method Seqs(s: seq<int>, t: seq<int>)
{
  var u := s + t;
  assert |u| == |s| + |t|;
  assert u[..|s|] == s;
  assert forall i :: 0 <= i < |t| ==> u[|s| + i] == t[i];
  if |s| > 0 { assert s[0] in s; }
}
