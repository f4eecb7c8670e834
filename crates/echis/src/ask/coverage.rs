//! Coverage: computes dependencies, then confirms each candidate warning by verifying a program that would refute it.

mod batch;
mod confirm;
mod fix;
mod fold;
mod marks;

use crate::ask::dependencies::Dependencies;
use crate::ask::touched::Names;
use crate::ask::trial::ProbedFailures;
use crate::limits::{CONFIRMING_CHECKS, CONFIRMING_LEAST};
use crate::verification::{Question, Verification};
use crate::verify::settings::Settings;
use batch::{Tried, try_all};
use confirm::{CandidateTrials, TrialVerdict};
use echis_base::{Diagnostic, Name, SourceMap, Span, counted};
use echis_cover::{
    Candidate, Condition, Contradictions, Coverage, Portion, Probes, Reach, Region, Search, Silencers, Survey, Warning,
    WarningId,
};
use echis_depend::{Attribution, DependencyOptions, Minimization, Queries, UserId};
use echis_findings::{FileResult, FileVerdict};
use echis_program::reach::Member;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A verified program, with its coverage.
pub struct Covered {
    /// The dependencies that the coverage is based on.
    pub found: Arc<Dependencies>,
    /// What no proof needs.
    pub coverage: Coverage,
    /// The time spent confirming warnings.
    pub confirm_time: Duration,
}

/// Whether candidate warnings are confirmed. If not, there are counts but no warnings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Confirmation {
    /// Each candidate is confirmed, within limits.
    Run,
    /// The program is tried without each assumption that proofs use, without limits.
    Thorough,
    /// Only unreachable code is reported.
    Smoke,
    /// Nothing is confirmed.
    Skip,
}

/// The dependency options used for coverage.
pub fn coverage_options() -> DependencyOptions {
    DependencyOptions { attribution: Attribution::Overall, ..Minimization::Fast.into() }
}

/// The question for the coverage, with this kind of confirmation.
#[derive(PartialEq)]
struct Unneeded(Confirmation);

impl Question for Unneeded {
    type Answer = Result<Arc<Covered>, Box<FileResult>>;
}

impl Verification {
    /// Computes what no proof needs. A program that does not verify has no warnings.
    pub fn coverage(&self, confirmation: Confirmation) -> Result<Arc<Covered>, Box<FileResult>> {
        let answer = self.ask(Unneeded(confirmation), || {
            let found = match confirmation {
                Confirmation::Skip => self.dependencies(coverage_options())?,
                _ => self.unconfirmed(coverage_options())?,
            };
            Ok(Arc::new(covered(self, found, confirmation)))
        });
        (*answer).clone()
    }
    /// The coverage, if already computed.
    pub fn known_coverage(&self, confirmation: Confirmation) -> Option<Arc<Covered>> {
        self.answered(&Unneeded(confirmation))?.as_ref().as_ref().ok().cloned()
    }
}

fn covered(verification: &Verification, mut found: Arc<Dependencies>, confirmation: Confirmation) -> Covered {
    let settings = &verification.settings();
    let start = Instant::now();
    let covered = echis_cover::covered(&found.program, &found.nodes, &found.graph);
    let mut coverage = Coverage { covered, ..Coverage::default() };
    let explained = found.clone();
    let confirms = confirmation != Confirmation::Skip && is_verified_somewhere(&found.result);
    if let Some(verifier) = confirms.then(|| CandidateTrials::new(verification, &explained)).flatten() {
        let silencers = Silencers::new(&found.program, verifier.trials.main);
        let mut confirm = Confirm {
            found: &explained,
            verifier,
            silencers,
            settings,
            coverage: &mut coverage,
            hollow: Names::new(),
            endless: Vec::new(),
        };
        let mut candidates = match confirmation {
            Confirmation::Smoke => Vec::new(),
            _ => confirm.candidates(),
        };
        let contradictions = confirm.survey(&mut candidates);
        if found.has_claims() {
            found = Arc::new(confirm.verifier.confirmed(&explained, &contradictions));
        }
        if confirmation != Confirmation::Smoke {
            confirm.unneeded(candidates, confirmation);
            confirm.useless_silencers();
        }
        let Confirm { hollow, endless, .. } = confirm;
        if !endless.is_empty() {
            Arc::make_mut(&mut found).prove_nothing(endless);
        }
        coverage.warnings.sort_by(|a, b| key(a).cmp(&key(b)));
        fold::fold(&mut coverage.warnings, &hollow, &found.result.sources);
    }
    coverage.members = echis_cover::members(Queries { view: &found.view, graph: &found.graph });
    Covered { found, coverage, confirm_time: start.elapsed() }
}

/// Whether some member verifies. Members that fail have errors instead of warnings.
fn is_verified_somewhere(result: &FileResult) -> bool {
    result.members.iter().any(|member| member.verdict == FileVerdict::Verified)
}

fn key(warning: &Warning) -> (Option<Span>, &str) {
    (warning.diagnostic.span, &warning.diagnostic.id)
}

struct Confirm<'a> {
    found: &'a Dependencies,
    verifier: CandidateTrials<'a>,
    silencers: Silencers,
    settings: &'a Settings,
    coverage: &'a mut Coverage,
    /// Members in which a contradiction reaches to the end.
    hollow: Names,
    /// Postconditions of functions that never return.
    endless: Vec<UserId>,
}

impl Confirm<'_> {
    /// Elements of verified members that may be removable.
    fn candidates(&self) -> Vec<Candidate> {
        let Dependencies { program, nodes, result, graph, .. } = self.found;
        let search =
            Search::new(program, &result.sources, self.verifier.trials.main, nodes, graph, &self.coverage.covered);
        let mut candidates = search.candidates();
        candidates
            .retain(|Candidate { owner, .. }| self.settings.is_selected(owner) && self.verifier.is_verified(owner));
        candidates
    }
    /// Finds places where `false` can be proved. Candidates refuted by the same program are dropped.
    fn survey(&mut self, candidates: &mut Vec<Candidate>) -> Contradictions {
        let (program, sources) = (&self.found.program, &self.found.result.sources);
        let is_run = |member: &Name| self.settings.is_selected(member) && self.verifier.is_verified(member);
        let probes = Probes::new(program, sources, self.verifier.trials.main, is_run);
        let mut conditions = echis_cover::conditions(program, sources, self.verifier.trials.main);
        conditions.retain(|condition| is_run(&condition.predicate));
        let surveyed = self.surveyed(&probes, &conditions, candidates);
        let Some((survey, failing)) = surveyed else { return Contradictions::default() };
        let excluded = survey.excluded(&failing.probes);
        excluded.into_iter().for_each(|index| self.excluded(&conditions[index]));
        let refuted = survey.refuted(&failing.others);
        let mut index = 0;
        candidates.retain(|_| {
            index += 1;
            !refuted.contains(&(index - 1))
        });
        let false_at = survey.probed(&failing.probes);
        let mut explained = Vec::new();
        for region in probes.regions(&false_at) {
            self.coverage.runs += 1;
            match self.verifier.contradiction(&region.member, &region.edit, region.goal) {
                Some(core) => explained.push((region, core)),
                None => self.coverage.untried += 1,
            }
        }
        self.report(explained);
        probes.contradictions(&false_at)
    }
    /// Reports a condition in a predicate that never holds.
    fn excluded(&mut self, condition: &Condition) {
        let id = WarningId::PartUnused;
        let diagnostic = Diagnostic::warning(id.name(), condition.span, condition.message);
        let (member, evidence) = (condition.predicate.clone(), vec![condition.evidence(self.verifier.trials.source)]);
        let portion = Portion::Part;
        let warning = Warning { id, diagnostic, member, node: None, portion, evidence, fix: None };
        self.add(warning, condition.scope);
    }
    /// Surveys one program with all probes and doubts, or with the probes alone if the doubts make it invalid.
    fn surveyed(
        &mut self,
        probes: &Probes,
        conditions: &[Condition],
        candidates: &[Candidate],
    ) -> Option<(Survey, ProbedFailures)> {
        let members = self.verifier.pattern_of_verified(self.settings);
        let source = self.verifier.trials.source;
        let surveys = [Survey::new(source, probes, conditions, candidates), Survey::new(source, probes, &[], &[])];
        if surveys[0].is_empty() {
            return None;
        }
        for survey in surveys.into_iter().filter(|survey| !survey.is_empty()) {
            self.coverage.runs += 1;
            if let Some(failing) = self.verifier.failing(survey.text.clone(), members.clone()) {
                return Some((survey, failing));
            }
        }
        self.coverage.untried += usize::from(!probes.is_empty());
        None
    }
    /// Reports one warning for each obligation that follows from a contradiction; all but the first are consequences
    /// of it.
    fn report(&mut self, explained: Vec<(Region, Vec<Span>)>) {
        let mut reported: Vec<(Warning, Vec<Span>, Vec<Span>)> = Vec::new();
        for (region, core) in explained {
            let first = reported.len();
            // What follows an endless loop is contradictory as intended.
            let is_contradiction = core.iter().any(|span| self.found.result.sources.text(*span) != "true");
            let is_hollow = region.reach == Reach::EndOfMember && is_contradiction;
            self.hollow.extend(is_hollow.then(|| region.member.clone()));
            for dead in region.dead {
                let vacuous = dead.id == WarningId::ProvedVacuously;
                self.coverage.vacuous.extend(vacuous.then_some(dead.span));
                if self.silencers.silence(dead.id, dead.span, region.scope) {
                    self.coverage.silenced += 1;
                    continue;
                }
                let known = reported.iter_mut().enumerate().find(|(index, (warning, because, _))| {
                    let same = *index >= first || !core.is_empty() && *because == core;
                    vacuous && same && warning.id == dead.id && !warning.diagnostic.consequence
                });
                let is_consequence = known.is_some();
                if let Some((_, (_, _, also))) = known {
                    also.push(dead.span);
                }
                let mut diagnostic = contradicted(Diagnostic::warning(dead.id.name(), dead.span, dead.message), &core);
                diagnostic.consequence = is_consequence;
                let node = self.found.nodes.all.iter().find(|(_, node)| node.span == dead.span).map(|(id, _)| id);
                let (member, evidence) = (region.member.clone(), vec![region.edit.clone()]);
                let portion = Portion::Whole;
                let warning = Warning { id: dead.id, diagnostic, member, node, portion, evidence, fix: None };
                reported.push((warning, core.clone(), Vec::new()));
            }
            self.coverage.dead.push(region.scope);
        }
        let sources = &self.found.result.sources;
        for (mut warning, _, also) in reported {
            warning.diagnostic.message += &follow(sources, &also);
            self.coverage.warnings.push(warning);
        }
    }
    /// Confirms and reports the elements that can be removed.
    fn unneeded(&mut self, mut candidates: Vec<Candidate>, confirmation: Confirmation) {
        // In unreachable code nothing is needed, which says nothing about the program.
        candidates.retain(|candidate| !self.coverage.dead.iter().any(|dead| dead.contains(candidate.span)));
        if confirmation != Confirmation::Thorough {
            let all = candidates.len();
            self.affordable(&mut candidates);
            self.coverage.left_out += all - candidates.len();
        }
        let (tried, runs) = try_all(&self.verifier, &candidates, self.found);
        self.coverage.runs += runs;
        let nowhere = neither_branch(&candidates, &tried);
        let mut contradictory = Names::new();
        for (candidate, Tried { again, evidence }) in candidates.into_iter().zip(tried) {
            let core = self.core(&candidate, again);
            let vacuous = candidate.id == WarningId::ProvedVacuously && again == TrialVerdict::Verified;
            let of_function = candidate.member.clone().filter(|_| vacuous);
            let Candidate { node, owner, id, message, span, scope, portion, fix, .. } = candidate;
            match again {
                TrialVerdict::Verified if id == WarningId::BranchUnreachable && nowhere.contains(&span) => {}
                TrialVerdict::Verified => {
                    let is_endless = id == WarningId::ProvedVacuously && portion == Portion::Whole;
                    self.endless.extend(node.filter(|_| is_endless));
                    let mut diagnostic = contradicted(Diagnostic::warning(id.name(), span, message), &core);
                    // A function's postcondition and body follow from the same contradiction.
                    diagnostic.consequence = of_function.is_some_and(|name| !contradictory.insert(name));
                    self.add(Warning { id, diagnostic, member: owner, node, portion, evidence, fix }, scope);
                }
                TrialVerdict::OnlyMentioned => {
                    self.coverage.trigger_only.extend(node);
                    self.coverage.covered.extend(node);
                }
                // By definition, an element is covered if the proof fails without it.
                TrialVerdict::Failed => {
                    if portion == Portion::Whole {
                        self.coverage.covered.extend(node);
                    }
                }
                TrialVerdict::OutOfTime => self.coverage.untried += 1,
                TrialVerdict::Invalid => {}
            }
        }
    }
    /// Limits the trials of elements that proofs use, since most of these are needed. Those that few nodes use are tried
    /// first, and cheap ones before others.
    fn affordable(&self, candidates: &mut Vec<Candidate>) {
        let of_program: usize = self.found.result.members.iter().map(|member| member.checks).sum();
        let mut left = of_program.saturating_mul(CONFIRMING_CHECKS).max(CONFIRMING_LEAST);
        let used = |candidate: &Candidate| match candidate.id {
            WarningId::AssumptionRedundant => true,
            // Most of these were refuted by the survey.
            WarningId::BranchUnreachable => false,
            _ => candidate.node.is_none(),
        };
        let mut uses: BTreeMap<UserId, usize> = BTreeMap::new();
        for (_, needs) in self.found.graph.needs() {
            needs.keys().for_each(|on| *uses.entry(*on).or_default() += 1);
        }
        let uses = |candidate: &Candidate| candidate.node.and_then(|node| uses.get(&node)).copied().unwrap_or(0);
        let costs = candidates.iter().enumerate().filter(|(_, candidate)| used(candidate));
        let mut costs: Vec<(usize, usize, usize)> = costs
            .map(|(index, candidate)| (uses(candidate), self.verifier.cost(candidate, self.found), index))
            .collect();
        costs.sort_unstable();
        let mut afforded = BTreeSet::new();
        for (_, cost, index) in costs {
            if cost > left {
                break;
            }
            left -= cost;
            afforded.insert(index);
        }
        let mut index = 0;
        candidates.retain(|candidate| {
            index += 1;
            !used(candidate) || afforded.contains(&(index - 1))
        });
    }
    /// The clauses from which a function's postcondition `false` is proved.
    fn core(&mut self, candidate: &Candidate, again: TrialVerdict) -> Vec<Span> {
        let (Some((edit, goal)), Some(member), TrialVerdict::Verified) =
            (&candidate.contradiction, &candidate.member, again)
        else {
            return Vec::new();
        };
        self.coverage.runs += 1;
        self.verifier.contradiction(member, edit, *goal).unwrap_or_default()
    }
    /// Adds a warning unless the program suppresses it.
    fn add(&mut self, warning: Warning, scope: Span) {
        let span = warning.diagnostic.span.unwrap_or(scope);
        if self.silencers.silence(warning.id, span, scope) {
            self.coverage.silenced += 1;
        } else {
            self.coverage.warnings.push(warning);
        }
    }
    fn useless_silencers(&mut self) {
        for (span, name, written) in self.silencers.useless(self.verifier.trials.source) {
            if !self.settings.is_selected(&self.member_at(span)) {
                continue;
            }
            let message = format!("@{name} silences no warning.");
            let diagnostic = Diagnostic::warning(WarningId::SilencerUnused.name(), span, message);
            let edits: Vec<_> = written.into_iter().collect();
            let fix = echis_cover::Fix { edits: edits.clone(), removal: echis_cover::Removal::Safe };
            let fix = (!edits.is_empty()).then_some(fix);
            let member = self.member_at(span);
            let portion = Portion::Whole;
            let id = WarningId::SilencerUnused;
            self.coverage.warnings.push(Warning { id, diagnostic, member, node: None, portion, evidence: edits, fix });
        }
    }
    fn member_at(&self, span: Span) -> Name {
        let program = &*self.found.program;
        let is_around = |member: &Member| {
            !matches!(member, Member::Predicate(_)) && program.syntax.span(member.id(program)).contains(span)
        };
        let around = Member::all(program).find(is_around);
        around.map_or_else(|| Name::from(""), |member| member.name(program).clone())
    }
}

fn contradicted(diagnostic: Diagnostic, core: &[Span]) -> Diagnostic {
    core.iter().fold(diagnostic, |diagnostic, span| diagnostic.related(*span, "takes part in the contradiction"))
}

/// A note that more obligations follow from the same contradiction.
fn follow(sources: &SourceMap, also: &[Span]) -> String {
    if also.is_empty() {
        return String::new();
    }
    let (more, lines) = (counted(also.len(), "more obligation"), fold::lines(sources, also.iter().copied()));
    format!(" The same contradiction proves {more}, in {lines}.")
}

/// Conditions with neither branch taken: the whole expression is never evaluated, so the condition is not to blame.
fn neither_branch(candidates: &[Candidate], tried: &[Tried]) -> BTreeSet<Span> {
    let mut one = BTreeSet::new();
    let verified = candidates.iter().zip(tried).filter(|(_, tried)| tried.again == TrialVerdict::Verified);
    let branches =
        verified.map(|(candidate, _)| candidate).filter(|candidate| candidate.id == WarningId::BranchUnreachable);
    branches.map(|candidate| candidate.span).filter(|span| !one.insert(*span)).collect()
}
