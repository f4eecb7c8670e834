//! Arrays as values: equality, default values, and a canonical form.

use echis_proof::{Array, Raw};
use echis_term::Rational;
use std::collections::BTreeSet;

/// A value of a sort. Declared sorts have more elements than a model names, except for datatypes, for which no value
/// is known.
pub fn some_value(sort: &str, declares: &str) -> Option<Raw> {
    Some(match sort {
        "Bool" => Raw::Bool(false),
        "Int" => Raw::Int(0.into()),
        "Real" => Raw::Perm(Rational::ZERO),
        _ => {
            if let Some(width) = sort.strip_prefix("(_ BitVec ").and_then(|text| text.strip_suffix(')')) {
                return Some(Raw::Bits(0.into(), width.parse().ok()?));
            }
            if let Some((_, element)) = array_sorts(sort) {
                let otherwise = Some(some_value(element, declares)?);
                return Some(Raw::Array(Box::new(Array { otherwise, ..Array::default() })));
            }
            if !is_open(sort, declares) {
                return None;
            }
            Raw::Element(format!("{sort}!val!other").into())
        }
    })
}

/// Whether a sort is uninterpreted.
fn is_open(sort: &str, declares: &str) -> bool {
    declares.contains(&format!("(declare-sort {sort} 0)"))
}

/// `(Array K V)`: `K` and `V`.
pub fn array_sorts(sort: &str) -> Option<(&str, &str)> {
    let inner = sort.strip_prefix("(Array ")?.strip_suffix(')')?;
    let (mut depth, mut quoted) = (0usize, false);
    for (at, c) in inner.char_indices() {
        match c {
            '|' => quoted = !quoted,
            '(' if !quoted => depth += 1,
            ')' if !quoted => depth = depth.saturating_sub(1),
            ' ' if !quoted && depth == 0 => return Some((&inner[..at], &inner[at + 1..])),
            _ => {}
        }
    }
    None
}

/// A value of the model, with defaults added to arrays that have none.
pub fn completed(raw: &Raw, sort: &str, declares: &str) -> Raw {
    match (raw, array_sorts(sort)) {
        (Raw::Array(array), Some((key, element))) => {
            let complete =
                |(index, value): (&Raw, &Raw)| (completed(index, key, declares), completed(value, element, declares));
            let entries = array.entries.iter().map(complete).collect();
            let otherwise = match &array.otherwise {
                Some(value) => Some(completed(value, element, declares)),
                None => some_value(element, declares),
            };
            Raw::Array(Box::new(Array { entries, otherwise }))
        }
        _ => raw.clone(),
    }
}

/// Whether values of a sort are equal, as far as known.
pub fn equal(left: &Raw, right: &Raw, sort: &str, declares: &str) -> Option<bool> {
    match (left, right) {
        _ if left == right => Some(true),
        (Raw::Array(one), Raw::Array(other)) => {
            let (key, element) = array_sorts(sort)?;
            let mut open = false;
            for index in one.entries.keys().chain(other.entries.keys()).collect::<BTreeSet<_>>() {
                if has_array(index) {
                    return None;
                }
                match equal(element_at(one, index)?, element_at(other, index)?, element, declares) {
                    Some(true) => {}
                    Some(false) => return Some(false),
                    None => open = true,
                }
            }
            let rest = equal(one.otherwise.as_ref()?, other.otherwise.as_ref()?, element, declares)?;
            match rest {
                _ if open => None,
                true => Some(true),
                // There are more indices than those listed.
                false => (matches!(key, "Int" | "Real") || is_open(key, declares)).then_some(false),
            }
        }
        (Raw::Made(head, parts), Raw::Made(other, others)) => {
            if head != other || parts.len() != others.len() {
                return Some(false);
            }
            let mut open = false;
            for (part, other) in parts.iter().zip(others) {
                match (part, other) {
                    _ if part == other => {}
                    _ if has_array(part) => open = true,
                    _ => return Some(false),
                }
            }
            (!open).then_some(true)
        }
        _ => Some(false),
    }
}

pub fn element_at<'a>(array: &'a Array, index: &Raw) -> Option<&'a Raw> {
    array.entries.get(index).or(array.otherwise.as_ref())
}

/// A canonical representative for equal values. `None` if equality is unknown.
pub fn canonical(raw: Raw) -> Option<Raw> {
    match raw {
        Raw::Array(array) => {
            let Array { entries, otherwise } = *array;
            let otherwise = canonical(otherwise?)?;
            let mut kept = std::collections::BTreeMap::new();
            for (index, value) in entries {
                // If there are finitely many indices, the default may apply to none.
                if !matches!(index, Raw::Int(_) | Raw::Perm(_) | Raw::Element(_)) {
                    return None;
                }
                let value = canonical(value)?;
                if value != otherwise {
                    kept.insert(index, value);
                }
            }
            Some(Raw::Array(Box::new(Array { entries: kept, otherwise: Some(otherwise) })))
        }
        Raw::Made(head, parts) => {
            let parts = parts.into_iter().map(canonical).collect::<Option<_>>()?;
            Some(Raw::Made(head, parts))
        }
        plain => Some(plain),
    }
}

pub fn has_array(raw: &Raw) -> bool {
    match raw {
        Raw::Array(_) => true,
        Raw::Made(_, parts) => parts.iter().any(has_array),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn array(entries: &[(i32, i32)], otherwise: i32) -> Raw {
        let int = |value: i32| Raw::Int(value.into());
        let entries = entries.iter().map(|(index, value)| (int(*index), int(*value))).collect();
        Raw::Array(Box::new(Array { entries, otherwise: Some(int(otherwise)) }))
    }

    #[test]
    fn arrays_are_equal_where_all_elements_are() {
        let sort = "(Array Int Int)";
        assert_eq!(equal(&array(&[(1, 0)], 0), &array(&[], 0), sort, ""), Some(true));
        assert_eq!(equal(&array(&[(1, 2)], 0), &array(&[], 0), sort, ""), Some(false));
        assert_eq!(equal(&array(&[(1, 2)], 0), &array(&[(1, 2)], 3), sort, ""), Some(false));
        assert_eq!(canonical(array(&[(1, 0)], 0)), Some(array(&[], 0)));
    }

    #[test]
    fn where_indices_are_finitely_many_the_rest_may_be_nothing() {
        let both = |otherwise| {
            let entries = [(Raw::Bool(true), Raw::Int(1.into())), (Raw::Bool(false), Raw::Int(2.into()))].into();
            Raw::Array(Box::new(Array { entries, otherwise: Some(Raw::Int(otherwise)) }))
        };
        assert_eq!(equal(&both(0.into()), &both(7.into()), "(Array Bool Int)", ""), None);
        assert_eq!(canonical(both(0.into())), None);
    }
}
