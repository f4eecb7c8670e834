//! The measurements of each mistake, as JSON lines, so that an interrupted run can be continued.

use super::seed::{Kind, Mistake};
use serde_json::{Value, json};
use std::io::Write;
use std::path::PathBuf;

/// The measurements of one mistake.
#[derive(Clone, Debug, Default)]
pub struct Record {
    pub program: String,
    /// The position of the removed text, in bytes, and its line.
    pub start: usize,
    pub line: usize,
    pub kind: Kind,
    /// Whether the original program verifies. If not, nothing else was measured.
    pub verifies: bool,
    /// The first error of the program with the mistake. `None` if there is none.
    pub error: Option<String>,
    /// The offered fixes, with their judgements.
    pub offers: Vec<(String, Judged)>,
    /// Whether the editor's former actions fix the error: those that add `unfold`, `unfolding` or `acc`.
    pub by_editor: bool,
    /// Processor time in seconds: verifying, verifying with hints, and `echis fix`.
    pub plain: f64,
    pub hinted: f64,
    pub fixing: f64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Judged {
    Right,
    /// It fixes the error, but others are left, or it adds a stronger precondition than was removed.
    Other,
    Wrong,
}

const JUDGED: [(Judged, &str); 3] = [(Judged::Right, "right"), (Judged::Other, "other"), (Judged::Wrong, "wrong")];

impl Record {
    /// Whether the program fails without the removed text.
    pub fn is_mistake(&self) -> bool {
        self.verifies && self.error.is_some()
    }
    pub fn is_first_right(&self) -> bool {
        self.offers.first().is_some_and(|(_, judged)| *judged == Judged::Right)
    }
    pub fn is_one_right(&self) -> bool {
        self.offers.iter().any(|(_, judged)| *judged == Judged::Right)
    }
    pub fn is_in_corpus(&self) -> bool {
        self.program.contains("/corpus/")
    }
    /// A description for inspecting misses.
    pub fn shown(&self) -> String {
        let Some(error) = self.error.as_ref().filter(|_| self.verifies) else { return String::new() };
        let mut shown = format!("{}:{} {}: {error}\n", self.program, self.line, self.kind.name());
        for (message, judged) in &self.offers {
            shown += &format!("    {judged:?}: {message}\n");
        }
        shown
    }
    fn json(&self) -> Value {
        let offers: Vec<Value> = self.offers.iter().map(|(message, judged)| json!([message, judged.name()])).collect();
        json!({
            "program": self.program, "start": self.start, "line": self.line, "kind": self.kind.name(),
            "verifies": self.verifies, "error": self.error, "offers": offers, "by_editor": self.by_editor,
            "plain": self.plain, "hinted": self.hinted, "fixing": self.fixing,
        })
    }
    fn read(line: &str) -> Option<Self> {
        let value: Value = serde_json::from_str(line).ok()?;
        let number = |name: &str| value[name].as_u64().and_then(|number| usize::try_from(number).ok());
        let offer = |offer: &Value| Some((offer[0].as_str()?.to_string(), Judged::named(offer[1].as_str()?)?));
        Some(Record {
            program: value["program"].as_str()?.to_string(),
            start: number("start")?,
            line: number("line")?,
            kind: Kind::named(value["kind"].as_str()?)?,
            verifies: value["verifies"].as_bool()?,
            error: value["error"].as_str().map(str::to_string),
            offers: value["offers"].as_array()?.iter().map(offer).collect::<Option<_>>()?,
            by_editor: value["by_editor"].as_bool()?,
            plain: value["plain"].as_f64()?,
            hinted: value["hinted"].as_f64()?,
            fixing: value["fixing"].as_f64()?,
        })
    }
}

impl Judged {
    fn name(self) -> &'static str {
        JUDGED.iter().find(|(judged, _)| *judged == self).map_or("", |(_, name)| name)
    }
    fn named(name: &str) -> Option<Self> {
        JUDGED.iter().find(|(_, known)| *known == name).map(|(judged, _)| *judged)
    }
}

/// The records of this run, and of earlier ones.
pub struct Records {
    earlier: Vec<Record>,
    measured: Vec<Record>,
    file: Option<PathBuf>,
}

impl Records {
    /// With `retry`, mistakes without a right fix count as not measured.
    pub fn open(file: Option<PathBuf>, retry: bool) -> Result<Self, String> {
        let text = file.as_ref().and_then(|file| std::fs::read_to_string(file).ok()).unwrap_or_default();
        let mut earlier: Vec<Record> = text.lines().filter_map(Record::read).collect();
        if retry {
            earlier.retain(|record| !record.is_mistake() || record.is_first_right());
            if let Some(file) = &file {
                let kept: String = earlier.iter().map(|record| format!("{}\n", record.json())).collect();
                std::fs::write(file, kept).map_err(|error| format!("{}: {error}", file.display()))?;
            }
        }
        Ok(Records { earlier, measured: Vec::new(), file })
    }
    /// The record of an earlier run, which is added to this one.
    pub fn known(&mut self, mistake: &Mistake<'_>) -> Option<Record> {
        let is_it = |record: &&Record| {
            record.program == mistake.program
                && (!record.verifies || (record.start, record.kind) == (mistake.seed.start, mistake.seed.kind))
        };
        let found = self.earlier.iter().find(is_it)?.clone();
        self.measured.push(found.clone());
        Some(found)
    }
    pub fn add(&mut self, record: Record) -> Result<(), String> {
        if let Some(path) = &self.file {
            let said = |error: std::io::Error| format!("{}: {error}", path.display());
            let mut file = std::fs::OpenOptions::new().create(true).append(true).open(path).map_err(said)?;
            writeln!(file, "{}", record.json()).map_err(said)?;
        }
        self.measured.push(record);
        Ok(())
    }
    pub fn measured(&self) -> &[Record] {
        &self.measured
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_read_as_they_are_written() {
        let record = Record {
            program: "/corpus/a.vpr".into(),
            kind: Kind::Fold,
            verifies: true,
            error: Some("it fails".into()),
            offers: vec![("fold P(x)".into(), Judged::Right), ("other".into(), Judged::Other)],
            plain: 0.25,
            ..Record::default()
        };
        let read = Record::read(&record.json().to_string()).expect("it was written just now");
        assert_eq!(format!("{read:?}"), format!("{record:?}"));
        assert!(read.is_mistake() && read.is_first_right() && read.is_in_corpus());
    }
}
