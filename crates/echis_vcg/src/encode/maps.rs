//! Maps: reading, writing, and the solver's own operations on them.

use super::Encoder;
use echis_boogie::types::{Instance, MapType, Type};
use echis_term::{Made, SortId, SymbolRole, TermId};

impl Encoder<'_> {
    /// The solver's word for an operation on arrays.
    pub(super) fn builtin(&mut self, text: &str, params: &[SortId], result: SortId) -> String {
        let sort_text = |encoder: &Self, sort: SortId| match encoder.terms.sort_data(sort) {
            echis_term::Sort::Declared { name, .. } | echis_term::Sort::Interpreted(name) => name.to_string(),
            echis_term::Sort::Bool => "Bool".to_string(),
            echis_term::Sort::Perm => "Real".to_string(),
            _ => "Int".to_string(),
        };
        match text {
            "MapConst" => format!("(as const {})", sort_text(self, result)),
            "seq.empty" => format!("(as seq.empty {})", sort_text(self, result)),
            "MapNot" => "(_ map not)".to_string(),
            "MapAnd" => "(_ map and)".to_string(),
            "MapOr" => "(_ map or)".to_string(),
            "MapImp" => "(_ map =>)".to_string(),
            "MapIff" => "(_ map (= (Bool Bool) Bool))".to_string(),
            "MapAdd" => "(_ map (+ (Int Int) Int))".to_string(),
            "MapSub" => "(_ map (- (Int Int) Int))".to_string(),
            "MapMul" => "(_ map (* (Int Int) Int))".to_string(),
            "MapDiv" => "(_ map (div (Int Int) Int))".to_string(),
            "MapMod" => "(_ map (mod (Int Int) Int))".to_string(),
            "MapGt" => "(_ map (> (Int Int) Bool))".to_string(),
            "MapGe" => "(_ map (>= (Int Int) Bool))".to_string(),
            "MapLt" => "(_ map (< (Int Int) Bool))".to_string(),
            "MapLe" => "(_ map (<= (Int Int) Bool))".to_string(),
            "MapEq" | "MapIte" => {
                let value = params.last().map(|sort| sort_text(self, *sort)).unwrap_or_default();
                let value = array_element(&value);
                if text == "MapEq" {
                    format!("(_ map (= ({value} {value}) Bool))")
                } else {
                    format!("(_ map (ite (Bool {value} {value}) {value}))")
                }
            }
            // An operator with parameters, such as `sign_extend 16`.
            other if other.contains(' ') && !other.starts_with('(') => format!("(_ {other})"),
            other => other.to_string(),
        }
    }

    pub fn select(&mut self, ty: &Type, map: TermId, indices: &[TermId], instance: &Instance) -> TermId {
        let Type::Map(shape) = ty.head() else { return map };
        if shape.params.is_empty() {
            return self.read(shape, map, indices);
        }
        let types: Vec<Type> =
            shape.params.iter().map(|param| instance.get(param).cloned().unwrap_or(Type::Int)).collect();
        let ty = ty.expanded();
        match self.sorts.part(&mut self.terms, &ty, &types) {
            Some(part) => {
                let array = self.terms.app(part.selectors[part.position], [map]);
                let Type::Map(shape) = &part.array else { return array };
                self.read(shape, array, indices)
            }
            None => {
                let result = shape.result.replace(instance);
                self.fresh(Made::Unknown, &result)
            }
        }
    }

    /// One dimension after the other.
    pub(super) fn read(&mut self, shape: &MapType, map: TermId, indices: &[TermId]) -> TermId {
        let mut value = map;
        for (position, index) in indices.iter().enumerate() {
            let rest = Type::map(Vec::new(), shape.args[position + 1..].to_vec(), shape.result.clone());
            let sort = self.sort(&rest);
            value = self.apply(SymbolRole::Select, &[value, *index], sort);
        }
        value
    }

    pub fn store(&mut self, ty: &Type, map: TermId, indices: &[TermId], value: TermId, instance: &Instance) -> TermId {
        let Type::Map(shape) = ty.head() else { return map };
        if shape.params.is_empty() {
            return self.written(shape, map, indices, value);
        }
        let types: Vec<Type> =
            shape.params.iter().map(|param| instance.get(param).cloned().unwrap_or(Type::Int)).collect();
        let ty = ty.expanded();
        let Some(part) = self.sorts.part(&mut self.terms, &ty, &types) else { return map };
        let Type::Map(shape) = &part.array else { return map };
        let mut parts: Vec<TermId> = part.selectors.iter().map(|selector| self.terms.app(*selector, [map])).collect();
        parts[part.position] = self.written(shape, parts[part.position], indices, value);
        self.terms.app(part.make, parts)
    }

    pub(super) fn written(&mut self, shape: &MapType, map: TermId, indices: &[TermId], value: TermId) -> TermId {
        let Some((index, rest)) = indices.split_first() else { return value };
        let inner_shape = MapType { params: Vec::new(), args: shape.args[1..].to_vec(), result: shape.result.clone() };
        let inner = self.read(shape, map, &indices[..1]);
        let inner = self.written(&inner_shape, inner, rest, value);
        let sort = self.terms.sort_of(map);
        self.apply(SymbolRole::Store, &[map, *index, inner], sort)
    }
}

/// `(Array K V)`: `V`.
fn array_element(text: &str) -> String {
    let Some(inner) = text.strip_prefix("(Array ").and_then(|text| text.strip_suffix(')')) else {
        return text.to_string();
    };
    let (mut depth, mut quoted) = (0usize, false);
    for (at, c) in inner.char_indices() {
        match c {
            '|' => quoted = !quoted,
            '(' if !quoted => depth += 1,
            ')' if !quoted => depth = depth.saturating_sub(1),
            ' ' if !quoted && depth == 0 => return inner[at + 1..].to_string(),
            _ => {}
        }
    }
    inner.to_string()
}
