//! Confirms many candidate warnings with few programs.
//!
//! Members are verified separately, so edits that affect different members can share a program. Where several
//! elements seem unneeded, usually all of them can be removed at once: that is tried first, then parts if it fails.
//! A warning is then confirmed by the program without all of them, which implies more than the program without one,
//! provided that no other element's removal made it unneeded: what is concluded for one must not depend on another.
//! Elements that proofs use are usually needed: if several members see one, the member most likely to need it is
//! verified first, and the others only if it verifies, without all such elements at once.

use super::confirm::{Attempt, CandidateTrials, Judged, TrialVerdict, needing};
use crate::ask::dependencies::Dependencies;
use crate::ask::touched::Names;
use echis_base::{Edit, apply};
use echis_cover::{Candidate, Doubt, Portion, WarningId};
use echis_depend::{Construct, EdgeFilter, UserId};
use std::collections::BTreeSet;

/// The result of trying a candidate.
#[derive(Clone, Debug)]
pub(super) struct Tried {
    pub again: TrialVerdict,
    /// The edits of the program that was verified, if any.
    pub evidence: Vec<Edit>,
}

/// Tries all candidates; also returns how many programs were verified.
pub(super) fn try_all(
    verifier: &CandidateTrials,
    candidates: &[Candidate],
    found: &Dependencies,
) -> (Vec<Tried>, usize) {
    let mut tried = vec![Tried { again: TrialVerdict::OutOfTime, evidence: Vec::new() }; candidates.len()];
    let mut runs = 0;
    let needs = Needs::of(candidates, found);
    let mut waiting = first_attempts(verifier, candidates, found, &needs);
    while !waiting.is_empty() {
        let programs = packed(waiting);
        runs += programs.len();
        let judged = verifier.each(&programs, |verifier, attempts| verifier.judge(attempts, programs.len()));
        waiting = Vec::new();
        let mut unneeded_first = Vec::new();
        for (attempts, verdicts) in programs.into_iter().zip(judged) {
            let together = attempts.len() > 1;
            for (attempt, Judged { again, unverified }) in attempts.into_iter().zip(verdicts) {
                match (again, &*attempt.candidates) {
                    (TrialVerdict::Invalid, _) if together => waiting.push(Attempt { alone: true, ..attempt }),
                    (TrialVerdict::Verified, _) if !attempt.later.is_empty() => unneeded_first.push(attempt),
                    (TrialVerdict::Verified, [one]) if attempt.hollow => {
                        tried[*one].again = TrialVerdict::OnlyMentioned
                    }
                    (TrialVerdict::Verified, all) => {
                        for one in all {
                            tried[*one] = Tried { again, evidence: attempt.edits.clone() };
                        }
                    }
                    (TrialVerdict::Failed, [one]) if attempt.hollow => tried[*one].again = again,
                    (_, [one]) => {
                        tried[*one].again = again;
                        let hollow = candidates[*one].hollow.as_ref().filter(|_| again == TrialVerdict::Failed);
                        waiting.extend(hollow.map(|edits| Attempt {
                            hollow: true,
                            ..single(verifier, &candidates[*one], *one, edits.clone())
                        }));
                    }
                    (_, all) => {
                        let split = split(verifier, candidates, all, &unverified);
                        waiting.extend(split.iter().map(|part| joined(verifier, candidates, part)));
                    }
                }
            }
        }
        waiting.extend(second_attempts(verifier, candidates, unneeded_first, &needs));
    }
    (tried, runs)
}

/// Splits candidates that failed together: those that do not affect the members that failed, those in these members, and
/// the others. If that is all the same, into halves.
fn split(verifier: &CandidateTrials, candidates: &[Candidate], all: &[usize], unverified: &Names) -> Vec<Vec<usize>> {
    let affects = |index: &usize| match verifier.trials.affected(&candidates[*index].edits) {
        Some(names) => !names.is_disjoint(unverified),
        None => true,
    };
    let (near, apart): (Vec<usize>, Vec<usize>) = all.iter().partition(|index| affects(index));
    let (own, others): (Vec<usize>, Vec<usize>) =
        near.into_iter().partition(|index| unverified.contains(&candidates[*index].owner));
    let mut parts = vec![apart, own, others];
    parts.retain(|part| !part.is_empty());
    if parts.len() == 1 {
        let (first, second) = all.split_at(all.len() / 2);
        return vec![first.to_vec(), second.to_vec()];
    }
    parts
}

/// What the proofs of each candidate use.
struct Needs<'a> {
    candidates: &'a [Candidate],
    behind: Vec<BTreeSet<UserId>>,
    /// The candidates in axioms, which are never proved.
    of_axioms: BTreeSet<usize>,
}

impl<'a> Needs<'a> {
    fn of(candidates: &'a [Candidate], found: &Dependencies) -> Self {
        let behind = |candidate: &Candidate| found.graph.dependencies(candidate.node, EdgeFilter::All);
        let is_axiom = |index: &usize| {
            candidates[*index].node.is_some_and(|node| found.nodes.all[node].construct == Construct::Axiom)
        };
        let of_axioms = (0..candidates.len()).filter(is_axiom).collect();
        Needs { candidates, behind: candidates.iter().map(behind).collect(), of_axioms }
    }
    /// Whether neither candidate is used by proofs of the other.
    fn are_apart(&self, one: usize, other: usize) -> bool {
        let uses =
            |one: usize, other: usize| self.candidates[other].node.is_some_and(|node| self.behind[one].contains(&node));
        !uses(one, other) && !uses(other, one)
    }
    /// Whether both candidates have nodes of their own, and neither is used by proofs of the other. Parts of predicates
    /// have no node, and two parts of one node may need each other, unless nothing proves them.
    fn are_known_apart(&self, one: usize, other: usize) -> bool {
        let node = |index: usize| self.candidates[index].node;
        if self.of_axioms.contains(&one) && self.of_axioms.contains(&other) {
            return true;
        }
        node(one).is_some() && node(other).is_some() && node(one) != node(other) && self.are_apart(one, other)
    }
}

/// The attempts for candidates that the member most likely to need them does not need: together if they concern the same
/// other members, in all members.
fn second_attempts(
    verifier: &CandidateTrials,
    candidates: &[Candidate],
    attempts: Vec<Attempt>,
    needs: &Needs<'_>,
) -> Vec<Attempt> {
    let mut groups: Vec<(Names, Attempt)> = Vec::new();
    for attempt in attempts {
        let later = attempt.later.clone();
        let alone = Attempt { touched: Some(later.clone()), later: Names::new(), ..attempt };
        let whole = groups.iter_mut().filter(|(names, _)| *names == later).find_map(|(_, group)| {
            let others = &group.candidates;
            let whole = joined(verifier, candidates, &[&**others, &*alone.candidates].concat());
            let mut pairs = others.iter().flat_map(|other| alone.candidates.iter().map(|one| (*other, *one)));
            let fits = pairs.all(|(other, one)| needs.are_known_apart(other, one))
                && apply(&whole.edits, verifier.trials.source).is_some();
            fits.then_some((group, whole))
        });
        match whole {
            Some((group, whole)) => *group = whole,
            None => groups.push((later, alone)),
        }
    }
    groups.into_iter().map(|(_, group)| group).collect()
}

/// The first attempts: seemingly unneeded elements together if they affect the same members, all others alone.
fn first_attempts(
    verifier: &CandidateTrials,
    candidates: &[Candidate],
    found: &Dependencies,
    needs: &Needs<'_>,
) -> Vec<Attempt> {
    let mut attempts: Vec<Attempt> = Vec::new();
    let (mut alone, mut of_goals) = (Vec::new(), Vec::new());
    for (index, candidate) in candidates.iter().enumerate() {
        let attempt = single(verifier, candidate, index, candidate.edits.clone());
        if is_part_of_assertion(candidate, found) {
            join_goals(verifier, candidates, &mut of_goals, attempt);
            continue;
        }
        if !is_hopeful(candidate) || attempt.touched.is_none() {
            alone.push(in_two_steps(attempt, candidate, found));
            continue;
        }
        let near = attempts.extract_if(.., |other| !are_disjoint(&other.touched, &attempt.touched));
        let near: Vec<Attempt> = near.collect();
        let mut all: Vec<usize> = near.iter().flat_map(|other| other.candidates.iter().copied()).collect();
        let independent = all.iter().all(|other| needs.are_apart(*other, index));
        all.push(index);
        let whole = joined(verifier, candidates, &all);
        if independent && apply(&whole.edits, verifier.trials.source).is_some() {
            attempts.push(whole);
        } else {
            // Edits of the same text conflict as well.
            attempts.extend(near);
            alone.push(attempt);
        }
    }
    attempts.extend(of_goals);
    attempts.extend(alone);
    attempts
}

/// Whether a candidate says that an `assert` holds if it is stronger, and the survey did not refute it. What is asserted is
/// implied by what is known before it, so it is not what proves other such assertions.
fn is_part_of_assertion(candidate: &Candidate, found: &Dependencies) -> bool {
    let is_assertion = |node: UserId| found.nodes.all[node].construct == Construct::Assert;
    matches!(candidate.doubt, Some(Doubt::Restated { .. })) && candidate.node.is_some_and(is_assertion)
}

/// Adds an attempt to one that affects the same members, unless it is about a part of the same assertion.
fn join_goals(verifier: &CandidateTrials, candidates: &[Candidate], groups: &mut Vec<Attempt>, attempt: Attempt) {
    let node = |index: &usize| candidates[*index].node;
    for group in groups.iter_mut().filter(|group| group.touched == attempt.touched) {
        let is_other = |index: &usize| attempt.candidates.iter().all(|one| node(one) != node(index));
        let whole = joined(verifier, candidates, &[&*group.candidates, &*attempt.candidates].concat());
        if group.candidates.iter().all(is_other) && apply(&whole.edits, verifier.trials.source).is_some() {
            *group = whole;
            return;
        }
    }
    groups.push(attempt);
}

/// Splits an attempt: what proofs use is first tried in the member most likely to need it.
fn in_two_steps(attempt: Attempt, candidate: &Candidate, found: &Dependencies) -> Attempt {
    let needing = needing(candidate, found, &attempt.touched);
    match &attempt.touched {
        Some(touched) if touched.len() > 1 && is_believed(candidate) => {
            let Some(first) = needing.filter(|name| touched.contains(name)) else { return attempt };
            let later = touched.iter().filter(|name| **name != first).cloned().collect();
            Attempt { touched: Some(Names::from([first])), later, ..attempt }
        }
        _ => attempt,
    }
}

fn is_believed(candidate: &Candidate) -> bool {
    candidate.id == WarningId::AssumptionRedundant
        || candidate.id == WarningId::AssumptionUnused && candidate.portion == Portion::Part
}

/// Whether no known proof uses the candidate.
fn is_hopeful(candidate: &Candidate) -> bool {
    let unused = [WarningId::AssumptionUnused, WarningId::AssertionRedundant, WarningId::CodeUnconstrained];
    unused.contains(&candidate.id) && candidate.portion == Portion::Whole && candidate.member.is_none()
}

fn single(verifier: &CandidateTrials, candidate: &Candidate, index: usize, edits: Vec<Edit>) -> Attempt {
    let changed = verifier.trials.affected(&edits);
    let touched = match &candidate.member {
        Some(name) => Some(Names::from([name.clone()])),
        None => changed.clone(),
    };
    let alone = declares(verifier, &edits);
    Attempt { candidates: vec![index], edits, touched, later: Names::new(), changed, hollow: false, alone }
}

fn declares(verifier: &CandidateTrials, edits: &[Edit]) -> bool {
    edits.iter().any(|edit| edit.start >= verifier.trials.source.len())
}

fn joined(verifier: &CandidateTrials, candidates: &[Candidate], indices: &[usize]) -> Attempt {
    let mut edits: Vec<Edit> = indices.iter().flat_map(|index| candidates[*index].edits.clone()).collect();
    edits.sort();
    edits.dedup();
    let (touched, alone) = (verifier.trials.affected(&edits), declares(verifier, &edits));
    let (candidates, changed, later) = (indices.to_vec(), touched.clone(), Names::new());
    Attempt { candidates, edits, changed, touched, later, hollow: false, alone }
}

fn are_disjoint(one: &Option<Names>, other: &Option<Names>) -> bool {
    matches!((one, other), (Some(one), Some(other)) if one.is_disjoint(other))
}

/// Whether neither attempt changes the members that the other is judged by.
fn are_independent(one: &Attempt, other: &Attempt) -> bool {
    !one.alone
        && !other.alone
        && are_disjoint(&one.changed, &other.touched)
        && are_disjoint(&other.changed, &one.touched)
}

/// Packs independent attempts into programs.
fn packed(attempts: Vec<Attempt>) -> Vec<Vec<Attempt>> {
    let mut programs: Vec<Vec<Attempt>> = Vec::new();
    for attempt in attempts {
        let fits = |program: &&mut Vec<Attempt>| program.iter().all(|other| are_independent(other, &attempt));
        match programs.iter_mut().find(fits) {
            Some(program) => program.push(attempt),
            None => programs.push(vec![attempt]),
        }
    }
    programs
}

#[cfg(test)]
mod tests {
    use super::*;
    use echis_base::{FileId, Key, Name, Span};

    fn attempt(index: usize, touched: Option<&[&str]>) -> Attempt {
        let touched = touched.map(|names| names.iter().map(|name| Name::from(*name)).collect());
        let changed = touched.clone();
        let later = Names::new();
        Attempt { candidates: vec![index], edits: Vec::new(), touched, later, changed, hollow: false, alone: false }
    }

    /// If both are left out, it does not show whether one is needed for the other.
    #[test]
    fn parts_are_left_out_together_only_if_neither_is_known_to_need_the_other() {
        let span = Span { file: FileId::new(0), start: 0, end: 0 };
        let part = |node: Option<usize>| Candidate {
            node: node.map(UserId::new),
            ..Candidate::new(Name::from("m"), WarningId::AssumptionUnused, String::new(), span, Vec::new())
        };
        let nodes = [Some(1), Some(2), Some(1), Some(3), None, Some(4), Some(4)];
        let candidates = nodes.map(part);
        let mut behind = vec![BTreeSet::new(); candidates.len()];
        behind[3].insert(UserId::new(1));
        let needs = Needs { candidates: &candidates, behind, of_axioms: BTreeSet::from([5, 6]) };
        assert!(needs.are_known_apart(0, 1) && needs.are_known_apart(1, 3));
        assert!(!needs.are_known_apart(0, 2), "parts of one node");
        assert!(!needs.are_known_apart(0, 3) && !needs.are_known_apart(3, 0), "the proof of one uses the other");
        assert!(
            !needs.are_known_apart(0, 4) && !needs.are_known_apart(4, 0),
            "it is not known what a proof of it uses"
        );
        assert!(needs.are_known_apart(5, 6), "parts of one axiom");
    }

    /// A function that asserts `false` may fail, and then its callers fail, too.
    #[test]
    fn who_applies_an_edited_function_is_tried_apart() {
        let names = |names: &[&str]| Some(names.iter().map(|name| Name::from(*name)).collect());
        let function = Attempt { changed: names(&["f", "m"]), ..attempt(0, Some(&["f"])) };
        let programs = packed(vec![function, attempt(1, Some(&["m"])), attempt(2, Some(&["other"]))]);
        let programs: Vec<Vec<usize>> =
            programs.iter().map(|program| program.iter().flat_map(|one| one.candidates.clone()).collect()).collect();
        assert_eq!(programs, [vec![0, 2], vec![1]]);
    }

    /// An attempt that affects everything, or is invalid with others, gets its own program.
    #[test]
    fn attempts_that_touch_the_same_are_apart() {
        let apart = Attempt { alone: true, ..attempt(4, Some(&["e"])) };
        let attempts = vec![
            attempt(0, Some(&["a"])),
            attempt(1, Some(&["a", "b"])),
            attempt(2, None),
            attempt(3, Some(&["c"])),
            apart,
            attempt(5, Some(&["b"])),
        ];
        let programs: Vec<Vec<usize>> = packed(attempts)
            .iter()
            .map(|program| program.iter().flat_map(|one| one.candidates.clone()).collect())
            .collect();
        assert_eq!(programs, [vec![0, 3, 5], vec![1], vec![2], vec![4]]);
    }
}
