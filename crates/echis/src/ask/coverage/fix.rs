//! Applies fixes: all together if the result still verifies, otherwise one by one.

use super::Covered;
use crate::verification::Verification;
use crate::verify::settings::Settings;
use echis_base::{Edit, apply};
use echis_cover::Removal;
use echis_findings::FileVerdict;

impl Verification {
    /// The text with all fixes that break no proof, and their number. The whole program was verified with them.
    pub fn fixed(&self, covered: &Covered) -> (String, usize) {
        let settings = Settings { errors: 1, ..self.settings().for_variation() };
        let verifies = |text: String| self.variation(text, &settings, self.verifier()).verdict == FileVerdict::Verified;
        fixed(covered, &verifies)
    }
}

fn fixed(covered: &Covered, verifies: &dyn Fn(String) -> bool) -> (String, usize) {
    let Some((_, file)) = covered.found.result.sources.files().next() else { return (String::new(), 0) };
    let source = &*file.text;
    let fixes = covered.coverage.warnings.iter().filter_map(|warning| warning.fix.as_ref());
    let safe: Vec<&[Edit]> = fixes.filter(|fix| fix.removal == Removal::Safe).map(|fix| &fix.edits[..]).collect();
    let together = |fixes: &[&[Edit]]| {
        let edits: Vec<Edit> = fixes.concat();
        apply(&edits, source).filter(|text| verifies(text.clone()))
    };
    if let Some(text) = together(&safe) {
        return (text, safe.len());
    }
    // Each of two assumptions may be unneeded if the other stays, but not both.
    let (mut kept, mut text): (Vec<&[Edit]>, String) = (Vec::new(), source.to_string());
    for fix in safe {
        kept.push(fix);
        match together(&kept) {
            Some(fixed) => text = fixed,
            None => {
                kept.pop();
            }
        }
    }
    (text, kept.len())
}
