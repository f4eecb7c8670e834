//! `echis fmt`

use crate::args;
use crate::exit::Exit;
use crate::output::{Output, complain, print};
use crate::paths::{is_standard_input, programs, shown};
use echis::Source;
use std::path::Path;

pub fn run(args: &args::Fmt) -> Exit {
    let output = Output::new(&args.common, "fmt");
    let mut broken = Vec::new();
    let mut exit = Exit::Success;
    let paths = match programs(&args.files) {
        Ok(paths) => paths,
        Err(message) => {
            complain(&message);
            return Exit::Invalid;
        }
    };
    for path in &paths {
        match echis::format(&Source::file(path)) {
            Ok(formatted) if formatted.changed && args.check => {
                print(&format!("{} is not formatted\n", shown(path)));
                exit = exit.max(Exit::Failed);
            }
            // Standard input is always copied to standard output, changed or not.
            Ok(formatted) if is_standard_input(path) => {
                if !args.check {
                    print(&formatted.text);
                }
            }
            Ok(formatted) if formatted.changed => exit = exit.max(write(path, &formatted.text)),
            Ok(_) => {}
            Err(file) => {
                output.file(&file);
                broken.push(*file);
            }
        }
    }
    let exit = exit.max(Exit::of(&broken));
    if !broken.is_empty() {
        output.end(&broken, exit);
    }
    exit
}

/// Replaces the file atomically: an interrupted run must not leave a partial program behind.
fn write(path: &Path, text: &str) -> Exit {
    let target = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let mut aside = target.clone().into_os_string();
    aside.push(".echis-fmt");
    let written = std::fs::write(&aside, text)
        .and_then(|()| std::fs::set_permissions(&aside, std::fs::metadata(&target)?.permissions()))
        .and_then(|()| std::fs::rename(&aside, &target));
    match written {
        Ok(()) => Exit::Success,
        Err(error) => {
            let _ = std::fs::remove_file(&aside);
            complain(format!("{} cannot be written: {error}", path.display()));
            Exit::Invalid
        }
    }
}
