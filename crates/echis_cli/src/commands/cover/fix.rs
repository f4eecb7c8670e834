//! `echis cover --fix`: removes superfluous assumptions from a file, or prints a patch that does so.

use super::{Run, write as write_file};
use crate::exit::Exit;
use crate::output::{complain, print};
use crate::paths::shown;
use crate::progress::Bar;
use echis::{Confirmation, FileVerdict, Source, coverage_options};
use std::path::Path;

/// Maximum number of rounds, since a fix may make others possible: two conjuncts of one clause, or something only the
/// first one needed.
const ROUNDS: usize = 5;

/// The text before and after fixes, and their number.
struct Fixed {
    old: String,
    new: String,
    count: usize,
}

/// Applies fixes until there are none.
pub fn write(path: &Path, run: &Run) -> Exit {
    let fixed = fixed(path, run);
    let count = fixed.as_ref().map_or(0, |fixed| fixed.count);
    let exit = match fixed.filter(|fixed| fixed.count > 0) {
        Some(fixed) => write_file(path, &fixed.new),
        None => Exit::Success,
    };
    if exit == Exit::Success {
        complain(format!("{}: {count} fixes applied", path.display()));
    }
    exit
}

/// Prints the changes.
pub fn preview(path: &Path, run: &Run) -> Exit {
    let Some(Fixed { old, new, count }) = fixed(path, run) else {
        complain(format!("{}: not verified, so nothing is removed", path.display()));
        return Exit::Failed;
    };
    print(&echis_report::unified(&shown(path), &old, &new));
    complain(format!("{}: {count} fixes would be applied", path.display()));
    Exit::Success
}

/// `None` if the program does not verify.
fn fixed(path: &Path, Run { settings, verifier, .. }: &Run) -> Option<Fixed> {
    let mut found: Option<Fixed> = None;
    for _ in 0..ROUNDS {
        let source = match &found {
            Some(found) => Source::text(path, &*found.new),
            None => Source::file(path),
        };
        let checked = verifier.check(source);
        let verification = verifier.explain(&checked, settings, coverage_options(), &Bar::new(false));
        let covered = verification.coverage(Confirmation::Run).ok();
        let Some(covered) = covered.filter(|covered| covered.found.result.verdict == FileVerdict::Verified) else {
            return found;
        };
        let old = covered.found.result.sources.files().next().map(|(_, file)| file.text.to_string())?;
        let (new, count) = verification.fixed(&covered);
        let (old, before) = found.take().map_or((old, 0), |found| (found.old, found.count));
        found =
            Some(Fixed { new: if count == 0 && before == 0 { old.clone() } else { new }, old, count: before + count });
        if count == 0 {
            break;
        }
    }
    found
}
