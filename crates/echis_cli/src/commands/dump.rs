//! `echis dump`: prints a stage of the pipeline.

use crate::args::{self, Stage};
use crate::exit::Exit;
use crate::output::{Output, complain, print};
use crate::settings::prepare;
use echis::{Checked, Source};

pub fn run(args: &args::Dump) -> Exit {
    let source = Source::file(&args.file);
    let dumped = match args.stage {
        Stage::Ast => echis::dump_ast(&source),
        Stage::Program => echis::dump_program(&Checked::new(source)),
        Stage::Tree | Stage::Smt | Stage::Boogie => {
            let (settings, verifier) = match prepare(&args.solving, 0, None) {
                Ok(prepared) => prepared,
                Err(message) => {
                    complain(&message);
                    return Exit::Invalid;
                }
            };
            let dump = match args.stage {
                Stage::Boogie => echis::dump_boogie,
                Stage::Smt => echis::dump_smt,
                _ => echis::dump_tree,
            };
            dump(&verifier.check(source), &settings, &verifier)
        }
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
