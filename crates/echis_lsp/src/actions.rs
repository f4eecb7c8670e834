//! Code actions. Every fix offered for an error was checked to remove the error.

use crate::document_state::Offer;
use crate::finding_diagnostic;
use crate::job::{Ask, Job, Outbox};
use crate::refusal::Refusal;
use crate::text::{self, Text, meets};
use crate::worker::Worker;
use echis::coverage::Edit;
use echis::{Covered, Diagnostic, Finding, SourceMap, Span};
use echis_fix::{Effort, fixes};
use serde_json::{Value, json};
use std::time::Duration;

impl Offer {
    fn action(&self, uri: &str) -> Value {
        json!({
            "title": self.title,
            "kind": "quickfix",
            "diagnostics": [],
            "edit": { "changes": { uri: self.edits } },
        })
    }
}

/// Code actions for the fixes attached to diagnostics.
pub(crate) fn of_diagnostics<'a>(sources: &SourceMap, diagnostics: impl Iterator<Item = &'a Diagnostic>) -> Vec<Offer> {
    let Some((main, file)) = sources.files().next() else { return Vec::new() };
    let range = |span: Span| text::range(&file.text, span.start as usize, span.end as usize);
    let offer = |found: &Diagnostic| {
        let fix = found.fix.as_ref()?;
        let here = fix.edits.iter().all(|(span, _)| span.file == main);
        let edits = fix.edits.iter().map(|(span, new)| json!({ "range": range(*span), "newText": new }));
        let span = found.span.filter(|span| here && span.file == main)?;
        let (title, code) = (fix.message.clone(), found.id.clone());
        Some(Offer { title, range: range(span), code, edits: edits.collect() })
    };
    diagnostics.filter_map(offer).collect()
}

/// Code actions to remove code that no proof needs, or to mark it as intended.
pub(crate) fn of_coverage(job: &Job, covered: &Covered) -> Vec<Offer> {
    let Some((main, file)) = covered.found.result.sources.files().next() else { return Vec::new() };
    let source = Text::new(&file.text);
    let edits = |edits: &[Edit]| {
        edits.iter().map(|edit| json!({ "range": source.range(edit.start, edit.end), "newText": edit.text })).collect()
    };
    let mut offers = Vec::new();
    for warning in &covered.coverage.warnings {
        let Some(span) = warning.diagnostic.span.filter(|span| span.file == main) else { continue };
        let (range, code) = (source.range(span.start as usize, span.end as usize), warning.diagnostic.id.clone());
        if let Some(fix) = &warning.fix {
            let title = fix.removal.describe().to_string();
            offers.push(Offer { title, range: range.clone(), code: code.clone(), edits: edits(&fix.edits) });
        }
        let Some(silencer) = warning.id.silencer() else { continue };
        let annotation = format!("@{silencer}()");
        let silence = [Edit::insert(span.start as usize, format!("{annotation} "))];
        // Annotations are not allowed everywhere.
        let is_program = job.checked.edited(&silence).is_some_and(|edited| edited.is_valid());
        if is_program {
            let title = format!("Mark as intended: {annotation}");
            offers.push(Offer { title, range, code, edits: edits(&silence) });
        }
    }
    offers
}

/// The code actions offered for a range.
pub(crate) fn offered(offers: &[Offer], uri: &str, range: &Value) -> Vec<Value> {
    offers.iter().filter(|offer| meets(&offer.range, range)).map(|offer| offer.action(uri)).collect()
}

/// Whether the request concerns verification errors, whose fixes take time to find.
pub(crate) fn is_about_errors(params: &Value) -> bool {
    let asked = params["context"]["diagnostics"].as_array().into_iter().flatten();
    asked.filter_map(|found| found["code"].as_str()).any(|code| code.contains(':'))
}

/// Time limit for finding fixes, since the user is waiting.
const LIMIT: Duration = Duration::from_secs(10);

pub(crate) fn answer<O: Outbox>(worker: &Worker<O>, ask: &Ask, text: &Text) -> Result<Value, Refusal> {
    let job = &*ask.job;
    let mut actions = match worker.known.documents().get(&job.uri) {
        Some(found) => offered(&found.offers, &job.uri, &ask.params["range"]),
        None => Vec::new(),
    };
    let cancel = ask.cancel.within(LIMIT);
    let verification = worker.verified(job, &cancel)?;
    let Some(trials) = verification.trials(Effort::Thorough.obligation()) else { return Ok(Value::Array(actions)) };
    let result = verification.result();
    for asked in ask.params["context"]["diagnostics"].as_array().into_iter().flatten() {
        let is_meant = |finding: &&Finding| {
            let shown = finding_diagnostic(&job.uri, &result.sources, finding);
            shown["code"] == asked["code"] && shown["message"] == asked["message"] && shown["range"] == asked["range"]
        };
        let Some(finding) = result.errors.iter().find(is_meant) else { continue };
        for found in fixes(&trials, result, finding, Effort::Thorough) {
            let edits = found.candidate.edits.iter();
            let edits: Vec<Value> =
                edits.map(|edit| json!({ "range": text.range(edit.start, edit.end), "newText": edit.text })).collect();
            let title = format!("{} ({})", capitalized(&found.candidate.explanation), found.outcome());
            let (range, code) = (asked["range"].clone(), finding.diagnostic.id.clone());
            let mut action = Offer { title, range, code, edits }.action(&job.uri);
            action["diagnostics"] = json!([asked]);
            actions.push(action);
        }
    }
    Ok(Value::Array(actions))
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
