//! `echis generate`: shell completions and manual pages, generated from the definition of the command line.

use crate::args::{Cli, Generate};
use crate::error::Fallible;
use crate::exit::Exit;
use crate::output::complain;
use clap::CommandFactory;
use std::path::Path;

pub fn run(args: &Generate) -> Exit {
    if let Some(shell) = args.completions {
        let mut text = Vec::new();
        clap_complete::generate(shell, &mut Cli::command(), "echis", &mut text);
        crate::output::print(&String::from_utf8_lossy(&text));
    }
    match args.man.as_deref().map(pages) {
        Some(Err(message)) => {
            complain(&message);
            Exit::Invalid
        }
        _ => Exit::Success,
    }
}

/// `echis.1`, and `echis-COMMAND.1` for each command.
fn pages(folder: &Path) -> Fallible<()> {
    let written = std::fs::create_dir_all(folder).and_then(|()| clap_mangen::generate_to(Cli::command(), folder));
    Ok(written.map_err(|error| format!("{} cannot be written: {error}", folder.display()))?)
}
