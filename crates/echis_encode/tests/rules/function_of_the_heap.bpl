function will(wand: Snap): bool;
function \left(wand: Snap): Snap;
function applied(wand: Snap, \left: Snap): Snap;
function box#int(e: int): Snap;
function unbox#int(s: Snap): int;
axiom (forall e: int :: {box#int(e)} unbox#int(box#int(e)) == e);
function get#f0(H.f#v0: [Ref]int, x#0': Ref): int;
function get#f0'(H.f#v0: [Ref]int, x#0': Ref): int;
function get#f0#pre(H.f#v0: [Ref]int, x#0': Ref): bool;
function get#f0#called(H.f#v0: [Ref]int, x#0': Ref): bool;
function get#f0#met(x#0': Ref): bool;
axiom (forall H.f#v0: [Ref]int, x#0': Ref :: {get#f0(H.f#v0, x#0')} get#f0(H.f#v0, x#0') == get#f0'(H.f#v0, x#0') && get#f0#met(x#0'));
function get#f0#frame(s: Snap, x#0': Ref): int;
axiom (forall H.f#v0: [Ref]int, x#0': Ref :: {get#f0'(H.f#v0, x#0')} get#f0'(H.f#v0, x#0') == get#f0#frame(pair(box#int(H.f#v0[x#0']), unit), x#0') && get#f0#met(x#0'));
axiom (forall H.f#v0: [Ref]int, x#0': Ref :: {get#f0(H.f#v0, x#0')} height < 0 && get#f0#pre(H.f#v0, x#0') ==> get#f0(H.f#v0, x#0') == H.f#v0[x#0']);
procedure check#get#f0()
{
  assume height == 0;
  havoc H.f#v0, M.f#v0;
  assume (forall k0': Ref :: {M.f#v0[k0']} M.f#v0[k0'] == 0.0);
  assume x#0 != null;
  M.f#v0[x#0] := M.f#v0[x#0] + 1.0;
  assert M.f#v0[x#0] > 0.0; // function.not.wellformed:insufficient.permission
  result~2 := H.f#v0[x#0];
}
