procedure m#m0()
{
  assume height == -1;
  if ((x#0 > 0)) {
    y#1 := 1;
  } else {
    y#1 := 2;
  }
}
