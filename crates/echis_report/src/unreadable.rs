//! Errors in saved graphs and reports that cannot be read.

use std::fmt;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unreadable {
    /// It is no JSON of the right form.
    Form { what: &'static str, reason: String },
    /// It is of another version; the last part says how to write it again.
    Version { what: &'static str, version: u32, again: &'static str },
    /// It speaks of something that there is not.
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
