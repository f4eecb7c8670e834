//! The files of a command: the named files, and the programs in named folders.

use crate::error::Fallible;
use echis::STANDARD_INPUT;
use std::path::{Path, PathBuf};

/// The file extension of programs.
const PROGRAM: &str = "vpr";

pub fn is_standard_input(path: &Path) -> bool {
    path == Path::new(STANDARD_INPUT)
}

/// A path for display.
pub fn shown(path: &Path) -> String {
    if is_standard_input(path) { "<stdin>".to_string() } else { path.to_string_lossy().into_owned() }
}

/// The named files, and the programs in named folders, recursively, sorted by name.
pub fn programs(named: &[PathBuf]) -> Fallible<Vec<PathBuf>> {
    if named.iter().filter(|path| is_standard_input(path)).count() > 1 {
        return Err("standard input (`-`) can be read only once".into());
    }
    let mut files = Vec::new();
    for path in named {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let before = files.len();
        collect(path, &is_viper, &mut files)?;
        if files.len() == before {
            return Err(format!("there is no program (.{PROGRAM}) in {}", path.display()).into());
        }
    }
    Ok(files)
}

/// The programs of a command; for files that form one program, the main file and the others.
pub fn together(named: &[PathBuf], together: bool) -> Fallible<(Vec<PathBuf>, Vec<PathBuf>)> {
    let mut files = programs(named)?;
    if !together {
        return Ok((files, Vec::new()));
    }
    if !files.iter().all(|path| echis::is_boogie(path)) {
        return Err("--together is for Boogie programs; Viper programs import others".into());
    }
    let others = files.split_off(1);
    Ok((files, others))
}

/// The Viper and Boogie programs in a folder, recursively, sorted by name.
pub fn programs_of_any_language(folder: &Path) -> Fallible<Vec<PathBuf>> {
    let mut files = Vec::new();
    collect(folder, &is_program, &mut files)?;
    Ok(files)
}

/// Whether the file name is that of a program.
pub fn is_program(path: &Path) -> bool {
    is_viper(path) || echis::is_boogie(path)
}

fn is_viper(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == PROGRAM)
}

/// Symbolic links to folders are not followed, since they may be cyclic. Hidden folders are skipped.
fn collect(folder: &Path, is_wanted: &dyn Fn(&Path) -> bool, files: &mut Vec<PathBuf>) -> Fallible<()> {
    let cannot = |error: std::io::Error| format!("{} cannot be read: {error}", folder.display());
    let mut pending = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(cannot)? {
        let entry = entry.map_err(cannot)?;
        let hidden = entry.file_name().to_string_lossy().starts_with('.');
        let is_folder = entry.file_type().map_err(cannot)?.is_dir();
        pending.extend((!hidden).then(|| (entry.path(), is_folder)));
    }
    pending.sort();
    for (path, is_folder) in pending {
        if is_folder {
            collect(&path, is_wanted, files)?;
        } else if is_wanted(&path) && path.is_file() {
            files.push(path);
        }
    }
    Ok(())
}
