function F(x: int): int { x + x }
lemma Steps(x: int)
  ensures F(F(x)) == 4 * x
{
  calc { F(F(x)); == F(x + x); == 4 * x; }
}
