//! Verifies a program several times with different random seeds.

use crate::checked::Checked;
use crate::language::engines;
use crate::verify::members::{Progress, Silent};
use crate::verify::settings::Settings;
use crate::verify::verifier::Verifier;
use echis_findings::FileResult;
use echis_findings::profile::stability;
use echis_smt::Variant;

impl Verifier {
    /// Verifies a program several times, each time with other random choices and names, except for the first.
    pub fn verify_repeatedly(
        &self,
        checked: &Checked,
        settings: &Settings,
        progress: &dyn Progress,
        runs: usize,
    ) -> FileResult {
        let settings = Settings { measure: true, ..settings.clone() };
        let mut result = engines::verify(checked, &settings, self, progress).result;
        let Some(usual) = result.profile.clone() else { return result };
        let mut profiles = vec![usual];
        let again = Settings { counterexample: None, ..settings };
        for seed in (1..).take(runs.saturating_sub(1)) {
            let varied = self.varied(Variant { seed, profile: false });
            let found = engines::verify(checked, &again, &varied, &Silent).result;
            // The results of an interrupted run mean nothing.
            if again.cancel.is_over() {
                break;
            }
            profiles.extend(found.profile);
        }
        result.stability = Some(stability(&profiles));
        result
    }
}
