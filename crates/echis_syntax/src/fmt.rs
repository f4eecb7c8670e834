//! The formatter. It works on tokens: line breaks and comments are kept; indentation and spaces inside a line are
//! normalised, lines that are too long are broken, and runs of blank lines become one. The roles of tokens come from
//! the tree.

pub(crate) mod element;
mod indent;
mod landmarks;
mod spacing;
mod wrap;

use crate::ast::Program;
use crate::parser::parse_file;
use echis_base::{Diagnostic, FileId, Severity, SourceFile};
use element::{Element, elements};
use indent::Indenter;
use landmarks::Landmarks;
use spacing::{Laid, Space, Spacer};
use wrap::Lines;

/// The formatted text, or the errors that prevent parsing.
pub fn format_source(file: FileId, source: &SourceFile) -> Result<String, Vec<Diagnostic>> {
    let mut program = Program::default();
    let parsed = parse_file(file, source, &mut program.exprs);
    if parsed.diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error) {
        return Err(parsed.diagnostics);
    }
    program.members = parsed.members;
    let landmarks = Landmarks::new(&program);
    Ok(layout(&source.text, &elements(&source.text), &landmarks))
}

fn layout(text: &str, elements: &[Element], landmarks: &Landmarks) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    let mut spacer = Spacer::new(text, elements, landmarks);
    let laid: Vec<Laid> = elements.iter().enumerate().map(|(index, element)| spacer.lay(index, *element)).collect();
    let mut indenter = Indenter::new(landmarks);
    let mut lines = Lines::new(text, &laid, landmarks);
    for (index, Laid { element, space, .. }) in laid.iter().enumerate() {
        if lines.starts_at(index) {
            if index > 0 {
                out.push('\n');
            }
            if index > 0 && element.newlines > 1 {
                out.push('\n');
            }
            let indent = indenter.start_line(elements, index);
            out.extend(std::iter::repeat_n("  ", indent));
            lines.fit(index, indent);
        } else if *space == Space::One {
            out.push(' ');
        }
        indenter.pass(elements, index);
        push_element(&mut out, *element, text);
    }
    if !out.is_empty() {
        out.push('\n');
    }
    out
}

/// Line ends inside comments become `\n`; strings are unchanged.
fn push_element(out: &mut String, element: Element, text: &str) {
    let text = element.text(text);
    if !element.is_comment() {
        return out.push_str(text);
    }
    for (index, line) in text.split('\n').enumerate() {
        if index > 0 {
            out.push('\n');
        }
        out.push_str(line.trim_end_matches('\r'));
    }
}
