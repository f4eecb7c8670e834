//! Reads lines from a terminal or a pipe.

use super::session::{Session, members};
use super::words::WORDS;
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::DefaultHistory;
use rustyline::validate::Validator;
use rustyline::{Context, Editor, Helper};
use std::io::{BufRead, IsTerminal};
use std::path::PathBuf;

pub enum Lines {
    Terminal { editor: Box<Editor<Completion, DefaultHistory>>, history: Option<PathBuf> },
    Pipe,
}

pub enum Read {
    Line(String),
    /// The line was cancelled.
    Again,
    End,
}

impl Lines {
    pub fn new() -> Self {
        if !std::io::stdin().is_terminal() {
            return Lines::Pipe;
        }
        let Ok(mut editor) = Editor::new() else { return Lines::Pipe };
        let history = history_file();
        if let Some(path) = &history {
            // On first use, the file does not exist.
            let _ = editor.load_history(path);
        }
        Lines::Terminal { editor: Box::new(editor), history }
    }

    pub fn is_interactive(&self) -> bool {
        matches!(self, Lines::Terminal { .. })
    }

    pub fn read(&mut self, session: &Session) -> Read {
        let Lines::Terminal { editor, history } = self else { return read_pipe() };
        editor.set_helper(Some(Completion::new(session)));
        match editor.readline("echis> ") {
            Ok(line) => {
                let _ = editor.add_history_entry(&line);
                if let Some(path) = history {
                    let _ = editor.save_history(path);
                }
                Read::Line(line)
            }
            Err(ReadlineError::Interrupted) => Read::Again,
            Err(_) => Read::End,
        }
    }
}

fn read_pipe() -> Read {
    let mut line = String::new();
    match std::io::stdin().lock().read_line(&mut line) {
        Ok(0) | Err(_) => Read::End,
        Ok(_) => Read::Line(line.trim_end().to_string()),
    }
}

/// In the user's state folder, if there is one.
fn history_file() -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let state = set("XDG_STATE_HOME").or_else(|| Some(set("HOME")?.join(".local").join("state")))?;
    let folder = state.join("echis");
    std::fs::create_dir_all(&folder).ok()?;
    Some(folder.join("history"))
}

/// The completions at a position of the line: commands first, then lines with nodes and names of members.
pub struct Completion {
    places: Vec<String>,
    members: Vec<String>,
}

impl Completion {
    fn new(session: &Session) -> Self {
        let view = session.view();
        let mut lines: Vec<u32> = view.nodes.iter().map(|node| node.position.start.line).collect();
        lines.sort();
        lines.dedup();
        Completion {
            places: lines.into_iter().map(|line| line.to_string()).collect(),
            members: members(view).into_iter().map(String::from).collect(),
        }
    }

    /// The start of the last word of the line, and its completions.
    fn candidates(&self, line: &str) -> (usize, Vec<String>) {
        let start = line.rfind([' ', ',']).map_or(0, |at| at + 1);
        let begun = &line[start..];
        let first = line[..start].split_whitespace().next();
        let words: Vec<String> = match first {
            None => WORDS.iter().map(|word| word.name.to_string()).collect(),
            Some("help") => WORDS.iter().map(|word| word.name.to_string()).collect(),
            Some("nodes") => self.members.iter().chain(&self.places).cloned().collect(),
            Some("export") => ["csv", "graphml", "dot", "neo4j"].map(String::from).to_vec(),
            Some(_) => self.places.clone(),
        };
        (start, words.into_iter().filter(|word| word.starts_with(begun)).collect())
    }
}

impl Completer for Completion {
    type Candidate = String;
    fn complete(&self, line: &str, at: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<String>)> {
        Ok(self.candidates(line.get(..at).unwrap_or(line)))
    }
}

impl Hinter for Completion {
    type Hint = String;
}
impl Highlighter for Completion {}
impl Validator for Completion {}
impl Helper for Completion {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_come_first_and_then_places() {
        let completion = Completion { places: vec!["12".into(), "140".into()], members: vec!["client".into()] };
        assert_eq!(completion.candidates("im"), (0, vec!["impact".to_string()]));
        assert_eq!(completion.candidates("of 1"), (3, vec!["12".to_string(), "140".to_string()]));
        assert_eq!(completion.candidates("of 12,14"), (6, vec!["140".to_string()]));
        assert_eq!(completion.candidates("nodes cl"), (6, vec!["client".to_string()]));
    }
}
