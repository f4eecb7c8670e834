//! The meaning of the ids of errors and warnings, with advice.

use crate::WarningId;
use echis_proof::{ErrorKind, Reason};

/// The meaning of an id in one sentence, and advice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Description {
    pub short: String,
    pub help: String,
}

/// The description of an id: `kind:reason`, or the id of an error before verification or of a warning.
pub fn describe(id: &str) -> Description {
    let (kind, reason) = id.split_once(':').unwrap_or((id, ""));
    let kind = ErrorKind::ALL.iter().find(|found| found.id() == kind);
    let reason = Reason::ALL.iter().find(|found| found.id() == reason);
    match (kind, reason) {
        (Some(kind), Some(reason)) => {
            let short = format!("{}, because {}.", kind.meaning(), of_reason(*reason));
            Description { short, help: help(*reason).to_string() }
        }
        _ => {
            let (short, help) = other(id);
            Description { short: short.to_string(), help: help.to_string() }
        }
    }
}

fn of_reason(reason: Reason) -> &'static str {
    match reason {
        Reason::AssertionFalse => "an assertion might not hold",
        Reason::InsufficientPermission => "there might be insufficient permission",
        Reason::NegativePermission => "a permission amount might be negative",
        Reason::PermissionNotPositive => "a permission amount might not be positive",
        Reason::DivisionByZero => "a divisor might be zero",
        Reason::SeqIndexNegative => "an index might be negative",
        Reason::SeqIndexLength => "an index might exceed the length of the sequence",
        Reason::MapKeyContains => "a map might not contain the key",
        Reason::NotInjective | Reason::QuasihavocAllNotInjective => {
            "the receivers of a quantified resource might not be different"
        }
        Reason::WandNotFound => "a magic wand might not be held",
        Reason::LabelledStateNotReached => "a labelled state might not have been reached",
        Reason::TupleFalse => "a termination measure might not decrease or might not be bounded",
        Reason::TupleConditionFalse => "the condition of a termination measure might not hold",
        Reason::TerminationConditionFalse => "a required termination condition might not hold",
        Reason::RefutationTrue => "the assertion holds in all cases or is never reached",
        Reason::FeatureUnsupported => "a construct is not supported",
        Reason::UnexpectedNode => "a construct has no meaning there",
        Reason::Internal => "of an internal problem",
    }
}

fn help(reason: Reason) -> &'static str {
    match reason {
        Reason::AssertionFalse => {
            "The assertion does not follow from what is known there. Ask for a state in which it is false with \
             `--counterexample extended`; strengthen the preconditions or invariants that lead there, unfold what hides \
             the values, or correct the code."
        }
        Reason::InsufficientPermission => {
            "Permission is not held there, or not enough of it. Ask for it in a precondition or invariant, unfold the \
             predicate that holds it, or see whether an earlier call, exhale or fold gave it away."
        }
        Reason::NegativePermission | Reason::PermissionNotPositive => {
            "Permission amounts must not be negative, and some must be positive. Require this of the variables in the amount."
        }
        Reason::DivisionByZero => "Require that the divisor is not zero, or test it before.",
        Reason::SeqIndexNegative | Reason::SeqIndexLength => {
            "An index must be at least 0 and less than the length. Require or test it before."
        }
        Reason::MapKeyContains => "Require or test that the key is in the domain of the map before looking it up.",
        Reason::NotInjective | Reason::QuasihavocAllNotInjective => {
            "Different values of the bound variables must denote different locations. Require that the receivers differ."
        }
        Reason::WandNotFound => {
            "A wand is held after it was packaged or inhaled, and until it is applied; the values of its expressions must \
             be the same."
        }
        Reason::LabelledStateNotReached => "Use `old[label]` only where every path has passed the label.",
        Reason::TupleFalse => {
            "Give a measure that gets smaller with each call or iteration and is bounded below, such as the length of what \
             is left."
        }
        Reason::TupleConditionFalse | Reason::TerminationConditionFalse => {
            "The callee must promise termination wherever the caller does: give it a `decreases` clause for these cases."
        }
        Reason::RefutationTrue => {
            "A refute expects that its assertion can be false. Look for contradictory assumptions."
        }
        Reason::FeatureUnsupported | Reason::UnexpectedNode | Reason::Internal => {
            "Write it in another way, and please report the program."
        }
    }
}

fn other(id: &str) -> (&'static str, &'static str) {
    if let Some(warning) = WarningId::parse(id) {
        return (warning.meaning(), warning.advice());
    }
    match id {
        "parser.error" => ("The text is not a valid program.", "Correct the syntax where the error is reported."),
        "parser.warning" => ("The text is valid but suspicious.", "Check that it means what it should."),
        "typechecker.error" => {
            ("A name or a type does not fit.", "Declare what is missing, or use what is declared with its type.")
        }
        "consistency.error" => ("The program is not well-formed.", "See the message for the rule that is violated."),
        "clioption.error" => ("The command line is wrong.", "See `echis --help`."),
        "member.undecided" => (
            "A member was not verified to the end.",
            "Give the run more time (`--timeout`), or help the solver with assertions on the way.",
        ),
        _ => ("A remark about the program.", "See the message."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_id_has_a_description_of_its_own() {
        let unknown = describe("no.such.id");
        let ids = ErrorKind::ALL.iter().map(|kind| format!("{}:assertion.false", kind.id()));
        let ids = ids.chain(Reason::ALL.iter().map(|reason| format!("assert.failed:{}", reason.id())));
        let ids = ids.chain(WarningId::ALL.iter().map(|id| id.name().to_string()));
        for id in ids {
            assert_ne!(describe(&id), unknown, "{id}");
        }
        let found = describe("call.precondition:assertion.false").short;
        assert_eq!(found, "The precondition of a called method might not hold, because an assertion might not hold.");
    }
}
