type Ref;
const null: Ref;

type Snap;
type Instance;
const unit: Snap;
function pair(first: Snap, second: Snap): Snap;
function first(s: Snap): Snap;
function second(s: Snap): Snap;
axiom (forall a: Snap, b: Snap :: {pair(a, b)} first(pair(a, b)) == a && second(pair(a, b)) == b);

// Definitions of functions below this one's height are not known while it is verified.
const height: int;

// A wand by its name: whether it will be applied, to which values, and what comes of it.
function will(wand: Snap): bool;
function left(wand: Snap): Snap;
function applied(wand: Snap, left: Snap): Snap;
