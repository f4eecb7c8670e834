function will(wand: Snap): bool;
function \left(wand: Snap): Snap;
function applied(wand: Snap, \left: Snap): Snap;
type Pair#t0#int;
function pair_of#d0#int(x0: int, x1: int): Pair#t0#int;
function left#d1#int(x0: Pair#t0#int): int;
axiom (forall a#1': int, b#2': int :: {pair_of#d0#int(a#1', b#2')} left#d1#int(pair_of#d0#int(a#1', b#2')) == a#1');
procedure m#m0()
{
  assume height == -1;
  assert left#d1#int(pair_of#d0#int(i#0, i#0)) == i#0; // assert.failed:assertion.false
}
