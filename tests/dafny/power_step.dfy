function Pow(b: int, e: nat): int { if e == 0 then 1 else b * Pow(b, e - 1) }
lemma Step(b: int, e: nat) ensures Pow(b, e + 1) == b * Pow(b, e) { }
