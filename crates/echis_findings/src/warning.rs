//! The coverage warnings, one row each.

macro_rules! warnings {
    ($($(#[$what:meta])* $name:ident: $id:literal, $silencer:expr, $meaning:literal, $advice:literal;)+) => {
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum WarningId {
            $($(#[$what])* $name,)+
        }

        impl WarningId {
            pub const ALL: &[WarningId] = &[$(WarningId::$name,)+];
            /// The id that is shown to users and scripts.
            pub fn name(self) -> &'static str {
                match self { $(WarningId::$name => $id,)+ }
            }
            /// The annotation that marks the cause as intended, if there is one.
            pub fn silencer(self) -> Option<&'static str> {
                match self { $(WarningId::$name => $silencer,)+ }
            }
            /// The meaning, in one sentence.
            pub fn meaning(self) -> &'static str {
                match self { $(WarningId::$name => $meaning,)+ }
            }
            /// Advice for the user.
            pub fn advice(self) -> &'static str {
                match self { $(WarningId::$name => $advice,)+ }
            }
        }
    };
}

/// The annotations that silence warnings.
pub const CONTRADICTION: &str = "contradiction";
pub const UNUSED: &str = "unused";

warnings! {
    ProvedVacuously: "proved.vacuously", Some(CONTRADICTION),
        "Something is proved from contradictory assumptions.",
        "The assumptions named contradict each other, so no execution gets there. Correct one of them; if it is intended, \
         write @contradiction() before it.";
    BranchUnreachable: "branch.unreachable", Some(CONTRADICTION),
        "A branch is never reached.",
        "Its condition contradicts what is known there. Remove it or correct the condition; if it is intended, write \
         @contradiction() before it.";
    AssumptionUnused: "assumption.unused", Some(UNUSED),
        "No proof needs an assumption.",
        "Remove it, or specify what it is there for; if it is intended, write @unused() before it.";
    /// Some proof uses an assumption that another one does without.
    AssumptionRedundant: "assumption.redundant", Some(UNUSED),
        "A proof uses an assumption that another proof does without.",
        "Remove it if it adds nothing to the others; if it is intended, write @unused() before it.";
    AssertionRedundant: "assertion.redundant", Some(UNUSED),
        "Other proofs do without an assertion.",
        "Remove it, unless it is a goal of its own; if it is intended, write @unused() before it.";
    CodeUnconstrained: "code.unconstrained", Some(UNUSED),
        "Nothing specifies the effect of a statement.",
        "Specify its effect in a postcondition or assertion; if it is intended, write @unused() before it.";
    PartUnused: "part.unused", Some(UNUSED),
        "The proof of an assertion does without a part of it.",
        "Remove the part; if it is intended, write @unused() before it.";
    SilencerUnused: "silencer.unused", None,
        "An annotation silences no warning.",
        "Remove it.";
}

impl WarningId {
    pub fn parse(text: &str) -> Option<Self> {
        WarningId::ALL.iter().copied().find(|id| id.name() == text)
    }
}
