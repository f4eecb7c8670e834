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
  havoc i#2;
  havoc i#2;
  i#2 := 0;
  if (*) {
    havoc H.f#v0, M.f#v0;
    assume (forall k0': Ref :: {M.f#v0[k0']} M.f#v0[k0'] == 0.0);
    havoc i#2;
    assume x#0 != null;
    M.f#v0[x#0] := M.f#v0[x#0] + 1.0;
    assume M.f#v0[x#0] <= 1.0;
    assume i#2 <= n#1;
    assume false;
  }
  at1.H.f#v0 := H.f#v0;
  at1.M.f#v0 := M.f#v0;
  assert M.f#v0[x#0] >= 1.0; // invariant.not.established:insufficient.permission
  M.f#v0[x#0] := M.f#v0[x#0] - 1.0;
  H.f#v0[x#0] := if M.f#v0[x#0] > 0.0 then H.f#v0[x#0] else lost~2;
  assert i#2 <= n#1; // invariant.not.established:assertion.false
  havoc i#2;
  if (*) {
    havoc H.f#v0, M.f#v0;
    assume (forall k0': Ref :: {M.f#v0[k0']} M.f#v0[k0'] == 0.0);
    assume x#0 != null;
    M.f#v0[x#0] := M.f#v0[x#0] + 1.0;
    assume M.f#v0[x#0] <= 1.0;
    assume i#2 <= n#1;
    assume i#2 < n#1;
    i#2 := i#2 + 1;
    at3.H.f#v0 := H.f#v0;
    at3.M.f#v0 := M.f#v0;
    assert M.f#v0[x#0] >= 1.0; // invariant.not.preserved:insufficient.permission
    M.f#v0[x#0] := M.f#v0[x#0] - 1.0;
    assert i#2 <= n#1; // invariant.not.preserved:assertion.false
    assume false;
  }
  assume x#0 != null;
  M.f#v0[x#0] := M.f#v0[x#0] + 1.0;
  assume M.f#v0[x#0] <= 1.0;
  assume i#2 <= n#1;
  assume !(i#2 < n#1);
  at4.H.f#v0 := H.f#v0;
  at4.M.f#v0 := M.f#v0;
}
