//! Tries candidates, the likely and harmless ones first, until enough were found or the budget is spent.

use crate::judge::{Judge, Spent, Success};
use crate::limits::Effort;
use crate::site::Site;
use crate::slips::slips;
use crate::strengthen::{self, Target};
use crate::{
    Candidate, Kind, apply, asserted, assertions, bounds, branches, calls, defined, follow, injective, lemmas, measure,
    old_values, order, permission, predicates, reveal, triggers, variables,
};
use echis::{Checked, FileResult, Finding, Settings, Trials, Verifier};
use echis_base::Name;
use std::collections::BTreeSet;

/// A successful change.
#[derive(Clone, Debug)]
pub struct Found {
    pub candidate: Candidate,
    /// Number of errors in the whole program with it, without those of the members that it breaks.
    pub left: usize,
    /// Number of these that are not consequences of other errors.
    causes: usize,
    /// Members that fail because they call one with a stronger precondition.
    pub breaks: Vec<Name>,
    /// The errors that are gone with it, by their places in the report.
    gone: BTreeSet<usize>,
}

impl Found {
    /// How many errors and members that fail are left to look at.
    fn to_do(&self) -> usize {
        self.left + self.breaks.len()
    }
    /// What leaves nothing to do is better than what leaves something, and what breaks others comes behind what does not.
    fn rank(&self) -> (usize, usize, Kind) {
        (self.to_do(), self.breaks.len(), self.candidate.kind)
    }
    /// What became of the program.
    pub fn outcome(&self) -> String {
        if !self.breaks.is_empty() {
            let names: Vec<&str> = self.breaks.iter().map(|name| &**name).collect();
            let callers = if names.len() == 1 { "caller" } else { "callers" };
            return format!("tried: the error is gone, but this breaks the {callers} {}", names.join(", "));
        }
        match (self.left, self.causes) {
            (0, _) => "tried: the program verifies".to_string(),
            (_, 0 | 1) => "tried: the error is gone, another one is left".to_string(),
            (_, causes) => format!("tried: the error is gone, {causes} others are left"),
        }
    }
}

/// Fixes for one error of a program, best first.
pub fn fixes(trials: &Trials<'_>, result: &FileResult, finding: &Finding, effort: Effort) -> Vec<Found> {
    within(trials, result, finding, effort, &mut Spent::default())
}

/// Fixes for one error. `spent` is the effort spent on others.
fn within(
    trials: &Trials<'_>,
    result: &FileResult,
    finding: &Finding,
    effort: Effort,
    spent: &mut Spent,
) -> Vec<Found> {
    let Some(site) = Site::new(trials.checked(), finding) else { return Vec::new() };
    let judge = Judge::new(trials, result, finding, effort, *spent);
    let mut found: Vec<Found> = Vec::new();
    let failing = result.errors.iter().filter_map(|finding| finding.member.as_deref()).collect();
    for step in steps(&site, &failing, effort) {
        // If the code can be fixed, nothing more is required of callers.
        if step.rank() >= Kind::Precondition && found.iter().any(is_in_code) {
            break;
        }
        // Nor are missing proof hints sought.
        let is_rare = matches!(step.rank(), Kind::Assertion | Kind::Trigger);
        if is_rare && found.iter().any(|known| known.left == 0 && known.candidate.kind <= step.rank()) {
            continue;
        }
        let success = match step {
            Step::Try(candidate) => follow::tried(&judge, candidate),
            Step::Strengthen(target) => strengthen::search(&site, &judge, target),
        };
        // A change of executed code has to fix everything in the member.
        let elsewhere = result.errors.iter().filter(|error| error.member != finding.member).count();
        if let Some((candidate, Success { left, causes, breaks, gone })) = success
            && (candidate.kind != Kind::Condition || left <= elsewhere)
            && !found.iter().any(|known| known.candidate.explanation == candidate.explanation)
        {
            if left == 0 && breaks.is_empty() {
                judge.spend_little_more();
            }
            found.push(Found { candidate, left, causes, breaks, gone });
        }
        let is_enough = |known: &&Found| known.breaks.is_empty() && (known.left == 0 || result.errors.len() == 1);
        if found.iter().filter(is_enough).count() >= effort.wanted() || judge.is_over() {
            break;
        }
    }
    *spent = judge.spent();
    found.sort_by_key(Found::rank);
    // What leaves more to do than asking more of callers is not shown beside that.
    if let Some(first) = found.first().filter(|first| !first.breaks.is_empty()).map(Found::to_do) {
        found.retain(|known| known.to_do() <= first);
    }
    found.truncate(effort.wanted());
    found
}

/// Whether a change affects neither contracts nor executed code.
fn is_in_code(found: &Found) -> bool {
    found.candidate.kind < Kind::Measure && found.candidate.kind != Kind::Condition
}

/// Adds fixes to each error that is `wanted`.
pub fn hints(
    verifier: &Verifier,
    checked: &Checked,
    settings: &Settings,
    result: &mut FileResult,
    effort: Effort,
    wanted: impl Fn(&Finding) -> bool,
) {
    let now = result.clone();
    let trials = Trials::new(verifier, checked, settings, effort.obligation());
    let (mut left, mut spent, mut gone) = (effort.errors(), Spent::default(), BTreeSet::<usize>::new());
    for (index, finding) in in_order(&now) {
        if finding.cascade || !wanted(finding) || left == 0 || gone.contains(&index) {
            continue;
        }
        left -= 1;
        let (mut best, mut others) = (None, Vec::new());
        match &trials {
            Some(trials) => {
                let found = within(trials, &now, finding, effort, &mut spent);
                // One cause explains all errors.
                if found.first().is_some_and(|best| best.left == 0 && best.breaks.is_empty()) {
                    left = 0;
                }
                // What is offered takes other errors away, too.
                gone.extend(
                    found.first().filter(|best| best.breaks.is_empty()).into_iter().flat_map(|best| &best.gone),
                );
                for found in found {
                    let fix = found.candidate.fix(&now.sources, &found.outcome());
                    // A fix that breaks callers is for users to decide: it is never applied automatically.
                    if best.is_none() && found.breaks.is_empty() { best = fix } else { others.extend(fix) }
                }
            }
            None => {
                let found = slips(checked, &finding.diagnostic).into_iter().take(effort.wanted());
                let shown = |candidate: Candidate| candidate.fix(&now.sources, "tried: this error is gone");
                let mut found = found.filter_map(shown);
                best = found.next();
                others.extend(found);
            }
        }
        if finding.diagnostic.fix.is_none() || best.is_some() {
            result.errors[index].diagnostic.fix = best;
            result.errors[index].other_fixes = others;
        }
    }
}

/// The errors in the order in which they are tried: a failure at the end of a body is often caused by one inside it.
fn in_order(result: &FileResult) -> Vec<(usize, &Finding)> {
    let mut errors: Vec<(usize, &Finding)> = result.errors.iter().enumerate().collect();
    errors.sort_by_key(|(_, finding)| finding.diagnostic.id.starts_with("postcondition.violated"));
    errors
}

enum Step<'a> {
    Try(Candidate),
    Strengthen(Target<'a>),
}

impl Step<'_> {
    fn rank(&self) -> Kind {
        match self {
            Step::Try(candidate) => candidate.kind,
            Step::Strengthen(Target::Loop(_)) => Kind::Invariant,
            Step::Strengthen(Target::Precondition) => Kind::Precondition,
            Step::Strengthen(Target::Callee(_) | Target::Function(_)) => Kind::Callee,
        }
    }
}

/// The modules for an error, in the order in which they are tried.
fn steps<'a>(site: &Site<'a>, failing: &BTreeSet<&str>, effort: Effort) -> Vec<Step<'a>> {
    let modules = [
        predicates::candidates,
        apply::candidates,
        reveal::candidates,
        injective::candidates,
        triggers::candidates,
        order::candidates,
        bounds::candidates,
        branches::candidates,
        old_values::candidates,
        measure::candidates,
        permission::candidates,
        defined::candidates,
        calls::candidates,
        variables::candidates,
        assertions::candidates,
    ];
    let mut steps: Vec<Step<'a>> = modules.iter().flat_map(|candidates| candidates(site)).map(Step::Try).collect();
    steps.extend(lemmas::candidates(site, failing).into_iter().map(Step::Try));
    steps.extend(strengthen::targets(site).into_iter().map(Step::Strengthen));
    steps.extend(asserted::candidates(site).into_iter().map(Step::Try));
    // Conditions are cheap to try, although they are ranked late; with little time, other changes are likelier.
    let is_early = |step: &Step<'_>| effort == Effort::Thorough && step.rank() == Kind::Condition;
    steps.sort_by_key(|step| if is_early(step) { Kind::GhostBlock } else { step.rank() });
    // These are numerous, and rarely needed.
    let is_rare = |step: &Step<'_>| matches!(step.rank(), Kind::Lemma | Kind::Assertion | Kind::Trigger);
    steps.retain(|step| effort == Effort::Thorough || !is_rare(step));
    steps
}
