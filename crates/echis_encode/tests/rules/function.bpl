function will(wand: Snap): bool;
function \left(wand: Snap): Snap;
function applied(wand: Snap, \left: Snap): Snap;
function inc#f0(x#0': int): int;
function inc#f0'(x#0': int): int;
function inc#f0#pre(x#0': int): bool;
function inc#f0#called(x#0': int): bool;
function inc#f0#met(x#0': int): bool;
axiom (forall x#0': int :: {inc#f0(x#0')} inc#f0(x#0') == inc#f0'(x#0') && inc#f0#met(x#0'));
axiom (forall x#0': int :: {inc#f0'(x#0')} inc#f0#met(x#0'));
axiom (forall x#0': int :: {inc#f0'(x#0')} {inc#f0#pre(x#0')} (height < 0 || (height == 0 && inc#f0#called(x#0'))) && inc#f0#pre(x#0') ==> inc#f0'(x#0') > x#0');
axiom (forall x#0': int :: {inc#f0(x#0')} height < 0 && inc#f0#pre(x#0') ==> inc#f0(x#0') == x#0' + 1);
procedure check#inc#f0()
{
  assume height == 0;
  assume x#0 >= 0;
  if (*) {
    assume result~1 > x#0;
    assume false;
  }
  result~2 := x#0 + 1;
  assert result~2 > x#0; // postcondition.violated:assertion.false
}
