//! The reason for a dependency edge.

use crate::blame::Facts;
use crate::kind::Construct;
use crate::nodes::{Nodes, UserId};
use echis_proof::{CheckId, ErrorKind, NodeId, Property, Reason, Role};

/// If there are several reasons, the first of these counts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Via {
    /// It makes the demanded fact true.
    Value,
    /// It grants permission, or bounds the amount.
    Permission,
    /// It makes something well-defined: a divisor is nonzero, an index is in range, a function may be applied.
    WellDefinedness,
    /// It defines a name: the body of a function, an axiom.
    Definition,
    /// It is needed only to prove that some path is infeasible.
    Infeasibility,
}

impl Via {
    pub const ALL: [Via; 5] = [Via::Value, Via::Permission, Via::WellDefinedness, Via::Definition, Via::Infeasibility];

    pub fn name(self) -> &'static str {
        match self {
            Via::Value => "value",
            Via::Permission => "permission",
            Via::WellDefinedness => "well-definedness",
            Via::Definition => "definition",
            Via::Infeasibility => "infeasibility",
        }
    }
    /// Whether executions that reach the assertion need it.
    pub fn is_proof(self) -> bool {
        self != Via::Infeasibility
    }
    /// How a fact of a node supports what needs it to be true.
    pub(super) fn of(nodes: &Nodes, user: UserId) -> Via {
        match nodes.all[user].construct {
            Construct::Axiom | Construct::FunctionBody => Via::Definition,
            _ => Via::Value,
        }
    }
    /// The reason as part of a larger demand: a value within it serves that demand.
    pub(super) fn within(self, demand: Via) -> Via {
        if self == Via::Value { demand } else { self }
    }
}

impl Facts<'_> {
    /// How a fact supports what rests on it. A fact without content grants permission.
    pub(super) fn via_of_fact(&self, node: NodeId, user: UserId) -> Via {
        let grants = self.tree.fact(self.source(node)).is_some_and(|fact| self.tree.terms.is_true(fact));
        if grants { Via::Permission } else { Via::of(self.nodes, user) }
    }
    /// The subject of a check.
    pub(super) fn via_of_check(&self, check: CheckId) -> Via {
        match self.tree.checks[check].role {
            Role::Obligation(property) => demanded(property),
            Role::Probe(_) => Via::Value,
        }
    }
}

fn demanded(property: Property) -> Via {
    match (property.error, property.reason) {
        (
            _,
            Reason::InsufficientPermission
            | Reason::NegativePermission
            | Reason::PermissionNotPositive
            | Reason::NotInjective
            | Reason::QuasihavocAllNotInjective
            | Reason::WandNotFound,
        ) => Via::Permission,
        (
            _,
            Reason::DivisionByZero
            | Reason::SeqIndexNegative
            | Reason::SeqIndexLength
            | Reason::MapKeyContains
            | Reason::LabelledStateNotReached,
        ) => Via::WellDefinedness,
        (
            ErrorKind::ApplicationPrecondition
            | ErrorKind::ContractNotWellformed
            | ErrorKind::FunctionNotWellformed
            | ErrorKind::PredicateNotWellformed
            | ErrorKind::WandNotWellformed,
            _,
        ) => Via::WellDefinedness,
        _ => Via::Value,
    }
}
