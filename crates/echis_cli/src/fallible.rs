//! What commands return where something on the way may go wrong: the error is for the person at the terminal, and has the
//! kind that the library below gave it.

use std::error::Error;

pub type Fallible<T> = Result<T, Box<dyn Error>>;
