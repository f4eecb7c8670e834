//! The attributes supported by Boogie, and their values. All others are for other tools.

use crate::ast::{Argument, Attribute, ExprKind, File};
use dashu::Integer;
use echis_base::Name;

macro_rules! known {
    ($($(#[$doc:meta])* $known:ident = $name:literal,)*) => {
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
        pub enum Known {
            $($(#[$doc])* $known,)*
        }
        impl Known {
            pub const ALL: &[Known] = &[$(Known::$known),*];
            pub fn name(self) -> &'static str {
                match self {
                    $(Known::$known => $name,)*
                }
            }
        }
    };
}

known! {
    /// Quantifiers over terms of a pool are instantiated with terms of the pool.
    AddToPool = "add_to_pool",
    /// A precondition or postcondition that is also assumed where it is checked.
    AlwaysAssume = "always_assume",
    /// A variable that only changes to false.
    Assumption = "assumption",
    /// A built-in type or function of the solver.
    Builtin = "builtin",
    BvBuiltin = "bvbuiltin",
    /// A function that is a definition for the solver.
    Define = "define",
    /// A declaration that is overridden by another one with the same name.
    Extern = "extern",
    /// The name of an element, for explanations.
    Id = "id",
    /// A function that is replaced by its body; for a procedure, the inlining depth.
    Inline = "inline",
    /// The layer of a procedure in a concurrent program.
    Layer = "layer",
    /// A custom error message.
    Message = "msg",
    /// A message for a procedure that verifies.
    MessageIfVerified = "msg_if_verifies",
    /// A function that is not used in inferred triggers.
    NeverPattern = "never_pattern",
    Pool = "pool",
    /// The name of a quantifier, for profiles of the solver.
    QuantifierId = "qid",
    ResourceLimit = "rlimit",
    /// A procedure that is checked only after [`Known::StartCheckingHere`].
    SelectiveChecking = "selective_checking",
    SolverOption = "smt_option",
    StartCheckingHere = "start_checking_here",
    /// Whether an assertion is assumed after it was checked.
    Subsumption = "subsumption",
    TimeLimit = "timeLimit",
    /// The condition under which another tool has proved an assertion.
    VerifiedUnder = "verified_under",
    /// Whether a procedure is verified.
    Verify = "verify",
    /// The delay of a quantifier's instantiation.
    Weight = "weight",
}

impl Known {
    /// The consequence of ignoring the attribute, if it is ignored.
    pub fn ignored(self) -> Option<&'static str> {
        match self {
            Known::AddToPool | Known::Pool => Some("quantifiers are instantiated by triggers only"),
            Known::SolverOption => Some("the solver keeps its options"),
            _ => None,
        }
    }
}

impl Attribute {
    pub fn is(&self, known: Known) -> bool {
        &*self.name == known.name()
    }
    /// The known attribute, if it is one.
    pub fn known(&self) -> Option<Known> {
        Known::ALL.iter().copied().find(|known| self.is(*known))
    }
}

pub fn attribute(attributes: &[Attribute], known: Known) -> Option<&Attribute> {
    attributes.iter().find(|found| found.is(known))
}

pub fn has_attribute(attributes: &[Attribute], known: Known) -> bool {
    attribute(attributes, known).is_some()
}

/// The value of the attribute, if it is a string.
pub fn text_attribute(attributes: &[Attribute], known: Known) -> Option<&Name> {
    attributes.iter().filter(|found| found.is(known)).find_map(|found| match &found.args[..] {
        [Argument::Text(text)] => Some(text),
        _ => None,
    })
}

impl File {
    /// Whether a switch such as `{:inline}` is on: present, and not `false`.
    pub fn is_on(&self, attributes: &[Attribute], known: Known) -> bool {
        attribute(attributes, known).is_some_and(|found| match &found.args[..] {
            [] => true,
            [Argument::Expr(value)] => !matches!(self.exprs[*value].kind, ExprKind::Bool(false)),
            _ => false,
        })
    }
    /// The numeric value of an attribute.
    pub fn number_attribute(&self, attributes: &[Attribute], known: Known) -> Option<&Integer> {
        attributes.iter().filter(|found| found.is(known)).find_map(|found| match &found.args[..] {
            [Argument::Expr(value)] => match &self.exprs[*value].kind {
                ExprKind::Int(value) => Some(value),
                _ => None,
            },
            _ => None,
        })
    }
}
