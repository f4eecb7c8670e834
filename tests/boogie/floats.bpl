// Floating-point numbers are compared as numbers and copied as values.
function {:builtin "fp.isNaN"} isNaN(x: float24e8): bool;
function {:builtin "fp.add"} add(mode: rmode, x: float24e8, y: float24e8): float24e8;
function {:builtin "fp.roundToIntegral"} whole(mode: rmode, x: float24e8): float24e8;
function {:builtin "(_ to_fp 11 53) RNE"} double(x: float24e8): float53e11;

procedure Literals()
{
  assert 0x1.0e0f24e8 + 0x1.0e0f24e8 == 0x2.0e0f24e8;
  assert 0x1.8e0f24e8 * 0x2.0e0f24e8 == 0x3.0e0f24e8;
  assert 0x1.0e0f24e8 / 0x0.0e0f24e8 == 0+oo24e8;
  assert -0x1.0e0f24e8 < 0x1.0e0f24e8 && 0x2.0e0f24e8 >= 0x2.0e0f24e8;
  assert 0x1.0e0f24e8 - 0x1.0e0f24e8 != 0x0.0e0f24e8; // error
}

procedure NotANumber()
{
  var x: float24e8;
  x := 0NaN24e8;
  assert isNaN(x);
  assert x != x;
  assert x == x; // error
}

procedure Zeros()
{
  var m: [float24e8]int;
  assert 0x0.0e0f24e8 == -0x0.0e0f24e8;
  m[0x0.0e0f24e8] := 3;
  assert m[-0x0.0e0f24e8] == 3; // error
}

procedure Anything(x: float24e8)
{
  assert x == x; // error
  assume !isNaN(x);
  assert x == x;
}

procedure Modes(mode: rmode)
{
  assert add(RNE, 0x1.0e0f24e8, 0x1.0e0f24e8) == 0x2.0e0f24e8;
  assert whole(RTZ, 0x1.8e0f24e8) == 0x1.0e0f24e8;
  assert whole(roundTowardPositive, 0x1.8e0f24e8) == 0x2.0e0f24e8;
  assert double(0x1.8e0f24e8) == 0x1.8e0f53e11;
  assert mode == RNA; // error
}
