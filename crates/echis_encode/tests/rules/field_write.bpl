function will(wand: Snap): bool;
function \left(wand: Snap): Snap;
function applied(wand: Snap, \left: Snap): Snap;
procedure m#m0()
{
  assume height == -1;
  havoc H.f#v0, M.f#v0;
  assume (forall k0': Ref :: {M.f#v0[k0']} M.f#v0[k0'] == 0.0);
  havoc H.g#v1, M.g#v1;
  assume (forall k0': Ref :: {M.g#v1[k0']} M.g#v1[k0'] == 0.0);
  old.H.f#v0 := H.f#v0;
  old.H.g#v1 := H.g#v1;
  old.M.f#v0 := M.f#v0;
  old.M.g#v1 := M.g#v1;
  if (*) {
    havoc after.H.f#v0, after.M.f#v0;
    assume (forall k0': Ref :: {after.M.f#v0[k0']} after.M.f#v0[k0'] == 0.0);
    havoc after.H.g#v1, after.M.g#v1;
    assume (forall k0': Ref :: {after.M.g#v1[k0']} after.M.g#v1[k0'] == 0.0);
    assume false;
  }
  assert M.g#v1[x#0] > 0.0; // assignment.failed:insufficient.permission
  assert M.f#v0[x#0] >= 1.0; // assignment.failed:insufficient.permission
  H.f#v0[x#0] := H.g#v1[x#0];
  at1.H.f#v0 := H.f#v0;
  at1.H.g#v1 := H.g#v1;
  at1.M.f#v0 := M.f#v0;
  at1.M.g#v1 := M.g#v1;
}
