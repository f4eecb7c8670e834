// Brackets match exactly if the depth never becomes negative and ends at zero: a method with a ghost history.
datatype Bracket = Open | Close

function Depth(s: seq<Bracket>): int {
  if s == [] then 0
  else Depth(s[..|s| - 1]) + if s[|s| - 1] == Open then 1 else -1
}

predicate Balanced(s: seq<Bracket>) {
  Depth(s) == 0 && forall i :: 0 <= i <= |s| ==> 0 <= Depth(s[..i])
}

method Check(s: seq<Bracket>) returns (ok: bool)
  ensures ok <==> Balanced(s)
{
  var depth, i := 0, 0;
  ghost var history := [0];
  while i < |s|
    invariant 0 <= i <= |s|
    invariant depth == Depth(s[..i])
    invariant |history| == i + 1 && history[i] == depth
    invariant forall j :: 0 <= j <= i ==> history[j] == Depth(s[..j]) && 0 <= history[j]
  {
    assert s[..i + 1][..i] == s[..i];
    depth := depth + if s[i] == Open then 1 else -1;
    if depth < 0 {
      assert Depth(s[..i + 1]) < 0;
      return false;
    }
    i := i + 1;
    history := history + [depth];
  }
  assert s[..i] == s;
  ok := depth == 0;
  forall j | 0 <= j <= |s|
    ensures 0 <= Depth(s[..j])
  {
    assert history[j] == Depth(s[..j]);
  }
}

lemma DepthAppend(a: seq<Bracket>, b: seq<Bracket>)
  ensures Depth(a + b) == Depth(a) + Depth(b)
{
  if b == [] {
    assert a + b == a;
  } else {
    var last := |b| - 1;
    assert (a + b)[..|a + b| - 1] == a + b[..last];
    DepthAppend(a, b[..last]);
  }
}

lemma BalancedAppend(a: seq<Bracket>, b: seq<Bracket>)
  requires Balanced(a) && Balanced(b)
  ensures Balanced(a + b)
{
  DepthAppend(a, b);
  forall i | 0 <= i <= |a + b|
    ensures 0 <= Depth((a + b)[..i])
  {
    if i <= |a| {
      assert (a + b)[..i] == a[..i];
    } else {
      assert (a + b)[..i] == a + b[..i - |a|];
      DepthAppend(a, b[..i - |a|]);
    }
  }
}
