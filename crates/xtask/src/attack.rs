//! `cargo xtask attack`: runs the campaign of `echis_attack`, with optimisations.

use crate::command::{Ended, cargo};
use clap::Args;

#[derive(Args)]
#[command(disable_help_flag = true)]
pub struct Options {
    /// Options of `echis_attack` (`--help`)
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    args: Vec<String>,
}

pub fn run(options: &Options) -> Ended {
    let run = ["run", "--quiet", "--release", "--package", "echis_attack", "--"];
    cargo(&run.into_iter().chain(options.args.iter().map(String::as_str)).collect::<Vec<_>>(), &[])
}
