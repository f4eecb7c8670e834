//! The options of `echis web`.

use super::LIMITS;
use clap::Args;
use std::path::PathBuf;

/// Serves on 127.0.0.1. The address has a token in it, and requests without the token are refused.
#[derive(Args, Debug)]
pub struct Web {
    /// A program or a folder with programs; nothing outside of the folder is read. Without one there is a text to try
    #[arg(value_name = "FILE")]
    pub path: Option<PathBuf>,
    /// Allow the page to save files
    #[arg(long, conflicts_with = "read_only")]
    pub write: bool,
    /// Programs can be looked at but not changed
    #[arg(long)]
    pub read_only: bool,
    /// Print the address without opening a browser
    #[arg(long)]
    pub no_open: bool,
    /// The port [default: any that is free]
    #[arg(long, value_name = "PORT")]
    pub port: Option<u16>,
    /// Also accept this name in requests: that of a proxy in front
    #[arg(long, value_name = "NAME")]
    pub host: Option<String>,
    /// Use this token instead of a random one, for a proxy in front
    #[arg(long, value_name = "TEXT", value_parser = token)]
    pub token: Option<String>,
    /// Most pages that are served at a time, each with solvers of its own
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=1024), help_heading = LIMITS)]
    pub sessions: u32,
    /// Time limit for verifying a program, and for each answer about it
    #[arg(long, value_name = "SECONDS", help_heading = LIMITS)]
    pub timeout: Option<f64>,
    /// Run each page in a process of its own, and limit the memory of that process to about this; its solvers
    /// have about 1.3 GB more each. A page that needs more is closed. Not on Windows
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u32).range(64..), help_heading = LIMITS)]
    pub memory: Option<u32>,
    /// Number of workers of each page, each with its own solver [default: number of processors]
    #[arg(long, value_name = "N", help_heading = LIMITS)]
    pub jobs: Option<usize>,
}

fn token(text: &str) -> Result<String, String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    match text.len() >= 8 && text.chars().all(plain) {
        true => Ok(text.to_string()),
        false => Err("a token has at least eight letters, digits, `-` and `_`".to_string()),
    }
}
