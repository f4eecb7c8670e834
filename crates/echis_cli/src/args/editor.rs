//! The options of `echis merge`, `echis watch` and `echis lsp`.

use super::{Caching, Common, Format, Solving};
use clap::Args;
use std::path::PathBuf;

#[derive(Args, Debug)]
pub struct Merge {
    /// The reports of all parts, as `echis verify --shard K/N --format json` prints them
    #[arg(required = true, value_name = "REPORT")]
    pub reports: Vec<PathBuf>,
    /// `human`, or `json` for the merged report
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub format: Format,
}

#[derive(Args, Debug)]
pub struct Watch {
    /// Programs, or folders with programs
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
    /// Number of workers, each with its own solver [default: number of processors]
    #[arg(long, value_name = "N")]
    pub jobs: Option<usize>,
    #[command(flatten)]
    pub caching: Caching,
    /// Use standard input and output, the default; some editors pass this option
    #[arg(long)]
    pub stdio: bool,
    /// Replace ViperServer behind the Viper-IDE extension: listen on a local port, which is printed
    #[arg(long, conflicts_with = "stdio")]
    pub viper_ide: bool,
    /// Options that Viper-IDE passes to ViperServer; they have no effect here
    #[command(flatten)]
    pub viper_server: ViperServer,
    /// Limits of a page of `echis web`
    #[command(flatten)]
    pub page: Page,
}

#[derive(Args, Debug)]
pub struct Page {
    /// Read only files below this folder; none if it is empty
    #[arg(long, hide = true, value_name = "FOLDER")]
    pub within: Option<PathBuf>,
    /// Time limit for verifying a program, and for each answer about it
    #[arg(long, hide = true, value_name = "SECONDS", conflicts_with = "viper_ide")]
    pub timeout: Option<f64>,
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
