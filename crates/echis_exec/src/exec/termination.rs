//! Termination of members: calls and loops are checked in place, functions in a separate proof.

mod functions;
mod methods;
