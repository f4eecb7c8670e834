// Strings: reversal, palindromes and prefixes.
function Reverse(s: string): string {
  if s == "" then "" else Reverse(s[1..]) + [s[0]]
}

lemma ReverseLength(s: string)
  ensures |Reverse(s)| == |s|
  ensures forall i :: 0 <= i < |s| ==> Reverse(s)[i] == s[|s| - 1 - i]
{
  if s != "" {
    ReverseLength(s[1..]);
  }
}

predicate Palindrome(s: string) {
  forall i :: 0 <= i < |s| ==> s[i] == s[|s| - 1 - i]
}

lemma PalindromesAreTheirReverse(s: string)
  ensures Palindrome(s) <==> Reverse(s) == s
{
  ReverseLength(s);
}

method Check(s: string) returns (yes: bool)
  ensures yes <==> Palindrome(s)
{
  var lo, hi := 0, |s|;
  while lo < hi
    invariant 0 <= lo && lo + hi == |s| && hi >= lo - 1
    invariant forall i :: 0 <= i < lo ==> s[i] == s[|s| - 1 - i]
    decreases hi - lo
  {
    if s[lo] != s[hi - 1] {
      return false;
    }
    lo, hi := lo + 1, hi - 1;
  }
  forall i | 0 <= i < |s|
    ensures s[i] == s[|s| - 1 - i]
  {
    if lo <= i {
      assert |s| - 1 - i < lo;
    }
  }
  yes := true;
}

method CommonPrefix(a: string, b: string) returns (n: nat)
  ensures n <= |a| && n <= |b|
  ensures a[..n] == b[..n]
  ensures n < |a| && n < |b| ==> a[n] != b[n]
{
  n := 0;
  while n < |a| && n < |b| && a[n] == b[n]
    invariant n <= |a| && n <= |b|
    invariant a[..n] == b[..n]
  {
    n := n + 1;
  }
}

method Client() {
  var n := CommonPrefix("abc", "abd");
  assert "abc"[..n] == "abd"[..n];
  var yes := Check("aba");
}
