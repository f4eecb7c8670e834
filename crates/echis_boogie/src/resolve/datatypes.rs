//! Datatypes have finite values.

use super::{RESOLUTION_ERROR, Resolver};
use crate::program::TypeConstructor;
use crate::types::{ConstructorId, Instance, Type};
use echis_base::{Diagnostic, Severity};
use std::collections::BTreeSet;

/// Values of types that are nested deeper are not looked for.
const DEEPEST: usize = 16;

impl Resolver<'_> {
    /// A datatype is well-founded if it has a constructor whose fields have only types that are.
    pub(super) fn well_founded(&mut self) {
        let mut founded: BTreeSet<ConstructorId> = BTreeSet::new();
        let datatypes = || self.program.constructors.iter().filter(|(_, constructor)| constructor.datatype.is_some());
        loop {
            let new: Vec<ConstructorId> = datatypes()
                .filter(|(id, constructor)| !founded.contains(id) && self.has_value(constructor, &founded))
                .map(|(id, _)| id)
                .collect();
            if new.is_empty() {
                break;
            }
            founded.extend(new);
        }
        let rest: Vec<&str> =
            datatypes().filter(|(id, _)| !founded.contains(id)).map(|(_, datatype)| &*datatype.name).collect();
        if !rest.is_empty() {
            let message = format!("Datatype declarations are not well-founded: {}", rest.join(", "));
            self.errors.push(Diagnostic::new(Severity::Error, RESOLUTION_ERROR, None, message));
        }
    }
    fn has_value(&self, constructor: &TypeConstructor, founded: &BTreeSet<ConstructorId>) -> bool {
        let Some(datatype) = &constructor.datatype else { return true };
        datatype.constructors.iter().any(|constructor| {
            let fields = &self.program.functions[*constructor].params;
            fields.iter().all(|field| self.is_founded(&self.program.vars[*field].ty, founded, 0))
        })
    }
    /// Whether values of a type can be built of well-founded datatypes. Type arguments matter where fields have them.
    fn is_founded(&self, ty: &Type, founded: &BTreeSet<ConstructorId>, depth: usize) -> bool {
        match ty.head() {
            Type::Named(constructor, args) => {
                let Some(datatype) = &self.program.constructors[*constructor].datatype else { return true };
                let instance: Instance = datatype.params.iter().copied().zip(args.iter().cloned()).collect();
                founded.contains(constructor)
                    && depth < DEEPEST
                    && datatype.constructors.iter().any(|constructor| {
                        let fields = &self.program.functions[*constructor].params;
                        let field = |field| self.program.vars[field].ty.replace(&instance);
                        fields.iter().all(|found| self.is_founded(&field(*found), founded, depth + 1))
                    })
            }
            Type::Map(map) => map.args.iter().chain([&map.result]).all(|part| self.is_founded(part, founded, depth)),
            _ => true,
        }
    }
}
