//! `echis check`: parses and type-checks programs without verifying them.

use crate::args;
use crate::exit::Exit;
use crate::output::{Output, complain, hide_cascades};
use crate::paths::together;
use echis::{Checked, Source};

pub fn run(args: &args::Check) -> Exit {
    let output = Output::new(&args.common, "check");
    let mut files = Vec::new();
    let (paths, beside) = match together(&args.files, args.together) {
        Ok(found) => found,
        Err(message) => {
            complain(&message);
            return Exit::Invalid;
        }
    };
    output.begin();
    for path in &paths {
        let mut file = Checked::new(Source::file(path).beside(beside.clone())).result();
        if output.is_for_people() {
            hide_cascades(&mut file);
        }
        output.file(&file);
        files.push(file);
    }
    let exit = Exit::of(&files);
    output.end(&files, exit);
    exit
}
