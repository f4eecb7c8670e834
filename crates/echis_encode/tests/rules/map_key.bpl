function will(wand: Snap): bool;
function \left(wand: Snap): Snap;
function applied(wand: Snap, \left: Snap): Snap;
procedure m#m0()
{
  assume height == -1;
  assert in#Set#int(i#1, domain#Map#int#bool(s#0)); // assert.failed:map.key.contains
  assert at#Map#int#bool(s#0, i#1); // assert.failed:assertion.false
}
