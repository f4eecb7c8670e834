procedure m#m0()
{
  assume height == -1;
  reached.end#l0 := false;
  if ((x#0 > 0)) {
    goto end#l0;
  } else {
  }
  assert (x#0 <= 0); // assert.failed:assertion.false
  end#l0:
  reached.end#l0 := true;
}
