function will(wand: Snap): bool;
function \left(wand: Snap): Snap;
function applied(wand: Snap, \left: Snap): Snap;
procedure m#m0()
{
  assume height == -1;
  if (*) {
    assert x#0 > 0; // refute.failed:refutation.true, if it holds
    assume false;
  }
}
