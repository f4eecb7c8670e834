function will(wand: Snap): bool;
function \left(wand: Snap): Snap;
function applied(wand: Snap, \left: Snap): Snap;
procedure m#m0()
{
  assume height == -1;
  havoc H.f#v0, M.f#v0;
  assume (forall k0': Ref :: {M.f#v0[k0']} M.f#v0[k0'] == 0.0);
  assume x#0 != null;
  M.f#v0[x#0] := M.f#v0[x#0] + 1.0;
  assume M.f#v0[x#0] <= 1.0;
  old.H.f#v0 := H.f#v0;
  old.M.f#v0 := M.f#v0;
  if (*) {
    havoc after.H.f#v0, after.M.f#v0;
    assume (forall k0': Ref :: {after.M.f#v0[k0']} after.M.f#v0[k0'] == 0.0);
    assume x#0 != null;
    after.M.f#v0[x#0] := after.M.f#v0[x#0] + 1.0;
    assume after.M.f#v0[x#0] <= 1.0;
    assert old.M.f#v0[x#0] > 0.0; // not.wellformed:insufficient.permission
    assume y#1 == old.H.f#v0[x#0];
    assume false;
  }
  assert M.f#v0[x#0] > 0.0; // assignment.failed:insufficient.permission
  y#1 := H.f#v0[x#0];
  at1.H.f#v0 := H.f#v0;
  at1.M.f#v0 := M.f#v0;
  assert M.f#v0[x#0] >= 1.0; // postcondition.violated:insufficient.permission
  M.f#v0[x#0] := M.f#v0[x#0] - 1.0;
  assert y#1 == old.H.f#v0[x#0]; // postcondition.violated:assertion.false
}
