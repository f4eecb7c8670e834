//! `echis dump`: a stage of the pipeline as text.

use crate::args;
use crate::exit::Exit;
use crate::output::{Output, complain, print};
use echis_driver::Stage;

pub fn run(args: &args::Dump) -> Exit {
    let stage = match args.stage {
        args::Stage::Ast => Stage::Ast,
        args::Stage::Program => Stage::Program,
        args::Stage::Tree | args::Stage::Smt => {
            complain("this stage cannot be dumped yet");
            return Exit::Invalid;
        }
    };
    match echis_driver::dump(&args.file, stage) {
        Ok(text) => {
            print(&text);
            Exit::Success
        }
        Err(result) => {
            let output = Output::new(&args.common);
            output.file(&result);
            output.end(std::slice::from_ref(&result));
            Exit::of(std::slice::from_ref(&result)).max(Exit::Invalid)
        }
    }
}
