//! The wording of errors: one sentence for each error kind and one for each reason.

use super::quote::{Arguments, assigned_field};
use super::source::source_text;
use super::{Place, callee};
use echis_base::SyntaxId;
use echis_proof::{ErrorKind, Property, Reason};

/// The message for what the member, statement or clause failed to do.
pub(super) fn error(place: Place<'_>, property: &Property) -> String {
    let at = property.at;
    let named = match property.error {
        ErrorKind::CallPrecondition => {
            callee::method(place.program, at).map(|name| format!("The precondition of method {name} might not hold."))
        }
        ErrorKind::ApplicationPrecondition => callee::function(place.program, at)
            .map(|name| format!("The precondition of function {name} might not hold.")),
        ErrorKind::Termination => callee::function(place.program, at)
            .map(|name| format!("Function {name}"))
            .or_else(|| callee::method(place.program, at).map(|name| format!("Method {name}")))
            .map(|callee| format!("{callee} might not terminate here.")),
        _ => None,
    };
    named.unwrap_or_else(|| {
        let sentence = property.error.sentence().replace("{member}", place.member);
        match property.error {
            ErrorKind::Fold => sentence.replace("{at}", operand(&place.text(at), "fold")),
            ErrorKind::Unfold => sentence.replace("{at}", operand(&place.text(at), "unfold")),
            _ if sentence.contains("{at}") => sentence.replace("{at}", &place.text(at)),
            _ => sentence,
        }
    })
}

/// The text of a statement after its keyword.
fn operand<'a>(statement: &'a str, keyword: &str) -> &'a str {
    statement.strip_prefix(keyword).map_or(statement, str::trim)
}

/// The message for the reason: what could not be proved.
pub(super) fn reason(place: Place<'_>, property: &Property) -> String {
    let text = offending(place, property);
    match property.reason {
        Reason::AssertionFalse => format!("Assertion {text} might not hold."),
        Reason::InsufficientPermission => format!("There might be insufficient permission to access {text}."),
        Reason::NegativePermission => format!("Fraction {text} might be negative."),
        Reason::PermissionNotPositive => format!("Fraction {text} might not be positive."),
        Reason::DivisionByZero => format!("Divisor {text} might be zero."),
        Reason::SeqIndexNegative => format!("Index {text} might be negative."),
        Reason::SeqIndexLength => format!("Index {text} might exceed the length of the sequence."),
        Reason::MapKeyContains => format!("The map might not contain the key {text}."),
        Reason::NotInjective => format!("Quantified resource {text} might not be injective."),
        Reason::QuasihavocAllNotInjective => format!("The resource of {text} might not be injective."),
        Reason::WandNotFound => format!("Magic wand {text} might not be held."),
        Reason::LabelledStateNotReached => format!("The labelled state that {text} needs might not be reached."),
        Reason::TupleFalse if text.is_empty() => "An empty termination measure cannot decrease.".into(),
        Reason::TupleFalse => format!("Termination measure {text} might not decrease or might not be bounded."),
        Reason::TupleConditionFalse if is_member(place, property.offending) => {
            "The callee has no termination measure that could decrease.".into()
        }
        Reason::TupleConditionFalse => format!("The condition of the termination measure {text} might not hold."),
        Reason::TerminationConditionFalse => "The required termination condition might not hold.".into(),
        Reason::RefutationTrue => format!("Assertion {text} definitely holds."),
        Reason::FeatureUnsupported => format!("{text} is not supported yet."),
        Reason::UnexpectedNode => format!("{text} has no meaning here."),
        Reason::Internal => format!("An internal error occurred at {text}."),
    }
}

/// The text that the reason is about, in terms of the member being verified.
fn offending(place: Place<'_>, property: &Property) -> String {
    if let Some(field) = assigned_field(place, property.offending) {
        return source_text(place.sources, field);
    }
    let syntax = &place.program.syntax;
    let elsewhere = !syntax.span(property.at).contains(syntax.span(property.offending));
    match Arguments::at(place, property.at).filter(|_| elsewhere) {
        Some(arguments) => arguments.put_into(place, property.offending) + &place.macro_use(property.offending),
        None => place.text(property.offending),
    }
}

/// The text that the reason is about, in terms of the member alone: a part of a macro is named by the use of the
/// macro.
pub(super) fn subject(place: Place<'_>, property: &Property) -> String {
    let usage = match assigned_field(place, property.offending) {
        Some(_) => None,
        None => place.usage(property.offending),
    };
    usage.unwrap_or_else(|| offending(place, property))
}

/// A short label for the reason, shown at its node.
pub(super) fn label(reason: Reason) -> &'static str {
    match reason {
        Reason::AssertionFalse => "might not hold",
        Reason::InsufficientPermission => "permission might be missing",
        Reason::NegativePermission | Reason::SeqIndexNegative => "might be negative",
        Reason::PermissionNotPositive => "might not be positive",
        Reason::DivisionByZero => "might be zero",
        Reason::SeqIndexLength => "might be too large",
        Reason::MapKeyContains => "might not be a key",
        Reason::NotInjective | Reason::QuasihavocAllNotInjective => "might not be injective",
        Reason::WandNotFound => "might not be held",
        Reason::LabelledStateNotReached => "might come too early",
        Reason::TupleFalse => "might not decrease",
        Reason::TupleConditionFalse | Reason::TerminationConditionFalse => "might not be enough",
        Reason::RefutationTrue => "definitely holds",
        Reason::FeatureUnsupported => "not supported",
        Reason::UnexpectedNode | Reason::Internal => "could not be verified",
    }
}

/// Whether the node is a whole function or method.
fn is_member(place: Place<'_>, id: SyntaxId) -> bool {
    place.program.functions.values().any(|function| function.id == id)
        || place.program.methods.values().any(|method| method.id == id)
}
