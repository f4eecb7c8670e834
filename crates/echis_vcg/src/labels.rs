//! Names of facts and goals: the values of `{:id "…"}`, with the role of the element.

use echis_base::Name;
use echis_boogie::ast::Attribute;
use echis_boogie::attributes::{Known, text_attribute};

/// The use of an element of the program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Use {
    /// An assumption, or a precondition of the verified procedure.
    Assumption,
    Assertion,
    /// An assignment.
    Code,
    /// A postcondition of the verified procedure.
    Postcondition,
    Axiom,
    /// A precondition, proved at a call.
    Required,
    /// A precondition, assumed after it was proved at a call.
    RequiredAssumed,
    /// A postcondition, assumed after a call.
    Ensured,
    /// A loop invariant on entry.
    Established,
    /// A loop invariant after an iteration.
    Maintained,
    /// A loop invariant at the start of an iteration, and after the loop.
    Assumed,
}

impl Use {
    /// Distinguishes the uses of one element.
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

/// The label of an element, if it has an id; uses at a call also need the id of the call.
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
