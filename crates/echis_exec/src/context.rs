//! Data that stays constant while a member is verified.

use crate::purity::Facts;
use crate::state::Resource;
use echis_base::SyntaxId;
use echis_program::program::{ExprId, FunctionId, MethodId, Program};
use echis_program::reach::{Member, Reach};
use echis_proof::{Because, Options, Origin};
use echis_term::{TermId, Terms};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

#[derive(Clone)]
pub(crate) struct Context<'a> {
    pub program: &'a Program,
    pub member: Member,
    pub library: &'a Library,
    pub options: &'a Options,
    pub facts: Arc<Facts>,
    pub reach: &'a Reach,
    /// Whether the program contains permission introspection; only then is it recorded who gave permission away.
    pub introspects: bool,
}

impl<'a> Context<'a> {
    pub fn new(
        program: &'a Program,
        member: Member,
        reach: &'a Reach,
        library: &'a Library,
        options: &'a Options,
    ) -> Self {
        let facts = library.facts.clone();
        let introspects = facts.introspects;
        Context { program, member, library, options, facts, reach, introspects }
    }
    pub fn is_pure(&self, expr: ExprId) -> bool {
        self.program.is_pure(expr)
    }
    pub fn syntax(&self, expr: ExprId) -> SyntaxId {
        self.program.exprs[expr].id
    }
    /// Whether exact amounts matter. In functions, they only decide whether a location may be read.
    pub fn amounts_matter(&self) -> bool {
        !matches!(self.member, Member::Function(_))
    }
    pub fn resource_name(&self, resource: Resource) -> String {
        match resource {
            Resource::Field(field) => self.program.fields[field].name.to_string(),
            Resource::Predicate(predicate) => self.program.predicates[predicate].name.to_string(),
            Resource::Wand(shape) => format!("wand{shape}"),
        }
    }
}

/// Data shared by the members: facts about the program's text, and definitions of functions that are already
/// verified.
#[derive(Clone)]
pub(crate) struct Library {
    pub functions: BTreeMap<FunctionId, Arc<Exported>>,
    pub facts: Arc<Facts>,
    /// Methods whose calls execute the body instead of using the contract.
    pub bodies: BTreeSet<MethodId>,
}

/// The definitions of a function as closed facts, in a term store of their own.
pub struct Exported {
    pub terms: Terms,
    pub facts: Vec<ExportedFact>,
    /// Whether a postcondition could not be proved.
    pub failed: bool,
}

#[derive(Clone)]
pub struct ExportedFact {
    pub term: TermId,
    pub origin: Origin,
    pub because: Because,
}
