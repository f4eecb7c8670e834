//! The roles of a program node as an assumption and as an assertion.

/// Why an assumption is accepted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Assumption {
    /// Without justification: preconditions, `assume`, `inhale`, postconditions of abstract members, and failed
    /// obligations that were assumed.
    Explicit,
    /// Justified by checks, or because it is executable code.
    Implicit,
    PathCondition,
    Invariant,
    /// `fold`, `unfold`, `package`, `apply`.
    Rewrite,
    Axiom,
    /// Not written by a user: transmits dependencies and is not shown.
    Internal,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Assertion {
    /// Postconditions, `assert`, `exhale`.
    Explicit,
    /// Well-definedness of a statement or expression.
    Implicit,
}

impl Assumption {
    pub fn name(self) -> &'static str {
        match self {
            Assumption::Explicit => "explicit",
            Assumption::Implicit => "implicit",
            Assumption::PathCondition => "path_condition",
            Assumption::Invariant => "invariant",
            Assumption::Rewrite => "rewrite",
            Assumption::Axiom => "axiom",
            Assumption::Internal => "internal",
        }
    }
    /// Parses the name used in annotations, in any spelling: `PathCondition`, `path_condition`, `LoopInvariant`.
    pub fn parse(text: &str) -> Option<Self> {
        let plain: String = text.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect();
        Some(match plain.as_str() {
            "explicit" | "precondition" | "explicitpostcondition" => Assumption::Explicit,
            "implicit" | "sourcecode" | "methodcall" | "functionbody" | "implicitpostcondition" => Assumption::Implicit,
            "pathcondition" => Assumption::PathCondition,
            "invariant" | "loopinvariant" => Assumption::Invariant,
            "rewrite" => Assumption::Rewrite,
            "axiom" | "domainaxiom" => Assumption::Axiom,
            "internal" => Assumption::Internal,
            _ => return None,
        })
    }
    /// Whether a node of this kind matches an annotation with the other kind: the finer implicit kinds are implicit.
    pub fn is_a(self, wanted: Assumption) -> bool {
        let implicit =
            matches!(self, Assumption::PathCondition | Assumption::Invariant | Assumption::Rewrite | Assumption::Axiom);
        self == wanted || wanted == Assumption::Implicit && implicit
    }
}

impl Assertion {
    pub fn name(self) -> &'static str {
        match self {
            Assertion::Explicit => "explicit",
            Assertion::Implicit => "implicit",
        }
    }
    pub fn parse(text: &str) -> Option<Self> {
        match text.to_ascii_lowercase().as_str() {
            "explicit" => Some(Assertion::Explicit),
            "implicit" => Some(Assertion::Implicit),
            _ => None,
        }
    }
}

/// The construct of a node.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Construct {
    Precondition,
    Postcondition,
    Invariant,
    Condition,
    Assignment,
    Call,
    /// `inhale` and `assume`.
    Inhale,
    /// `exhale` and `assert`.
    Assert,
    Rewrite,
    Havoc,
    Axiom,
    FunctionBody,
}

impl Construct {
    const ALL: [(Construct, &str); 12] = [
        (Construct::Precondition, "precondition"),
        (Construct::Postcondition, "postcondition"),
        (Construct::Invariant, "invariant"),
        (Construct::Condition, "condition"),
        (Construct::Assignment, "assignment"),
        (Construct::Call, "call"),
        (Construct::Inhale, "inhale"),
        (Construct::Assert, "assert"),
        (Construct::Rewrite, "rewrite"),
        (Construct::Havoc, "havoc"),
        (Construct::Axiom, "axiom"),
        (Construct::FunctionBody, "function_body"),
    ];
    pub fn name(self) -> &'static str {
        Construct::ALL.iter().find(|(construct, _)| *construct == self).map_or("", |(_, name)| name)
    }
    pub fn parse(text: &str) -> Option<Self> {
        Construct::ALL.iter().find(|(_, name)| *name == text).map(|(construct, _)| *construct)
    }
}
