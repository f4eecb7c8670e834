//! `echis cover --fix`: what is assumed without need is taken out of a file, or a patch says what would be.

use super::write as write_file;
use crate::exit::Exit;
use crate::output::{complain, print};
use crate::paths::shown;
use crate::progress::Bar;
use echis::{Buffers, Confirmation, FileVerdict, Settings, Solvers};
use std::path::Path;
use std::sync::Arc;

/// A fix may lay bare what else is not needed: two conjuncts of one clause, or what only the first one needed.
const ROUNDS: usize = 5;

/// The text before and after fixes, and how many there are.
struct Fixed {
    old: String,
    new: String,
    count: usize,
}

/// Applies fixes until there are none.
pub fn write(path: &Path, settings: &Settings, solvers: &Solvers) -> Exit {
    let fixed = fixed(path, settings, solvers);
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

/// Prints what would change.
pub fn preview(path: &Path, settings: &Settings, solvers: &Solvers) -> Exit {
    let Some(Fixed { old, new, count }) = fixed(path, settings, solvers) else {
        complain(format!("{}: not verified, so nothing is removed", path.display()));
        return Exit::Failed;
    };
    print(&echis_report::unified(&shown(path), &old, &new));
    complain(format!("{}: {count} fixes would be applied", path.display()));
    Exit::Success
}

/// None where the program does not verify.
fn fixed(path: &Path, settings: &Settings, solvers: &Solvers) -> Option<Fixed> {
    let mut found: Option<Fixed> = None;
    for _ in 0..ROUNDS {
        let mut settings = settings.clone();
        if let (Some(found), Some(name)) = (&found, path.to_str()) {
            let texts = [(name.to_string(), Arc::from(&*found.new))].into();
            settings.loader = Arc::new(Buffers { texts });
        }
        let covered = echis::cover(path, &settings, solvers, &Bar::new(false), Confirmation::Run).ok();
        let Some(covered) = covered.filter(|covered| covered.found.result.verdict == FileVerdict::Verified) else {
            return found;
        };
        let old = covered.found.result.sources.files().next().map(|(_, file)| file.text.to_string())?;
        let (new, count) = echis::fix(path, &covered, &settings, solvers);
        let (old, before) = found.take().map_or((old, 0), |found| (found.old, found.count));
        found =
            Some(Fixed { new: if count == 0 && before == 0 { old.clone() } else { new }, old, count: before + count });
        if count == 0 {
            break;
        }
    }
    found
}
