//! What does not change while a member is verified.

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
    /// Whether something in the program looks at permission: only then it matters who gave some away.
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
    /// Inside functions amounts only tell whether a location may be read.
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

/// What members share: facts about the program's text, and definitions of functions that were verified before.
#[derive(Clone)]
pub(crate) struct Library {
    pub functions: BTreeMap<FunctionId, Arc<Exported>>,
    pub facts: Arc<Facts>,
    /// Methods whose bodies are run where they are called, instead of believing their contracts.
    pub bodies: BTreeSet<MethodId>,
}

/// Definitions of a function as closed facts, in a term store of their own.
pub struct Exported {
    pub terms: Terms,
    pub facts: Vec<ExportedFact>,
    /// Whether the postcondition could not be proved.
    pub failed: bool,
}

#[derive(Clone)]
pub struct ExportedFact {
    pub term: TermId,
    pub origin: Origin,
    pub because: Because,
}
