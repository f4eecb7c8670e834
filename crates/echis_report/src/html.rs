//! The coverage report for browsers: one file, no network, everything escaped.

use crate::cover::state::{KEY, States, innermost};
use echis_analysis::FileResult;
use echis_analysis::cover::Coverage;
use echis_analysis::depend::{UserId, View, ViewNode};
use echis_base::{FileId, Key, Span};
use std::collections::BTreeMap;
use std::fmt::Write;

const HELP: &str = "Click what is asserted to see what its proof needs, and what is assumed to see what rests on it. \
     Escape clears the choice. Text without a frame makes no assumption.";
const STYLE: &str = include_str!("../assets/cover.css");
const SCRIPT: &str = include_str!("../assets/cover.js");

/// The whole page. Edges lead from what is asserted to what its proof needs directly.
pub fn page(file: &FileResult, view: &View, coverage: &Coverage, edges: &[(UserId, UserId)]) -> String {
    let mut out = String::new();
    let path = escape(&file.path);
    let (covered, total) = coverage.counts();
    let _ = write!(
        out,
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Coverage of {path}</title>\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n\
         <style>{STYLE}</style></head><body>\n<header><b>{path}</b>: {:.1} % covered ({covered} of {total}). ",
        coverage.percent()
    );
    for (class, mark, name, why) in KEY {
        let _ = write!(out, "<span class=\"key {class}\" title=\"{why}\">{mark} {name}</span>");
    }
    out.push_str(
        "<input id=\"search\" type=\"search\" placeholder=\"search\" aria-label=\"search\"> \
         <button id=\"toggle\">graph</button> <span id=\"status\" aria-live=\"polite\"></span></header>\n\
         <div id=\"graph\" hidden></div>\n<main>",
    );
    source(&mut out, file, view, coverage);
    out.push_str("<aside>");
    tables(&mut out, file, coverage);
    let _ = write!(
        out,
        "</aside></main>\n<script type=\"application/json\" id=\"data\">{}</script>\n<script>{SCRIPT}</script>\n</body></html>\n",
        data(edges)
    );
    out
}

fn source(out: &mut String, file: &FileResult, view: &View, coverage: &Coverage) {
    let Some((main, text)) = file.sources.files().next().map(|(id, file)| (id, &*file.text)) else { return };
    let states = States::new(file, coverage);
    let owner = innermost(file, main, view, text.len());
    out.push_str("<pre id=\"source\">");
    let mut start = 0;
    for (line, text) in (1..).zip(text.split('\n')) {
        let nodes = &owner[start..start + text.len()];
        let mark = states.line_mark(main, start, text, nodes);
        let _ = write!(out, "<div class=\"line\" data-n=\"{line}\" data-mark=\"{mark}\">");
        pieces(out, main, start, text, nodes, &states);
        out.push_str("</div>");
        start += text.len() + 1;
    }
    out.push_str("</pre>\n");
}

/// A line cut where the innermost node, or what is said about it, changes.
fn pieces(out: &mut String, main: FileId, start: usize, text: &str, nodes: &[Option<&ViewNode>], states: &States) {
    let mut open: Option<(Option<UserId>, &str, bool)> = None;
    for (at, c) in text.char_indices() {
        let node = nodes[at];
        let place = Span::new(main, (start + at) as u32, (start + at + c.len_utf8()) as u32);
        let state = states.at(place, node);
        let part = states.is_part(place);
        let here = state.map(|(class, _)| (node.map(|node| node.id), class, part));
        if here != open {
            if open.is_some() {
                out.push_str("</span>");
            }
            if let Some((class, why)) = state {
                let part = if part { " part" } else { "" };
                let _ = match node {
                    Some(node) => write!(
                        out,
                        "<span class=\"n {class}{part}\" data-id=\"{}\" tabindex=\"0\" title=\"{why}\">",
                        node.id.index()
                    ),
                    None => write!(out, "<span class=\"{class}\" title=\"{why}\">"),
                };
            }
            open = here;
        }
        push_escaped(out, c);
    }
    if open.is_some() {
        out.push_str("</span>");
    }
}

fn tables(out: &mut String, file: &FileResult, coverage: &Coverage) {
    out.push_str("<table><tr><th>member<th>covered<th>of<th>%</tr>");
    for member in &coverage.members {
        let percent = 100 * member.covered / member.total.max(1);
        let _ = write!(
            out,
            "<tr><td>{}<td class=\"number\">{}<td class=\"number\">{}<td class=\"number\">{percent}</tr>",
            escape(&member.name),
            member.covered,
            member.total
        );
    }
    out.push_str("</table>\n<table><tr><th>line<th>warning<th>message</tr>");
    for warning in &coverage.warnings {
        let line_of = |span| file.sources.position(span).start.line;
        let line = warning.diagnostic.span.map_or(0, line_of);
        let (id, message) = (escape(&warning.diagnostic.id), escape(&warning.diagnostic.message));
        let _ = write!(out, "<tr><td><button data-line=\"{line}\">{line}</button><td>{id}<td>{message}");
        let main = file.sources.files().next().map(|(id, _)| id);
        for related in warning.diagnostic.related.iter().filter(|related| Some(related.span.file) == main) {
            let (line, message) = (line_of(related.span), escape(&related.message));
            let _ = write!(out, "<br><button data-line=\"{line}\">{line}</button> {message}");
        }
        out.push_str("</tr>");
    }
    if coverage.warnings.is_empty() {
        out.push_str("<tr><td colspan=\"3\">none</tr>");
    }
    let _ = writeln!(out, "</table>\n<p>{HELP}</p>");
}

/// Numbers only: nothing in it can end the element.
fn data(edges: &[(UserId, UserId)]) -> String {
    let mut needs: BTreeMap<UserId, Vec<String>> = BTreeMap::new();
    for (of, on) in edges {
        needs.entry(*of).or_default().push(on.index().to_string());
    }
    let needs = needs.into_iter().map(|(of, on)| format!("[{},[{}]]", of.index(), on.join(",")));
    format!("{{\"edges\":[{}]}}", needs.collect::<Vec<_>>().join(","))
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
