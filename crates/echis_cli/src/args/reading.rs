//! Reading the command line.

use super::Cli;
use clap::{Arg, Command, CommandFactory, Error, FromArgMatches};
use std::ffi::OsString;

impl Cli {
    /// The command line. Negative numbers are values of options, so that errors speak of the option.
    pub fn parser() -> Command {
        Cli::command().mut_subcommands(with_negative_values)
    }
    pub fn read(words: Vec<OsString>) -> Result<Self, Error> {
        let mut parser = Cli::parser();
        let matches = parser.try_get_matches_from_mut(words)?;
        Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut parser))
    }
}

fn with_negative_values(command: Command) -> Command {
    let allowed = |arg: Arg| {
        let is_option = !arg.is_positional() && arg.get_action().takes_values();
        if is_option { arg.allow_negative_numbers(true) } else { arg }
    };
    command.mut_args(allowed).mut_subcommands(with_negative_values)
}
