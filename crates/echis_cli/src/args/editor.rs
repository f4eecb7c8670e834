//! The options of commands that stay beside somebody who writes, and of those that join what others found.

use super::{Caching, Common, Format, Solving};
use clap::Args;
use std::path::PathBuf;

#[derive(Args, Debug)]
pub struct Merge {
    /// What `echis verify --shard K/N --format json` printed, for each part
    #[arg(required = true, value_name = "REPORT")]
    pub reports: Vec<PathBuf>,
    /// `human`, or `json` for the report of the whole
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub format: Format,
}

#[derive(Args, Debug)]
pub struct Watch {
    /// Programs, and folders with programs
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub common: Common,
    #[command(flatten)]
    pub solving: Solving,
    #[command(flatten)]
    pub caching: Caching,
}

#[derive(Args, Debug)]
pub struct Lsp {
    /// Worker threads, each with its own solver [default: the number of processors]
    #[arg(long, value_name = "N")]
    pub jobs: Option<usize>,
    #[command(flatten)]
    pub caching: Caching,
    /// Standard input and output, as editors may ask for; without `--viper-ide` there is no other way
    #[arg(long)]
    pub stdio: bool,
    /// Serve Viper-IDE's extension in the place of ViperServer: on a port of this machine, which is printed
    #[arg(long, conflicts_with = "stdio")]
    pub viper_ide: bool,
    /// What Viper-IDE says to ViperServer and means nothing here; no log is written
    #[command(flatten)]
    pub viper_server: ViperServer,
}

#[derive(Args, Debug)]
pub struct ViperServer {
    #[arg(long = "serverMode", hide = true, requires = "viper_ide")]
    mode: Option<String>,
    #[arg(long = "singleClient", hide = true, requires = "viper_ide")]
    single_client: bool,
    #[arg(long = "backendSpecificCache", hide = true, requires = "viper_ide")]
    backend_specific_cache: bool,
    #[arg(long = "disableCaching", hide = true, requires = "viper_ide")]
    pub disable_caching: bool,
    #[arg(long = "logLevel", hide = true, requires = "viper_ide")]
    log_level: Option<String>,
    #[arg(long = "logFile", hide = true, requires = "viper_ide")]
    log_file: Option<PathBuf>,
}
