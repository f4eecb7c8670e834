function Sum(s: seq<int>): int { if |s| == 0 then 0 else Sum(s[..|s| - 1]) + s[|s| - 1] }
method ComputeSum(s: seq<int>) returns (r: int)
  ensures r == Sum(s)
{
  r := 0;
  var i := 0;
  while i < |s|
    invariant 0 <= i <= |s|
    invariant r == Sum(s[..i])
  {
    assert s[..i + 1][..i] == s[..i];
    r := r + s[i];
    i := i + 1;
  }
  assert s[..i] == s;
}
