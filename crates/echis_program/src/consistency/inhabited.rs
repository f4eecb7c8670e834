//! Data types must be inhabited. `var x: T` declares a value of any type, and measures on data types are well-founded
//! because their values are finite: for a type without finite values, both together prove `false`.

use super::Checks;
use crate::program::{DomainId, Program, Type};
use echis_base::{DataType, FieldType, uninhabited};
use std::collections::BTreeMap;

impl Checks<'_> {
    pub(super) fn data_types(&mut self) {
        let program = self.program;
        let adts: Vec<DomainId> = program.domains.keys().filter(|id| program.domains[*id].adt.is_some()).collect();
        let indices: BTreeMap<DomainId, usize> = adts.iter().enumerate().map(|(index, id)| (*id, index)).collect();
        let types: Vec<DataType> = adts.iter().map(|id| data_type(program, *id, &indices)).collect();
        for index in uninhabited(&types) {
            // A type without constructors is reported separately.
            if types[index].constructors.is_empty() {
                continue;
            }
            let domain = &program.domains[adts[index]];
            let message = format!(
                "The ADT `{}` has no values: every constructor takes an argument that cannot be built without one. \
                 Add a constructor that can be applied first, or use a collection such as `Seq` for the argument.",
                domain.name
            );
            self.error(domain.id, message);
        }
    }
}

fn data_type(program: &Program, id: DomainId, indices: &BTreeMap<DomainId, usize>) -> DataType {
    let domain = &program.domains[id];
    let constructors = domain.adt.iter().flatten().map(|constructor| {
        let params = &program.domain_functions[constructor.constructor].params;
        params.iter().map(|ty| field_type(ty, indices)).collect()
    });
    DataType { parameters: domain.parameters.len(), constructors: constructors.collect() }
}

fn field_type(ty: &Type, indices: &BTreeMap<DomainId, usize>) -> FieldType {
    match ty {
        Type::Parameter(index) => FieldType::Parameter(*index as usize),
        Type::Domain(domain, args) => match indices.get(domain) {
            Some(index) => FieldType::Data(*index, args.iter().map(|arg| field_type(arg, indices)).collect()),
            None => FieldType::Inhabited,
        },
        // Collections can be empty.
        Type::Seq(_) | Type::Set(_) | Type::Multiset(_) | Type::Map(..) => FieldType::Inhabited,
        Type::Int | Type::Bool | Type::Perm | Type::Ref | Type::PredicateInstance => FieldType::Inhabited,
    }
}
