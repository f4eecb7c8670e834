//! Requests about proofs: `deps` and `cover`, with the JSON that these commands print for a file as the response.

use crate::commands::{cover, deps};
use crate::error::Fallible;
use echis::depend::{DependencyOptions, Minimization};
use echis::{Confirmation, Progress, Settings, Source, Trees, Verifier, coverage_options};
use echis_report::deps::Answers;
use echis_report::{Piece, lines};
use std::collections::BTreeSet;

/// The whole graph, like `echis deps --all`.
pub fn dependencies(source: Source, settings: &Settings, verifier: &Verifier, progress: &dyn Progress) -> String {
    let shown = crate::paths::shown(source.path());
    let options = DependencyOptions::from(Minimization::Fast);
    let verification = verifier.explain_any(&verifier.check(source), settings, options, progress);
    let found = match verification.explanation(options) {
        Ok(found) => found,
        Err(file) => return lines::of_piece(&Piece::of_file(&file)),
    };
    let each = found.queries().all(&BTreeSet::new());
    lines::of_piece(&deps::piece(&found, &shown, &Answers::Dependencies { each, together: None }))
}

/// The coverage, like `echis cover`.
pub fn coverage(
    source: Source,
    settings: &Settings,
    verifier: &Verifier,
    progress: &dyn Progress,
    confirmation: Confirmation,
) -> Fallible<String> {
    if source.is_boogie() {
        return Err("`echis cover` has the coverage of Boogie programs".into());
    }
    let settings = Settings { trees: Trees::Explained, ..settings.clone() };
    let verification = verifier.explain(&verifier.check(source), &settings, coverage_options(), progress);
    Ok(lines::of_piece(&match verification.coverage(confirmation) {
        Ok(covered) => cover::piece(&covered),
        Err(file) => Piece::of_file(&file),
    }))
}
