// Datatypes: constructors, fields that several of them have, tests, updates, unpacking.
datatype List<T> { Nil(), Cons(head: T, tail: List T) }
datatype Shape { Circle(size: int), Square(size: int, name: int) }

procedure lists(l: List int)
{
  var h: int;
  var t: List int;
  assert l is Nil || l is Cons;
  assert !(l is Nil && l is Cons);
  assert Cons(1, l)->head == 1;
  assert Cons(1, l) != l;
  assert {:subsumption 0} l == Cons(l->head, l->tail); // error
  if (l is Cons) {
    Cons(h, t) := l;
    assert l == Cons(h, t);
  } else {
    Cons(h, t) := l; // error
  }
}

procedure shapes(s: Shape)
{
  var r: Shape;
  r := s->(size := 3);
  assert r->size == 3;
  assert s is Square ==> r->name == s->name;
  r->size := 4;
  assert r->size == 4;
  assert r is Circle; // error
}

// More maps than values, so the constructor cannot be injective.
datatype Predicates { Nothing(), Holds(holds: [Predicates]bool) }

procedure maps_from_the_datatype() // error
{
  var all: Predicates;
  all := Holds((lambda p: Predicates :: !(p is Holds && p->holds[p])));
  assert all->holds[all] == !all->holds[all];
}
