type $S;
function empty#$S(): $S;
function single#$S(e: $T): $S;
function append#$S(s: $S, t: $S): $S;
function size#$S(s: $S): int;
function at#$S(s: $S, i: int): $T;
function take#$S(s: $S, n: int): $S;
function drop#$S(s: $S, n: int): $S;
function update#$S(s: $S, i: int, e: $T): $S;
function in#$S(e: $T, s: $S): bool;
function where#$S(s: $S, e: $T): int;
function equal#$S(s: $S, t: $S): bool;
function differ#$S(s: $S, t: $S): int;
axiom (forall s: $S :: {size#$S(s)} 0 <= size#$S(s));
axiom size#$S(empty#$S()) == 0;
axiom (forall s: $S :: {size#$S(s)} size#$S(s) == 0 ==> s == empty#$S());
axiom (forall e: $T :: {single#$S(e)} size#$S(single#$S(e)) == 1 && at#$S(single#$S(e), 0) == e);
axiom (forall s: $S, t: $S :: {append#$S(s, t)} size#$S(append#$S(s, t)) == size#$S(s) + size#$S(t));
axiom (forall s: $S, t: $S :: {append#$S(s, t)} (s == empty#$S() ==> append#$S(s, t) == t) && (t == empty#$S() ==> append#$S(s, t) == s));
axiom (forall s: $S, t: $S, i: int :: {at#$S(append#$S(s, t), i)} {at#$S(s, i), append#$S(s, t)}
  0 <= i && i < size#$S(s) ==> at#$S(append#$S(s, t), i) == at#$S(s, i));
axiom (forall s: $S, t: $S, i: int :: {at#$S(append#$S(s, t), i)}
  size#$S(s) <= i && i < size#$S(s) + size#$S(t) ==> at#$S(append#$S(s, t), i) == at#$S(t, i - size#$S(s)));
axiom (forall s: $S, t: $S, i: int :: {at#$S(t, i), append#$S(s, t)}
  0 <= i && i < size#$S(t) ==> at#$S(append#$S(s, t), i + size#$S(s)) == at#$S(t, i));
axiom (forall s: $S, i: int, e: $T :: {update#$S(s, i, e)} 0 <= i && i < size#$S(s) ==> size#$S(update#$S(s, i, e)) == size#$S(s));
axiom (forall s: $S, i: int, e: $T, j: int :: {at#$S(update#$S(s, i, e), j)} {at#$S(s, j), update#$S(s, i, e)}
  0 <= i && i < size#$S(s) && 0 <= j && j < size#$S(s) ==> at#$S(update#$S(s, i, e), j) == (if i == j then e else at#$S(s, j)));
axiom (forall s: $S, n: int :: {size#$S(take#$S(s, n))} {take#$S(s, n), size#$S(s)}
  size#$S(take#$S(s, n)) == (if n <= 0 then 0 else (if n <= size#$S(s) then n else size#$S(s))));
axiom (forall s: $S, n: int, i: int :: {at#$S(take#$S(s, n), i)} {at#$S(s, i), take#$S(s, n)}
  0 <= i && i < n && i < size#$S(s) ==> at#$S(take#$S(s, n), i) == at#$S(s, i));
axiom (forall s: $S, n: int :: {take#$S(s, n)} (n <= 0 ==> take#$S(s, n) == empty#$S()) && (size#$S(s) <= n ==> take#$S(s, n) == s));
axiom (forall s: $S, n: int :: {size#$S(drop#$S(s, n))} {drop#$S(s, n), size#$S(s)}
  size#$S(drop#$S(s, n)) == (if n <= 0 then size#$S(s) else (if n <= size#$S(s) then size#$S(s) - n else 0)));
axiom (forall s: $S, n: int, i: int :: {at#$S(drop#$S(s, n), i)}
  0 <= n && 0 <= i && i < size#$S(s) - n ==> at#$S(drop#$S(s, n), i) == at#$S(s, i + n));
axiom (forall s: $S, n: int, i: int :: {at#$S(s, i), drop#$S(s, n)}
  0 <= n && n <= i && i < size#$S(s) ==> at#$S(drop#$S(s, n), i - n) == at#$S(s, i));
axiom (forall s: $S, n: int :: {drop#$S(s, n)} (n <= 0 ==> drop#$S(s, n) == s) && (size#$S(s) <= n ==> drop#$S(s, n) == empty#$S()));
axiom (forall s: $S, e: $T :: {in#$S(e, s)}
  in#$S(e, s) ==> 0 <= where#$S(s, e) && where#$S(s, e) < size#$S(s) && at#$S(s, where#$S(s, e)) == e);
axiom (forall s: $S, e: $T, i: int :: {in#$S(e, s), at#$S(s, i)} 0 <= i && i < size#$S(s) && at#$S(s, i) == e ==> in#$S(e, s));
axiom (forall s: $S, i: int :: {at#$S(s, i)} 0 <= i && i < size#$S(s) ==> in#$S(at#$S(s, i), s));
axiom (forall s: $S, t: $S :: {equal#$S(s, t)} equal#$S(s, t) <==> s == t);
axiom (forall s: $S, t: $S :: {equal#$S(s, t)}
  s == t || size#$S(s) != size#$S(t) || (0 <= differ#$S(s, t) && differ#$S(s, t) < size#$S(s) && at#$S(s, differ#$S(s, t)) != at#$S(t, differ#$S(s, t))));
axiom (forall s: $S, t: $S, n: int :: {drop#$S(append#$S(s, t), n)} n == size#$S(s) ==> drop#$S(append#$S(s, t), n) == t);
axiom (forall s: $S, t: $S, n: int :: {take#$S(append#$S(s, t), n)} n == size#$S(s) ==> take#$S(append#$S(s, t), n) == s);
axiom (forall s: $S, t: $S, e: $T :: {in#$S(e, append#$S(s, t))} {in#$S(e, s), append#$S(s, t)} {in#$S(e, t), append#$S(s, t)}
  in#$S(e, append#$S(s, t)) <==> in#$S(e, s) || in#$S(e, t));
axiom (forall e: $T, f: $T :: {in#$S(e, single#$S(f))} in#$S(e, single#$S(f)) <==> e == f);
axiom (forall e: $T :: {in#$S(e, empty#$S())} !in#$S(e, empty#$S()));
