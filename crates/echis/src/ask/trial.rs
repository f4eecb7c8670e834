//! Tries edits of a failing program. A trial verifies only the members that the edits can affect, with a limit for
//! each obligation, and counts its effort.

use crate::ask::touched::{Names, Touched};
use crate::checked::Checked;
use crate::language::engines;
use crate::verification::Verification;
use crate::verify::members::Silent;
use crate::verify::pattern::Pattern;
use crate::verify::settings::Settings;
use crate::verify::verifier::Verifier;
use echis_base::{FileId, Name, SourceMap, SyntaxId};
use echis_cover::{Edit, Probes, apply, fresh};
use echis_findings::{FileResult, FileVerdict};
use echis_program::program::{ExprId, ExprKind, Location, Program};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Tries edits of one program.
pub struct Trials<'a> {
    verifier: Verifier,
    checked: &'a Checked,
    program: &'a Program,
    main: FileId,
    source: &'a str,
    settings: Settings,
    touched: Touched<'a>,
    spent: AtomicU64,
}

/// An edited text that is a valid program.
pub struct Proposal {
    /// The edited text.
    pub text: String,
    checked: Checked,
    /// The members that the edits can affect; `None` means all.
    touched: Option<Names>,
    /// The methods and functions that the edits change directly.
    edited: Vec<Name>,
}

impl<'a> Trials<'a> {
    /// Returns `None` if this is not a valid Viper program. An obligation of a trial may take `rlimit` of the
    /// solver's units.
    pub fn new(verifier: &Verifier, checked: &'a Checked, settings: &Settings, rlimit: u32) -> Option<Self> {
        let program = &**checked.viper()?;
        let (main, file) = checked.sources().files().next()?;
        let source = &*file.text;
        let settings = Settings { measure: true, fresh: true, ..settings.for_variation() };
        let touched = Touched::new(program, main, source.len());
        let (verifier, spent) = (verifier.bounded(rlimit), AtomicU64::new(0));
        Some(Trials { verifier, checked, program, main, source, settings, touched, spent })
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
    /// Applies the edits; returns the program if it is valid. No solver is needed.
    pub fn propose(&self, edits: &[Edit]) -> Option<Proposal> {
        let text = apply(edits, self.source)?;
        let checked = Checked::new(self.checked.source().clone().with_text(text.as_str()));
        checked.viper()?;
        let touched = self.touched.by(edits);
        let functions = self.program.functions.values().map(|function| (function.id, &function.name));
        let methods = self.program.methods.values().map(|method| (method.id, &method.name));
        let is_edited = |id: SyntaxId| {
            let span = self.program.syntax.span(id);
            let is_inside = |edit: &Edit| (span.start as usize..=span.end as usize).contains(&edit.start);
            span.file == self.main && edits.iter().any(is_inside)
        };
        let edited = functions.chain(methods).filter(|(id, _)| is_edited(*id)).map(|(_, name)| name.clone()).collect();
        Some(Proposal { text, checked, touched, edited })
    }
    /// Verifies the members that the edits can affect. A member stops after `errors` errors; 0 finds all.
    pub fn verify(&self, proposal: &Proposal, errors: usize) -> FileResult {
        let settings = self.settings_for(proposal, errors);
        self.count(engines::verify(&proposal.checked, &settings, &self.verifier, &Silent).result)
    }
    /// The members that the edits can affect; `None` means all.
    pub fn touched<'p>(&self, proposal: &'p Proposal) -> Option<&'p BTreeSet<Name>> {
        proposal.touched.as_ref()
    }
    /// The positions in the edited text where `false` can be proved: before statements, at the ends of bodies, and
    /// after the preconditions of edited members once their predicates are unfolded, which counts as the end of the
    /// text. `None` if undecided.
    pub fn contradictions(&self, proposal: &Proposal) -> Option<BTreeSet<usize>> {
        let (program, sources) = (proposal.checked.viper()?, proposal.checked.sources());
        let main = sources.files().next()?.0;
        let probes = Probes::new(program, sources, main);
        let mut text = probes.program(&proposal.text);
        let own = text.len();
        let name = fresh(&text, "precondition");
        let mut names = proposal.touched.clone();
        let functions = program.functions.values().map(|function| (&function.name, function.id, &function.pre));
        let methods = program.methods.values().map(|method| (&method.name, method.id, &method.pre));
        let edited =
            functions.chain(methods).filter(|(name, _, pre)| proposal.edited.contains(name) && !pre.is_empty());
        for (number, (_, id, pre)) in edited.enumerate() {
            let name = format!("{name}{number}");
            text += &consistent(program, sources, id, pre, &name)?;
            names.iter_mut().for_each(|names| {
                names.insert(name.as_str().into());
            });
        }
        let proposal = Proposal {
            checked: Checked::new(proposal.checked.source().clone().with_text(text.as_str())),
            text: proposal.text.clone(),
            touched: names,
            edited: Vec::new(),
        };
        let result = self.verify(&proposal, 0);
        let decided = matches!(result.verdict, FileVerdict::Failed | FileVerdict::Undecided | FileVerdict::Verified);
        if !decided || !result.stopped.is_empty() {
            return None;
        }
        let findings = result.errors.iter().map(|finding| &finding.diagnostic);
        let refuted = findings.filter(|diagnostic| diagnostic.id.starts_with("refute.failed:"));
        let refuted: BTreeSet<usize> = refuted.filter_map(|found| Some(found.span?.start as usize)).collect();
        let mut dead = probes.false_at(&refuted);
        dead.extend(refuted.iter().any(|at| *at >= own).then_some(proposal.text.len()));
        Some(dead)
    }
    /// The positions in the unedited program where `false` can be proved, in the members that a proposal can affect.
    pub fn contradictions_before(&self, proposal: &Proposal) -> Option<BTreeSet<usize>> {
        let same = Proposal {
            text: self.source.to_string(),
            checked: Checked::new(self.checked.source().clone().with_text(self.source)),
            touched: proposal.touched.clone(),
            edited: proposal.edited.clone(),
        };
        self.contradictions(&same)
    }

    fn settings_for(&self, proposal: &Proposal, errors: usize) -> Settings {
        let members = proposal.touched.as_ref().map(|names| Pattern::any_of(names.iter().map(|name| &**name)));
        Settings { members, errors, ..self.settings.clone() }
    }
    fn count(&self, result: FileResult) -> FileResult {
        let effort: u64 = result.profile.iter().flatten().map(|member| member.effort()).sum();
        self.spent.fetch_add(effort, Ordering::Relaxed);
        result
    }
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
