function will(wand: Snap): bool;
function \left(wand: Snap): Snap;
function applied(wand: Snap, \left: Snap): Snap;
function opened#P#p0(s: Snap, k0': Ref): bool;
function instance#P#p0(s: Snap, k0': Ref): Instance;
function box#int(e: int): Snap;
function unbox#int(s: Snap): int;
axiom (forall e: int :: {box#int(e)} unbox#int(box#int(e)) == e);
procedure check#P#p0()
{
  assume height == -1;
  havoc H.f#v0, M.f#v0;
  assume (forall k0': Ref :: {M.f#v0[k0']} M.f#v0[k0'] == 0.0);
  havoc H.P#p0, M.P#p0;
  assume (forall k0': Ref :: {M.P#p0[k0']} M.P#p0[k0'] == 0.0);
  assume x#0 != null;
  M.f#v0[x#0] := M.f#v0[x#0] + 1.0;
  assume M.f#v0[x#0] <= 1.0;
}
procedure m#m0()
{
  assume height == -1;
  havoc H.f#v0, M.f#v0;
  assume (forall k0': Ref :: {M.f#v0[k0']} M.f#v0[k0'] == 0.0);
  havoc H.P#p0, M.P#p0;
  assume (forall k0': Ref :: {M.P#p0[k0']} M.P#p0[k0'] == 0.0);
  old.H.f#v0 := H.f#v0;
  old.H.P#p0 := H.P#p0;
  old.M.f#v0 := M.f#v0;
  old.M.P#p0 := M.P#p0;
  if (*) {
    havoc after.H.f#v0, after.M.f#v0;
    assume (forall k0': Ref :: {after.M.f#v0[k0']} after.M.f#v0[k0'] == 0.0);
    havoc after.H.P#p0, after.M.P#p0;
    assume (forall k0': Ref :: {after.M.P#p0[k0']} after.M.P#p0[k0'] == 0.0);
    assume false;
  }
  assert M.P#p0[x#1] >= 1.0; // assert.failed:insufficient.permission
  in1.M.f#v0 := M.f#v0;
  in1.M.P#p0 := M.P#p0;
  in1.M.P#p0[x#1] := in1.M.P#p0[x#1] - 1.0;
  assume H.P#p0[x#1] == box#int(H.f#v0[x#1]) && opened#P#p0(H.P#p0[x#1], x#1) && x#1 != null;
  assume x#1 != null;
  in1.M.f#v0[x#1] := in1.M.f#v0[x#1] + 1.0;
  assume in1.M.f#v0[x#1] <= 1.0;
  assert in1.M.f#v0[x#1] > 0.0; // assert.failed:insufficient.permission
  assert H.f#v0[x#1] > 0; // assert.failed:assertion.false
  at2.H.f#v0 := H.f#v0;
  at2.H.P#p0 := H.P#p0;
  at2.M.f#v0 := M.f#v0;
  at2.M.P#p0 := M.P#p0;
}
