//! One file for each command.

pub mod check;
pub mod cover;
pub mod deps;
pub mod dump;
pub mod fmt;
pub mod verify;

use crate::exit::Exit;
use crate::output::complain;

/// A command that has its place in the interface and no implementation.
pub fn later(name: &str) -> Exit {
    complain(&format!("`echis {name}` is not available yet"));
    Exit::Invalid
}
