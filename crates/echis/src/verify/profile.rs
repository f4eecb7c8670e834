//! The cost of a member: the effort of its obligations and the instances of its quantifiers.

use crate::verify::members::{Proof, Watcher};
use crate::verify::settings::{Settings, Trees};
use echis_base::{Key, Name, Span};
use echis_findings::profile::{AttemptProfile, MemberProfile, ObligationEffort, QuantifierProfile};
use echis_findings::{FileVerdict, MemberKind, diagnose};
use echis_program::program::Program;
use echis_proof::{Failure, NodeId, Outcome, ProofTree, Property, Role, Verdict};
use echis_smt::{Attempt, Attempted, Instances};
use echis_term::{TermId, TermKind};
use std::collections::{BTreeMap, HashMap};

/// Records effort while a member is verified, if requested.
pub(crate) struct Meter<'a> {
    program: &'a Program,
    on: bool,
    /// The total effort of each question.
    efforts: HashMap<(NodeId, TermId), u64>,
    /// Number of questions, and their effort.
    asked: usize,
    effort: u64,
    instances: Instances,
    attempted: BTreeMap<Attempt, Attempted>,
    /// The proofs, if trees are kept to be explained.
    proofs: Option<Vec<Proof>>,
    /// Called for errors as they are found.
    tell: &'a (dyn Fn(&Name, &Failure) + Sync),
}

impl<'a> Meter<'a> {
    pub fn new(program: &'a Program, settings: &Settings, tell: &'a (dyn Fn(&Name, &Failure) + Sync)) -> Self {
        Meter {
            program,
            on: settings.measure,
            efforts: HashMap::new(),
            asked: 0,
            effort: 0,
            instances: Instances::new(),
            attempted: BTreeMap::new(),
            proofs: (settings.trees == Trees::Kept).then(Vec::new),
            tell,
        }
    }
    pub fn take_proofs(&mut self) -> Vec<Proof> {
        self.proofs.take().unwrap_or_default()
    }
}

impl Watcher for Meter<'_> {
    fn program(&self) -> Option<&Program> {
        Some(self.program)
    }
    fn measures(&self) -> bool {
        self.on
    }
    fn failed(&mut self, member: &Name, failure: &Failure) {
        (self.tell)(member, failure);
    }
    fn with_answers(&mut self, at: NodeId, goal: TermId, effort: u64) {
        if self.on {
            *self.efforts.entry((at, goal)).or_insert(0) += effort;
            self.asked += 1;
            self.effort += effort;
        }
    }
    fn done(&mut self, instances: Instances, attempted: BTreeMap<Attempt, Attempted>) {
        self.instances = instances;
        self.attempted = attempted;
    }
    fn proved(&mut self, proof: Proof) {
        self.proofs.iter_mut().for_each(|proofs| proofs.push(proof.clone()));
    }
}

impl Meter<'_> {
    pub fn profile(self, place: diagnose::Place<'_>, kind: MemberKind, outcome: &Outcome) -> MemberProfile {
        let span = |id| place.program.syntax.span(id);
        let mut obligations: BTreeMap<(Span, String), ObligationEffort> = BTreeMap::new();
        let (mut checks, mut spent) = (0, 0);
        for (id, check) in outcome.tree.checks.iter() {
            let Role::Obligation(property) = check.role else { continue };
            let effort = self.efforts.get(&(check.at, check.goal)).copied().unwrap_or(0);
            // A check may fail without being an error.
            let is_error = outcome.failures.iter().any(|failure| failure.property == property);
            let verdict = match outcome.tree.verdicts.get(id) {
                Some(found) if is_error => verdict(found),
                _ => FileVerdict::Verified,
            };
            checks += 1;
            spent += effort;
            let (id, span) = (id_of(&property), span(property.at));
            let entry = obligations.entry((span, id.clone()));
            let found = ObligationEffort { id, span, verdict: FileVerdict::Verified, checks: 0, effort: 0 };
            let entry = entry.or_insert(found);
            entry.verdict = entry.verdict.max(verdict);
            entry.checks += 1;
            entry.effort += effort;
        }
        let failed = |failure: &Failure| match failure.undecided {
            Some(_) => FileVerdict::Undecided,
            None => FileVerdict::Failed,
        };
        let verdict = outcome.failures.iter().map(failed).max();
        MemberProfile {
            name: place.member.clone(),
            kind,
            verdict: verdict.unwrap_or(FileVerdict::Verified),
            obligations: obligations.into_values().collect(),
            probes: self.asked.saturating_sub(checks),
            probe_effort: self.effort.saturating_sub(spent),
            attempts: self.attempted.iter().map(|(attempt, found)| attempt_profile(*attempt, *found)).collect(),
            quantifiers: quantifiers(place, &outcome.tree, self.instances),
        }
    }
}

fn attempt_profile(attempt: Attempt, found: Attempted) -> AttemptProfile {
    let Attempted { tried, proved, effort, effort_of_proofs } = found;
    AttemptProfile { name: attempt.name(), tried, proved, effort, effort_of_proofs }
}

fn id_of(property: &Property) -> String {
    format!("{}:{}", property.error.id(), property.reason.id())
}

pub(crate) fn verdict(verdict: &Verdict) -> FileVerdict {
    match verdict {
        Verdict::Proved => FileVerdict::Verified,
        other if other.given_up().is_some() => FileVerdict::Undecided,
        _ => FileVerdict::Failed,
    }
}

/// Quantifiers of the tree are named by their terms; the origin is that of the first node that states one.
fn quantifiers(place: diagnose::Place<'_>, tree: &ProofTree, instances: Instances) -> Vec<QuantifierProfile> {
    let mut stated: HashMap<TermId, NodeId> = HashMap::new();
    let mut asked: HashMap<TermId, echis_proof::CheckId> = HashMap::new();
    if !instances.is_empty() {
        for (node, _) in tree.nodes.iter() {
            for term in tree.fact(node).into_iter().flat_map(|fact| quantifiers_in(tree, fact)) {
                stated.entry(term).or_insert(node);
            }
        }
        for (id, check) in tree.checks.iter() {
            for term in quantifiers_in(tree, check.goal) {
                asked.entry(term).or_insert(id);
            }
        }
    }
    let mut found: Vec<QuantifierProfile> = Vec::new();
    for (name, counted) in instances {
        // A reused solver may still count quantifiers of earlier members, whose names mean nothing here.
        let term = name.strip_prefix('q').and_then(|index| index.parse::<usize>().ok()).map(TermId::new);
        let term = term.filter(|term| stated.contains_key(term) || asked.contains_key(term));
        let origin = term.and_then(|term| {
            let of_check = || asked.get(&term).map(|check| tree.origins[tree.checks[*check].origin]);
            stated.get(&term).map(|node| tree.origin_of(*node)).or_else(of_check)
        });
        let name = match term.map(|term| tree.terms.kind(term)) {
            Some(TermKind::Quant(quant)) => quant.role.to_string(),
            _ => name,
        };
        let span = origin.map(|origin| place.program.syntax.span(origin.clause));
        match found.iter_mut().find(|known| known.name == name && known.span == span) {
            Some(known) => {
                known.instances += counted.instances;
                known.generation = known.generation.max(counted.generation);
                known.cost = known.cost.max(counted.cost);
            }
            None => found.push(QuantifierProfile {
                name,
                span,
                instances: counted.instances,
                generation: counted.generation,
                cost: counted.cost,
            }),
        }
    }
    found.sort_by(|a, b| (b.instances, a.span, &a.name).cmp(&(a.instances, b.span, &b.name)));
    found
}

fn quantifiers_in(tree: &ProofTree, proposition: TermId) -> Vec<TermId> {
    let mut found = Vec::new();
    tree.terms.for_each_subterm(proposition, |term| {
        if matches!(tree.terms.kind(term), TermKind::Quant(_)) {
            found.push(term);
        }
    });
    found
}
