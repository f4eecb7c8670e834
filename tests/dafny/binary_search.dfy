method BinSearch(a: seq<int>, k: int) returns (r: int)
  requires forall i, j :: 0 <= i < j < |a| ==> a[i] <= a[j]
  ensures 0 <= r ==> r < |a| && a[r] == k
  ensures r < 0 ==> forall i :: 0 <= i < |a| ==> a[i] != k
{
  var lo, hi := 0, |a|;
  while lo < hi
    invariant 0 <= lo <= hi <= |a|
    invariant forall i :: 0 <= i < |a| && !(lo <= i < hi) ==> a[i] != k
  {
    var mid := (lo + hi) / 2;
    if k < a[mid] { hi := mid; }
    else if a[mid] < k { lo := mid + 1; }
    else { return mid; }
  }
  return -1;
}
