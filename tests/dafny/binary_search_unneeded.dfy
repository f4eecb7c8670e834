// The precondition is not needed, and nothing constrains what is returned.
method BinSearch(a: seq<int>, k: int) returns (r: int)
  requires forall i, j :: 0 <= i < j < |a| ==> a[i] <= a[j]
{
  var lo, hi := 0, |a|;
  while lo < hi
    invariant 0 <= lo <= hi <= |a|
  {
    var mid := (lo + hi) / 2;
    if k < a[mid] {
      hi := mid;
    } else if a[mid] < k {
      lo := mid + 1;
    } else {
      return mid;
    }
  }
  return -1;
}
