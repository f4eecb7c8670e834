//! The pipeline from files to findings.
