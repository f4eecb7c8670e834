// With these arguments no result is possible, so anything follows.
function Find(xs: seq<int>, x: int, beg: int, end: int): int
  requires 0 <= beg < |xs| && 0 <= end < |xs|
  ensures beg < Find(xs, x, beg, end) < end
  ensures xs[Find(xs, x, beg, end)] == x

lemma CallFind()
{
  var xs := [42, 43];
  var i := Find(xs, 47, 0, 1);
  assert xs[i] == 45;
}
