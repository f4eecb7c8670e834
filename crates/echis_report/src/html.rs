//! The coverage report for browsers: one file, no network, everything escaped.

use crate::cover::state::{KEY, States, innermost};
use crate::markup::{escape, push_escaped};
use echis_base::{FileId, Key, Span};
use echis_cover::Coverage;
use echis_depend::{UserId, View, ViewNode};
use echis_findings::FileResult;
use std::collections::BTreeMap;
use std::fmt::Write;

const HELP: &str = "Click what is asserted to see what its proof needs, and what is assumed to see what rests on it. \
     The names above show only the lines of their kind. Escape clears the choice, n and p go to the next and the previous line that is not covered. Text without a frame makes no assumption.";
const STYLE: &str = include_str!("../assets/cover.css");
const SCRIPT: &str = include_str!("../assets/cover.js");

/// The page of one program among several, and what the index says of it.
pub struct Page {
    pub path: String,
    /// Covered and all.
    pub counts: (usize, usize),
    pub warnings: usize,
    pub errors: usize,
    pub text: String,
}

/// The file of a page: its number keeps programs of the same name apart.
pub fn page_name(number: usize, page: &Page) -> String {
    let stem = page.path.rsplit(['/', '\\']).next().unwrap_or_default();
    let plain = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_') { c } else { '_' };
    format!("{number}-{}.html", stem.chars().map(plain).collect::<String>())
}

/// A page that leads to those of all programs, least covered first.
pub fn index(pages: &[Page]) -> String {
    let percent =
        |(covered, total): (usize, usize)| if total == 0 { 100.0 } else { 100.0 * covered as f64 / total as f64 };
    let sum = pages.iter().fold((0, 0), |(a, b), page| (a + page.counts.0, b + page.counts.1));
    let mut out = head("Coverage of all programs");
    let _ = write!(
        out,
        "<header><h1>Coverage of all programs: {:.1} % ({} of {})</h1></header>\n<main><table>\n\
         <tr><th scope=\"col\">program<th scope=\"col\">covered<th scope=\"col\">of<th scope=\"col\">%\
         <th scope=\"col\">warnings<th scope=\"col\">errors</tr>\n",
        percent(sum),
        sum.0,
        sum.1
    );
    let mut order: Vec<usize> = (0..pages.len()).collect();
    order.sort_by(|a, b| percent(pages[*a].counts).total_cmp(&percent(pages[*b].counts)).then(a.cmp(b)));
    for number in order {
        let page = &pages[number];
        let _ = writeln!(
            out,
            "<tr><td><a href=\"{}\">{}</a><td class=\"number\">{}<td class=\"number\">{}<td class=\"number\">{:.1}\
             <td class=\"number\">{}<td class=\"number\">{}</tr>",
            page_name(number, page),
            escape(&page.path),
            page.counts.0,
            page.counts.1,
            percent(page.counts),
            page.warnings,
            page.errors
        );
    }
    out + "</table></main>\n</body></html>\n"
}

fn head(title: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title>\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n\
         <style>{STYLE}</style></head><body>\n"
    )
}

/// The whole page. Edges lead from what is asserted to what its proof needs directly.
pub fn page(file: &FileResult, view: &View, coverage: &Coverage, edges: &[(UserId, UserId)]) -> String {
    let path = escape(&file.path);
    let mut out = head(&format!("Coverage of {path}"));
    let (covered, total) = coverage.counts();
    let _ = write!(out, "<header><b>{path}</b>: {:.1} % covered ({covered} of {total}). ", coverage.percent());
    for (class, mark, name, why) in KEY {
        let _ = write!(
            out,
            "<button class=\"key {class}\" data-filter=\"{mark}\" aria-pressed=\"false\" title=\"{why}; click: only these\">\
             {mark} {name}</button>"
        );
    }
    out.push_str(
        "<input id=\"search\" type=\"search\" placeholder=\"search\" aria-label=\"search\"> \
         <button id=\"toggle\" aria-expanded=\"false\" aria-controls=\"graph\">graph</button> \
         <button id=\"next\" title=\"key: n\">next uncovered</button> \
         <span id=\"status\" role=\"status\" aria-live=\"polite\"></span></header>\n<main>",
    );
    source(&mut out, file, view, coverage);
    out.push_str("<aside aria-label=\"members, errors and warnings\"><div id=\"graph\" role=\"region\" aria-label=\"graph\" hidden></div>");
    errors(&mut out, file);
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
    out.push_str("<pre id=\"source\" role=\"region\" aria-label=\"source\" tabindex=\"0\">");
    let mut start = 0;
    for (line, text) in (1..).zip(text.split('\n')) {
        let nodes = &owner[start..start + text.len()];
        let mark = states.line_mark(main, start, text, nodes);
        let _ = write!(out, "<div class=\"line\" id=\"L{line}\" data-n=\"{line}\" data-mark=\"{mark}\">");
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
                        "<span class=\"n {class}{part}\" data-id=\"{}\" tabindex=\"0\" role=\"button\" title=\"{why}\">",
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

/// What is not proved, if anything.
fn errors(out: &mut String, file: &FileResult) {
    if file.errors.is_empty() {
        return;
    }
    out.push_str(
        "<table class=\"errors\"><caption>errors</caption><tr><th scope=\"col\">line<th scope=\"col\">error</tr>",
    );
    for error in &file.errors {
        let line = error.diagnostic.span.map_or(0, |span| file.sources.position(span).start.line);
        let message = escape(&error.diagnostic.message);
        let _ = write!(out, "<tr><td><a href=\"#L{line}\" data-line=\"{line}\">{line}</a><td>{message}</tr>");
    }
    out.push_str("</table>");
}

fn tables(out: &mut String, file: &FileResult, coverage: &Coverage) {
    out.push_str("<table><caption>members</caption><tr><th scope=\"col\">member<th scope=\"col\">covered<th scope=\"col\">of<th scope=\"col\">%</tr>");
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
    out.push_str("</table>\n<table><caption>warnings</caption><tr><th scope=\"col\">line<th scope=\"col\">warning<th scope=\"col\">message</tr>");
    for warning in &coverage.warnings {
        let line_of = |span| file.sources.position(span).start.line;
        let line = warning.diagnostic.span.map_or(0, line_of);
        let (id, message) = (escape(&warning.diagnostic.id), escape(&warning.diagnostic.message));
        let _ = write!(out, "<tr><td><a href=\"#L{line}\" data-line=\"{line}\">{line}</a><td>{id}<td>{message}");
        let main = file.sources.files().next().map(|(id, _)| id);
        for related in warning.diagnostic.related.iter().filter(|related| Some(related.span.file) == main) {
            let (line, message) = (line_of(related.span), escape(&related.message));
            let _ = write!(out, "<br><a href=\"#L{line}\" data-line=\"{line}\">{line}</a> {message}");
        }
        if let Some(fix) = &warning.fix {
            let _ = write!(out, "<br><i>{}</i>", escape(fix.removal.describe()));
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
