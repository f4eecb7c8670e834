//! The labelled elements of a Boogie program that its proofs need.

use crate::checked::Checked;
use crate::checked::unverified::broken;
use crate::defect::guarded;
use crate::language::boogie;
use crate::verify::members::Progress;
use crate::verify::settings::Settings;
use crate::verify::verifier::Verifier;
use echis_cover::labels::LabelCoverage;
use echis_findings::FileResult;
use std::time::Instant;

impl Verifier {
    /// Verifies a Boogie program and returns the labelled elements that its proofs need. Without a proof, returns the
    /// errors.
    pub fn labels(
        &self,
        checked: &Checked,
        settings: &Settings,
        progress: &dyn Progress,
    ) -> Result<(FileResult, LabelCoverage), Box<FileResult>> {
        let start = Instant::now();
        let found = guarded(|| boogie::labels(checked, settings, self.solvers(), progress));
        found.unwrap_or_else(|ended| Err(Box::new(broken(checked.source().path(), ended, start))))
    }
}
