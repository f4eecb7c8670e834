//! The error type of commands. It preserves the underlying library error.

use std::error::Error;

pub type Fallible<T> = Result<T, Box<dyn Error>>;
