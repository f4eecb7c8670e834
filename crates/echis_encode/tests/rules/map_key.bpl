type Set#int;
function empty#Set#int(): Set#int;
function single#Set#int(e: int): Set#int;
function in#Set#int(e: int, s: Set#int): bool;
function union#Set#int(s: Set#int, t: Set#int): Set#int;
function intersection#Set#int(s: Set#int, t: Set#int): Set#int;
function difference#Set#int(s: Set#int, t: Set#int): Set#int;
function subset#Set#int(s: Set#int, t: Set#int): bool;
function equal#Set#int(s: Set#int, t: Set#int): bool;
function size#Set#int(s: Set#int): int;
function member#Set#int(s: Set#int): int;
function outside#Set#int(s: Set#int, t: Set#int): int;
function differ#Set#int(s: Set#int, t: Set#int): int;
axiom (forall s: Set#int :: {size#Set#int(s)} 0 <= size#Set#int(s));
axiom (forall e: int :: {in#Set#int(e, empty#Set#int())} !in#Set#int(e, empty#Set#int()));
axiom (forall s: Set#int :: {size#Set#int(s)} (size#Set#int(s) == 0 <==> s == empty#Set#int()) && (size#Set#int(s) != 0 ==> in#Set#int(member#Set#int(s), s)));
axiom (forall e: int, f: int :: {in#Set#int(e, single#Set#int(f))} in#Set#int(e, single#Set#int(f)) <==> e == f);
axiom (forall e: int :: {single#Set#int(e)} in#Set#int(e, single#Set#int(e)) && size#Set#int(single#Set#int(e)) == 1);
axiom (forall s: Set#int, t: Set#int, e: int :: {in#Set#int(e, union#Set#int(s, t))} {in#Set#int(e, s), union#Set#int(s, t)} {in#Set#int(e, t), union#Set#int(s, t)}
  in#Set#int(e, union#Set#int(s, t)) <==> in#Set#int(e, s) || in#Set#int(e, t));
axiom (forall s: Set#int, t: Set#int, e: int :: {in#Set#int(e, intersection#Set#int(s, t))} {in#Set#int(e, s), intersection#Set#int(s, t)} {in#Set#int(e, t), intersection#Set#int(s, t)}
  in#Set#int(e, intersection#Set#int(s, t)) <==> in#Set#int(e, s) && in#Set#int(e, t));
axiom (forall s: Set#int, t: Set#int, e: int :: {in#Set#int(e, difference#Set#int(s, t))} {in#Set#int(e, s), difference#Set#int(s, t)} {in#Set#int(e, t), difference#Set#int(s, t)}
  in#Set#int(e, difference#Set#int(s, t)) <==> in#Set#int(e, s) && !in#Set#int(e, t));
axiom (forall s: Set#int, t: Set#int :: {union#Set#int(union#Set#int(s, t), t)} union#Set#int(union#Set#int(s, t), t) == union#Set#int(s, t));
axiom (forall s: Set#int, t: Set#int :: {union#Set#int(s, union#Set#int(s, t))} union#Set#int(s, union#Set#int(s, t)) == union#Set#int(s, t));
axiom (forall s: Set#int, t: Set#int :: {size#Set#int(union#Set#int(s, t))} {size#Set#int(intersection#Set#int(s, t))}
  size#Set#int(union#Set#int(s, t)) + size#Set#int(intersection#Set#int(s, t)) == size#Set#int(s) + size#Set#int(t));
axiom (forall s: Set#int, t: Set#int :: {size#Set#int(difference#Set#int(s, t))}
  size#Set#int(difference#Set#int(s, t)) + size#Set#int(intersection#Set#int(s, t)) == size#Set#int(s)
  && size#Set#int(difference#Set#int(s, t)) + size#Set#int(difference#Set#int(t, s)) + size#Set#int(intersection#Set#int(s, t)) == size#Set#int(union#Set#int(s, t)));
axiom (forall s: Set#int, t: Set#int, e: int :: {subset#Set#int(s, t), in#Set#int(e, s)} {subset#Set#int(s, t), in#Set#int(e, t)} subset#Set#int(s, t) && in#Set#int(e, s) ==> in#Set#int(e, t));
axiom (forall s: Set#int, t: Set#int :: {subset#Set#int(s, t)} subset#Set#int(s, t) || (in#Set#int(outside#Set#int(s, t), s) && !in#Set#int(outside#Set#int(s, t), t)));
axiom (forall s: Set#int, t: Set#int :: {subset#Set#int(s, t), size#Set#int(s)} {subset#Set#int(s, t), size#Set#int(t)}
  subset#Set#int(s, t) ==> size#Set#int(s) <= size#Set#int(t) && (size#Set#int(s) == size#Set#int(t) ==> s == t));
axiom (forall s: Set#int, t: Set#int :: {equal#Set#int(s, t)} equal#Set#int(s, t) <==> s == t);
axiom (forall s: Set#int, t: Set#int :: {equal#Set#int(s, t)} s == t || (in#Set#int(differ#Set#int(s, t), s) != in#Set#int(differ#Set#int(s, t), t)));
type Set#bool;
function empty#Set#bool(): Set#bool;
function single#Set#bool(e: bool): Set#bool;
function in#Set#bool(e: bool, s: Set#bool): bool;
function union#Set#bool(s: Set#bool, t: Set#bool): Set#bool;
function intersection#Set#bool(s: Set#bool, t: Set#bool): Set#bool;
function difference#Set#bool(s: Set#bool, t: Set#bool): Set#bool;
function subset#Set#bool(s: Set#bool, t: Set#bool): bool;
function equal#Set#bool(s: Set#bool, t: Set#bool): bool;
function size#Set#bool(s: Set#bool): int;
function member#Set#bool(s: Set#bool): bool;
function outside#Set#bool(s: Set#bool, t: Set#bool): bool;
function differ#Set#bool(s: Set#bool, t: Set#bool): bool;
axiom (forall s: Set#bool :: {size#Set#bool(s)} 0 <= size#Set#bool(s));
axiom (forall e: bool :: {in#Set#bool(e, empty#Set#bool())} !in#Set#bool(e, empty#Set#bool()));
axiom (forall s: Set#bool :: {size#Set#bool(s)} (size#Set#bool(s) == 0 <==> s == empty#Set#bool()) && (size#Set#bool(s) != 0 ==> in#Set#bool(member#Set#bool(s), s)));
axiom (forall e: bool, f: bool :: {in#Set#bool(e, single#Set#bool(f))} in#Set#bool(e, single#Set#bool(f)) <==> e == f);
axiom (forall e: bool :: {single#Set#bool(e)} in#Set#bool(e, single#Set#bool(e)) && size#Set#bool(single#Set#bool(e)) == 1);
axiom (forall s: Set#bool, t: Set#bool, e: bool :: {in#Set#bool(e, union#Set#bool(s, t))} {in#Set#bool(e, s), union#Set#bool(s, t)} {in#Set#bool(e, t), union#Set#bool(s, t)}
  in#Set#bool(e, union#Set#bool(s, t)) <==> in#Set#bool(e, s) || in#Set#bool(e, t));
axiom (forall s: Set#bool, t: Set#bool, e: bool :: {in#Set#bool(e, intersection#Set#bool(s, t))} {in#Set#bool(e, s), intersection#Set#bool(s, t)} {in#Set#bool(e, t), intersection#Set#bool(s, t)}
  in#Set#bool(e, intersection#Set#bool(s, t)) <==> in#Set#bool(e, s) && in#Set#bool(e, t));
axiom (forall s: Set#bool, t: Set#bool, e: bool :: {in#Set#bool(e, difference#Set#bool(s, t))} {in#Set#bool(e, s), difference#Set#bool(s, t)} {in#Set#bool(e, t), difference#Set#bool(s, t)}
  in#Set#bool(e, difference#Set#bool(s, t)) <==> in#Set#bool(e, s) && !in#Set#bool(e, t));
axiom (forall s: Set#bool, t: Set#bool :: {union#Set#bool(union#Set#bool(s, t), t)} union#Set#bool(union#Set#bool(s, t), t) == union#Set#bool(s, t));
axiom (forall s: Set#bool, t: Set#bool :: {union#Set#bool(s, union#Set#bool(s, t))} union#Set#bool(s, union#Set#bool(s, t)) == union#Set#bool(s, t));
axiom (forall s: Set#bool, t: Set#bool :: {size#Set#bool(union#Set#bool(s, t))} {size#Set#bool(intersection#Set#bool(s, t))}
  size#Set#bool(union#Set#bool(s, t)) + size#Set#bool(intersection#Set#bool(s, t)) == size#Set#bool(s) + size#Set#bool(t));
axiom (forall s: Set#bool, t: Set#bool :: {size#Set#bool(difference#Set#bool(s, t))}
  size#Set#bool(difference#Set#bool(s, t)) + size#Set#bool(intersection#Set#bool(s, t)) == size#Set#bool(s)
  && size#Set#bool(difference#Set#bool(s, t)) + size#Set#bool(difference#Set#bool(t, s)) + size#Set#bool(intersection#Set#bool(s, t)) == size#Set#bool(union#Set#bool(s, t)));
axiom (forall s: Set#bool, t: Set#bool, e: bool :: {subset#Set#bool(s, t), in#Set#bool(e, s)} {subset#Set#bool(s, t), in#Set#bool(e, t)} subset#Set#bool(s, t) && in#Set#bool(e, s) ==> in#Set#bool(e, t));
axiom (forall s: Set#bool, t: Set#bool :: {subset#Set#bool(s, t)} subset#Set#bool(s, t) || (in#Set#bool(outside#Set#bool(s, t), s) && !in#Set#bool(outside#Set#bool(s, t), t)));
axiom (forall s: Set#bool, t: Set#bool :: {subset#Set#bool(s, t), size#Set#bool(s)} {subset#Set#bool(s, t), size#Set#bool(t)}
  subset#Set#bool(s, t) ==> size#Set#bool(s) <= size#Set#bool(t) && (size#Set#bool(s) == size#Set#bool(t) ==> s == t));
axiom (forall s: Set#bool, t: Set#bool :: {equal#Set#bool(s, t)} equal#Set#bool(s, t) <==> s == t);
axiom (forall s: Set#bool, t: Set#bool :: {equal#Set#bool(s, t)} s == t || (in#Set#bool(differ#Set#bool(s, t), s) != in#Set#bool(differ#Set#bool(s, t), t)));
type Map#int#bool;
function empty#Map#int#bool(): Map#int#bool;
function domain#Map#int#bool(m: Map#int#bool): Set#int;
function range#Map#int#bool(m: Map#int#bool): Set#bool;
function at#Map#int#bool(m: Map#int#bool, k: int): bool;
function update#Map#int#bool(m: Map#int#bool, k: int, v: bool): Map#int#bool;
function size#Map#int#bool(m: Map#int#bool): int;
function equal#Map#int#bool(m: Map#int#bool, n: Map#int#bool): bool;
function differ#Map#int#bool(m: Map#int#bool, n: Map#int#bool): int;
function key#Map#int#bool(m: Map#int#bool, v: bool): int;
axiom (forall m: Map#int#bool :: {size#Map#int#bool(m)} size#Map#int#bool(m) == size#Set#int(domain#Map#int#bool(m)) && 0 <= size#Map#int#bool(m));
axiom domain#Map#int#bool(empty#Map#int#bool()) == empty#Set#int();
axiom range#Map#int#bool(empty#Map#int#bool()) == empty#Set#bool();
axiom (forall m: Map#int#bool :: {size#Map#int#bool(m)} size#Map#int#bool(m) == 0 ==> m == empty#Map#int#bool());
axiom (forall m: Map#int#bool, k: int, v: bool, l: int :: {in#Set#int(l, domain#Map#int#bool(update#Map#int#bool(m, k, v)))} {in#Set#int(l, domain#Map#int#bool(m)), update#Map#int#bool(m, k, v)} in#Set#int(l, domain#Map#int#bool(update#Map#int#bool(m, k, v))) <==> l == k || in#Set#int(l, domain#Map#int#bool(m)));
axiom (forall m: Map#int#bool, k: int, v: bool :: {update#Map#int#bool(m, k, v)} in#Set#int(k, domain#Map#int#bool(update#Map#int#bool(m, k, v))) && at#Map#int#bool(update#Map#int#bool(m, k, v), k) == v);
axiom (forall m: Map#int#bool, k: int, v: bool, l: int :: {at#Map#int#bool(update#Map#int#bool(m, k, v), l)} {at#Map#int#bool(m, l), update#Map#int#bool(m, k, v)} l != k ==> at#Map#int#bool(update#Map#int#bool(m, k, v), l) == at#Map#int#bool(m, l));
axiom (forall m: Map#int#bool, k: int, v: bool :: {size#Map#int#bool(update#Map#int#bool(m, k, v))} size#Map#int#bool(update#Map#int#bool(m, k, v)) == (if in#Set#int(k, domain#Map#int#bool(m)) then size#Map#int#bool(m) else size#Map#int#bool(m) + 1));
axiom (forall m: Map#int#bool, v: bool :: {in#Set#bool(v, range#Map#int#bool(m))} in#Set#bool(v, range#Map#int#bool(m)) ==> in#Set#int(key#Map#int#bool(m, v), domain#Map#int#bool(m)) && at#Map#int#bool(m, key#Map#int#bool(m, v)) == v);
axiom (forall m: Map#int#bool, k: int :: {in#Set#int(k, domain#Map#int#bool(m)), at#Map#int#bool(m, k)} {in#Set#int(k, domain#Map#int#bool(m)), range#Map#int#bool(m)} {at#Map#int#bool(m, k), range#Map#int#bool(m)} in#Set#int(k, domain#Map#int#bool(m)) ==> in#Set#bool(at#Map#int#bool(m, k), range#Map#int#bool(m)));
axiom (forall m: Map#int#bool, n: Map#int#bool :: {equal#Map#int#bool(m, n)} equal#Map#int#bool(m, n) <==> m == n);
axiom (forall m: Map#int#bool, n: Map#int#bool :: {equal#Map#int#bool(m, n)} m == n || (in#Set#int(differ#Map#int#bool(m, n), domain#Map#int#bool(m)) != in#Set#int(differ#Map#int#bool(m, n), domain#Map#int#bool(n)))
  || (in#Set#int(differ#Map#int#bool(m, n), domain#Map#int#bool(m)) && at#Map#int#bool(m, differ#Map#int#bool(m, n)) != at#Map#int#bool(n, differ#Map#int#bool(m, n))));
procedure m#m0()
{
  assume height == -1;
  assert in#Set#int(i#1, domain#Map#int#bool(s#0)); // assert.failed:map.key.contains
  assert at#Map#int#bool(s#0, i#1); // assert.failed:assertion.false
}
