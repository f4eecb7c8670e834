//! Answers about built programs, in terms of the builder's origins instead of positions in a text.

use crate::ask::coverage::Confirmation;
use crate::ask::dependencies::Dependencies;
use crate::ask::explained::Explained;
use crate::language::pruned_program::Repair;
use crate::verification::Verification;
use echis_base::{FileId, Span};
use echis_build::Origins;
use echis_cover::{Portion, WarningId};
use echis_depend::{DependencyOptions, Queries, UserId};
use echis_findings::counterexample::Counterexample;
use echis_findings::{Condition, FileResult, FileVerdict, Finding};
use std::collections::BTreeSet;
use std::hash::Hash;
use std::sync::Arc;

/// A verified program whose nodes are identified by origins.
///
/// A node without its own origin is identified by that of its only part that has one, or else by that of the smallest
/// enclosing node. Answers contain each origin once, in program order.
pub struct ByOrigin<'v, O> {
    verification: &'v Verification,
    origins: &'v Origins<O>,
}

/// An error in the program or in its proof.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Failure<O> {
    /// The kind and reason of the error: `assert.failed:assertion.false`, or `typechecker.error`.
    pub id: String,
    /// The message for users.
    pub message: String,
    /// The part of the message that gives the reason, for verification errors.
    pub reason: Option<String>,
    /// The member that fails.
    pub member: Option<String>,
    /// The node at which the error is reported.
    pub origin: Option<O>,
    /// The statement, expression or clause that fails.
    pub offending: Option<O>,
    /// The part of it that causes the failure.
    pub reason_origin: Option<O>,
    /// The branches of each path on which it fails; empty if it fails unconditionally.
    pub paths: Vec<Vec<Branch<O>>>,
    /// Why the solver could not decide it, if it could not.
    pub undecided: Option<String>,
    /// Whether it was found under the assumption that an earlier failed obligation holds.
    pub is_consequence: bool,
    /// Its index among the failures of the verification.
    index: usize,
}

/// A condition and its value on a path.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Branch<O> {
    /// The condition.
    pub origin: Option<O>,
    /// Its value on the path.
    pub taken: bool,
}

/// The errors of an invalid program, about whose proofs nothing can be asked.
pub type Invalid<O> = Vec<Failure<O>>;

impl Verification {
    /// Returns a view of the results in terms of the origins of the verified program.
    pub fn by_origin<'v, O: Clone + Eq + Hash>(&'v self, origins: &'v Origins<O>) -> ByOrigin<'v, O> {
        ByOrigin { verification: self, origins }
    }
}

impl<'v, O: Clone + Eq + Hash> ByOrigin<'v, O> {
    /// All errors, in program order.
    pub fn failures(&self) -> Vec<Failure<O>> {
        self.named(self.verification.failures())
    }
    /// Returns values for which a failure occurs, or the reason why there are none.
    pub fn counterexample(&self, failure: &Failure<O>) -> Result<Box<Counterexample>, String> {
        match self.verification.failures().get(failure.index) {
            Some(finding) => self.verification.counterexample(finding),
            None => Err("this is not a failure of the program".to_string()),
        }
    }
    /// Computes the dependencies of the proofs.
    pub fn dependencies(
        &self,
        options: impl Into<DependencyOptions>,
    ) -> Result<DependenciesByOrigin<'v, O>, Invalid<O>> {
        match self.verification.dependencies(options) {
            Ok(found) => Ok(DependenciesByOrigin::new(found, self.origins, self.verification)),
            Err(result) => Err(self.named(&result.errors)),
        }
    }
    /// Computes what no proof needs. Members that do not verify have no warnings.
    pub fn coverage(&self, confirmation: Confirmation) -> Result<CoverageByOrigin<O>, Invalid<O>> {
        let covered = match self.verification.coverage(confirmation) {
            Ok(covered) => covered,
            Err(result) => return Err(self.named(&result.errors)),
        };
        let nodes = &covered.found.nodes.all;
        let place = |user: &UserId| nodes[*user].span;
        let warnings = covered.coverage.warnings.iter().map(|warning| {
            let span = warning.node.as_ref().map(place).or(warning.diagnostic.span);
            OriginWarning {
                id: warning.id,
                message: warning.diagnostic.message.clone(),
                member: warning.member.to_string(),
                origin: span.and_then(|span| self.origin(span)),
                is_partial: warning.portion == Portion::Part,
                related: once(warning.diagnostic.related.iter().filter_map(|related| self.origin(related.span))),
            }
        });
        let warnings = warnings.collect();
        let uncovered = covered.coverage.members.iter().flat_map(|member| &member.uncovered);
        let elements = Queries { view: &covered.found.view, graph: &covered.found.graph }.elements();
        let needed = elements.iter().filter(|(_, covered)| *covered).map(|(user, _)| user);
        Ok(CoverageByOrigin {
            warnings,
            covered: once(needed.filter_map(|user| self.origin(place(user)))),
            uncovered: once(uncovered.filter_map(|user| self.origin(place(user)))),
            percent: covered.coverage.percent(),
        })
    }

    fn named(&self, findings: &[Finding]) -> Vec<Failure<O>> {
        findings.iter().enumerate().map(|(index, finding)| self.failure(index, finding)).collect()
    }
    fn failure(&self, index: usize, finding: &Finding) -> Failure<O> {
        let Finding { diagnostic, member, reason, nodes, paths, cascade, undecided, .. } = finding;
        let branch = |condition: &Condition| Branch { origin: self.origin(condition.span), taken: !condition.negated };
        Failure {
            id: diagnostic.id.clone(),
            message: diagnostic.message.clone(),
            reason: reason.clone(),
            member: member.as_ref().map(ToString::to_string),
            origin: diagnostic.span.and_then(|span| self.origin(span)),
            offending: nodes.as_ref().and_then(|nodes| self.origin(nodes.offending.span)),
            reason_origin: nodes.as_ref().and_then(|nodes| self.origin(nodes.reason.span)),
            paths: paths.iter().map(|path| path.iter().map(branch).collect()).collect(),
            undecided: undecided.clone(),
            is_consequence: *cascade,
            index,
        }
    }
    fn origin(&self, span: Span) -> Option<O> {
        origin(self.origins, main(self.verification), span)
    }
}

/// The dependencies of a program's assertions.
pub struct DependenciesByOrigin<'v, O> {
    found: Arc<Dependencies>,
    origins: &'v Origins<O>,
    verification: &'v Verification,
}

impl<'v, O: Clone + Eq + Hash> DependenciesByOrigin<'v, O> {
    fn new(found: Arc<Dependencies>, origins: &'v Origins<O>, verification: &'v Verification) -> Self {
        DependenciesByOrigin { found, origins, verification }
    }
    /// All transitive dependencies of a node and the nodes inside it.
    pub fn of(&self, origin: &O) -> Vec<O> {
        self.needed(origin, |found| found.all)
    }
    /// Their direct dependencies.
    pub fn direct(&self, origin: &O) -> Vec<O> {
        self.needed(origin, |found| found.direct)
    }
    /// Their dependencies that are assumed without proof.
    pub fn trusted(&self, origin: &O) -> Vec<O> {
        self.needed(origin, |found| found.explicit)
    }
    /// The assertions that are no longer proved if a node, or those inside it, turns out to be false.
    pub fn impact(&self, origin: &O) -> Vec<O> {
        let fallen = self.queries().impact(&self.users(origin));
        let fallen = fallen.into_iter().flat_map(|member| member.explicit.into_iter().chain(member.implicit));
        self.named(fallen.collect())
    }
    /// The shortest chain of dependencies from one node to another, including both, if there is one.
    pub fn why(&self, of: &O, on: &O) -> Option<Vec<O>> {
        let chain = self.queries().why(&self.users(of), &self.users(on))?;
        Some(once(chain.steps.into_iter().filter_map(|(user, _)| self.name(user))))
    }
    /// The verified part of the program that some nodes need.
    pub fn prune(&self, keep: &[O]) -> PrunedByOrigin<O> {
        let users: BTreeSet<UserId> = keep.iter().flat_map(|origin| self.users(origin)).collect();
        let pruned = self.verification.prune(&Explained::Viper(self.found.clone()), &users, Repair::Add);
        PrunedByOrigin {
            kept: self.named(pruned.kept.iter().copied().collect()),
            is_verified: pruned.verdict == FileVerdict::Verified,
            text: pruned.text,
        }
    }
    /// The verification result that the dependencies belong to.
    pub fn result(&self) -> &FileResult {
        &self.found.result
    }

    fn queries(&self) -> Queries<'_> {
        Queries { view: &self.found.view, graph: &self.found.graph }
    }
    fn needed(&self, origin: &O, part: impl Fn(echis_depend::ViewDependencies) -> Vec<UserId>) -> Vec<O> {
        let users = self.users(origin);
        let Some(first) = users.first() else { return Vec::new() };
        self.named(part(self.queries().together(*first, &users, &BTreeSet::new())))
    }
    fn named(&self, mut users: Vec<UserId>) -> Vec<O> {
        users.sort_unstable();
        once(users.into_iter().filter_map(|user| self.name(user)))
    }
    fn name(&self, user: UserId) -> Option<O> {
        origin(self.origins, main(self.verification), self.found.nodes.all[user].span)
    }
    /// The nodes inside those with this origin, or the smallest enclosing ones.
    fn users(&self, wanted: &O) -> Vec<UserId> {
        let main = main(self.verification);
        let ranges = self.origins.ranges().filter(|(_, origin)| *origin == wanted).map(|(range, _)| range);
        let mut users = Vec::new();
        for (start, end) in ranges {
            let own = || self.found.nodes.all.iter().filter(|(_, node)| Some(node.span.file) == main);
            let inside = own().filter(|(_, node)| start <= node.span.start && node.span.end <= end);
            let before = users.len();
            users.extend(inside.map(|(id, _)| id));
            if users.len() == before {
                let around = own().filter(|(_, node)| node.span.start <= start && end <= node.span.end);
                users.extend(around.min_by_key(|(_, node)| node.span.end - node.span.start).map(|(id, _)| id));
            }
        }
        users.sort_unstable();
        users.dedup();
        users
    }
}

/// The coverage of a program: the elements that proofs do and do not need.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct CoverageByOrigin<O> {
    /// Warnings, each confirmed by verifying the program without the element it is about.
    pub warnings: Vec<OriginWarning<O>>,
    /// Elements that some proof needs, and proved goals.
    pub covered: Vec<O>,
    /// All other elements.
    pub uncovered: Vec<O>,
    /// The percentage of the program that is covered.
    pub percent: f64,
}

/// A warning about an unneeded element.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct OriginWarning<O> {
    /// The kind of warning.
    pub id: WarningId,
    /// The message for users.
    pub message: String,
    /// The member that it is about.
    pub member: String,
    /// The node that it is about.
    pub origin: Option<O>,
    /// Whether it is about a part of the node.
    pub is_partial: bool,
    /// Other nodes mentioned in the message.
    pub related: Vec<O>,
}

/// The part of a program that some of its nodes need.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PrunedByOrigin<O> {
    /// The remaining nodes.
    pub kept: Vec<O>,
    /// Whether it verifies.
    pub is_verified: bool,
    /// The part as Viper text.
    pub text: String,
}

fn main(verification: &Verification) -> Option<FileId> {
    verification.checked().sources().files().next().map(|(id, _)| id)
}

/// The origin of a range. Imported files have none.
fn origin<O: Clone>(origins: &Origins<O>, main: Option<FileId>, span: Span) -> Option<O> {
    (Some(span.file) == main).then(|| origins.nearest(span.start, span.end).cloned())?
}

/// Removes duplicates, keeping the order.
fn once<O: Clone + Eq + Hash>(origins: impl Iterator<Item = O>) -> Vec<O> {
    let mut seen = std::collections::HashSet::new();
    origins.filter(|origin| seen.insert(origin.clone())).collect()
}
