//! Tries edits of a program's text. This is how coverage, pruning and fixes try a program without some part of it: what
//! is verified is what the user gets, with everything that the front end derives from a text, such as triggers. (The
//! cache compares programs by content, so it removes clauses from the typed program instead:
//! [`echis_program::weaken`].)
//!
//! A trial verifies only the members that the edits can affect, with a limit for each obligation, and counts its
//! effort.

use crate::ask::touched::{Names, Touched};
use crate::checked::Checked;
use crate::language::engines;
use crate::verification::Verification;
use crate::verify::members::Silent;
use crate::verify::pattern::Pattern;
use crate::verify::settings::Settings;
use crate::verify::verifier::Verifier;
use echis_base::{Edit, FileId, Name, SourceMap, Span, SyntaxId, fresh};
use echis_cover::Probes;
use echis_findings::{FileResult, FileVerdict};
use echis_program::program::{ExprId, ExprKind, Location, Program};
use echis_program::reach::Member;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Tries edits of one program.
pub struct Trials<'a> {
    pub(super) checked: &'a Checked,
    pub(super) program: &'a Program,
    pub(super) main: FileId,
    pub(super) source: &'a str,
    pub(super) verifier: Verifier,
    settings: Settings,
    /// Time limit of each trial.
    limit: Option<Duration>,
    touched: Touched<'a>,
    spent: AtomicU64,
}

/// The obligations at which a program with probes fails.
#[derive(Default)]
pub(super) struct ProbedFailures {
    /// At its probes.
    pub probes: BTreeSet<usize>,
    /// Elsewhere, for certain.
    pub others: BTreeSet<usize>,
}

/// An edited program that is valid.
pub struct Proposal {
    checked: Checked,
    /// The members that the edits can affect; `None` means all.
    touched: Option<Names>,
    /// The members that the edits change directly.
    edited: Names,
}

impl<'a> Trials<'a> {
    /// Returns `None` if this is not a valid Viper program. An obligation of a trial may take `rlimit` of the
    /// solver's units.
    pub fn new(verifier: &Verifier, checked: &'a Checked, settings: &Settings, rlimit: u32) -> Option<Self> {
        let settings = Settings { measure: true, fresh: true, ..settings.for_variation() };
        Trials::with(verifier.bounded(rlimit), checked, settings, None)
    }
    pub(super) fn with(
        verifier: Verifier,
        checked: &'a Checked,
        settings: Settings,
        limit: Option<Duration>,
    ) -> Option<Self> {
        let program = &**checked.viper()?;
        let (main, file) = checked.sources().files().next()?;
        let source = &*file.text;
        let (touched, spent) = (Touched::new(program, main, source.len()), AtomicU64::new(0));
        Some(Trials { checked, program, main, source, verifier, settings, limit, touched, spent })
    }
    /// The unedited program.
    pub fn checked(&self) -> &'a Checked {
        self.checked
    }
    /// The solver's units spent so far.
    pub fn spent(&self) -> u64 {
        self.spent.load(Ordering::Relaxed)
    }
    /// Whether the run has been told to end.
    pub fn is_over(&self) -> bool {
        self.settings.cancel.is_over()
    }
    /// The settings of a trial that starts now, of these members; `None` means all.
    pub(super) fn settings(&self, members: Option<Pattern>) -> Settings {
        let cancel =
            self.limit.map_or_else(|| self.settings.cancel.clone(), |limit| self.settings.cancel.within(limit));
        Settings { members, cancel, ..self.settings.clone() }
    }
    pub(super) fn verify_with(&self, edited: &Checked, settings: &Settings) -> FileResult {
        self.verify_by(&self.verifier, edited, settings)
    }
    fn verify_by(&self, verifier: &Verifier, edited: &Checked, settings: &Settings) -> FileResult {
        let result = engines::verify(edited, settings, verifier, &Silent).result;
        let effort: u64 = result.profile.iter().flatten().map(|member| member.effort()).sum();
        self.spent.fetch_add(effort, Ordering::Relaxed);
        result
    }
    /// The members that edits can affect; `None` means all.
    pub(super) fn affected(&self, edits: &[Edit]) -> Option<Names> {
        self.touched.by(edits)
    }
    /// Where a program with probes fails, in these members. `None` if undecided.
    pub(super) fn failing(
        &self,
        verifier: &Verifier,
        probed: &Checked,
        members: Option<Pattern>,
    ) -> Option<ProbedFailures> {
        let result = self.verify_by(verifier, probed, &Settings { errors: 0, ..self.settings(members) });
        let decided = matches!(result.verdict, FileVerdict::Failed | FileVerdict::Undecided | FileVerdict::Verified);
        if !decided || !result.stopped.is_empty() {
            return None;
        }
        let mut failing = ProbedFailures::default();
        for finding in &result.errors {
            let diagnostic = &finding.diagnostic;
            // An error may be reported at a clause but be about a part of it.
            let spans = diagnostic.span.into_iter().chain(diagnostic.related.iter().map(|related| related.span));
            let starts = spans.filter(|span| span.file == self.main).map(|span| span.start as usize);
            match diagnostic.id.starts_with("refute.failed:") {
                true => failing.probes.extend(starts),
                false if finding.undecided.is_none() => failing.others.extend(starts),
                false => {}
            }
        }
        Some(failing)
    }
}

/// Proposals.
impl Trials<'_> {
    /// Applies the edits; returns the program if it is valid. No solver is needed.
    pub fn propose(&self, edits: &[Edit]) -> Option<Proposal> {
        let checked = self.checked.edited(edits)?;
        checked.viper()?;
        let is_edited = |span: Span| {
            let is_inside = |edit: &Edit| (span.start as usize..=span.end as usize).contains(&edit.start);
            span.file == self.main && edits.iter().any(is_inside)
        };
        let edited =
            Member::all(self.program).filter(|member| is_edited(self.program.syntax.span(member.id(self.program))));
        let edited = edited.map(|member| member.name(self.program).clone()).collect();
        Some(Proposal { checked, touched: self.affected(edits), edited })
    }
    /// Verifies the members that the edits can affect. A member stops after `errors` errors; 0 finds all.
    pub fn verify(&self, proposal: &Proposal, errors: usize) -> FileResult {
        let settings = Settings { errors, ..self.settings(proposal.touched.as_ref().map(exactly)) };
        self.verify_with(&proposal.checked, &settings)
    }
    /// The members that the edits can affect; `None` means all.
    pub fn touched<'p>(&self, proposal: &'p Proposal) -> Option<&'p BTreeSet<Name>> {
        proposal.touched.as_ref()
    }
    /// The positions in the edited text where `false` can be proved: before statements, at the ends of bodies, and
    /// after the preconditions of edited members once their predicates are unfolded, which counts as the end of the
    /// text. `None` if undecided.
    pub fn contradictions(&self, proposal: &Proposal) -> Option<BTreeSet<usize>> {
        self.contradictions_in(&proposal.checked, proposal)
    }
    /// The positions in the unedited program where `false` can be proved, in the members that a proposal can affect.
    pub fn contradictions_before(&self, proposal: &Proposal) -> Option<BTreeSet<usize>> {
        self.contradictions_in(self.checked, proposal)
    }
    fn contradictions_in(&self, checked: &Checked, proposal: &Proposal) -> Option<BTreeSet<usize>> {
        let (program, sources) = (checked.viper()?, checked.sources());
        let (main, file) = sources.files().next()?;
        let is_run = |name: &Name| proposal.touched.as_ref().is_none_or(|names| names.contains(name));
        let probes = Probes::new(program, sources, main, is_run);
        let mut text = probes.program(&file.text);
        let own = text.len();
        let name = fresh(&text, "precondition");
        let mut names = proposal.touched.clone();
        let functions = program.functions.values().map(|function| (&function.name, function.id, &function.pre));
        let methods = program.methods.values().map(|method| (&method.name, method.id, &method.pre));
        let edited =
            functions.chain(methods).filter(|(name, _, pre)| proposal.edited.contains(*name) && !pre.is_empty());
        for (number, (_, id, pre)) in edited.enumerate() {
            let name = format!("{name}{number}");
            text += &consistent(program, sources, id, pre, &name)?;
            names.iter_mut().for_each(|names| {
                names.insert(name.as_str().into());
            });
        }
        let refuted = self.failing(&self.verifier, &checked.with_text(text), names.as_ref().map(exactly))?.probes;
        let mut dead = probes.false_at(&refuted);
        dead.extend(refuted.iter().any(|at| *at >= own).then_some(file.text.len()));
        Some(dead)
    }
}

/// Matches the members with these names.
pub(super) fn exactly(names: &Names) -> Pattern {
    Pattern::any_of(names.iter().map(|name| &**name))
}

impl Verification {
    /// Tries edits of the program with this verification's solvers.
    pub fn trials(&self, rlimit: u32) -> Option<Trials<'_>> {
        Trials::new(self.verifier(), self.checked(), &self.settings(), rlimit)
    }
}

/// A method that fails to refute `false` if the preconditions of a member, including the contents of their
/// predicates, contradict each other.
fn consistent(
    program: &Program,
    sources: &Arc<SourceMap>,
    member: SyntaxId,
    pre: &[ExprId],
    name: &str,
) -> Option<String> {
    let said = |id: SyntaxId| unannotated(sources.text(program.syntax.span(id)));
    // Types have no parentheses.
    let (_, behind) = said(member).split_once('(')?;
    let (params, _) = behind.split_once(')')?;
    let clauses: String = pre.iter().map(|clause| format!("  requires {}\n", said(program.expr(*clause).id))).collect();
    let given = |(conjunct, _): (ExprId, Vec<ExprId>)| match program.kind(conjunct) {
        ExprKind::Acc { location: Location::Predicate { predicate, .. }, .. } => {
            program.predicates[*predicate].body?;
            Some(format!("  unfold {}\n", said(program.expr(conjunct).id)))
        }
        _ => None,
    };
    let unfolded: String = pre.iter().flat_map(|clause| program.conjuncts(*clause)).filter_map(given).collect();
    Some(format!("\nmethod {name}({params})\n{clauses}{{\n{unfolded}  refute false\n}}\n"))
}

/// A text without the annotations before it, and without parentheses around what is annotated.
fn unannotated(text: &str) -> &str {
    let Some(rest) = text.trim_start().strip_prefix('@') else { return text };
    let Some(open) = rest.find('(') else { return text };
    let Some(length) = closed(&rest[open..]) else { return text };
    let behind = unannotated(rest[open + length..].trim_start());
    let is_whole = behind.starts_with('(') && closed(behind) == Some(behind.len());
    if is_whole { behind[1..behind.len() - 1].trim() } else { behind }
}

/// The length of what a parenthesis encloses, from the one that opens to the one that closes, strings left aside.
fn closed(text: &str) -> Option<usize> {
    let (mut depth, mut quoted) = (0usize, false);
    for (at, c) in text.char_indices() {
        match c {
            '"' => quoted = !quoted,
            _ if quoted => {}
            '(' => depth += 1,
            ')' if depth == 1 => return Some(at + 1),
            ')' => depth -= 1,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn annotations_are_left_out() {
        assert_eq!(unannotated("@a(\")\") @b() method m(x: Ref)"), "method m(x: Ref)");
        assert_eq!(unannotated("@a(\"b\")(P(x) && Q(x))"), "P(x) && Q(x)");
        assert_eq!(unannotated("(P(x)) && (Q(x))"), "(P(x)) && (Q(x))");
    }
}
