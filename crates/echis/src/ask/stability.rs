//! A file verified several times, with other random choices.

use crate::language::engines::verify;
use crate::verify::members::{Progress, Silent};
use crate::verify::settings::Settings;
use crate::verify::solvers::Solvers;
use echis_findings::FileResult;
use echis_findings::measure::stability;
use echis_smt::Variant;
use std::path::Path;

/// Verifies a file several times, each time with other random choices and names, the first time as usual.
pub fn verify_repeatedly(
    path: &Path,
    settings: &Settings,
    solvers: &Solvers,
    progress: &dyn Progress,
    runs: usize,
) -> FileResult {
    let settings = Settings { measure: true, ..settings.clone() };
    let mut result = verify(path, &settings, solvers, progress);
    let Some(usual) = result.profile.clone() else { return result };
    let mut profiles = vec![usual];
    let again = Settings { counterexample: None, ..settings };
    for seed in (1..).take(runs.saturating_sub(1)) {
        let solvers = solvers.varied(Variant { seed, profile: false });
        let found = verify(path, &again, &solvers, &Silent);
        // What an interrupted run says is no sign of anything.
        if again.cancel.is_over() {
            break;
        }
        profiles.extend(found.profile);
    }
    result.stability = Some(stability(&profiles));
    result
}
