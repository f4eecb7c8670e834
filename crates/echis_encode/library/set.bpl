type $S;
function empty#$S(): $S;
function single#$S(e: $T): $S;
function in#$S(e: $T, s: $S): bool;
function union#$S(s: $S, t: $S): $S;
function intersection#$S(s: $S, t: $S): $S;
function difference#$S(s: $S, t: $S): $S;
function subset#$S(s: $S, t: $S): bool;
function equal#$S(s: $S, t: $S): bool;
function size#$S(s: $S): int;
function member#$S(s: $S): $T;
function outside#$S(s: $S, t: $S): $T;
function differ#$S(s: $S, t: $S): $T;
axiom (forall s: $S :: {size#$S(s)} 0 <= size#$S(s));
axiom (forall e: $T :: {in#$S(e, empty#$S())} !in#$S(e, empty#$S()));
axiom (forall s: $S :: {size#$S(s)} (size#$S(s) == 0 <==> s == empty#$S()) && (size#$S(s) != 0 ==> in#$S(member#$S(s), s)));
axiom (forall e: $T, f: $T :: {in#$S(e, single#$S(f))} in#$S(e, single#$S(f)) <==> e == f);
axiom (forall e: $T :: {single#$S(e)} in#$S(e, single#$S(e)) && size#$S(single#$S(e)) == 1);
axiom (forall s: $S, t: $S, e: $T :: {in#$S(e, union#$S(s, t))} {in#$S(e, s), union#$S(s, t)} {in#$S(e, t), union#$S(s, t)}
  in#$S(e, union#$S(s, t)) <==> in#$S(e, s) || in#$S(e, t));
axiom (forall s: $S, t: $S, e: $T :: {in#$S(e, intersection#$S(s, t))} {in#$S(e, s), intersection#$S(s, t)} {in#$S(e, t), intersection#$S(s, t)}
  in#$S(e, intersection#$S(s, t)) <==> in#$S(e, s) && in#$S(e, t));
axiom (forall s: $S, t: $S, e: $T :: {in#$S(e, difference#$S(s, t))} {in#$S(e, s), difference#$S(s, t)} {in#$S(e, t), difference#$S(s, t)}
  in#$S(e, difference#$S(s, t)) <==> in#$S(e, s) && !in#$S(e, t));
axiom (forall s: $S, t: $S :: {union#$S(union#$S(s, t), t)} union#$S(union#$S(s, t), t) == union#$S(s, t));
axiom (forall s: $S, t: $S :: {union#$S(s, union#$S(s, t))} union#$S(s, union#$S(s, t)) == union#$S(s, t));
axiom (forall s: $S, t: $S :: {size#$S(union#$S(s, t))} {size#$S(intersection#$S(s, t))}
  size#$S(union#$S(s, t)) + size#$S(intersection#$S(s, t)) == size#$S(s) + size#$S(t));
axiom (forall s: $S, t: $S :: {size#$S(difference#$S(s, t))}
  size#$S(difference#$S(s, t)) + size#$S(intersection#$S(s, t)) == size#$S(s)
  && size#$S(difference#$S(s, t)) + size#$S(difference#$S(t, s)) + size#$S(intersection#$S(s, t)) == size#$S(union#$S(s, t)));
axiom (forall s: $S, t: $S, e: $T :: {subset#$S(s, t), in#$S(e, s)} {subset#$S(s, t), in#$S(e, t)} subset#$S(s, t) && in#$S(e, s) ==> in#$S(e, t));
axiom (forall s: $S, t: $S :: {subset#$S(s, t)} subset#$S(s, t) || (in#$S(outside#$S(s, t), s) && !in#$S(outside#$S(s, t), t)));
axiom (forall s: $S, t: $S :: {subset#$S(s, t), size#$S(s)} {subset#$S(s, t), size#$S(t)}
  subset#$S(s, t) ==> size#$S(s) <= size#$S(t) && (size#$S(s) == size#$S(t) ==> s == t));
axiom (forall s: $S, t: $S :: {equal#$S(s, t)} equal#$S(s, t) <==> s == t);
axiom (forall s: $S, t: $S :: {equal#$S(s, t)} s == t || (in#$S(differ#$S(s, t), s) != in#$S(differ#$S(s, t), t)));
