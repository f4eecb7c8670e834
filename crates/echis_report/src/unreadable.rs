//! Errors in saved graphs and reports that cannot be read.

use std::fmt;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unreadable {
    /// Not JSON of the expected form.
    Form { what: &'static str, reason: String },
    /// Another version; `again` tells how to write it again.
    Version { what: &'static str, version: u32, again: &'static str },
    /// It refers to something that does not exist.
    Unknown { what: &'static str, missing: String },
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unreadable::Form { what, reason } => write!(f, "no {what}: {reason}"),
            Unreadable::Version { what, version, again } => write!(f, "no {what} of version {version}; {again}"),
            Unreadable::Unknown { what, missing } => write!(f, "no {what}: there is no {missing}"),
        }
    }
}

impl std::error::Error for Unreadable {}
