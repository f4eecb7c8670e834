function will(wand: Snap): bool;
function \left(wand: Snap): Snap;
function applied(wand: Snap, \left: Snap): Snap;
procedure m#m0()
{
  assume height == -1;
  y#1 := x#0 + 1;
  assert y#1 > x#0; // assert.failed:assertion.false
}
