// Values that may be missing, and computations that may fail.
datatype Option<T> = None | Some(value: T)
datatype Result<T> = Ok(value: T) | Failed(reason: int)

function method Map<A, B>(o: Option<A>, f: A -> B): Option<B>
{
  match o
  case None => None
  case Some(x) => Some(f(x))
}

function method Bind<A, B>(r: Result<A>, f: A -> Result<B>): Result<B>
{
  match r
  case Ok(x) => f(x)
  case Failed(why) => Failed(why)
}

lemma MapComposes<A, B, C>(o: Option<A>, f: A -> B, g: B -> C)
  ensures Map(Map(o, f), g) == Map(o, x => g(f(x)))
{
}

lemma BindIsAssociative<A, B, C>(r: Result<A>, f: A -> Result<B>, g: B -> Result<C>)
  ensures Bind(Bind(r, f), g) == Bind(r, x => Bind(f(x), g))
{
}

function method SafeDiv(a: int, b: int): Result<int>
{
  if b == 0 then Failed(1) else Ok(a / b)
}

method Lookup<K, V>(m: map<K, V>, k: K) returns (o: Option<V>)
  ensures k in m ==> o == Some(m[k])
  ensures k !in m ==> o == None
{
  if k in m {
    o := Some(m[k]);
  } else {
    o := None;
  }
}

method Average(s: seq<int>) returns (r: Result<int>)
  ensures s == [] ==> r.Failed?
  ensures s != [] ==> r.Ok?
{
  var sum, i := 0, 0;
  while i < |s|
    invariant 0 <= i <= |s|
  {
    sum, i := sum + s[i], i + 1;
  }
  r := SafeDiv(sum, |s|);
}

method Client() {
  var o := Lookup(map[1 := true, 2 := false], 1);
  assert o == Some(true);
  var r := Bind(SafeDiv(10, 2), x => SafeDiv(x, 0));
  assert r == Failed(1);
}
