//! Hidden definitions: applications of opaque functions.

use crate::site::Site;
use crate::text::one_line;
use crate::{Candidate, Kind};
use echis::coverage::Edit;
use echis_program::program::ExprKind;

/// Candidates that reveal opaque functions in the goal, or else in the member's other assertions.
pub(crate) fn candidates(site: &Site<'_>) -> Vec<Candidate> {
    if !matches!(site.reason, "assertion.false") {
        return Vec::new();
    }
    let (mut here, mut elsewhere) = (Vec::new(), Vec::new());
    for expr in site.expressions() {
        let ExprKind::FunctionApp { function, reveal: false, .. } = site.program.kind(expr) else { continue };
        let id = site.program.expr(expr).id;
        if !site.program.functions[*function].opaque || !site.is_own(id) {
            continue;
        }
        let span = site.span(id);
        let edit = Edit::insert(span.start as usize, "@reveal() ");
        let application = one_line(site.said(expr).unwrap_or_default());
        let line = site.sources.position(span).start.line;
        let candidate = Candidate::new(Kind::Ghost, format!("reveal {application} on line {line}"), vec![edit]);
        if site.at.contains(span) || site.about.contains(span) {
            here.push(candidate)
        } else {
            elsewhere.push(candidate)
        }
    }
    if here.len() > 1 {
        let edits = here.iter().flat_map(|candidate| candidate.edits.clone()).collect();
        here.push(Candidate::new(Kind::GhostBlock, "reveal the opaque functions in it", edits));
    }
    here.extend(elsewhere);
    here
}
