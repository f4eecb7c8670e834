//! One file for each command.

pub mod boogie;
pub mod cache;
pub mod check;
pub mod cover;
pub mod deps;
pub mod dump;
pub mod explain;
pub mod explore;
pub mod fix;
pub mod fmt;
pub mod generate;
pub mod lsp;
pub mod merge;
pub mod prune;
pub mod report;
pub mod serve;
pub mod verify;
pub mod watch;
pub mod web;
