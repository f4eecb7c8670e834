//! Answers requests that need proofs, computing the proofs first if necessary.

use super::{covered, depend, examples, explained, hierarchy};
use crate::actions;
use crate::job::{Ask, Outbox};
use crate::refusal::Refusal;
use crate::text::{Text, offset};
use crate::worker::Worker;
use echis::depend::{Queries, UserId, View, ViewNode};
use echis::{Covered, Dependencies, Explained, Repair};
use echis_report::deps::{self, Answers, Subject, Times, Verified, Work};
use echis_report::{Piece, Run, cover, web};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::time::Duration;

pub(crate) fn answer<O: Outbox>(worker: &Worker<O>, ask: &Ask) -> Result<Value, Refusal> {
    let Ask { method, params, job, cancel, .. } = ask;
    let text = job.buffers.texts.get(&job.path).ok_or(Refusal::Request("the document is not open"))?;
    match method.as_str() {
        "textDocument/codeAction" => actions::answer(worker, ask, &Text::of(&job.path, text)),
        "textDocument/prepareCallHierarchy" => {
            let found = depend(worker, job, cancel)?;
            let at = offset(text, &params["position"]).ok_or(Refusal::Request("there is no such place"))?;
            let node = nodes_at(&found, at).first().copied();
            let own = node.and_then(|node| hierarchy::item(&job.uri, &found, node));
            let names = crate::calls::prepare_at(&job.uri, &Text::of(&job.path, text), &params["position"]);
            let items: Vec<Value> = names.into_iter().chain(own).collect();
            Ok(if items.is_empty() { Value::Null } else { Value::Array(items) })
        }
        "callHierarchy/incomingCalls" => hierarchy::needs(&job.uri, &*depend(worker, job, cancel)?, &params["item"]),
        "callHierarchy/outgoingCalls" => hierarchy::supports(&job.uri, &*depend(worker, job, cancel)?, &params["item"]),
        "echis/dependencies" => dependencies(&*depend(worker, job, cancel)?, text, params, &job.path),
        "echis/coverage" => Ok(document("cover", &coverage(&*covered(worker, job, cancel)?))),
        "echis/report" => {
            let document = report(worker, ask)?;
            Ok(match params["as"].as_str() {
                Some("data") => json!({ "report": read(&document) }),
                _ => json!({ "html": web::page(&job.path, &document) }),
            })
        }
        "echis/prune" => prune(worker, ask),
        "echis/counterexample" => {
            let found = examples(worker, job, cancel)?;
            Ok(read(&echis_report::json(
                Run { command: "verify", solver: None, second: None },
                std::slice::from_ref(&*found),
            )))
        }
        _ => Err(Refusal::UnknownMethod(method.to_string())),
    }
}

/// The full report of a program for the web interface.
fn report<O: Outbox>(worker: &Worker<O>, ask: &Ask) -> Result<String, Refusal> {
    let Ask { job, cancel, .. } = ask;
    let result = examples(worker, job, cancel)?;
    let found = explained(worker, job, cancel)?;
    let queries = Some(found.queries());
    let program = match found.boogie_coverage() {
        Some(coverage) => web::program(&result, web::Proofs { queries, coverage: Some(&coverage), outlines: &[] }),
        None => {
            let covered = covered(worker, job, cancel)?;
            let outlines = worker.verified(job, cancel)?.outlines();
            web::program(&result, web::Proofs { queries, coverage: Some(&covered.coverage), outlines: &outlines })
        }
    };
    Ok(web::document(Run { command: "report", solver: None, second: None }, &[program]))
}

/// The part of the program that is needed to prove one assertion, verified.
fn prune<O: Outbox>(worker: &Worker<O>, ask: &Ask) -> Result<Value, Refusal> {
    let Ask { job, cancel, params, .. } = ask;
    let found = explained(worker, job, cancel)?;
    let text = job.buffers.texts.get(&job.path).ok_or(Refusal::Request("the document is not open"))?;
    let at = offset(text, &params["position"]).ok_or(Refusal::Request("there is no such place"))?;
    let around = match &found {
        Explained::Viper(found) => nodes_at(found, at),
        Explained::Boogie(_) => shown_at(found.view(), text, at),
    };
    let graph = found.graph();
    let proved = |user: &UserId| graph.is_asserted(*user) && !graph.failed.contains(user);
    let node = around.into_iter().find(proved).ok_or(Refusal::Request("there is no proved obligation there"))?;
    let verification = worker.verified(job, cancel)?;
    let pruned = verification.prune(&found, &BTreeSet::from([node]), Repair::Add);
    if cancel.is_over() {
        return Err(Refusal::Over);
    }
    Ok(json!({ "text": pruned.text, "verdict": pruned.verdict.name() }))
}

/// The nodes of the main file that contain an offset, smallest first.
pub(super) fn nodes_at(found: &Dependencies, at: usize) -> Vec<UserId> {
    let Some((main, _)) = found.result.sources.files().next() else { return Vec::new() };
    let around = found.view.nodes.iter().filter_map(|node| {
        let span = found.nodes.all[node.id].span;
        let contains = span.file == main && (span.start as usize..=span.end as usize).contains(&at);
        contains.then_some((span.end - span.start, node.id))
    });
    let mut around: Vec<(u32, UserId)> = around.collect();
    around.sort();
    around.into_iter().map(|(_, id)| id).collect()
}

/// The nodes shown at an offset, smallest first.
fn shown_at(view: &View, text: &str, at: usize) -> Vec<UserId> {
    let before = text.get(..at).unwrap_or_default();
    let line = 1 + before.matches('\n').count();
    let column = 1 + before.rsplit('\n').next().unwrap_or_default().chars().count();
    let (Ok(line), Ok(column)) = (u32::try_from(line), u32::try_from(column)) else { return Vec::new() };
    let size = |user: &UserId| {
        let node = view.node(*user);
        node.map(|ViewNode { position, .. }| {
            let (start, end) = (position.start, position.end);
            (end.line - start.line, end.column.abs_diff(start.column))
        })
    };
    let mut around = view.at(None, line, Some(column));
    around.sort_by_key(|user| (size(user), *user));
    around
}

/// The output of `echis deps`, for the whole program or for the node at a position.
fn dependencies(found: &Dependencies, text: &str, params: &Value, path: &str) -> Result<Value, Refusal> {
    let queries = Queries { view: &found.view, graph: &found.graph };
    let ignored = BTreeSet::new();
    let answers = match &params["position"] {
        Value::Null => Answers::Dependencies { each: queries.all(&ignored), together: None },
        position => {
            let at = offset(text, position).ok_or(Refusal::Request("there is no such place"))?;
            let nodes = nodes_at(found, at);
            let node = *nodes.first().ok_or(Refusal::Request("nothing is assumed or proved there"))?;
            match params["direction"].as_str() {
                Some("supports") => Answers::Dependents(vec![queries.dependents(node)]),
                Some("needs") | None => {
                    let proved =
                        |user: &&UserId| queries.graph.is_asserted(**user) && !queries.graph.failed.contains(user);
                    let node =
                        nodes.iter().find(proved).ok_or(Refusal::Request("there is no proved obligation there"))?;
                    Answers::Dependencies { each: vec![queries.dependencies(*node, &ignored)], together: None }
                }
                Some(_) => return Err(Refusal::Request("the direction is `needs` or `supports`")),
            }
        }
    };
    let times =
        Times { verify: ms(found.verify_time), analyse: ms(found.analyse_time), waiting: ms(found.work.waiting) };
    let work = Work {
        checks: found.work.checks,
        easy: found.work.easy,
        lost: found.work.lost,
        verified: found.work.verified,
        replayed: found.work.replayed,
        questions: found.work.questions,
        answers: found.work.answers,
        bytes: found.work.bytes,
    };
    let verified = Some(Verified { result: &found.result, times, work });
    Ok(document("deps", &deps::piece(Subject { path, queries, verified }, &answers)))
}

fn coverage(covered: &Covered) -> Piece {
    let Covered { found, coverage, confirm_time } = covered;
    let (verify, analyse, confirm) = (ms(found.verify_time), ms(found.analyse_time), ms(*confirm_time));
    cover::piece(&found.result, &found.view, coverage, cover::Times { verify, analyse, confirm })
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

/// The JSON output of a CLI command.
fn document(command: &'static str, piece: &Piece) -> Value {
    let text = echis_report::assembled(Run { command, solver: None, second: None }, std::slice::from_ref(piece));
    read(&text)
}

fn read(document: &str) -> Value {
    serde_json::from_str(document).expect("reports are JSON")
}
