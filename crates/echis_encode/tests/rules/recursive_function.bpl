function will(wand: Snap): bool;
function \left(wand: Snap): Snap;
function applied(wand: Snap, \left: Snap): Snap;
function decreasing'#d2#int(x0: int, x1: int): bool;
function bounded'#d3#int(x0: int): bool;
function sum#f0(n#0': int): int;
function sum#f0'(n#0': int): int;
function sum#f0#pre(n#0': int): bool;
function sum#f0#called(n#0': int): bool;
function sum#f0#met(n#0': int): bool;
axiom (forall n#0': int :: {sum#f0(n#0')} sum#f0(n#0') == sum#f0'(n#0') && sum#f0#met(n#0'));
axiom (forall n#0': int :: {sum#f0'(n#0')} sum#f0#met(n#0'));
axiom (forall n#0': int :: {sum#f0(n#0')} height < 0 && sum#f0#pre(n#0') ==> (!(n#0' == 0) ==> sum#f0#pre(n#0' - 1)) && sum#f0(n#0') == (if n#0' == 0 then 0 else n#0' + sum#f0'(n#0' - 1)));
procedure check#sum#f0()
{
  assume height == 0;
  assume n#0 >= 0;
  if (n#0 == 0) {
  } else {
    assert n#0 - 1 >= 0; // application.precondition:assertion.false
    assert {:subsumption 0} (decreasing'#d2#int(n#0 - 1, n#0) && bounded'#d3#int(n#0)) || (n#0 - 1 == n#0 && false); // termination.failed:tuple.false
    assume sum#f0#pre(n#0 - 1) && sum#f0#called(n#0 - 1);
  }
  result~2 := if n#0 == 0 then 0 else n#0 + sum#f0(n#0 - 1);
}
