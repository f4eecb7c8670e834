//! Checks that datatypes have finite values and finitely many reachable instances.

use super::{RESOLUTION_ERROR, Resolver};
use crate::types::{ConstructorId, Type, TypeVar};
use echis_base::{DataType, Diagnostic, FieldType, Severity, uninhabited};
use std::collections::{BTreeMap, BTreeSet};

impl Resolver<'_> {
    /// A datatype is well-founded if it has a constructor all of whose field types are.
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
        self.finitely_many(&datatypes);
    }
    /// A datatype that contains itself at a larger type, such as `L (L a)` in `L a`, has infinitely many instances,
    /// each of which is a separate sort. This happens exactly if a parameter flows around a cycle and grows.
    fn finitely_many(&mut self, datatypes: &[ConstructorId]) {
        let mut flows = Vec::new();
        for id in datatypes {
            let Some(datatype) = &self.program.constructors[*id].datatype else { continue };
            for field in datatype.constructors.iter().flat_map(|function| &self.program.functions[*function].params) {
                self.flows(*id, &datatype.params, &self.program.vars[*field].ty, &mut flows);
            }
        }
        let endless: BTreeSet<&str> = flows
            .iter()
            .filter(|flow| flow.grows && reaches(&flows, flow.to, flow.from))
            .map(|flow| &*self.program.constructors[flow.from.0].name)
            .collect();
        if !endless.is_empty() {
            let names: Vec<&str> = endless.into_iter().collect();
            let message =
                format!("Datatype declarations contain themselves at ever larger types: {}", names.join(", "));
            self.errors.push(Diagnostic::new(Severity::Error, RESOLUTION_ERROR, None, message));
        }
    }
    /// The flow of a datatype's parameters into the type of a field.
    fn flows(&self, id: ConstructorId, params: &[TypeVar], ty: &Type, flows: &mut Vec<Flow>) {
        match ty.head() {
            Type::Named(constructor, args) => {
                for (index, arg) in args.iter().enumerate() {
                    self.flows(id, params, arg, flows);
                    if self.program.constructors[*constructor].datatype.is_none() {
                        continue;
                    }
                    for (place, param) in params.iter().enumerate().filter(|(_, param)| arg.mentions(**param)) {
                        let grows = !matches!(arg.head(), Type::Var(var) if var == param);
                        flows.push(Flow { from: (id, place), to: (*constructor, index), grows });
                    }
                }
            }
            Type::Map(map) => {
                map.args.iter().chain([&map.result]).for_each(|part| self.flows(id, params, part, flows));
            }
            _ => {}
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

/// A parameter of a datatype, by its index.
type Parameter = (ConstructorId, usize);

/// A parameter that occurs in an argument of a datatype.
struct Flow {
    from: Parameter,
    to: Parameter,
    /// Whether the argument is larger than the parameter.
    grows: bool,
}

fn reaches(flows: &[Flow], from: Parameter, to: Parameter) -> bool {
    let mut reached = BTreeSet::from([from]);
    let mut pending = vec![from];
    while let Some(at) = pending.pop() {
        for flow in flows.iter().filter(|flow| flow.from == at) {
            if reached.insert(flow.to) {
                pending.push(flow.to);
            }
        }
    }
    reached.contains(&to)
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
