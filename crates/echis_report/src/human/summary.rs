//! Summarises a run over many files.

use super::{Human, counted};
use echis_findings::{FileResult, FileVerdict, Stopped};
use std::fmt::Write;

/// Maximum number of files that are named.
const MOST_FILES: usize = 10;

impl Human {
    /// The number of files with each verdict, the names of those that do not verify, and the slowest one.
    pub fn summary(&self, files: &[FileResult]) -> String {
        let looked_at: Vec<&FileResult> = files.iter().filter(|file| !is_not_looked_at(file)).collect();
        let mut out = format!("{}:", counted(files.len(), "program"));
        let verdicts = [
            (FileVerdict::Verified, "verified"),
            (FileVerdict::Failed, "failed"),
            (FileVerdict::Undecided, "undecided"),
            (FileVerdict::Invalid, "not valid"),
            (FileVerdict::Error, "could not be verified"),
        ];
        let mut said = Vec::new();
        for (verdict, name) in verdicts {
            let with: Vec<&str> =
                looked_at.iter().filter(|file| file.verdict == verdict).map(|file| &*file.path).collect();
            match verdict {
                _ if with.is_empty() => {}
                FileVerdict::Verified => said.push(format!(" {} {name}", with.len())),
                _ => said.push(format!(" {} {name} ({})", with.len(), named(&with))),
            }
        }
        let left = files.len() - looked_at.len();
        if left > 0 {
            said.push(format!(" {left} not looked at"));
        }
        out += &said.join(",");
        let slowest = looked_at.iter().max_by_key(|file| file.time).filter(|_| looked_at.len() > 1);
        if let Some(file) = slowest {
            let _ = write!(out, "; slowest: {} ({:.2} s)", file.path, file.time.as_secs_f64());
        }
        out + "\n"
    }
}

/// Whether the run ended before the file was processed.
pub fn is_not_looked_at(file: &FileResult) -> bool {
    matches!(&file.stopped[..], [Stopped::Interrupted { member: None }])
}

fn named(paths: &[&str]) -> String {
    let (named, more) = paths.split_at(paths.len().min(MOST_FILES));
    let names = named.join(", ");
    if more.is_empty() { names } else { format!("{names} and {} more", more.len()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Style;
    use std::sync::Arc;
    use std::time::Duration;

    fn file(path: &str, verdict: FileVerdict, milliseconds: u64) -> FileResult {
        FileResult {
            path: path.into(),
            verdict,
            time: Duration::from_millis(milliseconds),
            members: Vec::new(),
            errors: Vec::new(),
            warnings: Vec::new(),
            stopped: Vec::new(),
            sources: Arc::default(),
            profile: None,
            stability: None,
            part: None,
        }
    }

    #[test]
    fn files_that_do_not_verify_are_named() {
        let stopped = vec![Stopped::Interrupted { member: None }];
        let left = FileResult { stopped, ..file("d.vpr", FileVerdict::Undecided, 0) };
        let files = [
            file("a.vpr", FileVerdict::Verified, 20),
            file("b.vpr", FileVerdict::Failed, 1500),
            file("c.vpr", FileVerdict::Undecided, 30),
            left,
        ];
        assert_eq!(
            Human::new(Style::Plain).summary(&files),
            "4 programs: 1 verified, 1 failed (b.vpr), 1 undecided (c.vpr), 1 not looked at; slowest: b.vpr (1.50 s)\n"
        );
    }
}
