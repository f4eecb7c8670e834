//! Terms as text that parses to the same terms. Operators are written as `%Add`, terms on separate lines as `%t7`, so
//! that neither conflicts with a user's name.

mod reader;
mod roles;
mod writer;

pub use reader::Reader;
pub use writer::Writer;

#[cfg(test)]
mod tests;
