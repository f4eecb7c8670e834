//! The Echis command line.

fn main() {}
