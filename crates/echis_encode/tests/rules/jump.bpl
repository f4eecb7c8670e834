function will(wand: Snap): bool;
function \left(wand: Snap): Snap;
function applied(wand: Snap, \left: Snap): Snap;
procedure m#m0()
{
  assume height == -1;
  reached.end#l0 := false;
  goto block1~0;
  block1~0:
  if (x#0 > 0) {
    goto block1~1;
  } else {
    goto block1~2;
  }
  block1~1:
  goto block1~4;
  block1~2:
  goto block1~3;
  block1~3:
  assert x#0 <= 0; // assert.failed:assertion.false
  goto block1~4;
  block1~4:
  reached.end#l0 := true;
  goto end1~;
  end1~:
}
