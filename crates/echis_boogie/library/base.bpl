// What programs may use without declaring it: Boogie's base library, as far as sequential programs need it.

// Pointwise operations on maps.
function {:builtin "MapConst"} MapConst<T, U>(value: U): [T]U;
function {:builtin "MapEq"} MapEq<T, U>(a: [T]U, b: [T]U): [T]bool;
function {:builtin "MapIte"} MapIte<T, U>(choice: [T]bool, a: [T]U, b: [T]U): [T]U;
function {:builtin "MapNot"} MapNot<T>(a: [T]bool): [T]bool;
function {:builtin "MapAnd"} MapAnd<T>(a: [T]bool, b: [T]bool): [T]bool;
function {:builtin "MapOr"} MapOr<T>(a: [T]bool, b: [T]bool): [T]bool;
function {:builtin "MapImp"} MapImp<T>(a: [T]bool, b: [T]bool): [T]bool;
function {:builtin "MapIff"} MapIff<T>(a: [T]bool, b: [T]bool): [T]bool;
function {:builtin "MapAdd"} MapAdd<T>(a: [T]int, b: [T]int): [T]int;
function {:builtin "MapSub"} MapSub<T>(a: [T]int, b: [T]int): [T]int;
function {:builtin "MapMul"} MapMul<T>(a: [T]int, b: [T]int): [T]int;
function {:builtin "MapDiv"} MapDiv<T>(a: [T]int, b: [T]int): [T]int;
function {:builtin "MapMod"} MapMod<T>(a: [T]int, b: [T]int): [T]int;
function {:builtin "MapGt"} MapGt<T>(a: [T]int, b: [T]int): [T]bool;
function {:builtin "MapGe"} MapGe<T>(a: [T]int, b: [T]int): [T]bool;
function {:builtin "MapLt"} MapLt<T>(a: [T]int, b: [T]int): [T]bool;
function {:builtin "MapLe"} MapLe<T>(a: [T]int, b: [T]int): [T]bool;
function {:inline} MapDiff<T>(a: [T]bool, b: [T]bool): [T]bool { MapAnd(a, MapNot(b)) }
function {:inline} MapOne<T>(key: T): [T]bool { MapConst(false)[key := true] }
function {:inline} IsSubset<T>(a: [T]bool, b: [T]bool): bool { MapImp(a, b) == MapConst(true) }
function {:inline} IsDisjoint<T>(a: [T]bool, b: [T]bool): bool { MapAnd(a, b) == MapConst(false) }
function {:inline} Id<T>(value: T): T { value }

// Some value of every type, and some member of every set that has one.
function Default<T>(): T;
function Choice<T>(a: [T]bool): T;
axiom (forall<T> a: [T]bool :: {Choice(a)} a != MapConst(false) ==> a[Choice(a)]);

datatype Option<T> { None(), Some(t: T) }

// Vectors: beyond their length they have the default value.
datatype Vec<T> { Vec(contents: [int]T, len: int) }
axiom (forall<T> v: Vec T :: {v->len} 0 <= v->len);
axiom (forall<T> v: Vec T, i: int :: {v->contents[i]} i < 0 || v->len <= i ==> v->contents[i] == Default());
function {:inline} Vec_Empty<T>(): Vec T { Vec(MapConst(Default()), 0) }
function {:inline} Vec_Len<T>(v: Vec T): int { v->len }
function {:inline} Vec_Nth<T>(v: Vec T, i: int): T { v->contents[i] }
function {:inline} Vec_Contains<T>(v: Vec T, i: int): bool { 0 <= i && i < v->len }
function {:inline} Vec_Append<T>(v: Vec T, value: T): Vec T { Vec(v->contents[v->len := value], v->len + 1) }
function {:inline} Vec_Update<T>(v: Vec T, i: int, value: T): Vec T
{
  if 0 <= i && i < v->len then Vec(v->contents[i := value], v->len) else v
}
function {:inline} Vec_Concat<T>(v: Vec T, w: Vec T): Vec T
{
  Vec((lambda i: int :: if i < v->len then v->contents[i] else w->contents[i - v->len]), v->len + w->len)
}
function {:inline} Vec_Slice<T>(v: Vec T, i: int, j: int): Vec T
{
  if 0 <= i && i < j && j <= v->len
  then Vec((lambda k: int :: if 0 <= k && k < j - i then v->contents[k + i] else Default()), j - i)
  else Vec_Empty()
}
function {:inline} Vec_Swap<T>(v: Vec T, i: int, j: int): Vec T
{
  if 0 <= i && i < v->len && 0 <= j && j < v->len
  then Vec(v->contents[i := v->contents[j]][j := v->contents[i]], v->len)
  else v
}
function {:inline} Vec_Remove<T>(v: Vec T): Vec T
{
  if 0 < v->len then Vec(v->contents[v->len - 1 := Default()], v->len - 1) else v
}
procedure Vec_Ext<T>(A: Vec T, B: Vec T) returns (i: int);
  ensures A == B || Vec_Len(A) != Vec_Len(B) || Vec_Nth(A, i) != Vec_Nth(B, i);

// The solver's sequences.
type {:builtin "Seq"} Seq _;
function {:builtin "seq.empty"} Seq_Empty<T>(): Seq T;
function {:builtin "seq.unit"} Seq_Unit<T>(value: T): Seq T;
function {:builtin "seq.++"} Seq_Concat<T>(a: Seq T, b: Seq T): Seq T;
function {:builtin "seq.len"} Seq_Len<T>(a: Seq T): int;
function {:builtin "seq.nth"} Seq_Nth<T>(a: Seq T, i: int): T;
function {:builtin "seq.extract"} Seq_Extract<T>(a: Seq T, start: int, length: int): Seq T;

// Finite sets.
datatype Set<T> { Set(val: [T]bool) }
function {:inline} Set_Empty<T>(): Set T { Set(MapConst(false)) }
function {:inline} Set_Contains<T>(a: Set T, value: T): bool { a->val[value] }
function {:inline} Set_IsSubset<T>(a: Set T, b: Set T): bool { IsSubset(a->val, b->val) }
function {:inline} Set_IsDisjoint<T>(a: Set T, b: Set T): bool { IsDisjoint(a->val, b->val) }
function {:inline} Set_Add<T>(a: Set T, value: T): Set T { Set(a->val[value := true]) }
function {:inline} Set_Remove<T>(a: Set T, value: T): Set T { Set(a->val[value := false]) }
function {:inline} Set_Singleton<T>(value: T): Set T { Set(MapOne(value)) }
function {:inline} Set_Union<T>(a: Set T, b: Set T): Set T { Set(MapOr(a->val, b->val)) }
function {:inline} Set_Intersection<T>(a: Set T, b: Set T): Set T { Set(MapAnd(a->val, b->val)) }
function {:inline} Set_Difference<T>(a: Set T, b: Set T): Set T { Set(MapDiff(a->val, b->val)) }
function {:inline} Set_Collector<T>(a: Set T): [T]bool { a->val }
function Set_Size<T>(a: Set T): int;
axiom (forall<T> a: Set T :: {Set_Size(a)} a == Set_Empty() || 0 < Set_Size(a));
axiom (forall<T> a: Set T :: {Set_Size(a)} a == Set_Empty() ==> Set_Size(a) == 0);
axiom (forall<T> a: Set T, value: T :: {Set_Size(Set(a->val[value := true]))}
  Set_Size(Set(a->val[value := true])) == if a->val[value] then Set_Size(a) else Set_Size(a) + 1);
axiom (forall<T> a: Set T, value: T :: {Set_Size(Set(a->val[value := false]))}
  Set_Size(Set(a->val[value := false])) == if a->val[value] then Set_Size(a) - 1 else Set_Size(a));

// Finite maps.
datatype Map<T, U> { Map(dom: Set T, val: [T]U) }
function {:inline} Map_Empty<T, U>(): Map T U { Map(Set_Empty(), MapConst(Default())) }
function {:inline} Map_Contains<T, U>(a: Map T U, key: T): bool { Set_Contains(a->dom, key) }
function {:inline} Map_At<T, U>(a: Map T U, key: T): U { a->val[key] }
function {:inline} Map_Update<T, U>(a: Map T U, key: T, value: U): Map T U
{
  Map(Set_Add(a->dom, key), a->val[key := value])
}
function {:inline} Map_Remove<T, U>(a: Map T U, key: T): Map T U
{
  Map(Set_Remove(a->dom, key), a->val[key := Default()])
}
function {:inline} Map_Singleton<T, U>(key: T, value: U): Map T U { Map_Update(Map_Empty(), key, value) }
function {:inline} Map_IsDisjoint<T, U>(a: Map T U, b: Map T U): bool { Set_IsDisjoint(a->dom, b->dom) }
function {:inline} Map_Collector<T, U>(a: Map T U): [T]bool { Set_Collector(a->dom) }

// One value, a cell with a key, and the places of cells.
datatype One<T> { One(val: T) }
datatype Cell<T, U> { Cell(key: One T, val: U) }
type Loc;
procedure Loc_New() returns (l: One Loc);
