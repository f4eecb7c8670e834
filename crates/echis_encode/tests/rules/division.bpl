function will(wand: Snap): bool;
function \left(wand: Snap): Snap;
function applied(wand: Snap, \left: Snap): Snap;
procedure m#m0()
{
  assume height == -1;
  assume !(y#1 == 0);
  assert y#1 != 0; // assert.failed:division.by.zero
  assert x#0 div y#1 * y#1 <= x#0; // assert.failed:assertion.false
  assert y#1 != 0; // assert.failed:division.by.zero
  assert x#0 div y#1 < 10; // assert.failed:assertion.false
}
