//! Termination of members: calls and loops where they stand, functions by a proof of their own.

mod functions;
mod methods;
