//! Measures one mistake.

use super::editor;
use super::record::{Judged, Record};
use super::seed::{Mistake, Seeded};
use crate::echis::{Echis, Scratch};
use serde_json::Value;

/// The text of a fix before the callers it breaks.
const BREAKS: &str = "this breaks the caller";

pub struct Bench {
    echis: Echis,
    seconds: String,
    scratch: Scratch,
    /// Whether the editor's former actions are tried, too.
    editor: bool,
    /// The latest program: whether it verifies, and the number of contradictory places.
    last: Option<(String, bool, usize)>,
}

impl Bench {
    pub fn new(echis: Echis, limit: u64, editor: bool) -> Self {
        Bench { echis, seconds: limit.to_string(), scratch: Scratch::new(), editor, last: None }
    }

    pub fn measure(&mut self, mistake: &Mistake<'_>) -> Record {
        let Seeded { start, line, kind, text, .. } = mistake.seed;
        let program = mistake.program.to_string();
        let (verifies, dead) = self.original(mistake);
        let mut record = Record { program, start: *start, line: *line, kind: *kind, verifies, ..Record::default() };
        if !verifies {
            return record;
        }
        let path = self.scratch.write("seeded.vpr", text);
        let (plain, seconds) = self.timed(&["verify", &path, "--hints", "off"]);
        let now = &plain["files"][0];
        if now["verdict"] != "failed" {
            return record;
        }
        record.plain = seconds;
        record.error = now["errors"][0]["message"].as_str().map(str::to_string);
        record.hinted = self.timed(&["verify", &path, "--hints", "fast"]).1;
        let (found, seconds) = self.timed(&["fix", &path]);
        record.fixing = seconds;
        for offer in offers(&found["files"][0]).iter().take(3) {
            let message = offer["message"].as_str().unwrap_or_default().to_string();
            record.offers.push((message, self.judge(mistake.seed, offer, now, dead)));
        }
        let edited = if self.editor { editor::candidates(text, now) } else { Vec::new() };
        record.by_editor = edited.iter().any(|text| self.is_right(mistake.seed, text, dead));
        record
    }

    /// Whether the program verifies, and its number of unreachable places.
    fn original(&mut self, mistake: &Mistake<'_>) -> (bool, usize) {
        if let Some((program, verifies, dead)) = &self.last
            && program == mistake.program
        {
            return (*verifies, *dead);
        }
        let path = self.scratch.write("original.vpr", mistake.original);
        let verifies = verdict(&self.timed(&["verify", &path, "--hints", "off"]).0) == "verified";
        let dead = if verifies { self.contradictions(&path) } else { 0 };
        self.last = Some((mistake.program.to_string(), verifies, dead));
        (verifies, dead)
    }

    /// Verifies the whole program with a fix.
    fn judge(&self, seed: &Seeded, offer: &Value, now: &Value, dead: usize) -> Judged {
        let edits = offer["edits"].as_array().map_or(&[][..], Vec::as_slice);
        let Some(text) = crate::recall::with(&seed.text, edits) else { return Judged::Wrong };
        let path = self.scratch.write("fixed.vpr", &text);
        let then = self.timed(&["verify", &path, "--hints", "off"]).0;
        let message = offer["message"].as_str().unwrap_or_default();
        if verdict(&then) != "verified" {
            let known: Vec<String> = errors(now).iter().map(said).collect();
            let is_new = |error: &&Value| !known.contains(&said(error)) && !is_announced(message, error);
            let new = errors(&then["files"][0]).iter().filter(is_new).count();
            return if new > 0 || verdict(&then) != "failed" { Judged::Wrong } else { Judged::Other };
        }
        if self.contradictions(&path) > dead {
            return Judged::Wrong;
        }
        let asks_for_more = message.contains("requires ") && !seed.precondition;
        if asks_for_more { Judged::Other } else { Judged::Right }
    }

    fn is_right(&self, seed: &Seeded, text: &str, dead: usize) -> bool {
        let path = self.scratch.write("edited.vpr", text);
        let asks_for_more = text.matches("requires ").count() > seed.text.matches("requires ").count();
        (seed.precondition || !asks_for_more)
            && verdict(&self.timed(&["verify", &path, "--hints", "off"]).0) == "verified"
            && self.contradictions(&path) <= dead
    }

    fn contradictions(&self, path: &str) -> usize {
        let found = self.timed(&["cover", path, "--smoke"]).0;
        found["warnings"].as_array().map_or(0, Vec::len)
    }

    /// The output of a command, and its processor time in seconds.
    fn timed(&self, args: &[&str]) -> (Value, f64) {
        let bounds = ["--format", "json", "--jobs", "1", "--timeout", &*self.seconds];
        let (output, seconds) = self.echis.timed(&[args, &bounds].concat());
        (serde_json::from_str(&output).unwrap_or_default(), seconds)
    }
}

fn offers(file: &Value) -> Vec<Value> {
    let of_error = |error: &Value| {
        let others = error["other_fixes"].as_array().cloned().unwrap_or_default();
        let best = Some(error["fix"].clone()).filter(Value::is_object);
        best.into_iter().chain(others).collect::<Vec<_>>()
    };
    let all: Vec<Vec<Value>> = errors(file).iter().map(of_error).filter(|offers| !offers.is_empty()).collect();
    let breaks = |offers: &Vec<Value>| offers[0]["message"].as_str().is_some_and(|message| message.contains(BREAKS));
    all.iter().find(|offers| !breaks(offers)).or(all.first()).cloned().unwrap_or_default()
}

/// Whether a fix announces this error, in a caller that it breaks.
fn is_announced(message: &str, error: &Value) -> bool {
    let Some((_, broken)) = message.split_once(BREAKS) else { return false };
    let mut names = broken.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'));
    error["member"].as_str().is_some_and(|member| names.any(|name| name == member))
}

fn errors(file: &Value) -> &[Value] {
    file["errors"].as_array().map_or(&[], Vec::as_slice)
}

fn said(error: &Value) -> String {
    format!("{} {}", error["id"], error["message"])
}

fn verdict(document: &Value) -> &str {
    document["files"][0]["verdict"].as_str().unwrap_or_default()
}
