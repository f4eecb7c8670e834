//! Names of facts and goals: the values of `{:id "…"}`, with the role of the element.

use echis_base::Name;
use echis_boogie::ast::Attribute;
use echis_boogie::attributes::{Known, text_attribute};

/// What became of an element of the program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Use {
    /// An assumption, or a precondition of the procedure that is verified.
    Assumption,
    Assertion,
    /// An assignment.
    Code,
    /// A postcondition of the procedure that is verified.
    Postcondition,
    Axiom,
    /// A precondition, proved at a call.
    Required,
    /// A precondition, known after it was proved at a call.
    RequiredAssumed,
    /// A postcondition, known after a call.
    Ensured,
    /// A loop invariant on entry.
    Established,
    /// A loop invariant after an iteration.
    Maintained,
    /// A loop invariant at the beginning of an iteration, and behind the loop.
    Assumed,
}

impl Use {
    /// What tells the uses of one element apart.
    pub fn suffix(self) -> Option<&'static str> {
        match self {
            Use::Assumption | Use::Assertion | Use::Code | Use::Postcondition | Use::Axiom => None,
            Use::Required => Some("requires"),
            Use::RequiredAssumed => Some("requires_assumed"),
            Use::Ensured => Some("ensures"),
            Use::Established => Some("established"),
            Use::Maintained => Some("maintained"),
            Use::Assumed => Some("assume_in_body"),
        }
    }
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Label {
    pub name: Name,
    pub becomes: Use,
}

/// The label of an element, if it has an id; what happens at a call needs the id of the call, too.
pub fn label(attributes: &[Attribute], at_call: Option<&[Attribute]>, becomes: Use) -> Option<Label> {
    let id = text_attribute(attributes, Known::Id)?;
    let suffix = becomes.suffix();
    let name = match (suffix, at_call) {
        (None, _) => id.clone(),
        (Some(suffix), None) => format!("{id}${suffix}").into(),
        (Some(suffix), Some(call)) => format!("{id}${}${suffix}", text_attribute(call, Known::Id)?).into(),
    };
    Some(Label { name, becomes })
}
