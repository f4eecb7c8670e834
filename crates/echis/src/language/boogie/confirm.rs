//! Warnings about a Boogie program. Each candidate suggested by the dependencies is confirmed by verifying an edited
//! program: with `assert false` where a goal seems to be proved from a contradiction, or without the element that
//! seems unneeded.

use super::depend::BoogieDependencies;
use super::rounds::{Again, Calls, Retry, Rounds, Trial};
use super::text::extent;
use super::walk::statements;
use echis_base::{Diagnostic, Edit, FileId, Key, Name, Span, SyntaxId};
use echis_boogie::Program;
use echis_boogie::program::{Clause, Stmt, StmtKind, VarId};
use echis_cover::{Coverage, Portion, Warning, WarningId};
use echis_depend::UserId;
use echis_findings::FileVerdict;
use std::collections::{BTreeMap, BTreeSet};

/// The warnings to look for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    All,
    Contradictions,
}

/// Adds the confirmed warnings.
pub(crate) fn confirm(found: &BoogieDependencies, wanted: Wanted, retry: &Retry<'_>, coverage: &mut Coverage) {
    let Some((_, file)) = found.result.sources.files().next() else { return };
    let rounds = Rounds::new(&file.text, retry, Calls::new(&found.program));
    let mut confirming = Confirming { rounds, coverage };
    let candidates = Search { found, covered: &confirming.coverage.covered }.all();
    let dead = confirming.contradictions(candidates.vacuous);
    if wanted == Wanted::All {
        confirming.unneeded(candidates.unneeded, &dead);
    }
    coverage.warnings.sort_by_key(|warning| (warning.diagnostic.span, warning.id));
}

/// A warning to report if the member verifies with the edit.
struct Candidate {
    id: WarningId,
    message: String,
    span: Span,
    member: Name,
    node: UserId,
    edit: Edit,
    /// Candidates that change different demands of a member are not tried together.
    group: Group,
}

/// The demands that an edit leaves unchanged.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Group {
    /// All demands.
    Body,
    /// All except those of recursive calls.
    Contract,
    /// All except those of one call.
    Call(UserId),
}

#[derive(Default)]
struct Candidates {
    vacuous: Vec<Candidate>,
    unneeded: Vec<Candidate>,
}

struct Confirming<'a> {
    rounds: Rounds<'a>,
    coverage: &'a mut Coverage,
}

impl Confirming<'_> {
    /// Reports members in which something is proved from a contradiction. All but a member's first such obligation
    /// follow from the same one.
    fn contradictions(&mut self, candidates: Vec<Candidate>) -> BTreeSet<Name> {
        let trial = |(index, candidate): (usize, &Candidate)| Trial {
            member: candidate.member.clone(),
            edits: vec![(index, candidate.edit.clone())],
        };
        let again = self.rounds.all(candidates.iter().enumerate().map(trial).collect());
        self.coverage.runs += std::mem::take(&mut self.rounds.runs);
        let mut dead = BTreeSet::new();
        for (index, candidate) in candidates.into_iter().enumerate() {
            match again.get(&index) {
                Some(Again::Verified) => {
                    let is_first = dead.insert(candidate.member.clone());
                    self.warn(candidate, !is_first);
                }
                Some(Again::Undecided) => self.coverage.untried += 1,
                Some(Again::Failed | Again::Invalid) | None => {}
            }
        }
        dead
    }
    /// In a member with a contradiction nothing is needed, which says nothing about its parts.
    fn unneeded(&mut self, candidates: Vec<Candidate>, dead: &BTreeSet<Name>) {
        let mut groups: BTreeMap<(Name, Group, usize), Trial> = BTreeMap::new();
        for (index, candidate) in candidates.iter().enumerate().filter(|(_, found)| !dead.contains(&found.member)) {
            let member = candidate.member.clone();
            // A recursive procedure demands its own contract, which another candidate may remove.
            let alone = candidate.group == Group::Contract && self.rounds.calls.reach(&member, &member);
            let key = (member.clone(), candidate.group, if alone { index } else { 0 });
            let trial = groups.entry(key).or_insert_with(|| Trial { member, edits: Vec::new() });
            trial.edits.push((index, candidate.edit.clone()));
        }
        let again = self.rounds.all(groups.into_values().collect());
        self.coverage.runs += std::mem::take(&mut self.rounds.runs);
        for (index, candidate) in candidates.into_iter().enumerate() {
            match again.get(&index) {
                Some(Again::Verified) => self.warn(candidate, false),
                Some(Again::Undecided) => self.coverage.untried += 1,
                // By definition, an element is covered if the proof fails without it.
                Some(Again::Failed) => drop(self.coverage.covered.insert(candidate.node)),
                Some(Again::Invalid) | None => {}
            }
        }
    }
    fn warn(&mut self, candidate: Candidate, follows: bool) {
        let Candidate { id, message, span, member, node, edit, .. } = candidate;
        let mut diagnostic = Diagnostic::warning(id.name(), span, message);
        diagnostic.consequence = follows;
        let (node, portion, evidence) = (Some(node), Portion::Whole, vec![edit]);
        self.coverage.warnings.push(Warning { id, diagnostic, member, node, portion, evidence, fix: None });
    }
}

struct Search<'a> {
    found: &'a BoogieDependencies,
    covered: &'a BTreeSet<UserId>,
}

impl Search<'_> {
    /// All candidates, in text order.
    fn all(&self) -> Candidates {
        let mut all = Candidates::default();
        let program = self.program();
        for implementation in program.implementations.values() {
            let procedure = &program.procedures[implementation.procedure];
            let member = &procedure.name;
            all.unneeded.extend(procedure.requires.iter().filter_map(|clause| self.precondition(clause, member)));
            for stmt in statements(&implementation.body) {
                let start = extent(program, stmt.id).start;
                let mut goals = vec![stmt.id];
                if let StmtKind::While { invariants, .. } = &stmt.kind {
                    goals = invariants.iter().map(|clause| clause.id).collect();
                }
                all.vacuous
                    .extend(goals.into_iter().filter_map(|id| self.vacuous(id, start, "assert false; ", member)));
                all.unneeded.extend(self.stmt(stmt, member));
            }
            let ensures = procedure.ensures.iter();
            all.vacuous.extend(ensures.filter_map(|clause| {
                let start = extent(program, clause.id).start;
                self.vacuous(clause.id, start, "ensures false; ", member)
            }));
        }
        let verified = |candidate: &Candidate| self.is_verified(&candidate.member);
        all.vacuous.retain(verified);
        all.unneeded.retain(verified);
        all
    }
    fn program(&self) -> &Program {
        &self.found.program
    }
    fn is_verified(&self, member: &Name) -> bool {
        let mut members = self.found.result.members.iter().filter(|found| found.name == *member).peekable();
        members.peek().is_some() && members.all(|found| found.verdict == FileVerdict::Verified)
    }
    fn text(&self, span: Span) -> String {
        let text = self.found.result.sources.text(span).trim_end_matches(';');
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }
    /// A goal proved from a contradiction; confirmed by replacing it with `false`.
    fn vacuous(&self, id: SyntaxId, start: u32, goal: &str, member: &Name) -> Option<Candidate> {
        let node = *self.found.users.get(&id).filter(|user| self.found.graph.vacuous.contains(user))?;
        let span = extent(self.program(), id);
        let message = format!("This is proved from contradictory assumptions: {}.", self.text(span));
        let (edit, member) = (Edit::insert(start as usize, goal), member.clone());
        own(Candidate { id: WarningId::ProvedVacuously, message, span, member, node, edit, group: Group::Body })
    }
    fn unneeded(&self, id: SyntaxId) -> Option<UserId> {
        self.found.users.get(&id).copied().filter(|user| !self.covered.contains(user))
    }
    fn precondition(&self, clause: &Clause, member: &Name) -> Option<Candidate> {
        let node = self.unneeded(clause.id)?;
        let span = extent(self.program(), clause.id);
        let text = self.text(span);
        let condition = text.strip_prefix("requires ").unwrap_or(&text);
        let message = format!("No proof needs the precondition {condition}.");
        // The keyword is kept, since `free` may precede it.
        let edit = Edit::replace(span.start as usize, span.end as usize, "requires true;");
        let (id, member) = (WarningId::AssumptionUnused, member.clone());
        own(Candidate { id, message, span, member, node, edit, group: Group::Contract })
    }
    fn stmt(&self, stmt: &Stmt, member: &Name) -> Option<Candidate> {
        let node = self.unneeded(stmt.id)?;
        let program = self.program();
        let span = extent(program, stmt.id);
        let (start, end, text) = (span.start as usize, span.end as usize, self.text(span));
        let effect = format!("Nothing specifies the effect of {text}.");
        let (unused, unconstrained) = (WarningId::AssumptionUnused, WarningId::CodeUnconstrained);
        let (id, message, edit, group) = match &stmt.kind {
            StmtKind::Assume(_) => {
                let condition = text.strip_prefix("assume ").unwrap_or(&text);
                let message = format!("No proof needs the assumption {condition}.");
                (unused, message, Edit::replace(start, end, ""), Group::Body)
            }
            StmtKind::Assign { targets, .. } => {
                let forgotten = self.forgotten(targets.iter().map(|target| target.var))?;
                (unconstrained, effect, Edit::replace(start, end, forgotten), Group::Body)
            }
            StmtKind::Call { procedure, outs, .. } => {
                let changed = outs.iter().chain(&program.procedures[*procedure].modifies).copied();
                match self.forgotten(changed) {
                    // The call's demands are kept.
                    Some(forgotten) => (unconstrained, effect, Edit::insert(end, format!(" {forgotten}")), Group::Body),
                    None if outs.is_empty() && !program.procedures[*procedure].ensures.is_empty() => {
                        let message = format!("No proof needs what {text} ensures.");
                        (unused, message, Edit::replace(start, end, ""), Group::Call(node))
                    }
                    None => return None,
                }
            }
            _ => return None,
        };
        own(Candidate { id, message, span, member: member.clone(), node, edit, group })
    }
    /// A statement that assigns arbitrary values to variables. `None` without variables, or if a declaration
    /// restricts their values.
    fn forgotten(&self, vars: impl Iterator<Item = VarId>) -> Option<String> {
        let vars: BTreeSet<VarId> = vars.collect();
        let free = vars.iter().all(|var| self.program().vars[*var].constraint.is_none());
        let names: Vec<&str> = vars.iter().map(|var| &*self.program().vars[*var].name).collect();
        (free && !names.is_empty()).then(|| format!("havoc {};", names.join(", ")))
    }
}

/// The candidate, if it is in the main file, which alone is edited.
fn own(candidate: Candidate) -> Option<Candidate> {
    (candidate.span.file == FileId::new(0)).then_some(candidate)
}
