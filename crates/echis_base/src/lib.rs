//! Definitions shared by all layers: typed tables, source ranges, syntax ids and the `Diagnostic` value.

mod counted;
mod diagnostic;
mod edit;
mod fast;
mod index;
mod inhabited;
mod kinds;
pub mod mutation;
mod similar;
mod source;
mod syntax_id;

pub use counted::counted;
pub use diagnostic::{Diagnostic, Fix, Related, Severity};
pub use edit::{Edit, apply, fresh, moved, moved_back};
pub use fast::{FastHasher, FastMap, FastSet};
pub use index::{IndexVec, Key, SideTable};
pub use inhabited::{DataType, FieldType, uninhabited};
pub use similar::similar;
pub use source::{FileId, LineColumn, Position, Renumbering, SourceFile, SourceMap, Span, opened_at};
pub use syntax_id::{SyntaxId, SyntaxNode, SyntaxTable};

/// A name as the user wrote it, for display only: internal references are keys, never names.
pub type Name = std::sync::Arc<str>;
