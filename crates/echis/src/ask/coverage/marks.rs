//! Confirms claims that something is proved from a contradiction, or unreachable. The proofs found only suggest this:
//! a case distinction of the engine may have dead sides of its own. A claim is confirmed by verifying the program
//! with `false` asserted there.

use super::confirm::CandidateTrials;
use crate::ask::dependencies::Dependencies;
use crate::verification::{Question, Verification};
use crate::verify::pattern::Pattern;
use echis_cover::{Contradictions, Probes, refused_body};
use echis_depend::{DependencyOptions, Nodes, Owner, UserId, owner_name};
use echis_findings::FileResult;
use echis_program::program::FunctionId;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The question for dependencies with all claims confirmed.
#[derive(PartialEq)]
struct Confirmed(DependencyOptions);

impl Question for Confirmed {
    type Answer = Result<Arc<Dependencies>, Box<FileResult>>;
}

impl Verification {
    /// Computes the dependencies of a Viper program's proofs. For an invalid program, returns its errors.
    pub fn dependencies(&self, options: impl Into<DependencyOptions>) -> Result<Arc<Dependencies>, Box<FileResult>> {
        let options = options.into();
        let answer = self.ask(Confirmed(options), || {
            let found = self.unconfirmed(options)?;
            Ok(if found.has_claims() { Arc::new(confirmed(self, &found)) } else { found })
        });
        match &*answer {
            Ok(found) => Ok(found.clone()),
            Err(result) => Err(result.clone()),
        }
    }
    /// The dependencies, if already computed.
    pub fn known_dependencies(&self, options: impl Into<DependencyOptions>) -> Option<Arc<Dependencies>> {
        let options = options.into();
        let known = self.answered(&Confirmed(options)).and_then(|known| known.as_ref().as_ref().ok().cloned());
        known.or_else(|| self.known_unconfirmed(options).filter(|found| !found.has_claims()))
    }
}

fn confirmed(verification: &Verification, found: &Dependencies) -> Dependencies {
    let Some(confirming) = CandidateTrials::new(verification, found) else { return found.clone() };
    let trials = &confirming.trials;
    let methods: BTreeSet<_> = found.claims().filter_map(|user| method(found, user)).collect();
    let methods: Vec<_> = methods.into_iter().filter(|name| confirming.is_verified(name)).collect();
    let probes = Probes::new(&found.program, &found.result.sources, trials.main, |name| methods.contains(name));
    let contradictions = if methods.is_empty() || probes.is_empty() {
        Contradictions::default()
    } else {
        let members = Some(Pattern::any_of(methods.iter().map(|name| &**name)));
        let failing = confirming.failing(probes.program(trials.source), members);
        failing.map(|failing| probes.contradictions(&probes.false_at(&failing.probes))).unwrap_or_default()
    };
    confirming.confirmed(found, &contradictions)
}

fn method(found: &Dependencies, user: UserId) -> Option<echis_base::Name> {
    let owner = found.nodes.all[user].owner;
    matches!(owner, Owner::Method(_)).then(|| owner_name(&found.program, owner))
}

impl CandidateTrials<'_> {
    /// The dependencies, keeping only true claims about contradictions.
    pub fn confirmed(&self, found: &Dependencies, contradictions: &Contradictions) -> Dependencies {
        let functions = self.contradictory_functions(found);
        let holds = |user: &UserId| {
            let node = &found.nodes.all[*user];
            self.is_verified(&owner_name(&found.program, node.owner))
                && match node.owner {
                    Owner::Function(function) => functions.contains(&function),
                    Owner::Method(_) => contradictions.cover(span(found, &found.nodes, *user)),
                    Owner::Domain(_) => false,
                }
        };
        let mut found = found.clone();
        let (vacuous, dead) = (std::mem::take(&mut found.graph.vacuous), std::mem::take(&mut found.graph.dead));
        let (vacuous, dead) = (vacuous.into_iter().filter(holds).collect(), dead.into_iter().filter(holds).collect());
        (found.graph.vacuous, found.graph.dead) = (vacuous, dead);
        found.mark();
        found
    }
    /// The functions with claims in which `false` can be asserted.
    fn contradictory_functions(&self, found: &Dependencies) -> BTreeSet<FunctionId> {
        let claimed = found.claims().filter_map(|user| match found.nodes.all[user].owner {
            Owner::Function(function) => Some(function),
            Owner::Method(_) | Owner::Domain(_) => None,
        });
        let claimed: BTreeSet<FunctionId> = claimed.collect();
        let can_assert_false = |id: &FunctionId| {
            let function = &found.program.functions[*id];
            let edits = function.body.and_then(|body| refused_body(&found.program, self.trials.source, body));
            let own = found.program.syntax.span(function.id).file == self.trials.main;
            let edits = edits.filter(|_| own && self.is_verified(&function.name));
            edits.is_some_and(|edits| self.verifies(&edits, &function.name))
        };
        claimed.into_iter().filter(can_assert_false).collect()
    }
}

/// The text of a node: its conjunct rather than the whole statement.
fn span(found: &Dependencies, nodes: &Nodes, user: UserId) -> echis_base::Span {
    let node = &nodes.all[user];
    node.expr.map_or(node.span, |expr| found.program.syntax.span(found.program.expr(expr).id))
}

impl Dependencies {
    /// Nodes that seem to be proved from contradictions or unreachable.
    pub(super) fn claims(&self) -> impl Iterator<Item = UserId> {
        self.graph.vacuous.union(&self.graph.dead).copied()
    }
    pub(super) fn has_claims(&self) -> bool {
        self.claims().next().is_some()
    }
    /// Marks goals whose proofs say nothing about executions.
    pub(super) fn prove_nothing(&mut self, goals: Vec<UserId>) {
        self.graph.vacuous.extend(goals);
        self.mark();
    }
    fn mark(&mut self) {
        for node in &mut self.view.nodes {
            node.vacuous = self.graph.vacuous.contains(&node.id);
            node.dead = self.graph.dead.contains(&node.id);
        }
    }
}
