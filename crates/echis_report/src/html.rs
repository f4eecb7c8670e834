//! The coverage report for browsers: one file, no network, everything escaped.

use echis_analysis::FileResult;
use echis_analysis::cover::Coverage;
use echis_analysis::depend::{Assumption, UserId, View, ViewNode};
use echis_base::{Key, Position};
use std::collections::BTreeMap;
use std::fmt::Write;

const STYLE: &str = include_str!("../assets/cover.css");
const SCRIPT: &str = include_str!("../assets/cover.js");

/// The whole page.
pub fn page(file: &FileResult, view: &View, coverage: &Coverage) -> String {
    let mut out = String::new();
    let path = escape(&file.path);
    let _ = write!(
        out,
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Coverage of {path}</title>\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n\
         <style>{STYLE}</style></head><body>\n<header><b>{path}</b>: {:.1} % covered. \
         <span class=\"covered\">covered</span> <span class=\"trusted\">trusted</span> \
         <span class=\"uncovered\">not covered</span> <span class=\"trigger\">trigger only</span> \
         <span class=\"vacuous\">vacuous</span> \
         <input id=\"search\" type=\"search\" placeholder=\"search\"> <span id=\"status\" aria-live=\"polite\"></span></header>\n",
        coverage.percent()
    );
    source(&mut out, file, view, coverage);
    tables(&mut out, file, coverage);
    let _ = write!(
        out,
        "<script type=\"application/json\" id=\"data\">{}</script>\n<script>{SCRIPT}</script>\n</body></html>\n",
        data(view)
    );
    out
}

fn source(out: &mut String, file: &FileResult, view: &View, coverage: &Coverage) {
    let Some((_, main)) = file.sources.files().next() else { return };
    out.push_str("<pre>");
    let mut opens: BTreeMap<u32, Vec<&ViewNode>> = BTreeMap::new();
    for node in view.nodes.iter().filter(|node| node.position.file == main.path) {
        for line in node.position.start.line..=node.position.end.line {
            opens.entry(line).or_default().push(node);
        }
    }
    for (line, text) in (1..).zip(main.text.lines()) {
        let _ = write!(out, "<div class=\"line\" data-n=\"{line}\">");
        pieces(out, line, text, opens.get(&line).map_or(&[][..], |nodes| nodes), coverage, file);
        out.push_str("</div>");
    }
    out.push_str("</pre>\n");
}

/// A line cut where the innermost node changes.
fn pieces(out: &mut String, line: u32, text: &str, nodes: &[&ViewNode], coverage: &Coverage, file: &FileResult) {
    let mut open: Option<UserId> = None;
    for (column, c) in (1..).zip(text.chars()) {
        let inside = nodes.iter().filter(|node| contains(&node.position, line, column));
        let innermost = inside.min_by_key(|node| size(&node.position));
        let here = innermost.map(|node| node.id);
        if here != open {
            if open.is_some() {
                out.push_str("</span>");
            }
            if let Some(node) = innermost {
                let (class, why) = class(node, coverage, file);
                let _ = write!(out, "<span class=\"n {class}\" data-id=\"{}\" title=\"{why}\">", node.id.index());
            }
            open = here;
        }
        push_escaped(out, c);
    }
    if open.is_some() {
        out.push_str("</span>");
    }
}

fn contains(at: &Position, line: u32, column: u32) -> bool {
    (at.start.line, at.start.column) <= (line, column) && (line, column) < (at.end.line, at.end.column)
}

fn size(at: &Position) -> (u32, u32) {
    (at.end.line - at.start.line, at.end.column.abs_diff(at.start.column))
}

fn class(node: &ViewNode, coverage: &Coverage, file: &FileResult) -> (&'static str, &'static str) {
    let place = |span: &echis_base::Span| file.sources.position(*span);
    let dead = node.assertion.is_some() && coverage.vacuous.iter().map(place).any(|at| at == node.position);
    if dead {
        ("vacuous", "vacuous: proved from a contradiction")
    } else if node.assumption.is_none() {
        ("covered", "asserted and proved: click to see what its proof needs")
    } else if coverage.trigger_only.contains(&node.id) {
        ("trigger", "trigger only: no proof uses it, and without it proofs are not found")
    } else if !coverage.covered.contains(&node.id) {
        ("uncovered", "not covered: no proof needs it")
    } else if node.assumption == Some(Assumption::Explicit) {
        ("trusted", "trusted: believed without proof, and needed; click to see what rests on it")
    } else {
        ("covered", "covered: some proof needs it; click to see which")
    }
}

fn tables(out: &mut String, file: &FileResult, coverage: &Coverage) {
    out.push_str("<table><tr><th>member<th>covered<th>all</tr>");
    for member in &coverage.members {
        let _ = write!(out, "<tr><td>{}<td>{}<td>{}</tr>", escape(&member.name), member.covered, member.total);
    }
    out.push_str("</table>\n<table><tr><th>line<th>warning<th>message</tr>");
    for warning in &coverage.warnings {
        let line = warning.diagnostic.span.map_or(0, |span| file.sources.position(span).start.line);
        let (id, message) = (escape(&warning.diagnostic.id), escape(&warning.diagnostic.message));
        let _ = write!(out, "<tr><td>{line}<td>{id}<td>{message}</tr>");
    }
    out.push_str("</table>\n");
}

/// Numbers only: nothing in it can end the element.
fn data(view: &View) -> String {
    let list = |users: &[UserId]| users.iter().map(|user| user.index().to_string()).collect::<Vec<_>>().join(",");
    let needs = view.dependencies.iter().map(|answer| format!("[{},[{}]]", answer.of.index(), list(&answer.all)));
    format!("{{\"needs\":[{}]}}", needs.collect::<Vec<_>>().join(","))
}

fn escape(text: &str) -> String {
    let mut out = String::new();
    text.chars().for_each(|c| push_escaped(&mut out, c));
    out
}

fn push_escaped(out: &mut String, c: char) {
    match c {
        '<' => out.push_str("&lt;"),
        '>' => out.push_str("&gt;"),
        '&' => out.push_str("&amp;"),
        '"' => out.push_str("&quot;"),
        '\'' => out.push_str("&#39;"),
        c => out.push(c),
    }
}

#[cfg(test)]
mod tests {
    use super::escape;

    #[test]
    fn nothing_that_is_shown_can_be_markup() {
        assert_eq!(escape("</pre><script>'a' & \"b\""), "&lt;/pre&gt;&lt;script&gt;&#39;a&#39; &amp; &quot;b&quot;");
    }
}
