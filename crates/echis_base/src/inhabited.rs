//! Determines which recursive data types have values. Values are finite, so a type whose constructors all need a value
//! of the type itself has none, and induction over such a type proves anything.

use std::collections::BTreeSet;

/// The type of a field, reduced to what determines whether it has values.
#[derive(Clone, Debug)]
pub enum FieldType {
    /// A type that has values regardless of its arguments, such as an integer or a sequence.
    Inhabited,
    /// A type parameter of the enclosing data type, by index.
    Parameter(usize),
    /// A type that has a value if all of these have one.
    All(Vec<FieldType>),
    /// A data type, by index, with its type arguments.
    Data(usize, Vec<FieldType>),
}

/// The declaration of a data type.
#[derive(Clone, Debug, Default)]
pub struct DataType {
    pub parameters: usize,
    /// The fields of each constructor.
    pub constructors: Vec<Vec<FieldType>>,
}

/// The indices of the data types without values, assuming that all type parameters are inhabited.
pub fn uninhabited(types: &[DataType]) -> Vec<usize> {
    let declared = |index: usize| (index, vec![true; types[index].parameters]);
    let mut search = Search { types, inhabited: BTreeSet::new(), met: (0..types.len()).map(declared).collect() };
    while search.step() {}
    (0..types.len()).filter(|index| !search.inhabited.contains(&declared(*index))).collect()
}

/// A data type, with a flag for each type argument: whether it has values.
type Instance = (usize, Vec<bool>);

/// The least fixed point over the instances that occur. Type arguments only matter by whether they have values, so
/// there are finitely many instances, even for types that contain themselves at ever larger arguments.
struct Search<'a> {
    types: &'a [DataType],
    inhabited: BTreeSet<Instance>,
    met: BTreeSet<Instance>,
}

impl Search<'_> {
    /// One iteration; returns whether anything new was found.
    fn step(&mut self) -> bool {
        let before = (self.inhabited.len(), self.met.len());
        for instance in self.met.clone() {
            let (index, args) = &instance;
            let constructors = &self.types[*index].constructors;
            if constructors.iter().any(|fields| fields.iter().all(|field| self.has_value(field, args))) {
                self.inhabited.insert(instance);
            }
        }
        (self.inhabited.len(), self.met.len()) != before
    }
    fn has_value(&mut self, ty: &FieldType, args: &[bool]) -> bool {
        match ty {
            FieldType::Inhabited => true,
            FieldType::Parameter(index) => args.get(*index).copied().unwrap_or(true),
            FieldType::All(parts) => parts.iter().all(|part| self.has_value(part, args)),
            FieldType::Data(index, parts) => {
                let args = parts.iter().map(|part| self.has_value(part, args)).collect();
                let instance = (*index, args);
                let known = self.inhabited.contains(&instance);
                self.met.insert(instance);
                known
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::FieldType::{Data, Inhabited, Parameter};
    use super::*;

    fn data(parameters: usize, constructors: &[&[FieldType]]) -> DataType {
        DataType { parameters, constructors: constructors.iter().map(|fields| fields.to_vec()).collect() }
    }

    #[test]
    fn a_constructor_without_the_type_is_enough() {
        let list = data(1, &[&[], &[Parameter(0), Data(0, vec![Parameter(0)])]]);
        assert!(uninhabited(&[list]).is_empty());
    }

    #[test]
    fn a_type_that_needs_itself_has_no_values() {
        assert_eq!(uninhabited(&[data(0, &[&[Data(0, vec![])], &[Inhabited, Data(0, vec![])]])]), [0]);
        assert_eq!(uninhabited(&[data(0, &[])]), [0]);
    }

    #[test]
    fn types_that_need_each_other_have_no_values_unless_one_ends() {
        let [a, b] = [data(0, &[&[Data(1, vec![])]]), data(0, &[&[Data(0, vec![])]])];
        assert_eq!(uninhabited(&[a.clone(), b]), [0, 1]);
        let ends = data(0, &[&[Data(0, vec![])], &[]]);
        assert!(uninhabited(&[a, ends]).is_empty());
    }

    #[test]
    fn arguments_count_where_fields_have_them() {
        let (pair, phantom) = (data(1, &[&[Parameter(0)]]), data(1, &[&[]]));
        let through = |index| data(0, &[&[Data(index, vec![Data(2, vec![])])]]);
        assert_eq!(uninhabited(&[pair.clone(), phantom.clone(), through(0)]), [2]);
        assert!(uninhabited(&[pair, phantom, through(1)]).is_empty());
    }

    #[test]
    fn arguments_that_grow_end() {
        let grows = |ends: &[&[FieldType]]| {
            let grown: Vec<FieldType> = vec![Data(0, vec![Data(0, vec![Parameter(0)])])];
            let mut constructors = vec![&*grown];
            constructors.extend(ends);
            data(1, &constructors)
        };
        assert_eq!(uninhabited(&[grows(&[])]), [0]);
        assert!(uninhabited(&[grows(&[&[Parameter(0)]])]).is_empty());
    }
}
