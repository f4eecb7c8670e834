// Types that are found by inference: maps that are used at several types, bitvectors of which only parts are known.
type C _;
const p: <a>[]a;
const r: <a>[](C a);
const x: C int;
const y: C bool;
function Any<T>() returns (T);
function Same<T>(T, T) returns (T);

axiom (p[][:= 5][:= true] == p);
axiom (p[][:= 5][:= true] == r); // error
axiom (p[][:= x][:= y] == r);
axiom (p[][:= x][:= 5] == r); // error

procedure Bits(b: bv31) returns (a: bv32)
{
  a := b[50 : 18]; // error
  a := Any()[50 : 18];
  a := Any()[50 : 17]; // error
  a := Any() ++ Any()[20 : 0];
  a := 0bv0 ++ Any()[17 : 12] ++ Any() ++ Any() ++ Any()[27 : 0];
  a := 0bv0 ++ Any()[17 : 11] ++ Any() ++ Any() ++ Any()[27 : 0]; // error
  a := Same(Any()[20 : 0], Any()); // error
  a := Same(Any() ++ Any()[20 : 0], 0bv18); // error
}

procedure Maps() returns (a: [int, int]bool, c: int)
{
  a := Same(Any()[Any(), Any() := Any()], Any());
  a := Same(Any()[Any(), Any() := 4], Any()); // error
  c := Any()[Any() := false][3];
  c := Any()[1][2, 3];
  a := Any()[1 := 2]; // error
}
