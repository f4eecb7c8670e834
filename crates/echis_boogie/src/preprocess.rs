//! Directives: lines that start with `#`. `#if NAME`, `#elsif`, `#else` and `#endif` select lines; `#line` renumbers
//! lines. Omitted lines are blanked, so that positions are unchanged.

use crate::error::SYNTAX_ERROR;
use echis_base::{Diagnostic, FileId, Renumbering, Span};

pub struct Prepared {
    pub text: String,
    pub renumberings: Vec<Renumbering>,
    pub errors: Vec<Diagnostic>,
}

/// The state of a conditional.
enum Branch {
    Taken,
    /// An earlier branch was taken.
    Done,
    /// No branch was taken yet.
    Waiting,
}

/// Preprocesses a text. `position` is its index among those of the program.
pub fn prepare(file: FileId, position: usize, text: &str) -> Prepared {
    let mut prepared =
        Prepared { text: String::with_capacity(text.len()), renumberings: Vec::new(), errors: Vec::new() };
    let mut branches: Vec<Branch> = Vec::new();
    let mut offset = 0;
    for (index, line) in text.split_inclusive('\n').enumerate() {
        let span = Span::new(file, offset, offset + line.trim_end().len() as u32);
        offset += line.len() as u32;
        let words: Vec<&str> = line.split_whitespace().collect();
        let skipped = branches.iter().any(|branch| !matches!(branch, Branch::Taken));
        let is_choice = choose(&words, position, &mut branches);
        let pragma = !is_choice && !skipped && line.starts_with('#');
        if pragma {
            directive(&mut prepared, &words, line, index as u32 + 1, span);
        }
        if is_choice || skipped || pragma {
            let blank = |c: char| if c == '\n' { "\n".to_string() } else { " ".repeat(c.len_utf8()) };
            prepared.text.extend(line.chars().map(blank));
        } else {
            prepared.text.push_str(line);
        }
    }
    prepared
}

/// Whether the line belongs to a conditional. The only defined name is that of the file: `FILE_0` for the first.
fn choose(words: &[&str], position: usize, branches: &mut Vec<Branch>) -> bool {
    let defined = format!("FILE_{position}");
    let holds = |name: &str| match name.strip_prefix('!') {
        Some(name) => name != defined,
        None => name == defined,
    };
    let next = |found: bool| if found { Branch::Taken } else { Branch::Waiting };
    match words {
        ["#if", name, ..] => branches.push(next(holds(name))),
        ["#elsif", name, ..] => {
            if let Some(branch) = branches.last_mut() {
                *branch = match branch {
                    Branch::Waiting => next(holds(name)),
                    Branch::Taken | Branch::Done => Branch::Done,
                };
            }
        }
        ["#else", ..] => {
            if let Some(branch) = branches.last_mut() {
                *branch = match branch {
                    Branch::Waiting => Branch::Taken,
                    Branch::Taken | Branch::Done => Branch::Done,
                };
            }
        }
        ["#endif", ..] => drop(branches.pop()),
        _ => return false,
    }
    true
}

fn directive(prepared: &mut Prepared, words: &[&str], line: &str, number: u32, span: Span) {
    match words {
        ["#line", new, rest @ ..] if new.parse::<i64>().is_ok() => {
            let line = new.parse::<i64>().unwrap_or(0).clamp(0, i64::from(u32::MAX / 2)) as u32;
            let file = (!rest.is_empty()).then(|| rest.join(" ").into());
            prepared.renumberings.push(Renumbering { from: number + 1, line, file });
        }
        ["#line", ..] => {
            let message = format!("Malformed (#line num [filename]) pragma: {}", line.trim());
            prepared.errors.push(Diagnostic::error(SYNTAX_ERROR, span, message));
        }
        _ => {
            let message = format!("Unrecognized pragma: {}", line.trim());
            prepared.errors.push(Diagnostic::error(SYNTAX_ERROR, span, message));
        }
    }
}
