type Seq#Ref;
function empty#Seq#Ref(): Seq#Ref;
function single#Seq#Ref(e: Ref): Seq#Ref;
function append#Seq#Ref(s: Seq#Ref, t: Seq#Ref): Seq#Ref;
function size#Seq#Ref(s: Seq#Ref): int;
function at#Seq#Ref(s: Seq#Ref, i: int): Ref;
function take#Seq#Ref(s: Seq#Ref, n: int): Seq#Ref;
function drop#Seq#Ref(s: Seq#Ref, n: int): Seq#Ref;
function update#Seq#Ref(s: Seq#Ref, i: int, e: Ref): Seq#Ref;
function in#Seq#Ref(e: Ref, s: Seq#Ref): bool;
function where#Seq#Ref(s: Seq#Ref, e: Ref): int;
function equal#Seq#Ref(s: Seq#Ref, t: Seq#Ref): bool;
function differ#Seq#Ref(s: Seq#Ref, t: Seq#Ref): int;
axiom (forall s: Seq#Ref :: {size#Seq#Ref(s)} 0 <= size#Seq#Ref(s));
axiom size#Seq#Ref(empty#Seq#Ref()) == 0;
axiom (forall s: Seq#Ref :: {size#Seq#Ref(s)} size#Seq#Ref(s) == 0 ==> s == empty#Seq#Ref());
axiom (forall e: Ref :: {single#Seq#Ref(e)} size#Seq#Ref(single#Seq#Ref(e)) == 1 && at#Seq#Ref(single#Seq#Ref(e), 0) == e);
axiom (forall s: Seq#Ref, t: Seq#Ref :: {append#Seq#Ref(s, t)} size#Seq#Ref(append#Seq#Ref(s, t)) == size#Seq#Ref(s) + size#Seq#Ref(t));
axiom (forall s: Seq#Ref, t: Seq#Ref :: {append#Seq#Ref(s, t)} (s == empty#Seq#Ref() ==> append#Seq#Ref(s, t) == t) && (t == empty#Seq#Ref() ==> append#Seq#Ref(s, t) == s));
axiom (forall s: Seq#Ref, t: Seq#Ref, i: int :: {at#Seq#Ref(append#Seq#Ref(s, t), i)} {at#Seq#Ref(s, i), append#Seq#Ref(s, t)}
  0 <= i && i < size#Seq#Ref(s) ==> at#Seq#Ref(append#Seq#Ref(s, t), i) == at#Seq#Ref(s, i));
axiom (forall s: Seq#Ref, t: Seq#Ref, i: int :: {at#Seq#Ref(append#Seq#Ref(s, t), i)}
  size#Seq#Ref(s) <= i && i < size#Seq#Ref(s) + size#Seq#Ref(t) ==> at#Seq#Ref(append#Seq#Ref(s, t), i) == at#Seq#Ref(t, i - size#Seq#Ref(s)));
axiom (forall s: Seq#Ref, t: Seq#Ref, i: int :: {at#Seq#Ref(t, i), append#Seq#Ref(s, t)}
  0 <= i && i < size#Seq#Ref(t) ==> at#Seq#Ref(append#Seq#Ref(s, t), i + size#Seq#Ref(s)) == at#Seq#Ref(t, i));
axiom (forall s: Seq#Ref, i: int, e: Ref :: {update#Seq#Ref(s, i, e)} 0 <= i && i < size#Seq#Ref(s) ==> size#Seq#Ref(update#Seq#Ref(s, i, e)) == size#Seq#Ref(s));
axiom (forall s: Seq#Ref, i: int, e: Ref, j: int :: {at#Seq#Ref(update#Seq#Ref(s, i, e), j)} {at#Seq#Ref(s, j), update#Seq#Ref(s, i, e)}
  0 <= i && i < size#Seq#Ref(s) && 0 <= j && j < size#Seq#Ref(s) ==> at#Seq#Ref(update#Seq#Ref(s, i, e), j) == (if i == j then e else at#Seq#Ref(s, j)));
axiom (forall s: Seq#Ref, n: int :: {size#Seq#Ref(take#Seq#Ref(s, n))} {take#Seq#Ref(s, n), size#Seq#Ref(s)}
  size#Seq#Ref(take#Seq#Ref(s, n)) == (if n <= 0 then 0 else (if n <= size#Seq#Ref(s) then n else size#Seq#Ref(s))));
axiom (forall s: Seq#Ref, n: int, i: int :: {at#Seq#Ref(take#Seq#Ref(s, n), i)} {at#Seq#Ref(s, i), take#Seq#Ref(s, n)}
  0 <= i && i < n && i < size#Seq#Ref(s) ==> at#Seq#Ref(take#Seq#Ref(s, n), i) == at#Seq#Ref(s, i));
axiom (forall s: Seq#Ref, n: int :: {take#Seq#Ref(s, n)} (n <= 0 ==> take#Seq#Ref(s, n) == empty#Seq#Ref()) && (size#Seq#Ref(s) <= n ==> take#Seq#Ref(s, n) == s));
axiom (forall s: Seq#Ref, n: int :: {size#Seq#Ref(drop#Seq#Ref(s, n))} {drop#Seq#Ref(s, n), size#Seq#Ref(s)}
  size#Seq#Ref(drop#Seq#Ref(s, n)) == (if n <= 0 then size#Seq#Ref(s) else (if n <= size#Seq#Ref(s) then size#Seq#Ref(s) - n else 0)));
axiom (forall s: Seq#Ref, n: int, i: int :: {at#Seq#Ref(drop#Seq#Ref(s, n), i)}
  0 <= n && 0 <= i && i < size#Seq#Ref(s) - n ==> at#Seq#Ref(drop#Seq#Ref(s, n), i) == at#Seq#Ref(s, i + n));
axiom (forall s: Seq#Ref, n: int, i: int :: {at#Seq#Ref(s, i), drop#Seq#Ref(s, n)}
  0 <= n && n <= i && i < size#Seq#Ref(s) ==> at#Seq#Ref(drop#Seq#Ref(s, n), i - n) == at#Seq#Ref(s, i));
axiom (forall s: Seq#Ref, n: int :: {drop#Seq#Ref(s, n)} (n <= 0 ==> drop#Seq#Ref(s, n) == s) && (size#Seq#Ref(s) <= n ==> drop#Seq#Ref(s, n) == empty#Seq#Ref()));
axiom (forall s: Seq#Ref, e: Ref :: {in#Seq#Ref(e, s)}
  in#Seq#Ref(e, s) ==> 0 <= where#Seq#Ref(s, e) && where#Seq#Ref(s, e) < size#Seq#Ref(s) && at#Seq#Ref(s, where#Seq#Ref(s, e)) == e);
axiom (forall s: Seq#Ref, e: Ref, i: int :: {in#Seq#Ref(e, s), at#Seq#Ref(s, i)} 0 <= i && i < size#Seq#Ref(s) && at#Seq#Ref(s, i) == e ==> in#Seq#Ref(e, s));
axiom (forall s: Seq#Ref, i: int :: {at#Seq#Ref(s, i)} 0 <= i && i < size#Seq#Ref(s) ==> in#Seq#Ref(at#Seq#Ref(s, i), s));
axiom (forall s: Seq#Ref, t: Seq#Ref :: {equal#Seq#Ref(s, t)} equal#Seq#Ref(s, t) <==> s == t);
axiom (forall s: Seq#Ref, t: Seq#Ref :: {equal#Seq#Ref(s, t)}
  s == t || size#Seq#Ref(s) != size#Seq#Ref(t) || (0 <= differ#Seq#Ref(s, t) && differ#Seq#Ref(s, t) < size#Seq#Ref(s) && at#Seq#Ref(s, differ#Seq#Ref(s, t)) != at#Seq#Ref(t, differ#Seq#Ref(s, t))));
axiom (forall s: Seq#Ref, t: Seq#Ref, n: int :: {drop#Seq#Ref(append#Seq#Ref(s, t), n)} n == size#Seq#Ref(s) ==> drop#Seq#Ref(append#Seq#Ref(s, t), n) == t);
axiom (forall s: Seq#Ref, t: Seq#Ref, n: int :: {take#Seq#Ref(append#Seq#Ref(s, t), n)} n == size#Seq#Ref(s) ==> take#Seq#Ref(append#Seq#Ref(s, t), n) == s);
axiom (forall s: Seq#Ref, t: Seq#Ref, e: Ref :: {in#Seq#Ref(e, append#Seq#Ref(s, t))} {in#Seq#Ref(e, s), append#Seq#Ref(s, t)} {in#Seq#Ref(e, t), append#Seq#Ref(s, t)}
  in#Seq#Ref(e, append#Seq#Ref(s, t)) <==> in#Seq#Ref(e, s) || in#Seq#Ref(e, t));
axiom (forall e: Ref, f: Ref :: {in#Seq#Ref(e, single#Seq#Ref(f))} in#Seq#Ref(e, single#Seq#Ref(f)) <==> e == f);
axiom (forall e: Ref :: {in#Seq#Ref(e, empty#Seq#Ref())} !in#Seq#Ref(e, empty#Seq#Ref()));
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
    if (((0 <= any~1) && (any~1 < size#Seq#Ref(s#0)))) {
      assert any~1 >= 0; // assert.failed:seq.index.negative
      assert any~1 < size#Seq#Ref(s#0); // assert.failed:seq.index.length
      assert M.f#v0[at#Seq#Ref(s#0, any~1)] > 0.0; // assert.failed:insufficient.permission
    }
    assume false;
  }
  assert (forall i#1': int :: {at#Seq#Ref(s#0, i#1')} (((0 <= i#1') && (i#1' < size#Seq#Ref(s#0))) ==> (H.f#v0[at#Seq#Ref(s#0, i#1')] > 0))); // assert.failed:assertion.false
  at2.H.f#v0 := H.f#v0;
  at2.M.f#v0 := M.f#v0;
}
