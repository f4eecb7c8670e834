//! The types of expressions. `None` after an error inside, so that nothing else is reported.

use super::{Checker, TYPE_ERROR};
use crate::ast::{ExprId, ExprKind, Ident, Quantified, Quantifier};
use crate::program::{FunctionId, Reference};
use crate::types::{ConstructorId, Instance, MapType, Type, TypeVar};
use crate::walk;
use echis_base::{Diagnostic, Span};
use std::sync::Arc;

/// The context of arguments.
pub(super) struct Applied<'a> {
    pub what: &'a str,
}

impl Checker<'_> {
    pub(super) fn expr(&mut self, expr: ExprId) -> Option<Type> {
        let ty = stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || self.expr_inner(expr))?;
        self.program.types.replace(expr, ty.clone());
        Some(ty)
    }
    pub(super) fn all(&mut self, exprs: &[ExprId]) -> Vec<Option<Type>> {
        exprs.iter().map(|expr| self.expr(*expr)).collect()
    }

    fn expr_inner(&mut self, expr: ExprId) -> Option<Type> {
        let span = self.program.span(expr);
        match self.program.kind(expr).clone() {
            ExprKind::Bool(_) => Some(Type::Bool),
            ExprKind::Int(_) => Some(Type::Int),
            ExprKind::Real(_) => Some(Type::Real),
            ExprKind::Bitvector(_, width) => Some(Type::Bitvector(width)),
            ExprKind::Float(float) => Some(Type::Float(float.format)),
            ExprKind::RoundingMode(_) => Some(Type::RoundingMode),
            ExprKind::Text(_) => Some(Type::Text),
            ExprKind::Bounds { .. } => None,
            ExprKind::Code(_) => {
                let mut code = self.program.codes.get(expr)?.clone();
                self.block(&mut code.body);
                self.program.codes.replace(expr, code);
                Some(Type::Bool)
            }
            ExprKind::Name(_) => match self.program.references.get(expr)? {
                Reference::Var(var) => Some(self.program.vars[*var].ty.clone()),
                Reference::Function(_) => None,
            },
            ExprKind::Call(name, args) => {
                let Some(Reference::Function(function)) = self.program.references.get(expr).copied() else {
                    return None;
                };
                self.application(expr, function, &name, &args, span)
            }
            ExprKind::Old(inner) => self.expr(inner),
            ExprKind::Unary(op, operand) => self.unary(op, operand, span),
            ExprKind::Binary(op, left, right) => self.binary(op, left, right, span),
            ExprKind::ToInt(operand) => self.conversion(operand, Type::Real, Type::Int, span),
            ExprKind::ToReal(operand) => self.conversion(operand, Type::Int, Type::Real, span),
            ExprKind::Coerce(operand, _) => {
                let ty = self.expr(operand)?;
                let to = self.program.coercions.get(expr)?.clone();
                if !self.unifier.unify(&ty, &to) {
                    let message = format!("{} cannot be coerced to {}", self.text(&ty), self.text(&to));
                    self.error(span, message);
                    return None;
                }
                Some(to)
            }
            ExprKind::Extract { base, high, low } => self.extract(base, high, low, span),
            ExprKind::Select(base, args) => {
                let types = self.all(&args);
                let ty = self.expr(base)?;
                if let Type::Open(_) = self.unifier.head(&ty) {
                    let types: Vec<Type> = types.into_iter().collect::<Option<_>>()?;
                    let result = self.unifier.open();
                    return self.used_as_map(expr, &ty, types, result.clone(), "map select", span).then_some(result);
                }
                let (map, instance) = self.as_map(&ty, args.len(), "map select", span)?;
                let result = map.result.replace(&instance);
                let are_typed = types.iter().all(Option::is_some);
                let fits = self.arguments(&args, &types, &map.args, &instance, &Applied { what: "map select" });
                if fits.is_none() && are_typed {
                    self.misapplied.insert(expr, result.clone());
                }
                fits?;
                self.program.instances.replace(expr, instance);
                Some(result)
            }
            ExprKind::Store(base, args, value) => self.store(expr, base, &args, value, span),
            ExprKind::Is(value, constructor) => self.tester(expr, value, &constructor),
            ExprKind::Field(value, field) => {
                let ty = self.expr(value)?;
                self.field(expr, &ty, &field, "field-access")
            }
            ExprKind::Update(value, field, new) => {
                let (ty, new_type) = (self.expr(value), self.expr(new));
                let (ty, new_type) = (ty?, new_type?);
                let expected = self.field(expr, &ty, &field, "field-update")?;
                if !self.unifier.unify(&new_type, &expected) {
                    let (found, expected) = (self.text(&new_type), self.text(&expected));
                    let what = "right-hand side in field update with wrong type";
                    self.error(field.span, format!("{what}: {found} (expected: {expected})"));
                    return None;
                }
                Some(ty)
            }
            ExprKind::If(condition, then, otherwise) => self.conditional(condition, then, otherwise, span),
            ExprKind::Quantified(quantified) => {
                for var in &quantified.vars {
                    self.attributes(&var.attributes);
                }
                self.attributes(&quantified.attributes);
                for trigger in quantified.triggers.iter().chain([&quantified.excluded]) {
                    self.all(trigger);
                }
                self.types_in_triggers(expr, &quantified);
                if quantified.quantifier != Quantifier::Lambda {
                    self.proposition(span, quantified.body, "quantifier body must be of type bool");
                    return Some(Type::Bool);
                }
                let result = self.expr(quantified.body)?;
                self.lambda(expr, result, span)
            }
            ExprKind::Let(parts) => {
                let types = self.all(&parts.values);
                let vars = self.program.binders.get(expr)?.vars.clone();
                for (var, ty) in vars.iter().zip(types) {
                    self.program.vars[*var].ty = ty?;
                }
                self.attributes(&parts.attributes);
                self.expr(parts.body)
            }
        }
    }

    /// Type parameters that do not occur in the types of the variables must occur in each trigger.
    fn types_in_triggers(&mut self, expr: ExprId, quantified: &Quantified) {
        let triggers = &quantified.triggers;
        let Some(binder) = self.program.binders.get(expr).cloned() else { return };
        let is_open = |param: &&TypeVar| !binder.vars.iter().any(|var| self.program.vars[*var].ty.mentions(**param));
        let open: Vec<TypeVar> = binder.type_params.iter().filter(is_open).copied().collect();
        let pairs = open.iter().flat_map(|param| triggers.iter().enumerate().map(move |trigger| (*param, trigger)));
        for (param, (position, trigger)) in pairs {
            let mut mentioned = false;
            for term in trigger {
                walk::for_each(&self.program.tree, *term, &mut |part| {
                    let mut types = self.program.types.get(part).into_iter().cloned().collect::<Vec<_>>();
                    types
                        .extend(self.program.instances.get(part).into_iter().flat_map(|found| found.values().cloned()));
                    mentioned |= types.iter().any(|ty| self.unifier.solve(ty).mentions(param));
                });
            }
            if !mentioned {
                let name = self.program.names.vars[param].clone();
                let place = "which does not occur in variables types either";
                self.error(quantified.trigger_spans[position], format!("trigger does not mention {name}, {place}"));
            }
        }
    }

    fn lambda(&mut self, expr: ExprId, result: Type, span: Span) -> Option<Type> {
        let binder = self.program.binders.get(expr)?.clone();
        let args: Vec<Type> = binder.vars.iter().map(|var| self.program.vars[*var].ty.clone()).collect();
        for param in &binder.type_params {
            if !args.iter().any(|arg| arg.mentions(*param)) {
                let name = self.program.names.vars[*param].clone();
                let place = "does not occur in types of the lambda parameters";
                self.error(span, format!("the type variable {name} {place}"));
                return None;
            }
        }
        Some(Type::map(binder.type_params, args, result))
    }

    fn application(
        &mut self,
        expr: ExprId,
        function: FunctionId,
        name: &str,
        args: &[ExprId],
        span: Span,
    ) -> Option<Type> {
        let types = self.all(args);
        let function = &self.program.functions[function];
        let (params, result) = (function.params.clone(), function.result.clone());
        let type_params = function.type_params.clone();
        if params.len() != args.len() {
            let (found, expected) = (args.len(), params.len());
            self.error(span, format!("wrong number of arguments to function: {name} ({found} instead of {expected})"));
            return None;
        }
        let expected: Vec<Type> = params.iter().map(|param| self.program.vars[*param].ty.clone()).collect();
        let instance = self.open(&type_params);
        let what = format!("application of {name}");
        let result = result.replace(&instance);
        let are_typed = types.iter().all(Option::is_some);
        let fits = self.arguments(args, &types, &expected, &instance, &Applied { what: &what });
        if fits.is_none() && are_typed {
            self.misapplied.insert(expr, result.clone());
        }
        fits?;
        self.program.instances.replace(expr, instance);
        Some(result)
    }

    /// Whether each argument has its type. `None` after a reported error.
    pub(super) fn arguments(
        &mut self,
        args: &[ExprId],
        types: &[Option<Type>],
        expected: &[Type],
        instance: &Instance,
        applied: &Applied<'_>,
    ) -> Option<()> {
        let mut fine = Some(());
        for (index, ((arg, ty), expected)) in args.iter().zip(types).zip(expected).enumerate() {
            let Some(ty) = ty else {
                fine = None;
                continue;
            };
            if !self.unifier.unify(ty, &expected.replace(instance)) {
                let (found, expected) = (self.text(ty), self.text(expected));
                let what = applied.what;
                let span = self.program.span(*arg);
                let message = format!("invalid type for argument {index} in {what}: {found} (expected: {expected})");
                self.error(span, message);
                fine = None;
            }
        }
        fine
    }

    /// Records that a value of an open type is indexed: the type may be a map with type parameters.
    fn used_as_map(&mut self, expr: ExprId, ty: &Type, args: Vec<Type>, result: Type, what: &str, span: Span) -> bool {
        let used = self.unifier.map_used_with(args.clone(), result.clone());
        let fits = self.unifier.unify(ty, &used);
        if fits {
            self.uses.push((expr, ty.clone(), args, result));
        } else {
            let text = self.text(ty);
            self.error(span, format!("{what} applied to a non-map: {text}"));
        }
        fits
    }
    /// The type of an indexed map, with open types for its parameters.
    pub(super) fn as_map(
        &mut self,
        ty: &Type,
        count: usize,
        what: &str,
        span: Span,
    ) -> Option<(Arc<MapType>, Instance)> {
        let map = match self.unifier.head(ty) {
            Type::Map(map) => map,
            open @ Type::Open(_) => {
                let args = (0..count).map(|_| self.unifier.open()).collect();
                let result = self.unifier.open();
                let map = Arc::new(MapType { params: Vec::new(), args, result });
                self.unifier.unify(&open, &Type::Map(map.clone()));
                map
            }
            other => {
                let text = self.text(&other);
                self.error(span, format!("{what} applied to a non-map: {text}"));
                return None;
            }
        };
        if map.args.len() != count {
            self.error(span, format!("wrong number of arguments in {what}: {count} instead of {}", map.args.len()));
            return None;
        }
        let instance = self.open(&map.params);
        Some((map, instance))
    }
    fn store(&mut self, expr: ExprId, base: ExprId, args: &[ExprId], value: ExprId, span: Span) -> Option<Type> {
        let types = self.all(args);
        let value_type = self.expr(value);
        let ty = self.expr(base)?;
        if let Type::Open(_) = self.unifier.head(&ty) {
            let types: Vec<Type> = types.into_iter().collect::<Option<_>>()?;
            return self.used_as_map(expr, &ty, types, value_type?, "map store", span).then_some(ty);
        }
        let (map, instance) = self.as_map(&ty, args.len(), "map store", span)?;
        self.arguments(args, &types, &map.args, &instance, &Applied { what: "map store" })?;
        let (value_type, expected) = (value_type?, map.result.replace(&instance));
        if !self.unifier.unify(&value_type, &expected) {
            let (found, expected) = (self.text(&value_type), self.text(&expected));
            let span = self.program.span(value);
            self.error(span, format!("right-hand side in map store with wrong type: {found} (expected: {expected})"));
            return None;
        }
        self.program.instances.replace(expr, instance);
        self.program.types.get(base).cloned()
    }

    fn conversion(&mut self, operand: ExprId, from: Type, to: Type, span: Span) -> Option<Type> {
        let ty = self.expr(operand)?;
        if !self.unifier.unify(&ty, &from) {
            let (found, expected) = (self.text(&ty), self.text(&from));
            self.error(span, format!("argument type {found} does not match expected type {expected}"));
            return None;
        }
        Some(to)
    }
    fn extract(&mut self, base: ExprId, high: u32, low: u32, span: Span) -> Option<Type> {
        let ty = self.expr(base)?;
        if high < low {
            self.error(span, "start index in extract must be no bigger than the end index");
            return None;
        }
        let (whole, width) = (self.unifier.bits(high), high - low);
        if !self.unifier.unify(&ty, &whole) {
            let text = self.text(&ty);
            let message =
                |least: u32| format!("extract operand must be a bitvector of at least {least} bits (got {text})");
            let part = self.unifier.bits(width);
            if !self.unifier.unify(&ty, &part) {
                self.error(span, message(width));
                return None;
            }
            // Boogie accepts it, but its solver does not.
            self.late_errors.push(Diagnostic::error(TYPE_ERROR, span, message(high)));
        }
        Some(Type::Bitvector(high - low))
    }
    fn conditional(&mut self, condition: ExprId, then: ExprId, otherwise: ExprId, span: Span) -> Option<Type> {
        let types = self.all(&[condition, then, otherwise]);
        let [condition, then, otherwise] = types.try_into().ok()?;
        if let Some(condition) = condition
            && !self.unifier.unify(&condition, &Type::Bool)
        {
            let text = self.text(&condition);
            self.error(span, format!("the first argument to if-then-else should be bool, not {text}"));
        }
        let (then, otherwise) = (then?, otherwise?);
        if !self.unifier.unify(&then, &otherwise) {
            let (then, otherwise) = (self.text(&then), self.text(&otherwise));
            self.error(span, format!("branches of if-then-else have incompatible types {then} and {otherwise}"));
            return None;
        }
        Some(then)
    }

    /// The datatype of a value, with its type arguments.
    fn datatype(&mut self, ty: &Type, what: &str, span: Span) -> Option<(ConstructorId, Instance)> {
        let head = self.unifier.head(ty);
        if let Type::Named(constructor, args) = &head
            && let Some(datatype) = &self.program.constructors[*constructor].datatype
        {
            return Some((*constructor, datatype.params.iter().copied().zip(args.iter().cloned()).collect()));
        }
        let text = self.text(ty);
        self.error(span, format!("{what} must be applied to a datatype, {text} is not a datatype"));
        None
    }
    fn tester(&mut self, expr: ExprId, value: ExprId, constructor: &Ident) -> Option<Type> {
        let ty = self.expr(value)?;
        let (datatype, _) = self.datatype(&ty, "is-constructor", constructor.span)?;
        let constructors = self.constructors(datatype);
        let found = constructors.iter().find(|found| self.program.functions[**found].name == constructor.name);
        let Some(found) = found.copied() else {
            let name = self.program.constructors[datatype].name.clone();
            let message = format!("datatype {name} does not have a constructor with name {}", constructor.name);
            self.error(constructor.span, message);
            return None;
        };
        self.program.selectors.replace(expr, vec![(found, 0)]);
        Some(Type::Bool)
    }
    fn constructors(&self, datatype: ConstructorId) -> Vec<FunctionId> {
        self.program.constructors[datatype]
            .datatype
            .iter()
            .flat_map(|datatype| &datatype.constructors)
            .copied()
            .collect()
    }
    fn field(&mut self, expr: ExprId, ty: &Type, field: &Ident, what: &str) -> Option<Type> {
        let (selectors, ty) = self.selectors(ty, field, what)?;
        self.program.selectors.replace(expr, selectors);
        Some(ty)
    }
    /// The constructors with a field, its position in each, and its type.
    pub(super) fn selectors(
        &mut self,
        ty: &Type,
        field: &Ident,
        what: &str,
    ) -> Option<(Vec<(FunctionId, usize)>, Type)> {
        let (datatype, instance) = self.datatype(ty, what, field.span)?;
        let mut selectors = Vec::new();
        for constructor in self.constructors(datatype) {
            let params = &self.program.functions[constructor].params;
            let position = params.iter().position(|param| self.program.vars[*param].name == field.name);
            selectors.extend(position.map(|position| (constructor, position)));
        }
        let Some((constructor, position)) = selectors.first().copied() else {
            let name = self.program.constructors[datatype].name.clone();
            self.error(field.span, format!("datatype {name} does not have a field with name {}", field.name));
            return None;
        };
        let param = self.program.functions[constructor].params[position];
        let ty = self.program.vars[param].ty.replace(&instance);
        Some((selectors, ty))
    }
}
