function will(wand: Snap): bool;
function \left(wand: Snap): Snap;
function applied(wand: Snap, \left: Snap): Snap;
function choose#f0(x#0': int): int;
function choose#f0'(x#0': int): int;
function choose#f0#pre(x#0': int): bool;
function choose#f0#called(x#0': int): bool;
function choose#f0#met(x#0': int): bool;
axiom (forall x#0': int :: {choose#f0(x#0')} choose#f0(x#0') == choose#f0'(x#0') && choose#f0#met(x#0'));
axiom (forall x#0': int :: {choose#f0'(x#0')} choose#f0#met(x#0'));
axiom (forall x#0': int :: {choose#f0'(x#0')} {choose#f0#pre(x#0')} height <= 0 && choose#f0#pre(x#0') ==> !(choose#f0'(x#0') == x#0'));
procedure check#choose#f0()
{
  assume height == 0;
  if (*) {
    assume !(result~1 == x#0);
    assume false;
  }
}
