//! Solver statistics for a program, as plain data: profiles, and the stability of verdicts.

use crate::{FileVerdict, MemberKind};
use echis_base::{Name, Span};

/// The cost of one member. Effort is in the solver's own units, on which two runs agree.
#[derive(Clone, Debug)]
pub struct MemberProfile {
    pub name: Name,
    pub kind: MemberKind,
    pub verdict: FileVerdict,
    /// In source order.
    pub obligations: Vec<ObligationEffort>,
    /// Number of the engine's internal questions, and their total effort.
    pub probes: usize,
    pub probe_effort: u64,
    /// The ways in which obligations were tried, in order.
    pub attempts: Vec<AttemptProfile>,
    /// Sorted by number of instances, largest first.
    pub quantifiers: Vec<QuantifierProfile>,
}

impl MemberProfile {
    pub fn effort(&self) -> u64 {
        self.probe_effort + self.obligations.iter().map(|obligation| obligation.effort).sum::<u64>()
    }
    pub fn instances(&self) -> u64 {
        self.quantifiers.iter().map(|quantifier| quantifier.instances).sum()
    }
}

/// Number of attempts to prove obligations in one way, and their effort.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AttemptProfile {
    pub name: &'static str,
    pub tried: u64,
    pub proved: u64,
    /// The effort of all attempts, and of the successful ones.
    pub effort: u64,
    pub effort_of_proofs: u64,
}

/// The checks of one property on all paths.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ObligationEffort {
    pub id: String,
    pub span: Span,
    /// `Verified`, `Undecided` or `Failed`.
    pub verdict: FileVerdict,
    pub checks: usize,
    pub effort: u64,
}

/// A quantifier in the solver while a member was verified.
#[derive(Clone, Debug)]
pub struct QuantifierProfile {
    /// The proposition that it states, or the name of an axiom of a background theory.
    pub name: String,
    /// The clause that it comes from; `None` for background theories.
    pub span: Option<Span>,
    pub instances: u64,
    /// The maximum generation of its instances.
    pub generation: u64,
    /// The maximum cost of its instances: long chains are expensive, and tried last.
    pub cost: f64,
}

/// The variation of verdicts and efforts under irrelevant choices: the solver's random seeds and names.
#[derive(Clone, Debug)]
pub struct Stability {
    /// Number of runs, including the usual one.
    pub runs: usize,
    pub members: Vec<MemberStability>,
}

#[derive(Clone, Debug)]
pub struct MemberStability {
    pub name: Name,
    pub kind: MemberKind,
    /// Number of runs in which the member verified.
    pub verified: usize,
    pub effort: Spread,
    pub obligations: Vec<ObligationStability>,
}

#[derive(Clone, Debug)]
pub struct ObligationStability {
    pub id: String,
    pub span: Span,
    /// Number of runs in which it was proved, failed and undecided. They add up to less than all runs if one ended
    /// early or did not reach the obligation.
    pub proved: usize,
    pub failed: usize,
    pub undecided: usize,
    pub effort: Spread,
}

impl ObligationStability {
    /// Whether runs disagree.
    pub fn is_unstable(&self) -> bool {
        self.proved > 0 && self.failed + self.undecided > 0
    }
}

/// The variation of a number between runs.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Spread {
    pub least: u64,
    pub median: u64,
    pub most: u64,
}

impl Spread {
    pub fn of(mut values: Vec<u64>) -> Self {
        values.sort_unstable();
        let at = |index: usize| values.get(index).copied().unwrap_or(0);
        Spread { least: at(0), median: at(values.len() / 2), most: at(values.len().saturating_sub(1)) }
    }
}

/// Combines the profiles of several runs on the same program.
pub fn stability(runs: &[Vec<MemberProfile>]) -> Stability {
    let usual = runs.first().map(Vec::as_slice).unwrap_or_default();
    let members = usual.iter().map(|usual| {
        let same = |member: &&MemberProfile| member.name == usual.name && member.kind == usual.kind;
        let found: Vec<&MemberProfile> = runs.iter().filter_map(|run| run.iter().find(same)).collect();
        MemberStability {
            name: usual.name.clone(),
            kind: usual.kind,
            verified: found.iter().filter(|member| member.verdict == FileVerdict::Verified).count(),
            effort: Spread::of(found.iter().map(|member| member.effort()).collect()),
            obligations: obligations(&found),
        }
    });
    Stability { runs: runs.len(), members: members.collect() }
}

fn obligations(runs: &[&MemberProfile]) -> Vec<ObligationStability> {
    let mut all: Vec<(Span, &str)> = Vec::new();
    for member in runs {
        all.extend(member.obligations.iter().map(|obligation| (obligation.span, &*obligation.id)));
    }
    all.sort();
    all.dedup();
    let joined = all.into_iter().map(|(span, id)| {
        let is_it = |obligation: &&ObligationEffort| obligation.span == span && obligation.id == id;
        let found: Vec<&ObligationEffort> =
            runs.iter().filter_map(|member| member.obligations.iter().find(is_it)).collect();
        let count = |verdict| found.iter().filter(|obligation| obligation.verdict == verdict).count();
        ObligationStability {
            id: id.to_string(),
            span,
            proved: count(FileVerdict::Verified),
            failed: count(FileVerdict::Failed),
            undecided: count(FileVerdict::Undecided),
            effort: Spread::of(found.iter().map(|obligation| obligation.effort).collect()),
        }
    });
    joined.collect()
}
