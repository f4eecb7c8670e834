//! The error index: one page for each kind of error, reason and warning, as `echis explain` prints it.
//!
//! The pages are the files of `docs/errors`, which are also chapters of the guide. An error's id is `kind:reason`,
//! and so is its explanation: the page of the kind, then the page of the reason. All pages have one shape, so that
//! tests can run their examples:
//!
//! ````text
//! # `id`
//!
//! One sentence: what was found.
//!
//! ## What it means
//! ## Example            a block ```viper,fails=ID or ```viper,warns=ID
//! ## How to fix it      if possible with a block ```viper,verifies
//! ````

use crate::human::Style;
use echis_findings::FileResult;
use std::collections::BTreeSet;

/// A page of the error index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Page {
    /// A kind of error, a reason or a warning.
    pub id: &'static str,
    /// Markdown.
    pub text: &'static str,
}

macro_rules! pages {
    ($($id:literal,)*) => {
        /// All pages, sorted by id.
        pub const PAGES: &[Page] = &[$(Page {
            id: $id,
            text: include_str!(concat!(env!("ECHIS_PAGES"), "/", $id, ".md")),
        },)*];
    };
}

pages! {
    "application.precondition",
    "apply.failed",
    "assert.failed",
    "assertion.false",
    "assertion.redundant",
    "assignment.failed",
    "assumption.redundant",
    "assumption.unused",
    "branch.unreachable",
    "call.failed",
    "call.precondition",
    "clioption.error",
    "code.unconstrained",
    "consistency.error",
    "division.by.zero",
    "engines.disagree",
    "exhale.failed",
    "feature.unsupported",
    "fold.failed",
    "function.not.wellformed",
    "if.failed",
    "inhale.failed",
    "insufficient.permission",
    "internal",
    "invariant.not.established",
    "invariant.not.preserved",
    "labelled.state.not.reached",
    "map.key.contains",
    "member.undecided",
    "negative.permission",
    "not.wellformed",
    "package.failed",
    "parser.error",
    "parser.warning",
    "part.unused",
    "permission.not.positive",
    "postcondition.violated",
    "predicate.not.wellformed",
    "predicateinstance.no.access",
    "proved.vacuously",
    "qp.not.injective",
    "quasihavoc.failed",
    "quasihavocall.failed",
    "quasihavocall.not.injective",
    "refutation.true",
    "refute.failed",
    "resolver.error",
    "seq.index.length",
    "seq.index.negative",
    "silencer.unused",
    "termination.condition.false",
    "termination.failed",
    "tuple.condition.false",
    "tuple.false",
    "typechecker.error",
    "typechecker.warning",
    "unexpected.node",
    "unfold.failed",
    "unsupported.feature",
    "verifier.warning",
    "wand.not.found",
    "wand.not.wellformed",
    "while.failed",
}

/// The pages that explain an id. Both parts of `kind:reason` must be known.
pub fn pages(id: &str) -> Option<Vec<Page>> {
    let mut halves: Vec<&str> = id.split(':').collect();
    halves.dedup();
    halves.into_iter().map(|half| PAGES.iter().copied().find(|page| page.id == half)).collect()
}

/// The known id that is most similar to a misspelt one.
pub fn closest(id: &str) -> &'static str {
    let half = id.split(':').next_back().unwrap_or(id);
    let distance = |page: &&Page| [half, id].into_iter().map(|text| strsim::levenshtein(text, page.id)).min();
    PAGES.iter().min_by_key(distance).map_or("", |page| page.id)
}

/// The URI of the page for an id. Ids with a reason link to the page of their kind.
pub fn page_uri(id: &str) -> Option<String> {
    let page = pages(id)?.first()?.id;
    Some(format!("{}/blob/main/docs/errors/{page}.md", env!("CARGO_PKG_REPOSITORY")))
}

/// A page for the terminal: headings are highlighted, code is indented.
pub fn terminal(page: Page, style: Style) -> String {
    let mut in_code = false;
    let mut text = String::new();
    for line in page.text.lines() {
        if line.starts_with("```") {
            in_code = !in_code;
            continue;
        }
        match line.strip_prefix('#').filter(|_| !in_code) {
            Some(heading) => text += &bold(heading.trim_start_matches('#').trim(), style),
            None if in_code && !line.is_empty() => text += &format!("    {line}"),
            None => text += line,
        }
        text.push('\n');
    }
    text
}

fn bold(text: &str, style: Style) -> String {
    match style {
        Style::Plain => text.to_string(),
        Style::Coloured => format!("\x1b[1m{text}\x1b[0m"),
    }
}

/// The last line of a run with findings: how to get explanations.
pub fn hint(files: &[FileResult]) -> Option<String> {
    let errors = files.iter().flat_map(|file| file.errors.iter().map(|finding| &*finding.diagnostic.id));
    let warnings = files.iter().flat_map(|file| file.warnings.iter().map(|warning| &*warning.id));
    let ids: BTreeSet<&str> = errors.chain(warnings).filter(|id| pages(id).is_some()).collect();
    let first = ids.first()?;
    Some(match ids.len() {
        1 => format!("= help: for more, run `echis explain {first}`\n"),
        _ => format!("= help: for more, run `echis explain ID` with an id in brackets, such as {first}\n"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use echis_findings::WarningId;
    use echis_proof::{ErrorKind, Reason};

    #[test]
    fn every_kind_reason_and_warning_has_a_page() {
        let kinds = ErrorKind::ALL.iter().map(|kind| kind.id());
        let reasons = Reason::ALL.iter().map(|reason| reason.id());
        let warnings = WarningId::ALL.iter().map(|warning| warning.name());
        let missing: Vec<&str> = kinds.chain(reasons).chain(warnings).filter(|id| pages(id).is_none()).collect();
        assert!(missing.is_empty(), "without a page: {missing:?}");
        assert!(PAGES.is_sorted_by_key(|page| page.id));
    }

    #[test]
    fn pages_have_one_shape() {
        for page in PAGES {
            let title = format!("# `{}`\n\n", page.id);
            assert!(page.text.starts_with(&title), "{}: the title is the id", page.id);
            let headings: Vec<&str> = page.text.lines().filter(|line| line.starts_with("## ")).collect();
            assert_eq!(headings, ["## What it means", "## Example", "## How to fix it"], "{}", page.id);
            assert!(page.text.lines().all(|line| line.chars().count() <= 100), "{}: long lines", page.id);
        }
    }

    #[test]
    fn ids_are_explained_by_both_halves() {
        let ids = |id| pages(id).map(|pages| pages.iter().map(|page| page.id).collect::<Vec<_>>());
        assert_eq!(ids("assert.failed:assertion.false"), Some(vec!["assert.failed", "assertion.false"]));
        assert_eq!(ids("internal:internal"), Some(vec!["internal"]));
        assert_eq!(ids("assert.failed:no.such.reason"), None);
        assert_eq!(closest("assert.fail"), "assert.failed");
        assert_eq!(closest("assert.failed:assertion.flase"), "assertion.false");
    }
}
