//! Viper programs by verification conditions: translated to Boogie, verified there, and reported in Viper's terms.

use crate::checked::Checked;
use crate::checked::unverified::broken;
use crate::defect::guarded;
use crate::verify::interpretations::refused as refused_interpretations;
use crate::verify::members::{Progress, selects, verify_members};
use crate::verify::part::restrict;
use crate::verify::results::{Concluded, Digest, conclude, finding, gather};
use crate::verify::run::Run;
use crate::verify::settings::{Settings, Trees};
use crate::verify::solvers::Solvers;
use echis_base::{IndexVec, Name, SyntaxId};
use echis_boogie::ast::Mark;
use echis_encode::{Goal, Refusal, Translation};
use echis_findings::FileVerdict;
use echis_findings::diagnose::Place;
use echis_program::program::Program;
use echis_program::reach;
use echis_proof::{
    Check, CheckId, ErrorKind, Failure, Member, MemberId, MemberKind, Options, Origin, Outcome, ProofTree, Property,
    Prover, Reason, Role, Verdict, Verifier,
};
use echis_term::Terms;
use std::collections::BTreeMap;
use std::time::Instant;

/// A translated program.
pub(super) struct Translated {
    boogie: echis_boogie::Program,
    goals: IndexVec<Mark, Goal>,
    procedures: BTreeMap<String, reach::Member>,
    refused: Vec<Refusal>,
}

impl Translated {
    /// A translation that is not accepted is a defect of ours.
    pub fn new(program: &Program) -> Self {
        let Translation { program, goals, procedures, refused } = echis_encode::translate(program);
        match echis_boogie::check_tree(program) {
            Ok(boogie) => Translated { boogie, goals, procedures, refused },
            Err(errors) => panic!("the translation is not a valid Boogie program: {errors:?}"),
        }
    }
}

/// The engine of Boogie programs with a translated one.
pub(super) struct Engine<'a> {
    translated: &'a Translated,
    inner: echis_vcg::Engine<'a>,
    members: IndexVec<MemberId, Member>,
    /// The procedure of each member, or why it has none.
    procedures: IndexVec<MemberId, Result<MemberId, &'a Refusal>>,
}

impl<'a> Engine<'a> {
    pub fn new(program: &Program, translated: &'a Translated) -> Self {
        let inner = echis_vcg::Engine::new(&translated.boogie);
        let names: BTreeMap<&str, MemberId> = inner.members().iter().map(|(id, member)| (&*member.name, id)).collect();
        let found: BTreeMap<reach::Member, MemberId> =
            translated.procedures.iter().filter_map(|(name, member)| Some((*member, *names.get(&**name)?))).collect();
        let (mut members, mut procedures) = (IndexVec::default(), IndexVec::default());
        for member in reach::Member::all(program) {
            let refused = translated.refused.iter().find(|refusal| refusal.member == member);
            let procedure = match (found.get(&member), refused) {
                (Some(id), _) => Ok(*id),
                (None, Some(refusal)) => Err(refusal),
                // Otherwise a missing translation would go unnoticed.
                (None, None) => panic!("{} is neither translated nor refused", member.name(program)),
            };
            let kind = match member {
                reach::Member::Function(_) => MemberKind::Function,
                reach::Member::Predicate(_) => MemberKind::Predicate,
                reach::Member::Method(_) => MemberKind::Method,
            };
            let (name, id) = (member.name(program).clone(), member.id(program));
            members.push(Member { name, kind, id, waits: Vec::new() });
            procedures.push(procedure);
        }
        Engine { translated, inner, members, procedures }
    }
    /// The member's id, if it was translated.
    pub fn translated(&self, member: SyntaxId) -> Option<MemberId> {
        let found = self.members.iter().find(|(_, described)| described.id == member)?.0;
        self.procedures[found].is_ok().then_some(found)
    }
    /// The goals in the Viper program that the checks of a tree are for.
    fn goals(&self, tree: &ProofTree) -> BTreeMap<CheckId, &'a Goal> {
        let Translated { boogie, goals, .. } = self.translated;
        let goal = |(check, asked): (CheckId, &Check)| {
            let Role::Obligation(property) = asked.role else { return None };
            Some((check, &goals[*boogie.marks.get(&property.at)?]))
        };
        tree.checks.iter().filter_map(goal).collect()
    }
}

impl Verifier for Engine<'_> {
    type Notes = ();

    fn members(&self) -> &IndexVec<MemberId, Member> {
        &self.members
    }
    fn verify(
        &self,
        member: MemberId,
        prover: &mut dyn Prover,
        options: &Options,
        found: &mut Vec<Failure>,
    ) -> Outcome {
        let at = self.members[member].id;
        let procedure = match self.procedures[member] {
            Ok(procedure) => procedure,
            Err(refusal) => return refused(refusal, at),
        };
        // A goal that is refuted fails as it should, which must not end the search for errors.
        let refutes = self.translated.goals.values().any(|goal| goal.refuted);
        let errors = if refutes { 0 } else { options.errors };
        let outcome = self.inner.verify(procedure, prover, &Options { errors, ..options.clone() }, found);
        let tree = outcome.tree;
        let goals = self.goals(&tree);
        let goal = |failure: &Failure| failure.check.and_then(|check| goals.get(&check));
        let mut failures = Vec::new();
        for failure in outcome.failures {
            match goal(&failure) {
                Some(goal) if goal.refuted => {}
                Some(goal) => failures.push(Failure { property: goal.property, ..failure }),
                None => failures.push(failure),
            }
        }
        for (check, goal) in goals.iter().filter(|(_, goal)| goal.refuted) {
            if tree.verdicts.get(*check).is_some_and(Verdict::is_proved) {
                failures.push(Failure::new(goal.property, tree.checks[*check].at));
            }
        }
        let failures = first(failures, options.errors);
        Outcome { tree, checks: outcome.checks, failures, warnings: outcome.warnings, notes: () }
    }
}

/// The first failures, in text order; 0 means all. Termination and `refute` failures are counted separately.
fn first(failures: Vec<Failure>, most: usize) -> Vec<Failure> {
    let apart = |failure: &Failure| matches!(failure.property.error, ErrorKind::Termination | ErrorKind::Refute);
    let (apart, others): (Vec<Failure>, Vec<Failure>) = failures.into_iter().partition(apart);
    let most = if most == 0 { usize::MAX } else { most };
    others.into_iter().take(most).chain(apart).collect()
}

/// The outcome of a member that cannot be translated.
fn refused(refusal: &Refusal, member: SyntaxId) -> Outcome {
    let origin = Origin { clause: member, site: None, part: echis_proof::Part::Value };
    let tree = ProofTree::new(Terms::new(), origin);
    let reason = Reason::FeatureUnsupported;
    let property = Property { error: ErrorKind::Internal, at: refusal.at, reason, offending: refusal.at };
    let failure = Failure { note: Some(refusal.message.clone()), ..Failure::new(property, tree.root()) };
    Outcome { tree, checks: 0, failures: vec![failure], warnings: Vec::new(), notes: () }
}

pub(crate) fn verify(
    checked: &Checked,
    program: &Program,
    settings: &Settings,
    solvers: &Solvers,
    progress: &dyn Progress,
) -> Run {
    let start = Instant::now();
    let refused = refused_interpretations(program, solvers, settings);
    if !refused.is_empty() {
        return Run::unverified(checked.result_with(&refused));
    }
    let broken = |ended| Run::unverified(broken(checked.source().path(), ended, start));
    let translated = match guarded(|| Translated::new(program)) {
        Ok(translated) => translated,
        Err(ended) => return broken(ended),
    };
    let engine = match guarded(|| Engine::new(program, &translated)) {
        Ok(engine) => engine,
        Err(ended) => return broken(ended),
    };
    if !selects(&engine, settings) {
        return Run::unverified(checked.result());
    }
    // There are no counterexamples in terms of the Viper program.
    let (settings, part) = restrict(&engine, settings, checked.name(), |id| program.syntax.span(id));
    let settings = Settings { counterexample: None, trees: Trees::Dropped, ..settings };
    let sources = checked.sources();
    let keep = |member: &Member, mut outcome: Outcome| {
        let unsupported = outcome.failures.iter().any(|failure| failure.property.reason == Reason::FeatureUnsupported);
        let mut digest = Digest::viper(Place { program, sources, member: &member.name }, &mut outcome, None);
        if unsupported {
            digest.verdict = digest.verdict.max(FileVerdict::Invalid);
        }
        digest
    };
    let words = |member: &Name, failure: &Failure| finding(Place { program, sources, member }, failure);
    let verified = verify_members(&engine, &settings, solvers, progress, keep).into_iter().map(|mut verified| {
        // The property belongs to the translation, not to the program.
        verified.reached.latest = None;
        verified
    });
    let members: Vec<Concluded> =
        verified.map(|verified| conclude(verified, |id| program.syntax.span(id), words)).collect();
    let mut result = checked.result();
    gather(members.clone(), &mut result);
    (result.part, result.time) = (part, result.time + start.elapsed());
    Run { result, members, kept: BTreeMap::new() }
}
