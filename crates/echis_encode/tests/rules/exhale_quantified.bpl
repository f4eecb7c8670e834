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
  at1.H.f#v0 := H.f#v0;
  at1.M.f#v0 := M.f#v0;
  if (*) {
    assume in#Set#Ref(any~2, s#0);
    assume false;
  }
  assert (forall x#1': Ref :: {in#Set#Ref(x#1', s#0)} in#Set#Ref(x#1', s#0) ==> real(1) / real(2) >= 0.0); // exhale.failed:negative.permission
  assert (forall x#1': Ref :: {in#Set#Ref(x#1', s#0)} in#Set#Ref(x#1', s#0) ==> M.f#v0[x#1'] >= real(1) / real(2)); // exhale.failed:insufficient.permission
  assume (forall k0': Ref :: {mask~3[k0']} mask~3[k0'] == M.f#v0[k0'] - (if in#Set#Ref(k0', s#0) && real(1) / real(2) > 0.0 then real(1) / real(2) else 0.0));
  M.f#v0 := mask~3;
  assume (forall k0': Ref :: {lost~4[k0']} M.f#v0[k0'] > 0.0 ==> lost~4[k0'] == H.f#v0[k0']);
  H.f#v0 := lost~4;
  at5.H.f#v0 := H.f#v0;
  at5.M.f#v0 := M.f#v0;
}
