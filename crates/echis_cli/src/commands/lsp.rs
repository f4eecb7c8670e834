//! `echis lsp`

use crate::args;
use crate::exit::Exit;
use crate::output::complain;
use echis_lsp::ServerSettings;
use std::sync::Arc;

pub fn run(args: &args::Lsp) -> Exit {
    let jobs = args.jobs.or_else(|| std::thread::available_parallelism().ok().map(|jobs| jobs.get()));
    let cache = if args.viper_server.disable_caching { None } else { args.caching.open().map(Arc::new) };
    let settings = ServerSettings::new(jobs.unwrap_or(1).max(1), cache);
    let served = if args.viper_ide { echis_lsp::serve_viper_ide(settings) } else { echis_lsp::serve(settings) };
    match served {
        Ok(()) => Exit::Success,
        Err(message) => {
            complain(&message);
            Exit::Defect
        }
    }
}
