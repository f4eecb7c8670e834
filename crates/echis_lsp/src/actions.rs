//! Changes that are offered. What is offered against an error was tried: with it there are fewer errors.

use crate::found::Offer;
use crate::job::{Ask, Job, Outbox};
use crate::outline::{Declared, arguments, members};
use crate::refusal::Refusal;
use crate::text::{self, Text, meets, offset};
use crate::worker::Worker;
use echis::coverage::{Edit, apply};
use echis::{Checked, Covered, Diagnostic, FileResult, FileVerdict, Settings, Silent, SourceMap, Span, Trees};
use serde_json::{Value, json};
use std::sync::Arc;
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

/// The changes that diagnostics come with.
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

/// Taking away what no proof needs, and saying that it is intended.
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
        // Annotations do not go everywhere.
        let is_program = apply(&silence, &file.text).is_some_and(|text| with(job, &text).is_valid());
        if is_program {
            let title = format!("Mark as intended: {annotation}");
            offers.push(Offer { title, range, code, edits: edits(&silence) });
        }
    }
    offers
}

/// What was offered for a range.
pub(crate) fn offered(offers: &[Offer], uri: &str, range: &Value) -> Vec<Value> {
    offers.iter().filter(|offer| meets(&offer.range, range)).map(|offer| offer.action(uri)).collect()
}

/// Whether the request is about missing permission, which takes time to answer.
pub(crate) fn wants_permission(params: &Value) -> bool {
    let asked = params["context"]["diagnostics"].as_array().into_iter().flatten();
    asked.filter_map(|found| found["code"].as_str()).any(|code| code.ends_with(":insufficient.permission"))
}

/// Trying is for people who wait for it.
const LIMIT: Duration = Duration::from_secs(10);
const MOST_TRIED: usize = 8;

pub(crate) fn answer<O: Outbox>(worker: &Worker<O>, ask: &Ask, text: &Text) -> Result<Value, Refusal> {
    let job = &*ask.job;
    let mut actions = match worker.known.documents().get(&job.uri) {
        Some(found) => offered(&found.offers, &job.uri, &ask.params["range"]),
        None => Vec::new(),
    };
    let cancel = ask.cancel.within(LIMIT);
    let (verifier, verification) = (worker.verifier()?, worker.verified(job, &cancel)?);
    let settings = Settings { trees: Trees::Dropped, ..worker.settings_for(job, &cancel) };
    let now = verification.result();
    let asked = ask.params["context"]["diagnostics"].as_array().into_iter().flatten();
    for asked in asked.filter(|found| wants_permission(&json!({ "context": { "diagnostics": [found] } }))) {
        let Some(at) = offset(&text.text, &asked["range"]["start"]) else { continue };
        let message = asked["message"].as_str().unwrap_or_default();
        let candidates = candidates(job, text, at, message);
        for Candidate { title, member, edits } in candidates.into_iter().take(MOST_TRIED) {
            let Some(new) = apply(&edits, &text.text).filter(|_| !cancel.is_over()) else { continue };
            let then = verifier.verify(&Arc::new(with(job, &new)), &settings, &Silent);
            let Some(left) = better(now, then.result(), &member) else { continue };
            let edits: Vec<Value> = edits
                .iter()
                .map(|edit| json!({ "range": text.range(edit.start, edit.end), "newText": edit.text }))
                .collect();
            let range = asked["range"].clone();
            let code = asked["code"].as_str().unwrap_or_default().to_string();
            let mut action = Offer { title: format!("{title} ({left})"), range, code, edits }.action(&job.uri);
            action["diagnostics"] = json!([asked]);
            actions.push(action);
        }
    }
    Ok(Value::Array(actions))
}

/// What is left to do with a change, if there is less in the member.
fn better(now: &FileResult, then: &FileResult, member: &str) -> Option<String> {
    if then.verdict == FileVerdict::Invalid || !then.stopped.is_empty() {
        return None;
    }
    let own = |file: &FileResult| {
        file.errors.iter().filter(|error| error.member.as_deref().is_some_and(|name| name == member)).count()
    };
    let others = |file: &FileResult| file.errors.len() - own(file);
    let (left, new) = (own(then), others(then).saturating_sub(others(now)));
    if left >= own(now) {
        return None;
    }
    let left = match left {
        0 => "tried: no error is left here".to_string(),
        left => format!("tried: {left} errors are left here"),
    };
    Some(if new == 0 { left } else { format!("{left}, {new} come up elsewhere") })
}

struct Candidate {
    title: String,
    member: String,
    edits: Vec<Edit>,
}

/// What might give the permission that is missing at an offset.
fn candidates(job: &Job, text: &Text, at: usize, message: &str) -> Vec<Candidate> {
    let all = members(text);
    let inside = |member: &&Declared| (text.words[member.keyword].start..=text.words[member.last].end).contains(&at);
    let Some(member) = all.iter().find(inside) else { return Vec::new() };
    let name = member.name(text).to_string();
    let mut found = Vec::new();
    for instance in instances(text, &all, member) {
        if let Some(edits) = opened(job, text, member, at, instance) {
            let word = if member.keyword(text) == "function" { "unfolding" } else { "unfold" };
            let title = format!("Add `{word} {instance}`");
            found.push(Candidate { title, member: name.clone(), edits });
        }
    }
    if let Some(location) = location(message) {
        let clause = format!("requires acc({location})");
        let head = member.body.map_or(text.words[member.last].end, |body| text.words[body].start);
        let edits = vec![Edit::insert(head, format!("{clause}\n"))];
        found.push(Candidate { title: format!("Add `{clause}`"), member: name, edits });
    }
    found
}

/// `There might be insufficient permission to access x.f.`
fn location(message: &str) -> Option<&str> {
    let (_, rest) = message.split_once("insufficient permission to access ")?;
    let location = rest.split(". ").next()?.trim_end_matches('.');
    let location = location.split(" (").next()?;
    (!location.is_empty()).then_some(location)
}

/// Instances of predicates that the member's contract speaks of.
fn instances<'a>(text: &'a Text, members: &[Declared], member: &Declared) -> Vec<&'a str> {
    let head = member.body.unwrap_or(member.last);
    let is_predicate = |said: &str| {
        members.iter().any(|declared| declared.keyword(text) == "predicate" && declared.name(text) == said)
    };
    let named = (member.name + 1..head).filter(|index| text.said(*index).is_some_and(is_predicate));
    let mut found: Vec<&str> = Vec::new();
    for name in named {
        let Some((_, last)) = arguments(text, name) else { continue };
        let instance = text.text.get(text.words[name].start..text.words[last].end).unwrap_or_default();
        if !found.contains(&instance) {
            found.push(instance);
        }
    }
    found
}

/// The edits that open a predicate where something is missing: before the statement, or around a function's body.
fn opened(job: &Job, text: &Text, member: &Declared, at: usize, instance: &str) -> Option<Vec<Edit>> {
    if member.keyword(text) == "function" {
        let (body, last) = (text.words[member.body?], text.words[member.last]);
        let inner = text.text.get(body.end..last.start)?.trim();
        return Some(vec![Edit::replace(body.end, last.start, format!(" unfolding {instance} in ({inner}) "))]);
    }
    let program = job.checked.viper()?;
    let main = job.checked.sources().files().next()?.0;
    let mut start = None;
    for body in program.methods.values().filter_map(|method| method.body.as_ref()) {
        body.visit_stmts(&mut |stmt| {
            let span = program.syntax.span(stmt.id);
            if span.file == main && (span.start as usize..=span.end as usize).contains(&at) {
                start = start.max(Some(span.start as usize));
            }
        });
    }
    Some(vec![Edit::insert(start?, format!("unfold {instance}\n"))])
}

/// A job's program with another main text.
fn with(job: &Job, text: &str) -> Checked {
    Checked::new(job.checked.source().clone().with_text(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_location_is_read_off_the_message() {
        let message = "Assert might fail. There might be insufficient permission to access x.next.f.";
        assert_eq!(location(message), Some("x.next.f"));
        assert_eq!(location("Assertion x might not hold."), None);
    }
}
