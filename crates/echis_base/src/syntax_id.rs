//! Identifies the piece of source from which anything in a later stage was made.

use crate::{IndexVec, Name, Span, key};

key!(
    /// A node of the program as it was checked. `program` and `proof` share only this.
    SyntaxId,
    "@"
);

/// Where a node came from.
#[derive(Clone, Debug)]
pub struct SyntaxNode {
    /// The range that errors point at. For a node of an expanded macro: the range of the use.
    pub span: Span,
    /// The text inside the macro definition, where the node came from one.
    pub macro_span: Option<Span>,
    /// For a statement of an expanded statement macro, whose `span` is its place in the macro: the use.
    pub macro_use: Option<Span>,
    /// For what an extension generated: the construct that caused it.
    pub cause: Option<SyntaxId>,
    /// `@name("args")` annotations on the node.
    pub annotations: Vec<(Name, Vec<Name>)>,
}

/// All syntax nodes of one program.
#[derive(Clone, Debug, Default)]
pub struct SyntaxTable {
    nodes: IndexVec<SyntaxId, SyntaxNode>,
}

impl SyntaxTable {
    pub fn add(&mut self, node: SyntaxNode) -> SyntaxId {
        self.nodes.push(node)
    }
    pub fn add_span(&mut self, span: Span) -> SyntaxId {
        self.add(SyntaxNode { span, macro_span: None, macro_use: None, cause: None, annotations: Vec::new() })
    }
    /// A node that an extension generated for `cause`; it has the cause's range.
    pub fn add_generated(&mut self, cause: SyntaxId) -> SyntaxId {
        let span = self.nodes[cause].span;
        self.add(SyntaxNode { span, macro_span: None, macro_use: None, cause: Some(cause), annotations: Vec::new() })
    }
    pub fn span(&self, id: SyntaxId) -> Span {
        self.nodes[id].span
    }
    pub fn node(&self, id: SyntaxId) -> &SyntaxNode {
        &self.nodes[id]
    }
    pub fn len(&self) -> usize {
        self.nodes.len()
    }
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }
    /// The argument lists of the annotation `name` on the node, if it has it.
    pub fn annotation(&self, id: SyntaxId, name: &str) -> Option<&[Name]> {
        self.nodes[id].annotations.iter().find(|(found, _)| &**found == name).map(|(_, args)| &args[..])
    }
}
