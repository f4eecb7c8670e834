function will(wand: Snap): bool;
function \left(wand: Snap): Snap;
function applied(wand: Snap, \left: Snap): Snap;
procedure m#m0()
{
  assume height == -1;
  havoc H.f#v0, M.f#v0;
  assume (forall k0': Ref :: {M.f#v0[k0']} M.f#v0[k0'] == 0.0);
  old.H.f#v0 := H.f#v0;
  old.M.f#v0 := M.f#v0;
  if (*) {
    havoc after.H.f#v0, after.M.f#v0;
    assume (forall k0': Ref :: {after.M.f#v0[k0']} after.M.f#v0[k0'] == 0.0);
    assume false;
  }
  chk1.M.f#v0 := M.f#v0;
  assert real(1) / real(2) >= 0.0; // assert.failed:negative.permission
  assert chk1.M.f#v0[x#0] >= real(1) / real(2); // assert.failed:insufficient.permission
  chk1.M.f#v0[x#0] := chk1.M.f#v0[x#0] - real(1) / real(2);
  assert M.f#v0[x#0] > 0.0; // assert.failed:insufficient.permission
  assert H.f#v0[x#0] > 0; // assert.failed:assertion.false
  at2.H.f#v0 := H.f#v0;
  at2.M.f#v0 := M.f#v0;
}
