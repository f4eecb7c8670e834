//! The stored form of a member's verdict. Nodes are stored as positions among the nodes that the member can see.

use crate::cache::answers::Answers;
use echis_base::{Key, SyntaxId};
use echis_proof::{ErrorKind, Failure, GaveUp, Guard, NodeId, Property, Reason};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Entry {
    pub checks: usize,
    failures: Vec<Failed>,
    /// Only for functions, whose definitions other members may need.
    pub answers: Option<Answers>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Failed {
    error: String,
    at: u32,
    reason: String,
    offending: u32,
    /// Condition, site, negated.
    paths: Vec<Vec<(u32, Option<u32>, bool)>>,
    cascade: bool,
    /// Whether the obligation is undecided because the solver reached its bound.
    undecided: Option<bool>,
    note: Option<String>,
}

impl Entry {
    /// `None` if the failures cannot be stored: they mention something the member cannot see, or a solver broke.
    pub fn new(checks: usize, failures: &[Failure], answers: Option<Answers>, nodes: &[SyntaxId]) -> Option<Self> {
        let mut positions: HashMap<SyntaxId, u32> = HashMap::new();
        if !failures.is_empty() {
            for (position, node) in nodes.iter().enumerate() {
                positions.entry(*node).or_insert(u32::try_from(position).ok()?);
            }
        }
        let position = |node: SyntaxId| positions.get(&node).copied();
        let failed = |failure: &Failure| {
            let guard = |guard: &Guard| {
                let site = match guard.site {
                    Some(site) => Some(position(site)?),
                    None => None,
                };
                Some((position(guard.condition)?, site, guard.negated))
            };
            let path = |path: &Vec<Guard>| path.iter().map(guard).collect::<Option<Vec<_>>>();
            let undecided = match &failure.undecided {
                None => None,
                Some(GaveUp::Resources) => Some(true),
                Some(GaveUp::Incomplete) => Some(false),
                Some(GaveUp::Solver(_)) => return None,
            };
            Some(Failed {
                error: failure.property.error.id().to_string(),
                at: position(failure.property.at)?,
                reason: failure.property.reason.id().to_string(),
                offending: position(failure.property.offending)?,
                paths: failure.paths.iter().map(path).collect::<Option<Vec<_>>>()?,
                cascade: failure.cascade,
                undecided,
                note: failure.note.clone(),
            })
        };
        let failures = failures.iter().map(failed).collect::<Option<Vec<_>>>()?;
        Some(Entry { checks, failures, answers })
    }

    pub fn is_verified(&self) -> bool {
        self.failures.is_empty()
    }

    /// The failures in the current program. `None` if the entry does not match it.
    pub fn failures(&self, nodes: &[SyntaxId]) -> Option<Vec<Failure>> {
        let node = |position: u32| nodes.get(position as usize).copied();
        let failure = |failed: &Failed| {
            let guard = |(condition, site, negated): &(u32, Option<u32>, bool)| {
                let site = match site {
                    Some(site) => Some(node(*site)?),
                    None => None,
                };
                Some(Guard { condition: node(*condition)?, site, negated: *negated })
            };
            let path = |path: &Vec<_>| path.iter().map(guard).collect::<Option<Vec<_>>>();
            let property = Property {
                error: ErrorKind::ALL.iter().copied().find(|error| error.id() == failed.error)?,
                at: node(failed.at)?,
                reason: Reason::ALL.iter().copied().find(|reason| reason.id() == failed.reason)?,
                offending: node(failed.offending)?,
            };
            Some(Failure {
                paths: failed.paths.iter().map(path).collect::<Option<Vec<_>>>()?,
                cascade: failed.cascade,
                undecided: failed.undecided.map(|bound| if bound { GaveUp::Resources } else { GaveUp::Incomplete }),
                note: failed.note.clone(),
                ..Failure::new(property, NodeId::new(0))
            })
        };
        self.failures.iter().map(failure).collect()
    }
}
