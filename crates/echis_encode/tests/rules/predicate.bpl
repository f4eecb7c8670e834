function will(wand: Snap): bool;
function \left(wand: Snap): Snap;
function applied(wand: Snap, \left: Snap): Snap;
function opened#P#p0(s: Snap, k0': Ref, k1': int): bool;
function instance#P#p0(s: Snap, k0': Ref, k1': int): Instance;
procedure check#P#p0()
{
  assume height == -1;
  havoc H.f#v0, M.f#v0;
  assume (forall k0': Ref :: {M.f#v0[k0']} M.f#v0[k0'] == 0.0);
  havoc H.P#p0, M.P#p0;
  assume (forall k0': Ref, k1': int :: {M.P#p0[k0', k1']} M.P#p0[k0', k1'] == 0.0);
  assume x#0 != null;
  M.f#v0[x#0] := M.f#v0[x#0] + 1.0;
  assume M.f#v0[x#0] <= 1.0;
  if (n#1 > 0) {
    M.P#p0[x#0, n#1 - 1] := M.P#p0[x#0, n#1 - 1] + 1.0;
  }
}
