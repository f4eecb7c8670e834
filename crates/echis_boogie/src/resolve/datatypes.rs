//! Datatypes have finite values.

use super::{RESOLUTION_ERROR, Resolver};
use crate::types::{ConstructorId, Type, TypeVar};
use echis_base::{DataType, Diagnostic, FieldType, Severity, uninhabited};
use std::collections::BTreeMap;

impl Resolver<'_> {
    /// A datatype is well-founded if it has a constructor whose fields have only types that are.
    pub(super) fn well_founded(&mut self) {
        let datatypes: Vec<ConstructorId> = self
            .program
            .constructors
            .iter()
            .filter(|(_, constructor)| constructor.datatype.is_some())
            .map(|(id, _)| id)
            .collect();
        let indices = datatypes.iter().enumerate().map(|(index, id)| (*id, index)).collect();
        let types: Vec<DataType> = datatypes.iter().map(|id| self.data_type(*id, &indices)).collect();
        let rest: Vec<&str> =
            uninhabited(&types).into_iter().map(|index| &*self.program.constructors[datatypes[index]].name).collect();
        if !rest.is_empty() {
            let message = format!("Datatype declarations are not well-founded: {}", rest.join(", "));
            self.errors.push(Diagnostic::new(Severity::Error, RESOLUTION_ERROR, None, message));
        }
    }
    fn data_type(&self, id: ConstructorId, indices: &BTreeMap<ConstructorId, usize>) -> DataType {
        let Some(datatype) = &self.program.constructors[id].datatype else { return DataType::default() };
        let constructors = datatype.constructors.iter().map(|constructor| {
            let fields = &self.program.functions[*constructor].params;
            fields.iter().map(|field| field_type(&self.program.vars[*field].ty, &datatype.params, indices)).collect()
        });
        DataType { parameters: datatype.params.len(), constructors: constructors.collect() }
    }
}

fn field_type(ty: &Type, params: &[TypeVar], indices: &BTreeMap<ConstructorId, usize>) -> FieldType {
    let all = |types: &mut dyn Iterator<Item = &Type>| types.map(|ty| field_type(ty, params, indices)).collect();
    match ty.head() {
        Type::Named(constructor, args) => match indices.get(constructor) {
            Some(index) => FieldType::Data(*index, all(&mut args.iter())),
            None => FieldType::Inhabited,
        },
        Type::Map(map) => FieldType::All(all(&mut map.args.iter().chain([&map.result]))),
        Type::Var(var) => match params.iter().position(|param| param == var) {
            Some(index) => FieldType::Parameter(index),
            None => FieldType::Inhabited,
        },
        _ => FieldType::Inhabited,
    }
}
