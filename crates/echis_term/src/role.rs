//! The roles of symbols and quantifiers. Code depends on roles only; names are generated from them, for users and
//! solvers, and never parsed.

use echis_base::Name;
use std::fmt;

/// The kind of a symbol for solvers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SymbolKind {
    /// Declared to the solver: a constant or an uninterpreted function.
    Function,
    /// A variable bound by some quantifier. While a quantifier's body is evaluated, it represents an arbitrary value,
    /// and is declared like a constant.
    Bound,
    /// A built-in operator of the solver, inserted as SMT-LIB text.
    Interpreted,
}

/// The role of a symbol.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SymbolRole {
    /// A function of a Viper program. Its definition unrolls it.
    Function(Name),
    /// The version of a function in definitions and triggers: equal to the function, but not unrolled.
    Limited(Name),
    /// States that the precondition of an application of the function was established.
    Precondition(Name),
    /// States that the postcondition of an application may be used while the function's own cycle of calls is being
    /// verified.
    Called(Name),
    /// A domain function at type arguments, which are printed `<Int,Ref>`, or nothing.
    DomainFunction { function: Name, type_args: Name },
    /// Stated at each fold and unfold of a predicate, so that functions over the predicate unroll there.
    Trigger(Name),
    /// An instance of a predicate as a value, for termination measures.
    PredicateInstance(Name),
    /// A proposition that only triggers quantifiers, with its subject. Assuming it is always sound.
    Mark(Mark, Name),
    /// States that the wand is applied to a left side with this snapshot.
    WandApplied,
    /// A note by a package about the footprint of a wand, with the resource or sort it is about.
    WandNote(WandNote, Name),
    /// A constant of a Boogie program.
    BoogieConstant(Name),
    /// A function of a Boogie program at type arguments, which are printed `<int>`, or nothing.
    BoogieFunction { function: Name, type_args: Name },
    /// Whether the body of a Boogie function is revealed.
    Revealed(Name),
    /// A function or constant with its own name.
    Uninterpreted(Name),
    /// A fresh, unconstrained constant or function.
    Fresh { role: FreshRole, number: u32 },
    /// A fresh variable for quantifiers.
    Variable { base: Name, number: u32 },
    /// A variable of a quantifier that is the same in each evaluation, identified by its binder.
    VariableAt { base: Name, place: Name },
    /// A built-in operator of the solver, inserted as SMT-LIB text.
    Interpreted(Name),
    /// `select` of arrays.
    Select,
    /// `store` of arrays.
    Store,
    /// A constructor of a datatype, as SMT-LIB text.
    Constructor(Name),
    /// A selector of a datatype, as SMT-LIB text, with the constructor and the position of the selected argument.
    Selector { text: Name, constructor: Name, index: usize },
    /// Tests whether a value has a given constructor.
    Tester(Name),
    /// States that two snapshots are compared by extensionality. Declared by the solver layer together with its
    /// axioms.
    Compared,
}

/// A fieldless enum whose variants have names for dumps.
macro_rules! named {
    ($(#[$doc:meta])* $ty:ident { $($(#[$variant_doc:meta])* $variant:ident => $name:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum $ty { $($(#[$variant_doc])* $variant,)* }

        impl $ty {
            pub const ALL: &[$ty] = &[$($ty::$variant,)*];

            pub(crate) fn name(self) -> &'static str {
                match self { $($ty::$variant => $name,)* }
            }
        }
    };
}

named! {
    /// Propositions that only trigger quantifiers.
    Mark {
        /// A value of this sort has a constructor that pays for unrolling.
        Built => "built",
        /// An application of this function whose unrolling is paid for by literals.
        Paid => "paid",
        /// A location of this resource is looked up.
        Seen => "seen",
    }
}

named! {
    WandNote {
        /// The amount of a resource that is taken at a location.
        Takes => "takes",
        /// A trigger for amounts taken at many locations.
        Many => "many",
        /// A condition has the same value for every left side.
        Fixed => "fixed",
        /// All left sides agree on a value.
        Agreed => "agreed",
        /// A condition depends on the left side.
        Open => "open",
    }
}

/// Why a fresh symbol was created.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FreshRole {
    /// The value of a variable or field of the program, or another named value.
    Named(Name),
    /// A symbol for the engine's own use.
    Made(Made),
}

named! {
    Made {
        Applied => "applied",
        Edge => "edge",
        Fixed => "fixed",
        Granted => "granted",
        Havoc => "havoc",
        Held => "held",
        Image => "image",
        Inverse => "inverse",
        Lambda => "lambda",
        Left => "left",
        Let => "let",
        Map => "map",
        Merged => "merged",
        /// An amount of permission that was missing when an obligation failed.
        Missing => "missing",
        Reached => "reached",
        /// A value that was missing when an obligation failed, or an amount taken in place of a missing one.
        Recovered => "recovered",
        RecursiveUnfolding => "recunf",
        Result => "result",
        Slot => "slot",
        Snapshot => "snap",
        Summary => "summary",
        Taken => "taken",
        Unknown => "unknown",
        Value => "value",
        Wand => "wand",
        Wildcard => "wildcard",
    }
}

/// The role of a quantifier.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum QuantifierRole {
    /// Written in the program, with a name for profiles.
    Written(Name),
    /// The definition of a name for an amount of quantified permission.
    Amount,
    Amounts,
    Bound,
    Compared,
    /// The definition of a function under its precondition.
    Definition,
    Depleted,
    Footprint,
    Forperm,
    Havoc,
    Held,
    Injective,
    /// The inverse function at each key.
    InverseFrom,
    /// The inverse of each key's receiver is the key.
    InverseOf,
    Keys,
    Lambda,
    Lifted,
    /// A function and its limited version are equal.
    Limited,
    Merged,
    Nothing,
    Paid,
    Postcondition,
    Seen,
    Summary,
    Update,
    Wand,
    Wildcard,
}

impl QuantifierRole {
    /// The roles of quantifiers stated by engines, which have fixed names.
    pub const STATED: &[QuantifierRole] = &[
        QuantifierRole::Amount,
        QuantifierRole::Amounts,
        QuantifierRole::Bound,
        QuantifierRole::Compared,
        QuantifierRole::Definition,
        QuantifierRole::Depleted,
        QuantifierRole::Footprint,
        QuantifierRole::Forperm,
        QuantifierRole::Havoc,
        QuantifierRole::Held,
        QuantifierRole::Injective,
        QuantifierRole::InverseFrom,
        QuantifierRole::InverseOf,
        QuantifierRole::Keys,
        QuantifierRole::Lambda,
        QuantifierRole::Lifted,
        QuantifierRole::Limited,
        QuantifierRole::Merged,
        QuantifierRole::Nothing,
        QuantifierRole::Paid,
        QuantifierRole::Postcondition,
        QuantifierRole::Seen,
        QuantifierRole::Summary,
        QuantifierRole::Update,
        QuantifierRole::Wand,
        QuantifierRole::Wildcard,
    ];

    pub(crate) fn name(&self) -> &str {
        match self {
            QuantifierRole::Written(name) => name,
            QuantifierRole::Amount => "amount",
            QuantifierRole::Amounts => "amounts",
            QuantifierRole::Bound => "bound",
            QuantifierRole::Compared => "compared",
            QuantifierRole::Definition => "definition",
            QuantifierRole::Depleted => "depleted",
            QuantifierRole::Footprint => "footprint",
            QuantifierRole::Forperm => "forperm",
            QuantifierRole::Havoc => "havoc",
            QuantifierRole::Held => "held",
            QuantifierRole::Injective => "injective",
            QuantifierRole::InverseFrom => "inverse.from",
            QuantifierRole::InverseOf => "inverse.of",
            QuantifierRole::Keys => "keys",
            QuantifierRole::Lambda => "lambda",
            QuantifierRole::Lifted => "lifted",
            QuantifierRole::Limited => "limited",
            QuantifierRole::Merged => "merged",
            QuantifierRole::Nothing => "nothing",
            QuantifierRole::Paid => "paid",
            QuantifierRole::Postcondition => "postcondition",
            QuantifierRole::Seen => "seen",
            QuantifierRole::Summary => "summary",
            QuantifierRole::Update => "update",
            QuantifierRole::Wand => "wand",
            QuantifierRole::Wildcard => "wildcard",
        }
    }
}

impl SymbolRole {
    /// The SMT-LIB operator with this name.
    pub fn interpreted(text: impl Into<Name>) -> Self {
        let text = text.into();
        match &*text {
            "select" => SymbolRole::Select,
            "store" => SymbolRole::Store,
            _ => SymbolRole::Interpreted(text),
        }
    }
    pub fn kind(&self) -> SymbolKind {
        match self {
            SymbolRole::Function(_)
            | SymbolRole::Limited(_)
            | SymbolRole::Precondition(_)
            | SymbolRole::Called(_)
            | SymbolRole::DomainFunction { .. }
            | SymbolRole::Trigger(_)
            | SymbolRole::PredicateInstance(_)
            | SymbolRole::Mark(..)
            | SymbolRole::WandApplied
            | SymbolRole::WandNote(..)
            | SymbolRole::BoogieConstant(_)
            | SymbolRole::BoogieFunction { .. }
            | SymbolRole::Revealed(_)
            | SymbolRole::Uninterpreted(_)
            | SymbolRole::Fresh { .. } => SymbolKind::Function,
            SymbolRole::Variable { .. } | SymbolRole::VariableAt { .. } => SymbolKind::Bound,
            SymbolRole::Interpreted(_)
            | SymbolRole::Select
            | SymbolRole::Store
            | SymbolRole::Constructor(_)
            | SymbolRole::Selector { .. }
            | SymbolRole::Tester(_)
            | SymbolRole::Compared => SymbolKind::Interpreted,
        }
    }
    /// Whether the symbol is unique, even among those with the same role elsewhere.
    pub fn is_fresh(&self) -> bool {
        matches!(self, SymbolRole::Fresh { .. } | SymbolRole::Variable { .. })
    }
    /// The name of the variable, field or function of the program that the symbol belongs to, without distinctions
    /// between its versions.
    pub fn base(&self) -> String {
        match self {
            SymbolRole::Fresh { role, .. } => role.to_string(),
            SymbolRole::Variable { base, .. } => base.to_string(),
            SymbolRole::DomainFunction { function, .. } => function.to_string(),
            other => other.to_string(),
        }
    }
}

impl SymbolRole {
    /// Whether the two are indistinguishable if only the program's name is shown.
    pub fn is_shown_like(&self, other: &SymbolRole) -> bool {
        self.base() == other.base()
    }
}

impl fmt::Display for SymbolRole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SymbolRole::Function(function) => write!(f, "fn.{function}"),
            SymbolRole::Limited(function) => write!(f, "fn.{function}%limited"),
            SymbolRole::Precondition(function) => write!(f, "fn.{function}%pre"),
            SymbolRole::Called(function) => write!(f, "fn.{function}%called"),
            SymbolRole::DomainFunction { function, type_args } => write!(f, "dom.{function}{type_args}"),
            SymbolRole::Trigger(predicate) => write!(f, "pred.{predicate}%trigger"),
            SymbolRole::PredicateInstance(predicate) => write!(f, "pred.{predicate}%instance"),
            SymbolRole::Mark(Mark::Paid, function) => write!(f, "fn.{function}%paid"),
            SymbolRole::Mark(mark @ (Mark::Built | Mark::Seen), about) => write!(f, "{about}%{}", mark.name()),
            SymbolRole::WandApplied => f.write_str("wand%applied"),
            SymbolRole::WandNote(note, about) => write!(f, "wand%{}.{about}", note.name()),
            SymbolRole::BoogieConstant(name) => f.write_str(name),
            SymbolRole::BoogieFunction { function, type_args } => write!(f, "{function}{type_args}"),
            SymbolRole::Revealed(function) => write!(f, "visible {function}"),
            SymbolRole::Uninterpreted(name) | SymbolRole::Interpreted(name) => f.write_str(name),
            SymbolRole::Fresh { role, number } => write!(f, "{role}@{number}"),
            SymbolRole::Variable { base, number } => write!(f, "{base}?{number}"),
            SymbolRole::VariableAt { base, place } => write!(f, "{base}#{place}"),
            SymbolRole::Select => f.write_str("select"),
            SymbolRole::Store => f.write_str("store"),
            SymbolRole::Constructor(text) | SymbolRole::Selector { text, .. } => f.write_str(text),
            SymbolRole::Tester(constructor) => write!(f, "(_ is {constructor})"),
            SymbolRole::Compared => f.write_str("Snap%compared"),
        }
    }
}

impl fmt::Display for FreshRole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FreshRole::Named(name) => f.write_str(name),
            FreshRole::Made(made) => f.write_str(made.name()),
        }
    }
}

impl fmt::Display for QuantifierRole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl From<Made> for FreshRole {
    fn from(made: Made) -> Self {
        FreshRole::Made(made)
    }
}

impl From<&Name> for FreshRole {
    fn from(name: &Name) -> Self {
        FreshRole::Named(name.clone())
    }
}
