//! Text to syntax tree and back. The tree keeps the surface forms of the language; names and types are the
//! business of `echis_program`.

pub mod ast;
