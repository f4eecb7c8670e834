function will(wand: Snap): bool;
function \left(wand: Snap): Snap;
function applied(wand: Snap, \left: Snap): Snap;
procedure m#m0()
{
  assume height == -1;
  if (x#0 > 0) {
    y#1 := 1;
  } else {
    y#1 := 2;
  }
}
