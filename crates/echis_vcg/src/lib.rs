//! Verification conditions: the body of a Boogie procedure becomes a graph of blocks, loops are cut, each assignment
//! creates a new name for the variable, and the result is written into a proof tree.
//!
//! Paths are not enumerated. For each block there is a proposition that it is reached; facts and goals are guarded by
//! it. So all facts are on one path of the tree, in program order, and all goals of a member can be checked at once.
//!
//! After each goal there is a fresh reachability proposition that implies the goal, so that no later assumption can
//! hide a violation. If a loop head can be re-entered without having been entered before (irreducible graphs),
//! nothing is known about how it was reached.
//!
//! Types are made monomorphic: each instance is a sort, and a map with type parameters is a record with one array for
//! each instance at which it is used (`sorts`). A quantifier over types is assumed for the types at which its
//! triggers can match. If it must be proved, it is stated for all types at which its functions and types are used,
//! and for one more type about which nothing is known (`instances`, `encode`). Instances are found by encoding a
//! member until no new one appears. What cannot be expressed becomes an unknown function of the variables around it,
//! so nothing follows from it.

mod ask;
mod axioms;
mod bounds;
mod coverage;
mod encode;
mod explain;
mod generic;
mod graph;
mod history;
mod instances;
mod labels;
mod limits;
mod loops;
mod member;
mod overall;
mod question;
mod replay;
mod sorts;
mod unroll;

pub use coverage::{Coverage, cover, prove_covered};
pub use explain::{Element, Explanation, explain, explain_together, prove_explained};
pub use history::{Event, History, Seen, What};
pub use labels::{Label, Use};
pub use limits::{EFFORT_OF_A_SECOND, TOGETHER_EFFORT};
pub use replay::{Doubt, Evaluator, Replay, applications};

use ask::Form;
use axioms::Candidates;
use echis_base::{IndexVec, SyntaxId};
use echis_boogie::Program;
use echis_boogie::attributes::{Known, has_attribute};
use echis_boogie::program::{ImplementationId, VarId, VarKind};
use echis_proof::{
    CheckId, ErrorKind, Failure, Head, Member, MemberId, MemberKind, Model, NodeId, Options, ProofTree, Property,
    Prover, Reason, Role, Verdict, Verifier, Wanted,
};
use echis_term::TermId;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

/// The result of verifying one implementation. Failures are in program order.
pub type Outcome = echis_proof::Outcome<Notes>;

/// Additional information about a member.
#[derive(Default)]
pub struct Notes {
    /// The labels of facts and goals, if the program gives them ids.
    pub fact_labels: BTreeMap<NodeId, Label>,
    pub goal_labels: BTreeMap<CheckId, Label>,
    /// Each goal as its reachability condition and its proposition.
    pub parts: BTreeMap<CheckId, (TermId, TermId)>,
    pub history: History,
    /// The node after the global facts.
    pub start: Option<NodeId>,
}

impl Notes {
    /// The outcome before any goal was checked.
    fn outcome(self, tree: ProofTree, impossible: Option<(SyntaxId, String)>) -> Outcome {
        let checks = tree.checks.len();
        let mut outcome = Outcome { tree, checks, failures: Vec::new(), warnings: Vec::new(), notes: self };
        outcome.failures.extend(impossible.map(|(id, message)| unsupported(&outcome, id, &message)));
        outcome
    }
}

pub struct Engine<'a> {
    program: &'a Program,
    members: IndexVec<MemberId, Member>,
    keys: IndexVec<MemberId, ImplementationId>,
    /// Whether quantifiers are instantiated, and goals asked, as in Boogie.
    eager: bool,
    /// Found when the first member is encoded.
    candidates: OnceLock<Candidates>,
}

impl<'a> Engine<'a> {
    pub fn new(program: &'a Program) -> Self {
        let keys: IndexVec<MemberId, ImplementationId> = verified(program).into_iter().collect();
        let member = |key: &ImplementationId| {
            let implementation = &program.implementations[*key];
            let name = program.procedures[implementation.procedure].name.clone();
            Member { name, kind: MemberKind::Procedure, id: implementation.id, waits: Vec::new() }
        };
        let members = keys.values().map(member).collect();
        Engine { program, members, keys, eager: false, candidates: OnceLock::new() }
    }
    /// Instantiates quantifiers and asks goals as in Boogie, for programs that users and front ends wrote for Boogie.
    pub fn eager(self) -> Self {
        Engine { eager: true, ..self }
    }
}

impl Engine<'_> {
    /// The facts and goals of a member. Nothing is asked yet.
    pub fn encode(&self, member: MemberId) -> Outcome {
        let candidates = self.candidates.get_or_init(|| Candidates::of(self.program));
        member::encode(self.program, candidates, self.keys[member])
    }
    /// Asks the goals of a member.
    pub fn decide(&self, member: MemberId, outcome: &mut Outcome, prover: &mut dyn Prover, options: &Options) {
        if self.eager {
            prover.instantiate_eagerly();
        }
        if let Some(rlimit) = self.bound(member) {
            prover.bound(rlimit);
        }
        if outcome.failures.is_empty() {
            let first = if self.eager { Form::Nested } else { Form::Conjunction };
            ask::ask(outcome, prover, first, options.errors);
        }
    }
    /// The bound that a procedure asks for by `{:rlimit}` or `{:timeLimit}`.
    pub fn bound(&self, member: MemberId) -> Option<u32> {
        let implementation = &self.program.implementations[self.keys[member]];
        let procedure = &self.program.procedures[implementation.procedure];
        let number = |known: Known| {
            let of = |attributes| self.program.tree.number_attribute(attributes, known);
            u32::try_from(of(&implementation.attributes).or_else(|| of(&procedure.attributes))?.clone()).ok()
        };
        number(Known::ResourceLimit).or_else(|| Some(number(Known::TimeLimit)?.saturating_mul(EFFORT_OF_A_SECOND)))
    }
}

impl Verifier for Engine<'_> {
    type Notes = Notes;

    fn members(&self) -> &IndexVec<MemberId, Member> {
        &self.members
    }
    fn verify(&self, member: MemberId, prover: &mut dyn Prover, options: &Options, _: &mut Vec<Failure>) -> Outcome {
        let mut outcome = self.encode(member);
        self.decide(member, &mut outcome, prover, options);
        outcome
    }
    fn wanted(&self, outcome: &mut Outcome, check: CheckId) -> Option<Wanted> {
        let seen = outcome.notes.history.at(check)?;
        let told = outcome.notes.history.told(check);
        let known = variables(self.program, &seen.values).into_iter().chain(variables(self.program, &seen.old));
        let variables: Vec<TermId> = known.map(|(_, value)| value).chain(told).collect();
        Some(replay::wanted(&mut outcome.tree, check, &variables))
    }
    fn learn(&self, outcome: &mut Outcome, check: CheckId, model: &Model, head: Head<'_>) -> Option<TermId> {
        replay::learn(&mut outcome.tree, check, model, head)
    }
}

/// The variables known to users, with their values: globals, and variables of bodies. The parameters of contracts are
/// those of the bodies.
pub fn variables(program: &Program, values: &BTreeMap<VarId, TermId>) -> Vec<(VarId, TermId)> {
    let bodies = program.implementations.values();
    let own: BTreeSet<VarId> =
        bodies.flat_map(|body| body.ins.iter().chain(&body.outs).chain(&body.locals)).copied().collect();
    let is_known = |var: &VarId| program.vars[*var].kind == VarKind::Global || own.contains(var);
    values.iter().filter(|(var, _)| is_known(var)).map(|(var, value)| (*var, *value)).collect()
}

/// Implementations to verify: all except those that are only inlined, or marked `{:verify false}`.
fn verified(program: &Program) -> Vec<ImplementationId> {
    let wanted = |id: &ImplementationId| {
        let implementation = &program.implementations[*id];
        let procedure = &program.procedures[implementation.procedure];
        let off =
            |attributes| has_attribute(attributes, Known::Verify) && !program.tree.is_on(attributes, Known::Verify);
        let skipped = off(&implementation.attributes) || off(&procedure.attributes);
        !skipped && !procedure.is_concurrent && graph::inlined(program, implementation.procedure).is_none()
    };
    program.implementations.keys().filter(wanted).collect()
}

/// The failure for an unproved goal.
fn failed(outcome: &Outcome, check: CheckId) -> Option<Failure> {
    let Role::Obligation(property) = outcome.tree.checks[check].role else { return None };
    let undecided = outcome.tree.verdicts.get(check).and_then(Verdict::given_up);
    Some(Failure { check: Some(check), undecided, ..Failure::new(property, outcome.tree.checks[check].at) })
}

/// The failure for an unsupported member.
fn unsupported(outcome: &Outcome, at: SyntaxId, message: &str) -> Failure {
    let property = Property { error: ErrorKind::Internal, at, reason: Reason::FeatureUnsupported, offending: at };
    Failure { note: Some(message.to_string()), ..Failure::new(property, outcome.tree.root()) }
}
