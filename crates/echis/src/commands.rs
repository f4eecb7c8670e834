//! One file for each command.

pub mod check;
pub mod cover;
pub mod deps;
pub mod dump;
pub mod explore;
pub mod fmt;
pub mod prune;
pub mod verify;
