// Reals, newtypes and subset types.
newtype Percent = x: int | 0 <= x <= 100
type Positive = r: real | r > 0.0 witness 1.0

predicate Sorted3(s: seq<int>) {
  |s| == 3 && s[0] <= s[1] <= s[2]
}

function method Share(part: real, whole: Positive): real {
  part / whole
}

lemma SharesAdd(a: real, b: real, whole: Positive)
  ensures Share(a, whole) + Share(b, whole) == Share(a + b, whole)
{
}

method Average(a: real, b: real) returns (m: real)
  ensures a <= b ==> a <= m <= b
  ensures m + m == a + b
{
  m := (a + b) / 2.0;
}

method Clamp(x: int) returns (p: Percent)
  ensures 0 <= x <= 100 ==> p as int == x
{
  if x < 0 {
    p := 0;
  } else if x > 100 {
    p := 100;
  } else {
    p := x as Percent;
  }
}

method Sort3(a: int, b: int, c: int) returns (s: seq<int>)
  ensures Sorted3(s)
  ensures multiset(s) == multiset{a, b, c}
{
  var x, y, z := a, b, c;
  if x > y {
    x, y := y, x;
  }
  if y > z {
    y, z := z, y;
  }
  if x > y {
    x, y := y, x;
  }
  s := [x, y, z];
}

method Median(a: int, b: int, c: int) returns (m: int)
  ensures m in {a, b, c}
{
  var s := Sort3(a, b, c);
  m := s[1];
  assert m in multiset(s);
}

method Client() {
  var p := Clamp(120);
  assert p <= 100;
  var m := Average(1.0, 2.0);
  assert 1.0 <= m <= 2.0;
}
