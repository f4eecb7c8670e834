//! Trying candidates, the likely and harmless ones first, until enough were found or the allowance is spent.

use crate::judge::{Judge, Success};
use crate::limits::Effort;
use crate::site::Site;
use crate::slips::slips;
use crate::strengthen::{self, Target};
use crate::{Candidate, Kind, apply, calls, defined, follow, measure, permission, predicates, reveal, weaken};
use echis::{Checked, FileResult, Finding, Fix, Settings, Trials, Verifier};

/// A change that was tried.
#[derive(Clone, Debug)]
pub struct Found {
    pub candidate: Candidate,
    /// Errors that the whole program has with it.
    pub left: usize,
}

impl Found {
    /// What became of the program.
    pub fn outcome(&self) -> String {
        match self.left {
            0 => "tried: the program verifies".to_string(),
            1 => "tried: the error is gone, another one is left".to_string(),
            left => format!("tried: the error is gone, {left} others are left"),
        }
    }
}

/// Fixes for one error of a program, the best first.
pub fn fixes(trials: &Trials<'_>, result: &FileResult, finding: &Finding, effort: Effort) -> Vec<Found> {
    let Some(site) = Site::new(trials.checked(), finding) else { return Vec::new() };
    let judge = Judge::new(trials, result, finding, effort);
    let mut found: Vec<Found> = Vec::new();
    for step in steps(&site) {
        // What can be mended in the code is no reason to ask more of callers.
        if step.rank() >= Kind::Precondition && found.iter().any(|known| known.candidate.kind <= Kind::Invariant) {
            break;
        }
        let success = match step {
            Step::Try(candidate) => follow::tried(&judge, candidate),
            Step::Strengthen(target) => strengthen::search(&site, &judge, target),
        };
        if let Some((candidate, Success { left })) = success
            && !found.iter().any(|known| known.candidate.explanation == candidate.explanation)
        {
            found.push(Found { candidate, left });
        }
        if found.iter().filter(|known| known.left == 0 || result.errors.len() == 1).count() >= effort.wanted()
            || judge.is_over()
        {
            break;
        }
    }
    // What leaves nothing to do is better than what leaves something.
    found.sort_by_key(|known| known.left);
    found.truncate(effort.wanted());
    found
}

/// Puts the fixes that are found for each error that is `wanted` into the error.
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
    let mut left = effort.errors();
    for (index, finding) in now.errors.iter().enumerate() {
        if finding.cascade || !wanted(finding) || left == 0 {
            continue;
        }
        left -= 1;
        let found: Vec<Fix> = match &trials {
            Some(trials) => {
                let found = fixes(trials, &now, finding, effort);
                // All errors have this one cause.
                if found.first().is_some_and(|best| best.left == 0) {
                    left = 0;
                }
                found.iter().filter_map(|found| found.candidate.fix(&now.sources, &found.outcome())).collect()
            }
            None => {
                let found = slips(checked, &finding.diagnostic).into_iter().take(effort.wanted());
                found.filter_map(|candidate| candidate.fix(&now.sources, "tried: this is no error any more")).collect()
            }
        };
        let mut found = found.into_iter();
        if let (Some(best), None) = (found.next(), &finding.diagnostic.fix) {
            result.errors[index].diagnostic.fix = Some(best);
            result.errors[index].other_fixes = found.collect();
        }
    }
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
            Step::Strengthen(Target::Callee(_)) => Kind::Callee,
        }
    }
}

/// What to do about an error, in the order in which it is done.
fn steps<'a>(site: &Site<'a>) -> Vec<Step<'a>> {
    let modules = [
        predicates::candidates,
        apply::candidates,
        reveal::candidates,
        weaken::candidates,
        measure::candidates,
        permission::candidates,
        defined::candidates,
        calls::candidates,
    ];
    let mut steps: Vec<Step<'a>> = modules.iter().flat_map(|candidates| candidates(site)).map(Step::Try).collect();
    steps.extend(strengthen::targets(site).into_iter().map(Step::Strengthen));
    steps.sort_by_key(Step::rank);
    steps
}
