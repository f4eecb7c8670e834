class Box { var v: int
  function Get(): int { v }
}
