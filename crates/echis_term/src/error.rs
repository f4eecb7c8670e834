//! Errors in the text form of terms and trees.

use std::fmt;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TextError {
    /// Unbalanced brackets or bars.
    Unbalanced(&'static str),
    /// A list in place of a word.
    NoWord,
    /// This word in place of a list.
    NoList(String),
    /// A list with the wrong form.
    Shape(&'static str),
    /// An unknown word of some kind.
    Unknown { word: String, kind: &'static str },
    /// A name that is used before its declaration.
    Undeclared(String),
    /// Arguments of the wrong number or sort.
    Misfit(String),
}

impl TextError {
    pub fn unknown(word: &str, kind: &'static str) -> Self {
        TextError::Unknown { word: word.to_string(), kind }
    }
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TextError::Unbalanced(what) | TextError::Shape(what) => f.write_str(what),
            TextError::NoWord => f.write_str("there is a list where a word should be"),
            TextError::NoList(word) => write!(f, "there is {word} where a list should be"),
            TextError::Unknown { word, kind } => write!(f, "{word} is no {kind}"),
            TextError::Undeclared(name) => write!(f, "{name} is not declared"),
            TextError::Misfit(of) => write!(f, "the arguments of {of} do not fit"),
        }
    }
}

impl std::error::Error for TextError {}
