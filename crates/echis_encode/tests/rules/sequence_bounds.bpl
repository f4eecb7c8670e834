type Seq#int;
function empty#Seq#int(): Seq#int;
function single#Seq#int(e: int): Seq#int;
function append#Seq#int(s: Seq#int, t: Seq#int): Seq#int;
function size#Seq#int(s: Seq#int): int;
function at#Seq#int(s: Seq#int, i: int): int;
function take#Seq#int(s: Seq#int, n: int): Seq#int;
function drop#Seq#int(s: Seq#int, n: int): Seq#int;
function update#Seq#int(s: Seq#int, i: int, e: int): Seq#int;
function in#Seq#int(e: int, s: Seq#int): bool;
function where#Seq#int(s: Seq#int, e: int): int;
function equal#Seq#int(s: Seq#int, t: Seq#int): bool;
function differ#Seq#int(s: Seq#int, t: Seq#int): int;
axiom (forall s: Seq#int :: {size#Seq#int(s)} 0 <= size#Seq#int(s));
axiom size#Seq#int(empty#Seq#int()) == 0;
axiom (forall s: Seq#int :: {size#Seq#int(s)} size#Seq#int(s) == 0 ==> s == empty#Seq#int());
axiom (forall e: int :: {single#Seq#int(e)} size#Seq#int(single#Seq#int(e)) == 1 && at#Seq#int(single#Seq#int(e), 0) == e);
axiom (forall s: Seq#int, t: Seq#int :: {append#Seq#int(s, t)} size#Seq#int(append#Seq#int(s, t)) == size#Seq#int(s) + size#Seq#int(t));
axiom (forall s: Seq#int, t: Seq#int :: {append#Seq#int(s, t)} (s == empty#Seq#int() ==> append#Seq#int(s, t) == t) && (t == empty#Seq#int() ==> append#Seq#int(s, t) == s));
axiom (forall s: Seq#int, t: Seq#int, i: int :: {at#Seq#int(append#Seq#int(s, t), i)} {at#Seq#int(s, i), append#Seq#int(s, t)}
  0 <= i && i < size#Seq#int(s) ==> at#Seq#int(append#Seq#int(s, t), i) == at#Seq#int(s, i));
axiom (forall s: Seq#int, t: Seq#int, i: int :: {at#Seq#int(append#Seq#int(s, t), i)}
  size#Seq#int(s) <= i && i < size#Seq#int(s) + size#Seq#int(t) ==> at#Seq#int(append#Seq#int(s, t), i) == at#Seq#int(t, i - size#Seq#int(s)));
axiom (forall s: Seq#int, t: Seq#int, i: int :: {at#Seq#int(t, i), append#Seq#int(s, t)}
  0 <= i && i < size#Seq#int(t) ==> at#Seq#int(append#Seq#int(s, t), i + size#Seq#int(s)) == at#Seq#int(t, i));
axiom (forall s: Seq#int, i: int, e: int :: {update#Seq#int(s, i, e)} 0 <= i && i < size#Seq#int(s) ==> size#Seq#int(update#Seq#int(s, i, e)) == size#Seq#int(s));
axiom (forall s: Seq#int, i: int, e: int, j: int :: {at#Seq#int(update#Seq#int(s, i, e), j)} {at#Seq#int(s, j), update#Seq#int(s, i, e)}
  0 <= i && i < size#Seq#int(s) && 0 <= j && j < size#Seq#int(s) ==> at#Seq#int(update#Seq#int(s, i, e), j) == (if i == j then e else at#Seq#int(s, j)));
axiom (forall s: Seq#int, n: int :: {size#Seq#int(take#Seq#int(s, n))} {take#Seq#int(s, n), size#Seq#int(s)}
  size#Seq#int(take#Seq#int(s, n)) == (if n <= 0 then 0 else (if n <= size#Seq#int(s) then n else size#Seq#int(s))));
axiom (forall s: Seq#int, n: int, i: int :: {at#Seq#int(take#Seq#int(s, n), i)} {at#Seq#int(s, i), take#Seq#int(s, n)}
  0 <= i && i < n && i < size#Seq#int(s) ==> at#Seq#int(take#Seq#int(s, n), i) == at#Seq#int(s, i));
axiom (forall s: Seq#int, n: int :: {take#Seq#int(s, n)} (n <= 0 ==> take#Seq#int(s, n) == empty#Seq#int()) && (size#Seq#int(s) <= n ==> take#Seq#int(s, n) == s));
axiom (forall s: Seq#int, n: int :: {size#Seq#int(drop#Seq#int(s, n))} {drop#Seq#int(s, n), size#Seq#int(s)}
  size#Seq#int(drop#Seq#int(s, n)) == (if n <= 0 then size#Seq#int(s) else (if n <= size#Seq#int(s) then size#Seq#int(s) - n else 0)));
axiom (forall s: Seq#int, n: int, i: int :: {at#Seq#int(drop#Seq#int(s, n), i)}
  0 <= n && 0 <= i && i < size#Seq#int(s) - n ==> at#Seq#int(drop#Seq#int(s, n), i) == at#Seq#int(s, i + n));
axiom (forall s: Seq#int, n: int, i: int :: {at#Seq#int(s, i), drop#Seq#int(s, n)}
  0 <= n && n <= i && i < size#Seq#int(s) ==> at#Seq#int(drop#Seq#int(s, n), i - n) == at#Seq#int(s, i));
axiom (forall s: Seq#int, n: int :: {drop#Seq#int(s, n)} (n <= 0 ==> drop#Seq#int(s, n) == s) && (size#Seq#int(s) <= n ==> drop#Seq#int(s, n) == empty#Seq#int()));
axiom (forall s: Seq#int, e: int :: {in#Seq#int(e, s)}
  in#Seq#int(e, s) ==> 0 <= where#Seq#int(s, e) && where#Seq#int(s, e) < size#Seq#int(s) && at#Seq#int(s, where#Seq#int(s, e)) == e);
axiom (forall s: Seq#int, e: int, i: int :: {in#Seq#int(e, s), at#Seq#int(s, i)} 0 <= i && i < size#Seq#int(s) && at#Seq#int(s, i) == e ==> in#Seq#int(e, s));
axiom (forall s: Seq#int, i: int :: {at#Seq#int(s, i)} 0 <= i && i < size#Seq#int(s) ==> in#Seq#int(at#Seq#int(s, i), s));
axiom (forall s: Seq#int, t: Seq#int :: {equal#Seq#int(s, t)} equal#Seq#int(s, t) <==> s == t);
axiom (forall s: Seq#int, t: Seq#int :: {equal#Seq#int(s, t)}
  s == t || size#Seq#int(s) != size#Seq#int(t) || (0 <= differ#Seq#int(s, t) && differ#Seq#int(s, t) < size#Seq#int(s) && at#Seq#int(s, differ#Seq#int(s, t)) != at#Seq#int(t, differ#Seq#int(s, t))));
axiom (forall s: Seq#int, t: Seq#int, n: int :: {drop#Seq#int(append#Seq#int(s, t), n)} n == size#Seq#int(s) ==> drop#Seq#int(append#Seq#int(s, t), n) == t);
axiom (forall s: Seq#int, t: Seq#int, n: int :: {take#Seq#int(append#Seq#int(s, t), n)} n == size#Seq#int(s) ==> take#Seq#int(append#Seq#int(s, t), n) == s);
axiom (forall s: Seq#int, t: Seq#int, e: int :: {in#Seq#int(e, append#Seq#int(s, t))} {in#Seq#int(e, s), append#Seq#int(s, t)} {in#Seq#int(e, t), append#Seq#int(s, t)}
  in#Seq#int(e, append#Seq#int(s, t)) <==> in#Seq#int(e, s) || in#Seq#int(e, t));
axiom (forall e: int, f: int :: {in#Seq#int(e, single#Seq#int(f))} in#Seq#int(e, single#Seq#int(f)) <==> e == f);
axiom (forall e: int :: {in#Seq#int(e, empty#Seq#int())} !in#Seq#int(e, empty#Seq#int()));
function interval#Seq#int(from: int, to: int): Seq#int;
axiom (forall a: int, b: int :: {size#Seq#int(interval#Seq#int(a, b))} size#Seq#int(interval#Seq#int(a, b)) == (if a < b then b - a else 0));
axiom (forall a: int, b: int, i: int :: {at#Seq#int(interval#Seq#int(a, b), i)}
  0 <= i && i < b - a ==> at#Seq#int(interval#Seq#int(a, b), i) == a + i);
axiom (forall a: int, b: int, e: int :: {in#Seq#int(e, interval#Seq#int(a, b))} in#Seq#int(e, interval#Seq#int(a, b)) <==> a <= e && e < b);
procedure m#m0()
{
  assume height == -1;
  assert i#1 >= 0; // assert.failed:seq.index.negative
  assert i#1 < size#Seq#int(s#0); // assert.failed:seq.index.length
  assert (at#Seq#int(s#0, i#1) == 0); // assert.failed:assertion.false
}
