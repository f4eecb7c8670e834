//! `echis check`: is this a program?

use crate::args;
use crate::exit::Exit;
use crate::output::Output;

pub fn run(args: &args::Check) -> Exit {
    let output = Output::new(&args.common);
    let mut files = Vec::new();
    for path in &args.files {
        let file = echis_driver::check(path);
        output.file(&file);
        files.push(file);
    }
    output.end(&files);
    Exit::of(&files)
}
