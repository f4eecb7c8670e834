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
