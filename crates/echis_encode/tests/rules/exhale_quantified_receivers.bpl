function will(wand: Snap): bool;
function \left(wand: Snap): Snap;
function applied(wand: Snap, \left: Snap): Snap;
type Array#t0;
function loc#d0(x0: Array#t0, x1: int): Ref;
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
    assume 0 <= any~2 && any~2 < n#1;
    assume false;
  }
  assert (forall i#2': int, i#2'': int :: 0 <= i#2' && i#2' < n#1 && (0 <= i#2'' && i#2'' < n#1) && loc#d0(a#0, i#2') == loc#d0(a#0, i#2'') ==> i#2' == i#2''); // exhale.failed:qp.not.injective
  assert (forall i#2': int :: {loc#d0(a#0, i#2')} 0 <= i#2' && i#2' < n#1 ==> M.f#v0[loc#d0(a#0, i#2')] >= 1.0); // exhale.failed:insufficient.permission
  assume (forall i#2': int :: {loc#d0(a#0, i#2')} {M.f#v0[loc#d0(a#0, i#2')]} {mask~3[loc#d0(a#0, i#2')]} {at1.H.f#v0[loc#d0(a#0, i#2')]} 0 <= i#2' && i#2' < n#1 ==> inverse~4[loc#d0(a#0, i#2')] == i#2');
  assume (forall k0': Ref :: {mask~3[k0']} mask~3[k0'] == M.f#v0[k0'] - (if 0 <= inverse~4[k0'] && inverse~4[k0'] < n#1 && loc#d0(a#0, inverse~4[k0']) == k0' then 1.0 else 0.0));
  M.f#v0 := mask~3;
  assume (forall k0': Ref :: {lost~5[k0']} M.f#v0[k0'] > 0.0 ==> lost~5[k0'] == H.f#v0[k0']);
  H.f#v0 := lost~5;
  at6.H.f#v0 := H.f#v0;
  at6.M.f#v0 := M.f#v0;
}
