//! Terms as text that reads back to the same terms. Operators are written `%Add`, terms with a line of their own `%t7`,
//! so that neither can be taken for a user's name.

mod reader;
mod roles;
mod writer;

pub use reader::Reader;
pub use writer::Writer;

#[cfg(test)]
mod tests;
