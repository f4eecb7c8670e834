//! Verification results.

use crate::silicon_counterexample::SiliconCounterexample;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The result of verifying a program.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum VerificationResult {
    Success,
    Failure(Vec<VerificationError>),
    /// The program is not valid; the messages explain why.
    ConsistencyErrors(Vec<String>),
    /// An internal error of Echis or its solver.
    JavaException(JavaException),
}

impl VerificationResult {
    pub fn is_success(&self) -> bool {
        *self == VerificationResult::Success
    }
}

/// A verification error.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct VerificationError {
    /// Error and reason ids, in Silicon's format: `assert.failed:assertion.false`.
    pub full_id: String,
    /// The identifier of the error's position, or of the closest enclosing position with an identifier.
    pub pos_id: Option<String>,
    /// The identifier of the offending node's position.
    pub offending_pos_id: Option<String>,
    /// The identifier of the position of the reason's node.
    pub reason_pos_id: Option<String>,
    pub message: String,
    /// The counterexample, if requested and found.
    pub counterexample: Option<SiliconCounterexample>,
}

impl VerificationError {
    pub fn new(
        full_id: String,
        pos_id: Option<String>,
        offending_pos_id: Option<String>,
        reason_pos_id: Option<String>,
        message: String,
        counterexample: Option<SiliconCounterexample>,
    ) -> Self {
        VerificationError { full_id, pos_id, offending_pos_id, reason_pos_id, message, counterexample }
    }
}

/// A consistency error of a method.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ConsistencyError {
    pub method: String,
    pub error: String,
}

/// An internal error during the verification of a method.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct JavaExceptionWithOrigin {
    pub method: String,
    pub exception: JavaException,
}

/// An internal error. There is no JVM, so the stack trace is empty unless the caller provides one.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct JavaException {
    message: String,
    stack_trace: String,
}

impl JavaException {
    pub fn new(message: String, stack_trace: String) -> Self {
        JavaException { message, stack_trace }
    }
    pub fn get_message(&self) -> &str {
        &self.message
    }
    pub fn get_stack_trace(&self) -> &str {
        &self.stack_trace
    }
}

impl fmt::Display for JavaException {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for JavaException {}
