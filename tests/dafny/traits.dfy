trait Shape { function Area(): int ensures Area() >= 0 }
class Square extends Shape { const side: nat
  function Area(): int ensures Area() >= 0 { side * side }
}
method Check(s: Shape) { assert s.Area() >= 0; }
