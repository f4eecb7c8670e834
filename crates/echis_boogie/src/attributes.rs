//! The attributes that mean something in Boogie, and their values. All others are for other tools.

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
    /// Quantifiers over terms of a pool are instantiated with its terms.
    AddToPool = "add_to_pool",
    /// Precondition or postcondition that is assumed where it is checked too.
    AlwaysAssume = "always_assume",
    /// Variable that only ever becomes false.
    Assumption = "assumption",
    /// Type or function that the solver has.
    Builtin = "builtin",
    BvBuiltin = "bvbuiltin",
    /// Function that is a definition for the solver.
    Define = "define",
    /// Declaration that gives way to another one of the same name.
    Extern = "extern",
    /// The name of an element, for explanations.
    Id = "id",
    /// Function that is replaced by its body; how deep calls of a procedure are.
    Inline = "inline",
    /// Of a procedure of a concurrent program.
    Layer = "layer",
    /// What an error says in place of Boogie's words.
    Message = "msg",
    /// What a procedure says if it verifies.
    MessageIfVerified = "msg_if_verifies",
    /// Function that is not used in triggers that are found automatically.
    NeverPattern = "never_pattern",
    Pool = "pool",
    /// The name of a quantifier, for profiles of the solver.
    QuantifierId = "qid",
    ResourceLimit = "rlimit",
    /// Procedure that is checked only behind [`Known::StartCheckingHere`].
    SelectiveChecking = "selective_checking",
    SolverOption = "smt_option",
    StartCheckingHere = "start_checking_here",
    /// Whether an assertion is known once it was checked.
    Subsumption = "subsumption",
    TimeLimit = "timeLimit",
    /// The condition under which another tool has proved an assertion.
    VerifiedUnder = "verified_under",
    /// Whether a procedure is verified.
    Verify = "verify",
    /// Of a quantifier: how late it is instantiated.
    Weight = "weight",
}

impl Known {
    /// What it means that the attribute is not followed, if it is not.
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
    /// What the attribute means, if it means anything.
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

/// The value of the attribute, where it is a text.
pub fn text_attribute(attributes: &[Attribute], known: Known) -> Option<&Name> {
    attributes.iter().filter(|found| found.is(known)).find_map(|found| match &found.args[..] {
        [Argument::Text(text)] => Some(text),
        _ => None,
    })
}

impl File {
    /// Whether a switch such as `{:inline}` is on: there, and not `false`.
    pub fn is_on(&self, attributes: &[Attribute], known: Known) -> bool {
        attribute(attributes, known).is_some_and(|found| match &found.args[..] {
            [] => true,
            [Argument::Expr(value)] => !matches!(self.exprs[*value].kind, ExprKind::Bool(false)),
            _ => false,
        })
    }
    /// The number that an attribute gives.
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
