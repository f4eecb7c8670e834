//! The sorts of terms.

use echis_base::{Name, key};

key!(SortId, "s");

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Sort {
    Bool,
    Int,
    /// Exact rationals.
    Perm,
    Ref,
    /// Trees of values: `unit`, `combine(a, b)`, and wrapped values of other sorts.
    Snap,
    Seq(SortId),
    Set(SortId),
    Multiset(SortId),
    Map(SortId, SortId),
    /// An instance of a domain, with a unique name in the program.
    User(Name),
    /// A built-in sort of the solver, inserted as SMT-LIB text.
    Interpreted(Name),
    /// A sort whose name is SMT-LIB text, after commands that declare it.
    Declared {
        name: Name,
        commands: Name,
    },
    /// The values of a quantified resource: a map from `Ref` (fields) or `Snap` (argument tuples of predicates and
    /// wands) to values. There is one sort for each resource, so that its axioms trigger only for that resource.
    SnapMap {
        resource: Name,
        key: SortId,
        value: SortId,
    },
    /// The value of a wand: a function from the snapshot of its left side to that of its right side.
    WandMap,
}
