class Box { var v: int
  function Get(): int reads this { v }
}
method Change(a: Box, b: Box) requires a != b modifies a ensures b.Get() == old(b.Get()) { a.v := 7; }
