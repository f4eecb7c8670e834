function will(wand: Snap): bool;
function \left(wand: Snap): Snap;
function applied(wand: Snap, \left: Snap): Snap;
function opened#P#p0(s: Snap, k0': int): bool;
function instance#P#p0(s: Snap, k0': int): Instance;
procedure check#P#p0()
{
}
procedure m#m0()
{
  assume height == -1;
  havoc H.P#p0, M.P#p0;
  assume (forall k0': int :: {M.P#p0[k0']} M.P#p0[k0'] == 0.0);
  old.H.P#p0 := H.P#p0;
  old.M.P#p0 := M.P#p0;
  if (*) {
    havoc after.H.P#p0, after.M.P#p0;
    assume (forall k0': int :: {after.M.P#p0[k0']} after.M.P#p0[k0'] == 0.0);
    assume false;
  }
  M.P#p0[x#1] := M.P#p0[x#1] + 1.0;
  at1.H.P#p0 := H.P#p0;
  at1.M.P#p0 := M.P#p0;
  assert M.P#p0[x#1] >= 1.0; // exhale.failed:insufficient.permission
  M.P#p0[x#1] := M.P#p0[x#1] - 1.0;
  H.P#p0[x#1] := if M.P#p0[x#1] > 0.0 then H.P#p0[x#1] else lost~2;
  assume (forall k0': int :: {lost~3[k0']} M.P#p0[k0'] > 0.0 ==> lost~3[k0'] == H.P#p0[k0']);
  H.P#p0 := lost~3;
  at4.H.P#p0 := H.P#p0;
  at4.M.P#p0 := M.P#p0;
}
