//! `echis lsp`

use crate::args;
use crate::exit::Exit;
use crate::output::complain;
use echis::Reach;
use echis_lsp::ServerSettings;
use std::sync::Arc;
use std::time::Duration;

pub fn run(args: &args::Lsp) -> Exit {
    let jobs = args.jobs.or_else(|| std::thread::available_parallelism().ok().map(|jobs| jobs.get()));
    let cache = if args.viper_server.disable_caching { None } else { args.caching.open().map(Arc::new) };
    let mut settings = ServerSettings::new(jobs.unwrap_or(1).max(1), cache);
    settings.limit = args.page.timeout.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    settings.reach = match &args.page.within {
        None => Reach::Everything,
        Some(folder) if folder.as_os_str().is_empty() => Reach::Nothing,
        Some(folder) => Reach::Below(folder.clone()),
    };
    let served = if args.viper_ide { echis_lsp::serve_viper_ide(settings) } else { echis_lsp::serve(settings) };
    match served {
        Ok(()) => Exit::Success,
        Err(message) => {
            complain(&message);
            Exit::Defect
        }
    }
}
