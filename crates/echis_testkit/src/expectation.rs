//! Expectation comments: `//:: ExpectedOutput(error.id:reason.id)` refers to the next line that is not a comment.
//!
//! `UnexpectedOutput(id, /tool/issue/n/)` marks an error that `tool` reports but should not, `MissingOutput` one that
//! it should report but does not, `IgnoreFile(/tool/issue/n/)` a file that it cannot process. `IgnoreOthers` accepts
//! any error on its line.

/// An error mentioned in an expectation comment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expectation {
    /// The line of the error; 0 if no line follows the comment.
    pub line: u32,
    pub error: String,
    pub reason: Option<String>,
    /// The tool named by an `UnexpectedOutput` or `MissingOutput`.
    pub tool: Option<String>,
}

#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Expectations {
    pub expected: Vec<Expectation>,
    pub unexpected: Vec<Expectation>,
    pub missing: Vec<Expectation>,
    pub ignored_lines: Vec<u32>,
    pub ignored_by: Vec<String>,
    /// Comments that look like expectations but are malformed.
    pub malformed: Vec<String>,
}

/// The difference between reported and expected errors.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Judgement {
    /// Expected errors that were not reported, which may indicate unsoundness.
    pub missed: Vec<Expectation>,
    /// Reported errors that are not expected.
    pub extra: Vec<(u32, String)>,
    /// Whether the result is correct if known deviations of other tools are accepted either way.
    pub lenient: bool,
}

impl Judgement {
    pub fn strict(&self) -> bool {
        self.missed.is_empty() && self.extra.is_empty()
    }
}

impl Expectations {
    pub fn read(text: &str) -> Self {
        let mut found = Expectations::default();
        let mut pending: Vec<&str> = Vec::new();
        for (index, line) in text.split('\n').enumerate() {
            let line = line.trim();
            if let Some(comment) = line.strip_prefix("//::") {
                pending.push(comment.trim());
            } else if !line.starts_with("//") {
                pending.drain(..).for_each(|comment| found.record(comment, index as u32 + 1));
            }
        }
        pending.into_iter().for_each(|comment| found.record(comment, 0));
        found
    }

    fn record(&mut self, comment: &str, line: u32) {
        if comment == "IgnoreOthers" {
            return self.ignored_lines.push(line);
        }
        let Some((kind, arguments)) = comment.strip_suffix(')').and_then(|comment| comment.split_once('(')) else {
            return self.malformed.push(comment.to_string());
        };
        match kind {
            "IgnoreFile" | "IgnoreFileList" => self.ignored_by.extend(tool(arguments)),
            "ExpectedOutput" => self.expected.push(expectation(arguments, line)),
            "UnexpectedOutput" => self.unexpected.push(expectation(arguments, line)),
            "MissingOutput" => self.missing.push(expectation(arguments, line)),
            _ => self.malformed.push(comment.to_string()),
        }
    }
}

/// Parses `error.id:reason.id, /tool/issue/n/`.
fn expectation(arguments: &str, line: u32) -> Expectation {
    let (id, rest) = arguments.split_once(',').unwrap_or((arguments, ""));
    let (error, reason) = match id.split_once(':') {
        Some((error, reason)) => (error, Some(reason.trim().to_string())),
        None => (id, None),
    };
    Expectation { line, error: error.trim().to_string(), reason, tool: tool(rest.trim()) }
}

fn tool(text: &str) -> Option<String> {
    text.strip_prefix('/')?.split('/').next().map(str::to_lowercase)
}

impl Expectation {
    fn matches(&self, line: u32, id: &str) -> bool {
        let (error, reason) = id.split_once(':').map_or((id, None), |(error, reason)| (error, Some(reason)));
        let reason_fits = self.reason.as_deref().is_none_or(|expected| reason == Some(expected));
        self.line == line && self.error == error && reason_fits
    }
}

/// Compares reported errors, given as line and id, with the expectations.
pub fn judge(expectations: &Expectations, reported: &[(u32, String)]) -> Judgement {
    let among = |list: &[Expectation], line, id: &str| list.iter().any(|expected| expected.matches(line, id));
    let extra: Vec<(u32, String)> = reported
        .iter()
        .filter(|(line, id)| !among(&expectations.expected, *line, id) && !expectations.ignored_lines.contains(line))
        .cloned()
        .collect();
    let is_reported = |expected: &Expectation| reported.iter().any(|(line, id)| expected.matches(*line, id));
    let missed: Vec<Expectation> =
        expectations.expected.iter().filter(|expected| !is_reported(expected)).cloned().collect();
    let excused = |expected: &Expectation| {
        let same = |known: &Expectation| {
            (known.line, &known.error, &known.reason) == (expected.line, &expected.error, &expected.reason)
        };
        expectations.missing.iter().any(same)
    };
    let lenient =
        extra.iter().all(|(line, id)| among(&expectations.unexpected, *line, id)) && missed.iter().all(excused);
    Judgement { missed, extra, lenient }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
//:: IgnoreFile(/carbon/issue/1/)
method m()
{
  //:: ExpectedOutput(assert.failed:assertion.false)
  // a comment in between
  assert false
  //:: UnexpectedOutput(exhale.failed:insufficient.permission, /Silicon/issue/2/)
  exhale p
  //:: ExpectedOutput(assert.failed)
  //:: MissingOutput(assert.failed, /silicon/issue/34/)
  assert q
  //:: IgnoreOthers
  assert r
}";

    fn reported(list: &[(u32, &str)]) -> Vec<(u32, String)> {
        list.iter().map(|(line, id)| (*line, id.to_string())).collect()
    }

    #[test]
    fn comments_speak_of_the_next_line_of_code() {
        let found = Expectations::read(TEXT);
        let lines: Vec<u32> = found.expected.iter().map(|expected| expected.line).collect();
        assert_eq!(lines, [6, 11]);
        assert_eq!(found.unexpected[0].tool.as_deref(), Some("silicon"));
        assert_eq!((found.ignored_by, found.ignored_lines), (vec!["carbon".to_string()], vec![13]));
        assert_eq!(found.malformed, Vec::<String>::new());
    }

    #[test]
    fn known_troubles_of_other_tools_are_accepted_leniently_only() {
        let expectations = Expectations::read(TEXT);
        let perfect = [(6, "assert.failed:assertion.false"), (11, "assert.failed:x"), (13, "any")];
        assert!(judge(&expectations, &reported(&perfect)).strict());
        let like_silicon = [(6, "assert.failed:assertion.false"), (8, "exhale.failed:insufficient.permission")];
        let judgement = judge(&expectations, &reported(&like_silicon));
        assert!(judgement.lenient && !judgement.strict());
        assert!(!judge(&expectations, &reported(&[])).lenient);
        assert!(!judge(&expectations, &reported(&[(7, "x"), (6, "assert.failed:assertion.false")])).lenient);
    }
}
