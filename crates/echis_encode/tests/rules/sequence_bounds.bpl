function will(wand: Snap): bool;
function \left(wand: Snap): Snap;
function applied(wand: Snap, \left: Snap): Snap;
procedure m#m0()
{
  assume height == -1;
  assert i#1 >= 0; // assert.failed:seq.index.negative
  assert i#1 < size#Seq#int(s#0); // assert.failed:seq.index.length
  assert at#Seq#int(s#0, i#1) == 0; // assert.failed:assertion.false
}
