//! Tries edits of a Boogie program, combining those of different procedures in one program.

use super::walk::statements;
use echis_base::{Edit, Name, apply};
use echis_boogie::Program;
use echis_boogie::program::StmtKind;
use echis_findings::{FileResult, FileVerdict};
use std::collections::{BTreeMap, BTreeSet};

/// Verifies some members of an edited text.
pub(crate) type Retry<'a> = dyn Fn(String, &[Name]) -> FileResult + 'a;

/// The result of a member with an edit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Again {
    Verified,
    Failed,
    Undecided,
    /// The edited text is not a valid program.
    Invalid,
}

/// Edits of one member, by number. Removing all of them allows no more proofs than removing each.
#[derive(Clone)]
pub(super) struct Trial {
    pub member: Name,
    pub edits: Vec<(usize, Edit)>,
}

/// The transitive call graph.
pub(super) struct Calls(BTreeMap<Name, BTreeSet<Name>>);

impl Calls {
    pub fn new(program: &Program) -> Self {
        let mut calls: BTreeMap<Name, BTreeSet<Name>> = BTreeMap::new();
        for implementation in program.implementations.values() {
            let caller = program.procedures[implementation.procedure].name.clone();
            let callees = calls.entry(caller).or_default();
            for stmt in statements(&implementation.body) {
                if let StmtKind::Call { procedure, .. } = &stmt.kind {
                    callees.insert(program.procedures[*procedure].name.clone());
                }
            }
        }
        Calls(calls)
    }
    pub fn reach(&self, from: &Name, to: &Name) -> bool {
        let (mut seen, mut open) = (BTreeSet::new(), vec![from]);
        while let Some(caller) = open.pop() {
            for callee in self.0.get(caller).into_iter().flatten() {
                if callee == to {
                    return true;
                }
                if seen.insert(callee) {
                    open.push(callee);
                }
            }
        }
        false
    }
}

pub(super) struct Rounds<'a> {
    text: &'a str,
    retry: &'a Retry<'a>,
    pub calls: Calls,
    /// Number of programs verified.
    pub runs: usize,
}

impl<'a> Rounds<'a> {
    pub fn new(text: &'a str, retry: &'a Retry<'a>, calls: Calls) -> Self {
        Rounds { text, retry, calls, runs: 0 }
    }
    /// The result for each edit. A trial that does not verify is split into halves.
    pub fn all(&mut self, trials: Vec<Trial>) -> BTreeMap<usize, Again> {
        let mut answers = BTreeMap::new();
        let mut waiting = trials;
        while !waiting.is_empty() {
            let (round, later) = self.round(waiting);
            waiting = later;
            for (trial, again) in self.tried(round) {
                if again == Again::Verified || trial.edits.len() == 1 {
                    answers.extend(trial.edits.iter().map(|(index, _)| (*index, again)));
                    continue;
                }
                let (first, second) = trial.edits.split_at(trial.edits.len() / 2);
                let half = |edits: &[(usize, Edit)]| Trial { member: trial.member.clone(), edits: edits.to_vec() };
                waiting.extend([half(first), half(second)]);
            }
        }
        answers
    }
    /// Splits off trials of members that do not call each other, where an edit affects only its own member; the
    /// others are deferred.
    fn round(&self, trials: Vec<Trial>) -> (Vec<Trial>, Vec<Trial>) {
        let (mut round, mut later): (Vec<Trial>, Vec<Trial>) = (Vec::new(), Vec::new());
        for trial in trials {
            let touches = |other: &Trial| {
                other.member == trial.member
                    || self.calls.reach(&other.member, &trial.member)
                    || self.calls.reach(&trial.member, &other.member)
            };
            if round.iter().any(touches) { later.push(trial) } else { round.push(trial) }
        }
        (round, later)
    }
    /// Tries them in one program, or each alone if that is invalid.
    fn tried(&mut self, round: Vec<Trial>) -> Vec<(Trial, Again)> {
        let together = self.verified(&round);
        if round.len() == 1 || !together.contains(&Again::Invalid) {
            return round.into_iter().zip(together).collect();
        }
        let alone = |trial: Trial| {
            let again = self.verified(std::slice::from_ref(&trial)).first().copied().unwrap_or(Again::Invalid);
            (trial, again)
        };
        round.into_iter().map(alone).collect()
    }
    fn verified(&mut self, trials: &[Trial]) -> Vec<Again> {
        let edits: Vec<Edit> = trials.iter().flat_map(|trial| &trial.edits).map(|(_, edit)| edit.clone()).collect();
        let Some(text) = apply(&edits, self.text) else { return vec![Again::Invalid; trials.len()] };
        self.runs += 1;
        let members: Vec<Name> = trials.iter().map(|trial| trial.member.clone()).collect();
        let result = (self.retry)(text, &members);
        trials.iter().map(|trial| again(&result, &trial.member)).collect()
    }
}

/// The result of a member, over all of its bodies.
fn again(result: &FileResult, member: &Name) -> Again {
    let of = |verdict: FileVerdict| match verdict {
        FileVerdict::Verified => Again::Verified,
        FileVerdict::Failed => Again::Failed,
        FileVerdict::Invalid => Again::Invalid,
        _ => Again::Undecided,
    };
    if !result.stopped.is_empty() {
        return Again::Undecided;
    }
    let verdicts: Vec<Again> =
        result.members.iter().filter(|found| found.name == *member).map(|found| of(found.verdict)).collect();
    let worst = [Again::Invalid, Again::Failed, Again::Undecided].into_iter().find(|again| verdicts.contains(again));
    match worst {
        Some(worst) => worst,
        // If the member is missing, nothing was proved.
        None if verdicts.is_empty() => of(result.verdict).unless_verified(),
        None => Again::Verified,
    }
}

impl Again {
    fn unless_verified(self) -> Self {
        if self == Again::Verified { Again::Invalid } else { self }
    }
}
