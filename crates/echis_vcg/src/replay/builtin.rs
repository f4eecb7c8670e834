//! Operators of the solver's own: arrays, datatypes, bitvectors, conversions.

use super::bits::bits;
use super::values::{array_sorts, element_at, has_array, some_value};
use echis_proof::Raw;

/// What an operator of that name has as its value. `element` is the sort of the result.
pub fn builtin(name: &str, args: &[Raw], element: (&str, &str)) -> Option<Raw> {
    match (name, args) {
        ("select", [Raw::Array(array), index]) if !has_array(index) => match element_at(array, index) {
            Some(value) => Some(value.clone()),
            None => some_value(element.0, element.1),
        },
        ("store", [Raw::Array(array), index, value]) if !has_array(index) => {
            array_sorts(element.0)?;
            let mut array = array.clone();
            array.entries.insert(index.clone(), value.clone());
            Some(Raw::Array(array))
        }
        ("to_int", [Raw::Perm(value)]) => Some(Raw::Int(value.floor())),
        _ if name.starts_with('|') => datatype(name, args),
        (_, [Raw::Made(head, _)]) if name.starts_with("(_ is ") => {
            let wanted = name.strip_prefix("(_ is ")?.strip_suffix(')')?;
            Some(Raw::Bool(**head == *wanted))
        }
        _ => bits(name, args),
    }
}

/// Constructors and selectors, by the names that `sorts` gives them.
fn datatype(name: &str, args: &[Raw]) -> Option<Raw> {
    let Some((constructor, index)) = crate::sorts::selected(name) else {
        return Some(Raw::Made(name.into(), args.to_vec()));
    };
    match args {
        [Raw::Made(head, parts)] if **head == *constructor => parts.get(index).cloned(),
        _ => None,
    }
}
