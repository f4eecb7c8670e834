//! Maps: reads, writes, and the solver's built-in operations on them.

use super::Encoder;
use crate::sorts::Record;
use echis_boogie::types::{Instance, MapType, Type};
use echis_term::{Made, QuantifierRole, SortId, SymbolId, SymbolRole, TermId};

impl Encoder<'_> {
    /// The solver's name for an operation on arrays.
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
            // An operator with parameters, such as `sign_extend 16`, as opposed to arguments, such as `fp.add RNE`.
            other => match other.split_once(' ') {
                Some((_, number)) if number.trim().parse::<u32>().is_ok() => format!("(_ {other})"),
                _ => other.to_string(),
            },
        }
    }

    pub fn select(&mut self, ty: &Type, map: TermId, indices: &[TermId], instance: &Instance) -> TermId {
        let Type::Map(shape) = ty.head() else { return map };
        if shape.params.is_empty() {
            return self.read(shape, map, indices);
        }
        let types = arguments(shape, instance);
        self.sorts.meet_instance(ty, &types);
        let Some(record) = self.sorts.record(&mut self.terms, ty) else { return map };
        if let Some(array) = record.arrays.iter().find(|array| array.types == types) {
            let part = self.terms.app(array.selector, [map]);
            return self.read(&array.shape, part, indices);
        }
        if record.functions.contains(&types)
            && let Some(read) = self.sorts.read_function(&mut self.terms, ty, &types)
        {
            let rest = self.terms.app(record.rest, [map]);
            return self.terms.app(read, std::iter::once(rest).chain(indices.iter().copied()).collect::<Vec<_>>());
        }
        // New in this round, whose terms are discarded.
        let result = shape.result.replace(instance);
        self.fresh(Made::Unknown, &result)
    }

    /// Reads one dimension after the other.
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
        let types = arguments(shape, instance);
        self.sorts.meet_instance(ty, &types);
        let Some(record) = self.sorts.record(&mut self.terms, ty) else { return map };
        let mut parts = Vec::new();
        for array in &record.arrays {
            let part = self.terms.app(array.selector, [map]);
            parts.push(match array.types == types {
                true => self.written(&array.shape, part, indices, value),
                false => self.perhaps_written(part, &types, &array.types, map, indices, value),
            });
        }
        let mut rest = self.terms.app(record.rest, [map]);
        if record.functions.contains(&types) {
            rest = self.rest_written(ty, &record, &types, rest, indices, value);
        } else {
            for other in &record.functions {
                rest = self.perhaps_written(rest, &types, other, map, indices, value);
            }
        }
        parts.push(rest);
        self.terms.app(record.make, parts)
    }
    /// A component of a map after a write at another instance, which may be the same one: if so, it is an unknown
    /// function of what is written where.
    fn perhaps_written(
        &mut self,
        part: TermId,
        types: &[Type],
        other: &[Type],
        map: TermId,
        indices: &[TermId],
        value: TermId,
    ) -> TermId {
        if !self.may_coincide(types, other) {
            return part;
        }
        let text = |encoder: &Self, types: &[Type]| {
            let types: Vec<String> = types.iter().map(|ty| ty.text(&encoder.sorts.names)).collect();
            types.join(",")
        };
        let same = format!("<{}> is <{}>", text(self, types), text(self, other));
        let bool_sort = self.terms.bool_sort();
        let same = self.terms.declare(SymbolRole::Uninterpreted(same.into()), [], bool_sort);
        let same = self.terms.constant(same);
        let args: Vec<TermId> = [map].into_iter().chain(indices.iter().copied()).chain([value]).collect();
        let params: Vec<SortId> = args.iter().map(|arg| self.terms.sort_of(*arg)).collect();
        let sort = self.terms.sort_of(part);
        let name = format!("<{}> written at <{}>", text(self, other), text(self, types));
        let written = self.terms.declare(SymbolRole::Uninterpreted(name.into()), params, sort);
        let written = self.terms.app(written, args);
        self.terms.ite(same, written, part)
    }
    /// The component for instances without an array, after a write at one of them.
    fn rest_written(
        &mut self,
        ty: &Type,
        record: &Record,
        types: &[Type],
        rest: TermId,
        indices: &[TermId],
        value: TermId,
    ) -> TermId {
        let Some(write) = self.sorts.write_function(&mut self.terms, ty, types) else { return rest };
        // For generic types, values may not fit.
        if !types.contains(&Type::Var(self.sorts.other)) && self.written_rests.insert(write) {
            for other in &record.functions {
                self.read_over_write(ty, types, other, write);
            }
        }
        let args: Vec<TermId> = [rest].into_iter().chain(indices.iter().copied()).chain([value]).collect();
        self.terms.app(write, args)
    }
    /// The value read at one instance after a write at another, as far as known.
    fn read_over_write(&mut self, ty: &Type, types: &[Type], other: &[Type], write: SymbolId) {
        let Some(read) = self.sorts.read_function(&mut self.terms, ty, other) else { return };
        let bind = |encoder: &mut Self, symbol: SymbolId, name: &str| -> Vec<SymbolId> {
            let params = encoder.terms.symbol(symbol).params.clone();
            let bound = |(at, sort): (usize, &SortId)| {
                encoder.terms.declare(
                    SymbolRole::VariableAt { base: name.into(), place: at.to_string().into() },
                    [],
                    *sort,
                )
            };
            params.iter().enumerate().map(bound).collect()
        };
        let written = bind(self, write, "write");
        let indices = bind(self, read, "read").split_off(1);
        let constants = |encoder: &mut Self, symbols: &[SymbolId]| -> Vec<TermId> {
            symbols.iter().map(|symbol| encoder.terms.constant(*symbol)).collect()
        };
        let (args, at) = (constants(self, &written), constants(self, &indices));
        let (Some(before), Some(value)) = (args.first().copied(), args.last().copied()) else { return };
        let after = self.terms.app(write, args.clone());
        let read_at = |encoder: &mut Self, rest: TermId| {
            encoder.terms.app(read, [rest].into_iter().chain(at.iter().copied()).collect::<Vec<_>>())
        };
        let (new, old) = (read_at(self, after), read_at(self, before));
        let fact = if other == types {
            let pairs = args[1..args.len() - 1].iter().zip(&at);
            let equal: Vec<TermId> = pairs.map(|(left, right)| self.terms.eq(*left, *right)).collect();
            let here = self.terms.and(equal);
            let expected = self.terms.ite(here, value, old);
            self.terms.eq(new, expected)
        } else if self.may_coincide(types, other) {
            return;
        } else {
            self.terms.eq(new, old)
        };
        let vars: Vec<SymbolId> = written.into_iter().chain(indices).collect();
        let axiom = self.terms.forall(&vars, vec![vec![new]], fact, QuantifierRole::Update);
        self.definitions.push(axiom);
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

/// The types of a map's parameters.
fn arguments(shape: &MapType, instance: &Instance) -> Vec<Type> {
    let of = |param| instance.get(param).cloned().unwrap_or(Type::Int).canonical();
    shape.params.iter().map(of).collect()
}

/// `V` for `(Array K V)`.
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
