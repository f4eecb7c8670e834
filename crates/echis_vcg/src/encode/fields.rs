//! Datatypes: tests, field access and field update.

use super::Encoder;
use echis_boogie::program::FunctionId;
use echis_boogie::types::Type;
use echis_term::TermId;

impl Encoder<'_> {
    pub fn is(&mut self, ty: &Type, constructor: FunctionId, value: TermId) -> TermId {
        let symbol = self.sorts.tester(&mut self.terms, constructor, &ty.expanded());
        self.terms.app(symbol, [value])
    }

    pub fn field(&mut self, ty: &Type, selectors: &[(FunctionId, usize)], value: TermId) -> TermId {
        let ty = ty.expanded();
        let Some(((constructor, index), rest)) = selectors.split_last().map(|(last, rest)| (*last, rest)) else {
            return value;
        };
        let symbol = self.sorts.selector(&mut self.terms, constructor, index, &ty);
        let mut result = self.terms.app(symbol, [value]);
        for (constructor, index) in rest.iter().rev() {
            let symbol = self.sorts.selector(&mut self.terms, *constructor, *index, &ty);
            let (test, found) = (self.is(&ty, *constructor, value), self.terms.app(symbol, [value]));
            result = self.terms.ite(test, found, result);
        }
        result
    }

    /// Updates a field. A value without this field is unchanged.
    pub fn update(&mut self, ty: &Type, selectors: &[(FunctionId, usize)], value: TermId, new: TermId) -> TermId {
        let ty = ty.expanded();
        let mut result = value;
        for (constructor, index) in selectors.iter().rev() {
            let count = self.program.functions[*constructor].params.len();
            let mut fields = Vec::new();
            for field in 0..count {
                let symbol = self.sorts.selector(&mut self.terms, *constructor, field, &ty);
                fields.push(if field == *index { new } else { self.terms.app(symbol, [value]) });
            }
            let symbol = self.sorts.constructor(&mut self.terms, *constructor, &ty);
            let changed = self.terms.app(symbol, fields);
            let only = self.only_constructor(&ty);
            result = if only {
                changed
            } else {
                let test = self.is(&ty, *constructor, value);
                self.terms.ite(test, changed, result)
            };
        }
        result
    }

    pub(super) fn only_constructor(&self, ty: &Type) -> bool {
        let Type::Named(constructor, _) = ty else { return false };
        self.program.constructors[*constructor]
            .datatype
            .as_ref()
            .is_some_and(|datatype| datatype.constructors.len() == 1)
    }

    /// The fields of a value with a known constructor.
    pub fn fields(&mut self, ty: &Type, constructor: FunctionId, value: TermId) -> Vec<TermId> {
        let ty = ty.expanded();
        let count = self.program.functions[constructor].params.len();
        let field = |index| {
            let symbol = self.sorts.selector(&mut self.terms, constructor, index, &ty);
            self.terms.app(symbol, [value])
        };
        (0..count).map(field).collect()
    }
}
