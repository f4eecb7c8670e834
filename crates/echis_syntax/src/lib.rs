//! Parses text to a syntax tree and prints it. The tree keeps the surface syntax; names and types are handled by
//! `echis_program`.

pub mod ast;
mod cut;
mod dump;
mod fmt;
mod lexer;
mod library;
mod load;
mod macros;
mod op;
mod parser;
mod print;
mod token;
mod visit;

pub use cut::{Pieces, cut};
pub use dump::{dump_expr, dump_program};
pub use fmt::format_source;
pub use lexer::is_identifier;
pub use library::library_paths;
pub use load::{Loader, NoLoader, ReadError, add_library_file, decode, parse_program};
pub use op::{Grouping, Level, operator_words};
pub use parser::{ParsedFile, parse_file};
pub use print::{print_expr, print_program, print_type};
pub use visit::{for_each_expr, for_each_stmt};
