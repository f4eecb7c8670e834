//! Counterexamples to failures.

use crate::defect::guarded;
use crate::language::engines;
use crate::verification::{Question, Verification};
use crate::verify::members::{Silent, find_models};
use crate::verify::pattern::Pattern;
use crate::verify::results::{findings, gather};
use crate::verify::run::Kept;
use crate::verify::settings::{Settings, Trees};
use crate::verify::solvers::Naming;
use echis_base::Name;
use echis_exec::Engine;
use echis_findings::counterexample::{Counterexample, View};
use echis_findings::diagnose::Place;
use echis_findings::{FileResult, Finding};
use echis_proof::Verifier as _;
use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError};

/// The question for a result with counterexamples, which show values in this view.
#[derive(PartialEq)]
struct Examples(View);

impl Question for Examples {
    type Answer = FileResult;
}

impl Verification {
    /// Returns a counterexample to a failure of this program, or the reason why there is none.
    pub fn counterexample(&self, failure: &Finding) -> Result<Box<Counterexample>, String> {
        let result = self.counterexamples(View::Extended);
        let same = |other: &&Finding| {
            other.member == failure.member
                && other.diagnostic.id == failure.diagnostic.id
                && other.diagnostic.span == failure.diagnostic.span
        };
        match result.errors.iter().find(same) {
            Some(Finding { counterexample: Some(example), .. }) => Ok(example.clone()),
            Some(Finding { no_counterexample: Some(reason), .. }) => Err(reason.clone()),
            _ => Err("this is not a failure of the program".to_string()),
        }
    }
    /// The result with a counterexample for each failure that has one. A member whose tree is kept is not executed
    /// again.
    pub fn counterexamples(&self, view: View) -> Arc<FileResult> {
        self.ask(Examples(view), || self.with_examples(view))
    }
    /// The result with counterexamples, if already computed.
    pub fn known_counterexamples(&self, view: View) -> Option<Arc<FileResult>> {
        self.answered(&Examples(view))
    }

    fn with_examples(&self, view: View) -> FileResult {
        let settings = self.settings();
        let mut members = self.members().to_vec();
        let mut read = self.read_off_trees(view, &settings);
        let mut missing: Vec<Name> = Vec::new();
        for found in members.iter_mut().filter(|found| !found.findings.is_empty()) {
            match read.remove(&found.member.name) {
                Some(findings) => found.findings = findings,
                None => missing.push(found.member.name.clone()),
            }
        }
        if !missing.is_empty() {
            let names = Some(Pattern::any_of(missing.iter().map(|name| &**name)));
            let trees = Trees::Dropped;
            let settings = Settings { counterexample: Some(view), members: names, trees, fresh: true, ..settings };
            let run = engines::verify(self.checked(), &settings, self.verifier(), &Silent);
            members.retain(|found| !missing.contains(&found.member.name));
            members.extend(run.members);
        }
        let result = self.result();
        let checked = self.checked().result();
        let mut with_examples = FileResult {
            members: Vec::new(),
            stopped: Vec::new(),
            verdict: checked.verdict,
            errors: checked.errors,
            warnings: checked.warnings,
            ..FileResult::clone(result)
        };
        gather(members, &mut with_examples);
        with_examples
    }

    /// The failures, by member name, of members whose trees are kept.
    fn read_off_trees(&self, view: View, settings: &Settings) -> BTreeMap<Name, Vec<Finding>> {
        let Some(program) = self.checked().viper() else { return BTreeMap::new() };
        let solvers = self.verifier().solvers();
        let engine = Engine::new(program);
        let mut found = BTreeMap::new();
        for (id, member) in engine.members().iter() {
            let Some(Kept { outcome, .. }) = self.kept(id) else { continue };
            let mut outcome = outcome.lock().unwrap_or_else(PoisonError::into_inner);
            if outcome.failures.is_empty() {
                continue;
            }
            let place = Place { program, sources: self.checked().sources(), member: &member.name };
            let mut solver = solvers.take(&settings.cancel);
            let findings = guarded(|| {
                solver.begin(false, Naming::Off);
                find_models(program, &mut outcome, &mut solver);
                findings(place, &mut outcome, Some(view))
            });
            if let Ok(findings) = findings {
                solvers.give_back(solver);
                found.insert(member.name.clone(), findings);
            }
        }
        found
    }
}
