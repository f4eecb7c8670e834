function interval#Seq#int(from: int, to: int): Seq#int;
axiom (forall a: int, b: int :: {size#Seq#int(interval#Seq#int(a, b))} size#Seq#int(interval#Seq#int(a, b)) == (if a < b then b - a else 0));
axiom (forall a: int, b: int, i: int :: {at#Seq#int(interval#Seq#int(a, b), i)}
  0 <= i && i < b - a ==> at#Seq#int(interval#Seq#int(a, b), i) == a + i);
axiom (forall a: int, b: int, e: int :: {in#Seq#int(e, interval#Seq#int(a, b))} in#Seq#int(e, interval#Seq#int(a, b)) <==> a <= e && e < b);
