//! The solver's built-in operators: arrays, datatypes, bitvectors, conversions.

use super::bits::bits;
use super::values::{array_sorts, element_at, has_array, some_value};
use echis_proof::Raw;
use echis_term::SymbolRole;

/// The value of a built-in operator. `element` are the sorts of the result.
pub fn builtin(role: &SymbolRole, args: &[Raw], element: (&str, &str)) -> Option<Raw> {
    match (role, args) {
        (SymbolRole::Select, [Raw::Array(array), index]) if !has_array(index) => match element_at(array, index) {
            Some(value) => Some(value.clone()),
            None => some_value(element.0, element.1),
        },
        (SymbolRole::Store, [Raw::Array(array), index, value]) if !has_array(index) => {
            array_sorts(element.0)?;
            let mut array = array.clone();
            array.entries.insert(index.clone(), value.clone());
            Some(Raw::Array(array))
        }
        (SymbolRole::Constructor(constructor), args) => Some(Raw::Made(constructor.clone(), args.to_vec())),
        (SymbolRole::Selector { constructor, index, .. }, [Raw::Made(head, parts)]) if head == constructor => {
            parts.get(*index).cloned()
        }
        (SymbolRole::Tester(constructor), [Raw::Made(head, _)]) => Some(Raw::Bool(head == constructor)),
        // SMT-LIB operators, which programs may use with `:builtin`.
        (SymbolRole::Interpreted(text), [Raw::Perm(value)]) if &**text == "to_int" => Some(Raw::Int(value.floor())),
        (SymbolRole::Interpreted(text), args) => bits(text, args),
        _ => None,
    }
}
