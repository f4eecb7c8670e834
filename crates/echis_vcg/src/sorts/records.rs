//! Maps with type parameters.
//!
//! Such a map has a value for each instance of its parameters, and a member uses only some of them. It is a record
//! with one array for each used instance, and a component of an uninterpreted sort for all other instances together:
//! two maps are equal only if that component is, so nothing follows from which instances a member happens to use. A
//! write to an array leaves the other components unchanged.
//!
//! Two kinds of instances have no array, and are read and written by functions of that last component: those whose
//! values contain the map itself, for which no well-founded record exists, and the generic type.

use super::{Sorts, quoted};
use echis_boogie::types::{Instance, MapType, Type};
use echis_term::{SortId, SymbolId, SymbolRole, Terms};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::sync::Arc;

pub struct Record {
    /// The instances with their own array.
    pub arrays: Vec<Array>,
    /// The known instances without an array.
    pub functions: Vec<Vec<Type>>,
    /// Selects the component for all instances without an array.
    pub rest: SymbolId,
    pub make: SymbolId,
}

pub struct Array {
    pub types: Vec<Type>,
    pub shape: MapType,
    pub selector: SymbolId,
}

impl Sorts<'_> {
    /// Records the use of a map at an instance, with the types in the order of the map's parameters.
    pub fn meet_instance(&mut self, ty: &Type, types: &[Type]) {
        let ty = self.canonical(ty);
        let Type::Map(map) = &ty else { return };
        let types: Vec<Type> = types.iter().map(|ty| self.canonical(ty)).collect();
        self.meet(&ty);
        types.iter().for_each(|ty| self.meet(ty));
        let key = (ty.clone(), types);
        let parts = match self.parts.get(&key) {
            Some(parts) => parts.clone(),
            None => {
                let instance = instance_of(map, &key.1);
                let mut parts: Vec<Type> =
                    instance.args.iter().chain([&instance.result]).map(Type::canonical).collect();
                if !key.1.iter().any(|ty| ty.mentions(self.other)) {
                    parts.push(Type::Map(Arc::new(instance)).canonical());
                }
                let parts: Arc<[Type]> = parts.into();
                self.parts.insert(key.clone(), parts.clone());
                parts
            }
        };
        parts.iter().for_each(|ty| self.meet(ty));
        self.met.maps.entry(key.0).or_default().insert(key.1);
    }

    pub fn record(&mut self, terms: &mut Terms, ty: &Type) -> Option<Arc<Record>> {
        let ty = &self.canonical(ty);
        if let Some(record) = self.records.get(ty) {
            return Some(record.clone());
        }
        let Type::Map(map) = ty else { return None };
        let record = Arc::new(self.new_record(terms, ty, map));
        self.records.insert(ty.clone(), record.clone());
        Some(record)
    }
    fn new_record(&mut self, terms: &mut Terms, ty: &Type, map: &MapType) -> Record {
        let (with_array, functions) = self.instances(ty, map);
        let sort = self.sort(terms, ty);
        let mut arrays = Vec::new();
        let mut sorts = Vec::new();
        for (index, types) in with_array.into_iter().enumerate() {
            let shape = instance_of(map, &types);
            sorts.push(self.sort(terms, &Type::Map(Arc::new(shape.clone()))));
            let selector = terms.declare(self.part_role(ty, index), [sort], sorts[index]);
            arrays.push(Array { types, shape, selector });
        }
        let rest_sort = self.rest_sort(terms, ty);
        let rest = terms.declare(self.part_role(ty, arrays.len()), [sort], rest_sort);
        sorts.push(rest_sort);
        let make = terms.declare(SymbolRole::Constructor(self.make_name(ty).into()), sorts, sort);
        Record { arrays, functions, rest, make }
    }
    /// The sort of the component for instances without an array.
    pub fn rest_sort(&mut self, terms: &mut Terms, ty: &Type) -> SortId {
        let name = self.rest_name(&ty.canonical()).into();
        terms.sort(echis_term::Sort::Declared { name, commands: self.commands.clone() })
    }
    /// The function that reads an instance without an array.
    pub fn read_function(&mut self, terms: &mut Terms, ty: &Type, types: &[Type]) -> Option<SymbolId> {
        let (params, value) = self.rest_signature(terms, ty, types)?;
        Some(terms.declare(self.rest_role("read", ty, types), params, value))
    }
    /// The function that writes an instance without an array.
    pub fn write_function(&mut self, terms: &mut Terms, ty: &Type, types: &[Type]) -> Option<SymbolId> {
        let (mut params, value) = self.rest_signature(terms, ty, types)?;
        params.push(value);
        let rest = self.rest_sort(terms, ty);
        Some(terms.declare(self.rest_role("write", ty, types), params, rest))
    }
    /// The parameter and result sorts of an instance without an array.
    fn rest_signature(&mut self, terms: &mut Terms, ty: &Type, types: &[Type]) -> Option<(Vec<SortId>, SortId)> {
        let Type::Map(map) = ty.canonical() else { return None };
        let shape = instance_of(&map, types);
        let mut params = vec![self.rest_sort(terms, ty)];
        params.extend(shape.args.iter().map(|arg| self.sort(terms, arg)));
        Some((params, self.sort(terms, &shape.result)))
    }
    fn rest_role(&self, verb: &str, ty: &Type, types: &[Type]) -> SymbolRole {
        let types: Vec<String> = types.iter().map(|ty| ty.text(&self.names)).collect();
        let name = format!("{verb} <{}> of {}", types.join(","), ty.canonical().text(&self.names));
        SymbolRole::Uninterpreted(name.into())
    }

    /// The known instances of a map: those with an array, and the others.
    fn instances(&mut self, ty: &Type, map: &MapType) -> (Vec<Vec<Type>>, Vec<Vec<Type>>) {
        let known: Vec<Vec<Type>> = self.known.maps.get(ty).into_iter().flatten().cloned().collect();
        known.into_iter().partition(|types| {
            let shape = instance_of(map, types);
            let mut inside = BTreeSet::new();
            shape
                .args
                .iter()
                .chain([&shape.result])
                .for_each(|part| inside.extend(self.contents_of(&part.canonical())));
            !types.iter().any(|ty| ty.mentions(self.other)) && !inside.contains(ty)
        })
    }
    /// A datatype with a field that is a map from the same datatype. There are more such maps than values, so
    /// constructors could not be injective.
    pub fn maps_from_itself(&mut self) -> Option<String> {
        let is_datatype = |ty: &&Type| match ty {
            Type::Named(constructor, _) => self.program.constructors[*constructor].datatype.is_some(),
            _ => false,
        };
        let datatypes: Vec<Type> = self.known.types.iter().filter(is_datatype).cloned().collect();
        for ty in datatypes {
            for part in self.contents_of(&ty) {
                let Type::Map(map) = part else { continue };
                if map.args.iter().any(|arg| self.contents_of(&arg.canonical()).contains(&ty)) {
                    return Some(ty.text(&self.names).to_string());
                }
            }
        }
        None
    }
    /// The component types of a type, including itself.
    fn contents_of(&mut self, ty: &Type) -> BTreeSet<Type> {
        if let Some(found) = self.contents.get(ty) {
            return found.clone();
        }
        let mut found = BTreeSet::new();
        let mut stack = vec![ty.clone()];
        while let Some(next) = stack.pop() {
            if found.insert(next.clone()) {
                stack.extend(self.parts_of(&next));
            }
        }
        self.contents.insert(ty.clone(), found.clone());
        found
    }
    fn parts_of(&self, ty: &Type) -> Vec<Type> {
        match ty {
            Type::Named(constructor, args) => {
                let mut parts: Vec<Type> = args.to_vec();
                if let Some(datatype) = &self.program.constructors[*constructor].datatype {
                    let fields = datatype.constructors.iter().flat_map(|function| self.field_types(*function, ty));
                    parts.extend(fields.map(|field| field.canonical()));
                }
                parts
            }
            Type::Map(map) if map.params.is_empty() => map.args.iter().chain([&map.result]).cloned().collect(),
            Type::Map(map) => {
                let instances = self.known.maps.get(ty).into_iter().flatten();
                let parts = instances.flat_map(|types| {
                    let shape = instance_of(map, types);
                    shape.args.into_iter().chain([shape.result]).map(|part| part.canonical()).collect::<Vec<_>>()
                });
                parts.collect()
            }
            _ => Vec::new(),
        }
    }

    pub(super) fn record_body(&mut self, ty: &Type, map: &MapType) -> String {
        let mut text = format!("(({}", self.make_name(ty));
        let (arrays, _) = self.instances(ty, map);
        for (index, types) in arrays.iter().enumerate() {
            let _ = write!(text, " ({} ", self.part_name(ty, index));
            self.write(&Type::Map(Arc::new(instance_of(map, types))).canonical(), &mut text);
            text.push(')');
        }
        let _ = write!(text, " ({} {})", self.part_name(ty, arrays.len()), self.rest_name(ty));
        text.push_str("))");
        text
    }
    fn make_name(&self, ty: &Type) -> String {
        quoted(&format!("mk {}", ty.text(&self.names)))
    }
    fn part_role(&self, ty: &Type, index: usize) -> SymbolRole {
        let (text, constructor) = (self.part_name(ty, index).into(), self.make_name(ty).into());
        SymbolRole::Selector { text, constructor, index }
    }
    fn part_name(&self, ty: &Type, index: usize) -> String {
        quoted(&format!("part {index} of {}", ty.text(&self.names)))
    }
    pub(super) fn rest_name(&self, ty: &Type) -> String {
        quoted(&format!("rest of {}", ty.text(&self.names)))
    }
}

/// A map type, instantiated.
pub fn instance_of(map: &MapType, types: &[Type]) -> MapType {
    let instance: Instance = map.params.iter().copied().zip(types.iter().cloned()).collect();
    let args = map.args.iter().map(|arg| arg.replace(&instance)).collect();
    MapType { params: Vec::new(), args, result: map.result.replace(&instance) }
}
