type Set#Ref;
function empty#Set#Ref(): Set#Ref;
function single#Set#Ref(e: Ref): Set#Ref;
function in#Set#Ref(e: Ref, s: Set#Ref): bool;
function union#Set#Ref(s: Set#Ref, t: Set#Ref): Set#Ref;
function intersection#Set#Ref(s: Set#Ref, t: Set#Ref): Set#Ref;
function difference#Set#Ref(s: Set#Ref, t: Set#Ref): Set#Ref;
function subset#Set#Ref(s: Set#Ref, t: Set#Ref): bool;
function equal#Set#Ref(s: Set#Ref, t: Set#Ref): bool;
function size#Set#Ref(s: Set#Ref): int;
function member#Set#Ref(s: Set#Ref): Ref;
function outside#Set#Ref(s: Set#Ref, t: Set#Ref): Ref;
function differ#Set#Ref(s: Set#Ref, t: Set#Ref): Ref;
axiom (forall s: Set#Ref :: {size#Set#Ref(s)} 0 <= size#Set#Ref(s));
axiom (forall e: Ref :: {in#Set#Ref(e, empty#Set#Ref())} !in#Set#Ref(e, empty#Set#Ref()));
axiom (forall s: Set#Ref :: {size#Set#Ref(s)} (size#Set#Ref(s) == 0 <==> s == empty#Set#Ref()) && (size#Set#Ref(s) != 0 ==> in#Set#Ref(member#Set#Ref(s), s)));
axiom (forall e: Ref, f: Ref :: {in#Set#Ref(e, single#Set#Ref(f))} in#Set#Ref(e, single#Set#Ref(f)) <==> e == f);
axiom (forall e: Ref :: {single#Set#Ref(e)} in#Set#Ref(e, single#Set#Ref(e)) && size#Set#Ref(single#Set#Ref(e)) == 1);
axiom (forall s: Set#Ref, t: Set#Ref, e: Ref :: {in#Set#Ref(e, union#Set#Ref(s, t))} {in#Set#Ref(e, s), union#Set#Ref(s, t)} {in#Set#Ref(e, t), union#Set#Ref(s, t)}
  in#Set#Ref(e, union#Set#Ref(s, t)) <==> in#Set#Ref(e, s) || in#Set#Ref(e, t));
axiom (forall s: Set#Ref, t: Set#Ref, e: Ref :: {in#Set#Ref(e, intersection#Set#Ref(s, t))} {in#Set#Ref(e, s), intersection#Set#Ref(s, t)} {in#Set#Ref(e, t), intersection#Set#Ref(s, t)}
  in#Set#Ref(e, intersection#Set#Ref(s, t)) <==> in#Set#Ref(e, s) && in#Set#Ref(e, t));
axiom (forall s: Set#Ref, t: Set#Ref, e: Ref :: {in#Set#Ref(e, difference#Set#Ref(s, t))} {in#Set#Ref(e, s), difference#Set#Ref(s, t)} {in#Set#Ref(e, t), difference#Set#Ref(s, t)}
  in#Set#Ref(e, difference#Set#Ref(s, t)) <==> in#Set#Ref(e, s) && !in#Set#Ref(e, t));
axiom (forall s: Set#Ref, t: Set#Ref :: {union#Set#Ref(union#Set#Ref(s, t), t)} union#Set#Ref(union#Set#Ref(s, t), t) == union#Set#Ref(s, t));
axiom (forall s: Set#Ref, t: Set#Ref :: {union#Set#Ref(s, union#Set#Ref(s, t))} union#Set#Ref(s, union#Set#Ref(s, t)) == union#Set#Ref(s, t));
axiom (forall s: Set#Ref, t: Set#Ref :: {size#Set#Ref(union#Set#Ref(s, t))} {size#Set#Ref(intersection#Set#Ref(s, t))}
  size#Set#Ref(union#Set#Ref(s, t)) + size#Set#Ref(intersection#Set#Ref(s, t)) == size#Set#Ref(s) + size#Set#Ref(t));
axiom (forall s: Set#Ref, t: Set#Ref :: {size#Set#Ref(difference#Set#Ref(s, t))}
  size#Set#Ref(difference#Set#Ref(s, t)) + size#Set#Ref(intersection#Set#Ref(s, t)) == size#Set#Ref(s)
  && size#Set#Ref(difference#Set#Ref(s, t)) + size#Set#Ref(difference#Set#Ref(t, s)) + size#Set#Ref(intersection#Set#Ref(s, t)) == size#Set#Ref(union#Set#Ref(s, t)));
axiom (forall s: Set#Ref, t: Set#Ref, e: Ref :: {subset#Set#Ref(s, t), in#Set#Ref(e, s)} {subset#Set#Ref(s, t), in#Set#Ref(e, t)} subset#Set#Ref(s, t) && in#Set#Ref(e, s) ==> in#Set#Ref(e, t));
axiom (forall s: Set#Ref, t: Set#Ref :: {subset#Set#Ref(s, t)} subset#Set#Ref(s, t) || (in#Set#Ref(outside#Set#Ref(s, t), s) && !in#Set#Ref(outside#Set#Ref(s, t), t)));
axiom (forall s: Set#Ref, t: Set#Ref :: {subset#Set#Ref(s, t), size#Set#Ref(s)} {subset#Set#Ref(s, t), size#Set#Ref(t)}
  subset#Set#Ref(s, t) ==> size#Set#Ref(s) <= size#Set#Ref(t) && (size#Set#Ref(s) == size#Set#Ref(t) ==> s == t));
axiom (forall s: Set#Ref, t: Set#Ref :: {equal#Set#Ref(s, t)} equal#Set#Ref(s, t) <==> s == t);
axiom (forall s: Set#Ref, t: Set#Ref :: {equal#Set#Ref(s, t)} s == t || (in#Set#Ref(differ#Set#Ref(s, t), s) != in#Set#Ref(differ#Set#Ref(s, t), t)));
procedure m#m0()
{
  assume height == -1;
  havoc H.f#v0, M.f#v0;
  assume (forall k0': Ref :: {M.f#v0[k0']} M.f#v0[k0'] == 0.0);
  old.H.f#v0 := H.f#v0;
  old.M.f#v0 := M.f#v0;
  if (*) {
    havoc after.H.f#v0, after.M.f#v0;
    assume (forall k0': Ref :: {after.M.f#v0[k0']} after.M.f#v0[k0'] == 0.0);
    assume false;
  }
  if (*) {
    assume in#Set#Ref(any~1, s#0);
    assume false;
  }
  assume (forall x#1': Ref :: {in#Set#Ref(x#1', s#0)} {mask~2[x#1']} {H.f#v0[x#1']} (in#Set#Ref(x#1', s#0) ==> (x#1' != null)));
  assume (forall k0': Ref :: {mask~2[k0']} mask~2[k0'] == M.f#v0[k0'] + (if in#Set#Ref(k0', s#0) then 1.0 else 0.0));
  M.f#v0 := mask~2;
  assume (forall k0': Ref :: {M.f#v0[k0']} (M.f#v0[k0'] <= 1.0 && (M.f#v0[k0'] > 0.0 ==> k0' != null)));
  at3.H.f#v0 := H.f#v0;
  at3.M.f#v0 := M.f#v0;
}
