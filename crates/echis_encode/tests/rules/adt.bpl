function will(wand: Snap): bool;
function \left(wand: Snap): Snap;
function applied(wand: Snap, \left: Snap): Snap;
type List#t0;
function Nil#d0(): List#t0;
function Cons#d1(x0: int, x1: List#t0): List#t0;
function List_head#d2(x0: List#t0): int;
function List_tail#d3(x0: List#t0): List#t0;
function List_tag#d4(x0: List#t0): int;
axiom (forall a0#1': int, a1#2': List#t0 :: {Cons#d1(a0#1', a1#2')} a0#1' == List_head#d2(Cons#d1(a0#1', a1#2')));
axiom (forall a0#3': int, a1#4': List#t0 :: {Cons#d1(a0#3', a1#4')} a1#4' == List_tail#d3(Cons#d1(a0#3', a1#4')));
axiom List_tag#d4(Nil#d0()) == 1;
axiom (forall a0#5': int, a1#6': List#t0 :: {Cons#d1(a0#5', a1#6')} List_tag#d4(Cons#d1(a0#5', a1#6')) == 0);
axiom (forall t#7': List#t0 :: {List_tag#d4(t#7')} {List_head#d2(t#7')} {List_tail#d3(t#7')} t#7' == Nil#d0() || t#7' == Cons#d1(List_head#d2(t#7'), List_tail#d3(t#7')));
procedure m#m0()
{
  assume height == -1;
  assert List_tag#d4(l#0) == 0 ==> l#0 == Cons#d1(List_head#d2(l#0), List_tail#d3(l#0)); // assert.failed:assertion.false
}
