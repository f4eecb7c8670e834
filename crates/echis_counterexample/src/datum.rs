//! Values as structured data, for programs. They have the same names as in text.

use super::value::Value;
use super::value_text::ValueText;
use crate::limits::LIMITS;
use echis_findings::counterexample::Value as Datum;
use echis_proof::Raw;
use echis_term::{Integer, Sort, SortId};

impl ValueText<'_> {
    /// `known` tells which elements of a sequence were not invented.
    pub(super) fn datum(
        &self,
        value: Option<&Value>,
        sort: SortId,
        known: &dyn Fn(usize) -> bool,
        depth: usize,
    ) -> Datum {
        let Some(value) = value.filter(|_| depth > 0) else { return Datum::Unspecified };
        let (key, inner) = self.parts(sort);
        let of = |value: &Value, sort: Option<SortId>| match sort {
            Some(sort) => self.datum(Some(value), sort, &|_| true, depth - 1),
            None => Datum::Unspecified,
        };
        let is_reference = matches!(self.structure.tables.terms.sort_data(sort), Sort::Ref);
        stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || match value {
            _ if self.is_null(value) => Datum::Null,
            Value::Plain(Raw::Element(_)) if is_reference => Datum::Ref(self.element(value, sort)),
            Value::Plain(Raw::Element(_)) => Datum::Element(self.element(value, sort)),
            Value::Plain(raw) => datum(raw).unwrap_or(Datum::Unspecified),
            Value::Seq(items) => {
                let item = |(index, item): (usize, &Value)| match known(index) {
                    true => of(item, inner),
                    false => Datum::Unspecified,
                };
                Datum::Seq(items.iter().enumerate().map(item).collect())
            }
            Value::Set(items) => Datum::Set(items.iter().map(|item| of(item, key)).collect()),
            Value::Multiset(items) => {
                Datum::Multiset(items.iter().map(|(item, count)| (of(item, key), integer(count))).collect())
            }
            Value::Map(items) => {
                Datum::Map(items.iter().map(|(item, held)| (of(item, key), of(held, inner))).collect())
            }
            Value::Made(..) | Value::Fresh(..) if is_reference => {
                Datum::Ref(self.made(value, LIMITS.name_depth).unwrap_or_default())
            }
            Value::Made(symbol, parts) | Value::Fresh(symbol, parts) => {
                let sorts = &self.structure.tables.terms.symbol(*symbol).params;
                let args = parts.iter().zip(sorts.iter()).map(|(part, sort)| of(part, Some(*sort)));
                Datum::Made { constructor: self.function(*symbol), args: args.collect() }
            }
            Value::Pair(_) | Value::Wrapped(..) | Value::Keys(_) => Datum::Unspecified,
            Value::Other(_) | Value::Unlike(_) | Value::Interval(_) => Datum::Unspecified,
        })
    }
}

/// Converts a value of the solver's model, unless its type is needed to interpret it.
pub fn datum(raw: &Raw) -> Option<Datum> {
    match raw {
        Raw::Bool(value) => Some(Datum::Bool(*value)),
        Raw::Int(value) => Some(integer(value)),
        Raw::Perm(value) => {
            let small = |text: String| text.parse::<i128>().ok();
            let (numerator, denominator) = (value.numerator().to_string(), value.denominator().to_string());
            let other = format!("{numerator}/{denominator}");
            Some(match (small(numerator), small(denominator)) {
                (Some(numerator), Some(denominator)) => Datum::Perm { numerator, denominator },
                _ => Datum::Other(other),
            })
        }
        Raw::Element(name) => Some(Datum::Element(name.to_string())),
        Raw::Unit | Raw::Combine(..) | Raw::Bits(..) | Raw::Made(..) | Raw::Array(_) => None,
    }
}

fn integer(value: &Integer) -> Datum {
    match i128::try_from(value.clone()) {
        Ok(value) => Datum::Int(value),
        Err(_) => Datum::Large(value.to_string()),
    }
}
