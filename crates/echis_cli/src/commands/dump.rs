//! `echis dump`: a stage of the pipeline as text.

use crate::args::{self, Stage};
use crate::exit::Exit;
use crate::output::{Output, complain, print};
use crate::settings::prepare;
use echis::Files;

pub fn run(args: &args::Dump) -> Exit {
    let dumped = match args.stage {
        Stage::Ast => echis::dump_ast(&args.file, &Files),
        Stage::Program => echis::dump_program(&args.file, &Files),
        Stage::Tree | Stage::Smt | Stage::Boogie => match prepare(&args.solving, 0) {
            Ok((settings, solvers)) if args.stage == Stage::Tree => echis::dump_tree(&args.file, &settings, &solvers),
            Ok((settings, solvers)) if args.stage == Stage::Boogie => {
                echis::dump_boogie(&args.file, &settings, &solvers)
            }
            Ok((settings, solvers)) => echis::dump_smt(&args.file, &settings, &solvers),
            Err(message) => {
                complain(&message);
                return Exit::Invalid;
            }
        },
    };
    match dumped {
        Ok(text) => {
            print(&text);
            Exit::Success
        }
        Err(file) => {
            let output = Output::new(&args.common, "dump");
            let exit = Exit::of(std::slice::from_ref(&file));
            output.file(&file);
            output.end(std::slice::from_ref(&file), exit);
            exit
        }
    }
}
