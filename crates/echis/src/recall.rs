//! Verdicts that are known without verifying members as they are: of programs that were verified whole, and of members whose
//! cores have not changed.

pub mod cores;
pub mod whole;
