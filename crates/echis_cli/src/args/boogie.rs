//! The options of `echis boogie`, which are Boogie's own.

use clap::{ArgAction, Args};

/// Takes Boogie's options and prints what Boogie prints, so that scripts and tools that call Boogie can call Echis. `echis
/// boogie /help` lists the options.
#[derive(Args, Debug)]
#[command(disable_help_flag = true)]
pub struct Boogie {
    /// Boogie's options, such as /proc:NAME or -rlimit:N, and files that are one program
    #[arg(value_name = "OPTION|FILE", trailing_var_arg = true, allow_hyphen_values = true)]
    pub words: Vec<String>,
    /// Print help
    #[arg(long, action = ArgAction::Help)]
    pub help: Option<bool>,
}
