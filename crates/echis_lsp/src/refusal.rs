//! Reasons why a request has no answer, and why the server stops.

use echis::NoSolver;
use std::fmt;

/// The reason why a request has no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Refusal {
    /// The target of the request does not exist or the request is malformed; the sentence says which.
    Request(&'static str),
    /// The program has errors.
    Invalid,
    /// The request was cancelled or timed out.
    Over,
    NoSolver(NoSolver),
    /// Not a valid name.
    NoName(String),
    /// The name is already in use.
    TakenName(String),
    /// The name is declared in this file.
    DeclaredIn(String),
    UnknownMethod(String),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Request(sentence) => f.write_str(sentence),
            Refusal::Invalid => f.write_str("the program has errors"),
            Refusal::Over => f.write_str("the time limit was reached before the answer was known"),
            Refusal::NoSolver(reason) => reason.fmt(f),
            Refusal::NoName(name) => write!(f, "`{name}` is not a name"),
            Refusal::TakenName(name) => write!(f, "there is a `{name}` already"),
            Refusal::DeclaredIn(file) => write!(f, "it is declared in {file}; rename it there"),
            Refusal::UnknownMethod(method) => write!(f, "unknown method {method}"),
        }
    }
}

impl std::error::Error for Refusal {}

impl From<NoSolver> for Refusal {
    fn from(reason: NoSolver) -> Self {
        Refusal::NoSolver(reason)
    }
}

/// The reason why a server stopped other than by request.
#[derive(Debug)]
pub enum ServeError {
    /// The editor broke the protocol.
    Protocol(lsp_server::ProtocolError),
    Io(std::io::Error),
    /// No port could be opened.
    NoPort(std::io::Error),
    /// No client connected.
    NoClient,
    /// A client on another machine connected.
    Stranger,
}

impl fmt::Display for ServeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ServeError::Protocol(error) => error.fmt(f),
            ServeError::Io(error) => error.fmt(f),
            ServeError::NoPort(error) => write!(f, "there is no port to listen on: {error}"),
            ServeError::NoClient => f.write_str("no client connected"),
            ServeError::Stranger => f.write_str("a connection from another machine was refused"),
        }
    }
}

impl std::error::Error for ServeError {}

impl From<std::io::Error> for ServeError {
    fn from(error: std::io::Error) -> Self {
        ServeError::Io(error)
    }
}

impl From<lsp_server::ProtocolError> for ServeError {
    fn from(error: lsp_server::ProtocolError) -> Self {
        ServeError::Protocol(error)
    }
}
