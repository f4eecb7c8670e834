//! Errors in the text form of terms and trees.

use std::fmt;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TextError {
    /// A bracket or bar has no partner.
    Unbalanced(&'static str),
    /// A list where a word should be.
    NoWord,
    /// This word where a list should be.
    NoList(String),
    /// A list that is not what its place asks for.
    Shape(&'static str),
    /// A word that is none of a kind.
    Unknown { word: String, kind: &'static str },
    /// Something that is named before it is there.
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
