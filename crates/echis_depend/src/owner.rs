//! The member that contains a node.

use echis_base::Name;
use echis_program::program::{DomainId, FunctionId, MethodId, Program};

/// The member that a node belongs to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Owner {
    Domain(DomainId),
    Function(FunctionId),
    Method(MethodId),
}

impl Owner {
    pub fn has_body(self, program: &Program) -> bool {
        match self {
            Owner::Domain(_) => false,
            Owner::Function(id) => program.functions[id].body.is_some(),
            Owner::Method(id) => program.methods[id].body.is_some(),
        }
    }
}

pub fn owner_name(program: &Program, owner: Owner) -> Name {
    match owner {
        Owner::Domain(id) => program.domains[id].name.clone(),
        Owner::Function(id) => program.functions[id].name.clone(),
        Owner::Method(id) => program.methods[id].name.clone(),
    }
}
