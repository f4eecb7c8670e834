//! The source on a terminal: uncovered parts are marked with colours and symbols.

use super::state::{KEY, States, innermost};
use crate::Style;
use echis_base::Span;
use echis_cover::Coverage;
use echis_depend::View;
use echis_findings::FileResult;
use std::fmt::Write;

/// Number of context lines.
const CONTEXT: usize = 1;

/// Terminal colours in the order of the states.
const COLOURS: [&str; 8] = ["32", "33;4", "34", "33", "35", "31;4", "90;9", "31;1"];

/// The lines that are not completely covered and needed, with context.
pub fn listing(file: &FileResult, view: &View, coverage: &Coverage, style: Style) -> String {
    let Some((main, text)) = file.sources.files().next().map(|(id, file)| (id, &*file.text)) else {
        return String::new();
    };
    let states = States::new(file, coverage);
    let owner = innermost(file, main, view, text.len());
    let mut lines = Vec::new();
    let mut start = 0;
    for line in text.split('\n') {
        let nodes = &owner[start..start + line.len()];
        let mut shown = String::new();
        let mut open = "";
        for (at, c) in line.char_indices() {
            let place = Span::new(main, (start + at) as u32, (start + at + c.len_utf8()) as u32);
            let colour = states.at(place, nodes[at]).map_or("", |(class, _)| colour(class));
            if colour != open && style == Style::Coloured {
                let _ = write!(
                    shown,
                    "\x1b[0m{}",
                    if colour.is_empty() { String::new() } else { format!("\x1b[{colour}m") }
                );
                open = colour;
            }
            // Control characters are not printed.
            shown.push(if c.is_control() && c != '\t' { ' ' } else { c });
        }
        if !open.is_empty() {
            shown.push_str("\x1b[0m");
        }
        lines.push((states.line_mark(main, start, line, nodes), shown));
        start += line.len() + 1;
    }
    let matters = |mark: &str| !matches!(mark, " " | "✓" | "!");
    let near = |index: usize| {
        let (from, to) = (index.saturating_sub(CONTEXT), (index + CONTEXT + 1).min(lines.len()));
        lines[from..to].iter().any(|(mark, _)| matters(mark))
    };
    let mut out = String::new();
    let mut gap = false;
    for (index, (mark, line)) in lines.iter().enumerate() {
        if near(index) {
            let _ = writeln!(out, "{:5} {mark} {line}", index + 1);
            gap = true;
        } else if std::mem::take(&mut gap) {
            out.push_str("      …\n");
        }
    }
    if !out.is_empty() {
        let key = KEY.iter().map(|(_, mark, name, _)| format!("{mark} {name}")).collect::<Vec<_>>().join("  ");
        let _ = writeln!(out, "      {key}");
    }
    out
}

fn colour(class: &str) -> &'static str {
    KEY.iter().position(|(name, ..)| *name == class).map_or("", |index| COLOURS[index])
}
