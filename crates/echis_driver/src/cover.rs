//! Coverage of one file: dependencies first, and then every candidate for a warning is confirmed by verifying the
//! program that would show it wrong.

use crate::check::front_result;
use crate::defect::guarded;
use crate::deps::{Dependencies, dependencies};
use crate::file::{Digest, collect};
use crate::front::check_text;
use crate::solvers::Solvers;
use crate::verify::{Progress, Settings, Silent, verify_program};
use echis_analysis::cover::{self, Candidate, Coverage, Edit, Probes, Warning};
use echis_analysis::depend::{Effort, UserId};
use echis_analysis::{FileResult, FileVerdict};
use echis_base::{Diagnostic, FileId, Name, Span};
use std::collections::BTreeSet;
use std::path::Path;
use std::time::{Duration, Instant};

pub struct Covered {
    pub found: Dependencies,
    pub coverage: Coverage,
    pub confirm_time: Duration,
}

/// Verifies a file, explains it, and says what no proof needs. A program that does not verify has no warnings.
pub fn cover(
    path: &Path,
    settings: &Settings,
    solvers: &Solvers,
    progress: &dyn Progress,
) -> Result<Covered, Box<FileResult>> {
    let found = dependencies(path, settings, solvers, progress, Effort::Fast, |_, _| true)?;
    let start = Instant::now();
    let covered = cover::covered(&found.view);
    let mut coverage = Coverage { members: cover::members(&found.view, &covered), covered, ..Coverage::default() };
    let main = found.result.sources.files().next().map(|(id, file)| (id, file.text.to_string()));
    if let (FileVerdict::Verified, Some((main, source))) = (found.result.verdict, main) {
        // What a member demands of others is seen only in the others.
        let settings = Settings { members: None, explain: false, counterexample: None, ..settings.clone() };
        let again = |text: String| verify_text(path, text, &settings, solvers);
        let mut confirm = Confirm { found: &found, main, source: &source, again: &again, coverage: &mut coverage };
        confirm.dead();
        confirm.unneeded();
        confirm.silencers();
        coverage.warnings.sort_by(|a, b| key(a).cmp(&key(b)));
    }
    Ok(Covered { found, coverage, confirm_time: start.elapsed() })
}

fn key(warning: &Warning) -> (Option<Span>, &str) {
    (warning.diagnostic.span, &warning.diagnostic.id)
}

/// Applies the fixes of warnings one after the other, each kept only if the whole still verifies. The new text and how
/// many were applied.
pub fn fix(path: &Path, covered: &Covered, settings: &Settings, solvers: &Solvers) -> (String, usize) {
    let Some((_, file)) = covered.found.result.sources.files().next() else { return (String::new(), 0) };
    let mut text = file.text.to_string();
    let mut edits: Vec<&Edit> = covered.coverage.warnings.iter().filter_map(|warning| warning.fix.as_ref()).collect();
    edits.sort_by_key(|edit| std::cmp::Reverse((edit.start, edit.end)));
    let settings = Settings { members: None, explain: false, counterexample: None, ..settings.clone() };
    let (mut applied, mut last) = (0, usize::MAX);
    for edit in edits {
        if edit.end > last {
            continue;
        }
        let Some(edited) = edit.apply(&text) else { continue };
        if verify_text(path, edited.clone(), &settings, solvers).verdict == FileVerdict::Verified {
            (text, last) = (edited, edit.start);
            applied += 1;
        }
    }
    (text, applied)
}

struct Confirm<'a> {
    found: &'a Dependencies,
    main: FileId,
    source: &'a str,
    again: &'a dyn Fn(String) -> FileResult,
    coverage: &'a mut Coverage,
}

impl Confirm<'_> {
    /// Places where `false` can be proved.
    fn dead(&mut self) {
        let (program, sources) = (&self.found.program, &self.found.result.sources);
        let probes = Probes::new(program, sources, self.main);
        if probes.is_empty() {
            return;
        }
        let result = (self.again)(probes.program(self.source));
        self.coverage.runs += 1;
        let usable = matches!(result.verdict, FileVerdict::Failed | FileVerdict::Verified) && result.stopped.is_empty();
        let failing: BTreeSet<usize> = result
            .errors
            .iter()
            .map(|finding| &finding.diagnostic)
            .filter(|diagnostic| usable && diagnostic.id.starts_with("refute.failed:"))
            .filter_map(|diagnostic| diagnostic.span.map(|span| span.start as usize))
            .collect();
        for dead in probes.dead(&failing) {
            let statement = dead.statement;
            let nodes = &self.found.nodes.all;
            let is_there = |id: &UserId| {
                let node = &nodes[*id];
                node.span == dead.span || statement.is_some() && node.statement == statement
            };
            let node = nodes.keys().find(is_there);
            if dead.id == "proved.vacuously" {
                self.coverage.vacuous.push(dead.span);
            }
            let mut diagnostic = Diagnostic::warning(dead.id, dead.span, dead.message);
            let core = node.and_then(|node| self.found.view.dependencies.iter().find(|answer| answer.of == node));
            for on in core.into_iter().flat_map(|answer| &answer.direct).filter(|on| Some(**on) != node).take(4) {
                diagnostic = diagnostic.related(nodes[*on].span, "takes part in the contradiction");
            }
            self.add(Warning { diagnostic, member: dead.member, node, fix: None }, "contradiction");
        }
    }
    /// What can be taken away.
    fn unneeded(&mut self) {
        let Dependencies { program, nodes, result, view, .. } = self.found;
        let covered = self.coverage.covered.clone();
        for candidate in cover::candidates(program, &result.sources, self.main, nodes, &covered) {
            let vacuous = |span: &Span| span.contains(candidate.span);
            if self.coverage.vacuous.iter().any(vacuous) {
                continue;
            }
            let Candidate { node, id, message, span, edit, is_fix } = candidate;
            let Some(text) = edit.apply(self.source) else { continue };
            let verdict = (self.again)(text).verdict;
            self.coverage.runs += 1;
            let member = view.node(node).map_or_else(|| Name::from(""), |node| node.member.clone());
            match verdict {
                FileVerdict::Verified => {
                    let diagnostic = Diagnostic::warning(id, span, message);
                    let fix = is_fix.then_some(edit);
                    self.add(Warning { diagnostic, member, node: Some(node), fix }, "unused");
                }
                FileVerdict::Failed if id != "code.unconstrained" => self.coverage.trigger_only.push(node),
                _ => {}
            }
        }
    }
    /// Keeps a warning unless somebody wrote that it is intended. A silencer that silences is remembered by its node.
    fn add(&mut self, warning: Warning, silencer: &str) {
        let silenced = warning.node.is_some_and(|node| self.found.nodes.all[node].annotation(silencer).is_some());
        if silenced {
            self.coverage.silenced.extend(warning.node);
        } else {
            self.coverage.warnings.push(warning);
        }
    }
    /// Silencers without effect.
    fn silencers(&mut self) {
        for name in ["contradiction", "unused"] {
            for node in cover::silencers(&self.found.nodes, name) {
                let user = &self.found.nodes.all[node];
                let same = |other: &UserId| self.found.nodes.all[*other].statement == user.statement;
                let works = self.coverage.silenced.contains(&node)
                    || user.statement.is_some() && self.coverage.silenced.iter().any(same);
                if works || user.span.file != self.main {
                    continue;
                }
                let message = format!("@{name}() silences no warning.");
                let diagnostic = Diagnostic::warning("silencer.unused", user.span, message);
                let member = self.found.view.node(node).map_or_else(|| Name::from(""), |node| node.member.clone());
                self.coverage.warnings.push(Warning { diagnostic, member, node: Some(node), fix: None });
            }
        }
    }
}

/// Verifies a text as if it were the file's.
fn verify_text(path: &Path, text: String, settings: &Settings, solvers: &Solvers) -> FileResult {
    let start = Instant::now();
    let mut front = match guarded(|| check_text(path, text)) {
        Ok(front) => front,
        Err(ended) => return crate::check::broken(path, ended, start),
    };
    let Some(program) = front.program.take() else { return front_result(front, start) };
    let keep = |member: &Name, outcome| Digest::new(&program, &front.sources, member, outcome);
    let verified = verify_program(&program, settings, solvers, &Silent, keep);
    let mut result = front_result(front, start);
    result.verdict = FileVerdict::Verified;
    collect(&program, verified, &mut result);
    result
}
