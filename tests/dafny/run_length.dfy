// Run-length encoding: decoding gives back what was encoded.
datatype Run = Run(value: int, count: nat)

function Repeat(x: int, n: nat): seq<int> {
  if n == 0 then [] else [x] + Repeat(x, n - 1)
}

function Decode(runs: seq<Run>): seq<int> {
  if runs == [] then [] else Decode(runs[..|runs| - 1]) + Repeat(runs[|runs| - 1].value, runs[|runs| - 1].count)
}

lemma RepeatMore(x: int, n: nat)
  ensures Repeat(x, n) + [x] == Repeat(x, n + 1)
{
  if n > 0 {
    calc {
      Repeat(x, n) + [x];
      [x] + Repeat(x, n - 1) + [x];
      { assert [x] + Repeat(x, n - 1) + [x] == [x] + (Repeat(x, n - 1) + [x]); }
      [x] + (Repeat(x, n - 1) + [x]);
      { RepeatMore(x, n - 1); }
      [x] + Repeat(x, n);
      Repeat(x, n + 1);
    }
  }
}

lemma RepeatLength(x: int, n: nat)
  ensures |Repeat(x, n)| == n
  ensures forall i :: 0 <= i < n ==> Repeat(x, n)[i] == x
{
}

method Encode(s: seq<int>) returns (runs: seq<Run>)
  ensures Decode(runs) == s
{
  runs := [];
  var i := 0;
  while i < |s|
    invariant 0 <= i <= |s|
    invariant Decode(runs) == s[..i]
  {
    if runs != [] && runs[|runs| - 1].value == s[i] {
      var last := runs[|runs| - 1];
      var first := runs[..|runs| - 1];
      var longer := first + [Run(last.value, last.count + 1)];
      RepeatMore(last.value, last.count);
      assert longer[..|longer| - 1] == first;
      assert Decode(longer) == Decode(runs) + [s[i]];
      runs := longer;
    } else {
      var longer := runs + [Run(s[i], 1)];
      assert longer[..|longer| - 1] == runs;
      assert Repeat(s[i], 1) == [s[i]];
      runs := longer;
    }
    assert s[..i + 1] == s[..i] + [s[i]];
    i := i + 1;
  }
  assert s[..i] == s;
}
