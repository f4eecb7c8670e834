//! Determines whether a failure after a call can happen. A counterexample with values that only the postcondition of
//! a callee allows is compared with runs of the callee's body: either one of them fails, and is the better
//! counterexample, or the postcondition is too weak.

use crate::defect::guarded;
use crate::verify::members::find_model;
use crate::verify::results::{counterexample, finding};
use crate::verify::settings::Settings;
use crate::verify::solvers::{Naming, Solvers};
use echis_exec::{Engine, Runnable};
use echis_findings::Finding;
use echis_findings::counterexample::{Account, Allowance, By, Counterexample, Status, View};
use echis_findings::diagnose::Place;
use echis_program::program::MethodId;
use echis_proof::{Failure, MemberId, Outcome, Property, Reason, Role};
use std::collections::BTreeSet;

/// A member whose failures have been reported.
pub(crate) struct FailedMember<'a> {
    pub place: Place<'a>,
    pub id: MemberId,
    pub failures: &'a [Failure],
}

/// Re-examines a member's counterexamples with the bodies of the methods it calls.
pub(crate) fn run_callees(
    engine: &Engine<'_>,
    member: &FailedMember<'_>,
    (settings, solvers): (&Settings, &Solvers),
    findings: &mut [Finding],
) {
    let Some(view) = settings.counterexample else { return };
    let program = member.place.program;
    let names = |bodies: &BTreeSet<MethodId>| -> BTreeSet<String> {
        bodies.iter().map(|method| program.methods[*method].name.to_string()).collect()
    };
    let doubtful: Vec<usize> = (0..member.failures.len().min(findings.len()))
        .filter(|index| is_doubtful(&member.failures[*index], &findings[*index]))
        .collect();
    if doubtful.is_empty() {
        return;
    }
    let Runnable { bodies, is_recursive } = engine.runnable(member.id);
    let ran = Ran { methods: names(&bodies), is_recursive };
    let depends = |index: &usize| allowed(&findings[*index]).any(|allowance| ran.gives(allowance));
    if !doubtful.iter().any(depends) {
        return;
    }
    let mut solver = solvers.take(&settings.cancel);
    let run = guarded(|| {
        solver.begin(false, Naming::Off);
        let mut outcome = engine.verify_running(member.id, &bodies, &mut solver, &settings.options());
        let wanted: BTreeSet<Property> = doubtful.iter().map(|index| member.failures[*index].property).collect();
        for index in 0..outcome.failures.len() {
            if wanted.contains(&outcome.failures[index].property) {
                find_model(program, &mut outcome, index, &mut solver);
            }
        }
        outcome
    });
    let Ok(mut outcome) = run else { return };
    solvers.give_back(solver);
    for index in doubtful {
        let Some(example) = findings[index].counterexample.as_mut() else { continue };
        compare(member, index, &mut outcome, view, &ran, example);
    }
}

/// Whether a failure is decided, with values confirmed only with respect to contracts.
fn is_doubtful(failure: &Failure, finding: &Finding) -> bool {
    failure.property.reason == Reason::AssertionFalse
        && !failure.cascade
        && failure.undecided.is_none()
        && finding.counterexample.as_ref().is_some_and(|example| example.status == Status::Confirmed)
}

fn allowed(finding: &Finding) -> impl Iterator<Item = &Allowance> {
    let account = finding.counterexample.as_ref().map(|example| &example.account);
    let allowed = match account {
        Some(Account::Allowed(allowed)) => allowed.as_slice(),
        Some(Account::Run) | None => &[],
    };
    allowed.iter()
}

/// The methods whose bodies were run.
struct Ran {
    methods: BTreeSet<String>,
    /// Whether longer runs than those executed exist.
    is_recursive: bool,
}

impl Ran {
    fn gives(&self, allowance: &Allowance) -> bool {
        matches!(&allowance.by, By::Postcondition(method) if self.methods.contains(method))
    }
}

/// Takes the counterexample of an execution, if there is one. If the obligation is proved, the postconditions are too
/// weak.
fn compare(
    member: &FailedMember<'_>,
    index: usize,
    outcome: &mut Outcome,
    view: View,
    ran: &Ran,
    example: &mut Counterexample,
) {
    let property = member.failures[index].property;
    let found = outcome.failures.iter().find(|failure| failure.property == property).cloned();
    let is_new = |failure: &Failure| !member.failures.iter().any(|known| known.property == failure.property);
    match found {
        Some(failure) if !failure.cascade && failure.undecided.is_none() => {
            let words = finding(member.place, &failure);
            let run = counterexample(member.place, &mut outcome.tree, &failure, &words, view);
            if let Ok(run) = run
                && run.status == Status::Confirmed
                && run.account == Account::Run
            {
                *example = Counterexample { ran: called(example, ran), ..*run };
            }
        }
        None if !ran.is_recursive && !outcome.failures.iter().any(is_new) && is_proved(outcome, property) => {
            if let Account::Allowed(allowed) = &mut example.account {
                let weak = allowed.iter_mut().filter(|allowance| ran.gives(allowance));
                weak.for_each(|allowance| allowance.ruled_out = true);
            }
        }
        _ => {}
    }
}

/// The methods whose bodies were run instead of using their contracts.
fn called(example: &Counterexample, ran: &Ran) -> Vec<String> {
    let Account::Allowed(allowed) = &example.account else { return Vec::new() };
    let names = allowed.iter().filter_map(|allowance| match &allowance.by {
        By::Postcondition(method) if ran.methods.contains(method) => Some(method.clone()),
        _ => None,
    });
    names.collect::<BTreeSet<String>>().into_iter().collect()
}

/// Whether the property was checked, and proved every time.
fn is_proved(outcome: &Outcome, property: Property) -> bool {
    let checks = outcome.tree.checks.iter();
    let mut verdicts = checks
        .filter(|(_, check)| matches!(check.role, Role::Obligation(asked) if asked == property))
        .map(|(id, _)| outcome.tree.verdicts.get(id).is_some_and(|verdict| verdict.is_proved()));
    let Some(first) = verdicts.next() else { return false };
    first && verdicts.all(|proved| proved)
}
