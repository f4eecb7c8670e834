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
  if (*) {
    assume in#Set#Ref(any~1, s#0);
    assume false;
  }
  assume (forall x#1': Ref :: {in#Set#Ref(x#1', s#0)} {mask~2[x#1']} {H.f#v0[x#1']} in#Set#Ref(x#1', s#0) ==> x#1' != null);
  assume (forall k0': Ref :: {mask~2[k0']} mask~2[k0'] == M.f#v0[k0'] + (if in#Set#Ref(k0', s#0) then 1.0 else 0.0));
  M.f#v0 := mask~2;
  assume (forall k0': Ref :: {M.f#v0[k0']} M.f#v0[k0'] <= 1.0 && (M.f#v0[k0'] > 0.0 ==> k0' != null));
  at3.H.f#v0 := H.f#v0;
  at3.M.f#v0 := M.f#v0;
}
