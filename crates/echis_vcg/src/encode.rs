//! Expressions as terms.

use crate::sorts::Sorts;
use echis_boogie::Program;
use echis_boogie::ast::{Binary, ExprId, ExprKind, Quantified, Quantifier, Unary, text_attribute};
use echis_boogie::program::{FunctionId, Meaning, Reference, VarId, VarKind};
use echis_boogie::types::{Instance, MapType, Type};
use echis_term::{Quant, Quantifier as TermQuantifier, Scope, SortId, SymbolId, SymbolKind, TermId, Terms};
use std::collections::{BTreeMap, HashMap};

/// What variables are.
#[derive(Clone, Default, Debug)]
pub struct State {
    pub current: BTreeMap<VarId, TermId>,
    pub old: BTreeMap<VarId, TermId>,
}

/// Whether a proposition is stated or demanded. What stands in both ways counts as neither.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Polarity {
    Stated,
    Demanded,
    Neither,
}

impl Polarity {
    fn flipped(self) -> Self {
        match self {
            Polarity::Stated => Polarity::Demanded,
            Polarity::Demanded => Polarity::Stated,
            Polarity::Neither => Polarity::Neither,
        }
    }
}

/// Where an expression stands.
#[derive(Clone)]
pub struct Env<'s> {
    pub state: &'s State,
    /// Bound variables, inner ones last.
    pub bound: Vec<(VarId, TermId)>,
    pub types: Instance,
    pub in_old: bool,
    pub polarity: Polarity,
}

impl<'s> Env<'s> {
    pub fn new(state: &'s State, types: &Instance, polarity: Polarity) -> Self {
        Env { state, bound: Vec::new(), types: types.clone(), in_old: false, polarity }
    }
    fn with(&self, polarity: Polarity) -> Env<'s> {
        Env { polarity, ..self.clone() }
    }
}

pub struct Encoder<'a> {
    pub program: &'a Program,
    pub terms: Terms,
    pub sorts: Sorts<'a>,
    /// Facts about functions that stand for lambda expressions.
    pub definitions: Vec<TermId>,
    lambdas: HashMap<TermId, SymbolId>,
}

impl<'a> Encoder<'a> {
    pub fn new(program: &'a Program, sorts: Sorts<'a>) -> Self {
        let terms = Terms::new();
        Encoder { program, terms, sorts, definitions: Vec::new(), lambdas: HashMap::new() }
    }
    pub fn sort(&mut self, ty: &Type) -> SortId {
        self.sorts.sort(&mut self.terms, ty)
    }
    /// The type of an expression where type variables mean something.
    fn ty(&self, expr: ExprId, env: &Env<'_>) -> Type {
        self.program.type_of(expr).replace(&env.types)
    }
    /// A constant that nothing else denotes.
    pub fn fresh(&mut self, name: &str, ty: &Type) -> TermId {
        let sort = self.sort(ty);
        self.terms.fresh(&Scope::default(), name, &[], sort)
    }
    /// Something that cannot be expressed: it may be another value for each value of the variables around.
    fn unknown(&mut self, ty: &Type, env: &Env<'_>) -> TermId {
        let sort = self.sort(ty);
        let around: Vec<TermId> = env.bound.iter().map(|(_, value)| *value).collect();
        self.terms.fresh(&Scope::default(), "unknown", &around, sort)
    }
    fn interpreted(&mut self, name: &str, args: &[TermId], result: SortId) -> TermId {
        let params: Vec<SortId> = args.iter().map(|arg| self.terms.sort_of(*arg)).collect();
        let symbol = self.terms.declare(name, params, result, SymbolKind::Interpreted);
        self.terms.app(symbol, args)
    }

    pub fn expr(&mut self, expr: ExprId, env: &Env<'_>) -> TermId {
        stacker::maybe_grow(256 * 1024, 4 * 1024 * 1024, || self.expr_inner(expr, env))
    }
    fn all(&mut self, exprs: &[ExprId], env: &Env<'_>) -> Vec<TermId> {
        let env = env.with(Polarity::Neither);
        exprs.iter().map(|expr| self.expr(*expr, &env)).collect()
    }
    fn value(&mut self, expr: ExprId, env: &Env<'_>) -> TermId {
        self.expr(expr, &env.with(Polarity::Neither))
    }

    fn expr_inner(&mut self, expr: ExprId, env: &Env<'_>) -> TermId {
        let program = self.program;
        match program.kind(expr) {
            ExprKind::Bool(value) => self.terms.bool(*value),
            ExprKind::Int(value) => self.terms.int(value.clone()),
            ExprKind::Real(value) => self.terms.perm(value.clone()),
            ExprKind::Bitvector(value, width) => {
                let sort = self.sort(&Type::Bitvector(*width));
                self.interpreted(&format!("(_ bv{value} {width})"), &[], sort)
            }
            ExprKind::Name(_) => match program.references.get(expr) {
                Some(Reference::Var(var)) => self.var(*var, env),
                _ => self.unknown(&Type::Bool, env),
            },
            ExprKind::Call(_, args) => match program.references.get(expr) {
                Some(Reference::Function(function)) => self.call(expr, *function, args, env),
                _ => self.unknown(&Type::Bool, env),
            },
            ExprKind::Old(inner) => {
                let env = Env { in_old: true, ..env.clone() };
                self.expr(*inner, &env)
            }
            ExprKind::Unary(Unary::Not, inner) => {
                let inner = self.expr(*inner, &env.with(env.polarity.flipped()));
                self.terms.not(inner)
            }
            ExprKind::Unary(Unary::Neg, inner) => {
                let inner = self.value(*inner, env);
                self.terms.neg(inner)
            }
            ExprKind::Binary(op, left, right) => self.binary(*op, *left, *right, env),
            ExprKind::ToInt(inner) => {
                let inner = self.value(*inner, env);
                let sort = self.terms.int_sort();
                self.interpreted("to_int", &[inner], sort)
            }
            ExprKind::ToReal(inner) => {
                let inner = self.value(*inner, env);
                self.terms.to_perm(inner)
            }
            ExprKind::Coerce(inner, _) => self.expr(*inner, env),
            ExprKind::Extract { base, high, low } => {
                let inner = self.value(*base, env);
                if high == low {
                    // No solver has empty bitvectors.
                    return self.unknown(&Type::Bitvector(1), env);
                }
                let sort = self.sort(&Type::Bitvector(high - low));
                self.interpreted(&format!("(_ extract {} {low})", high - 1), &[inner], sort)
            }
            ExprKind::Select(base, args) => {
                let ty = self.ty(*base, env);
                let (map, indices) = (self.value(*base, env), self.all(args, env));
                let instance = self.instance(expr, env);
                self.select(&ty, map, &indices, &instance)
            }
            ExprKind::Store(base, args, value) => {
                let ty = self.ty(*base, env);
                let (map, indices) = (self.value(*base, env), self.all(args, env));
                let value = self.value(*value, env);
                let instance = self.instance(expr, env);
                self.store(&ty, map, &indices, value, &instance)
            }
            ExprKind::Is(value, _) => {
                let ty = self.ty(*value, env);
                let value = self.value(*value, env);
                let constructor = program.selectors.get(expr).and_then(|found| found.first()).map(|found| found.0);
                match constructor {
                    Some(constructor) => self.is(&ty, constructor, value),
                    None => self.unknown(&Type::Bool, env),
                }
            }
            ExprKind::Field(value, _) => {
                let ty = self.ty(*value, env);
                let value = self.value(*value, env);
                let selectors = program.selectors.get(expr).cloned().unwrap_or_default();
                self.field(&ty, &selectors, value)
            }
            ExprKind::Update(value, _, new) => {
                let ty = self.ty(*value, env);
                let (value, new) = (self.value(*value, env), self.value(*new, env));
                let selectors = program.selectors.get(expr).cloned().unwrap_or_default();
                self.update(&ty, &selectors, value, new)
            }
            ExprKind::If(condition, then, otherwise) => {
                let condition = self.value(*condition, env);
                let (then, otherwise) = (self.expr(*then, env), self.expr(*otherwise, env));
                self.terms.ite(condition, then, otherwise)
            }
            ExprKind::Quantified(quantified) if quantified.quantifier == Quantifier::Lambda => {
                self.lambda(expr, quantified, env)
            }
            ExprKind::Quantified(quantified) => self.quantified(expr, quantified, env),
            ExprKind::Let(parts) => {
                let values = self.all(&parts.values, env);
                let vars = program.binders.get(expr).map(|binder| binder.vars.clone()).unwrap_or_default();
                let mut env = env.clone();
                env.bound.extend(vars.into_iter().zip(values));
                self.expr(parts.body, &env)
            }
            ExprKind::Text(_) | ExprKind::Bounds { .. } | ExprKind::Code(_) => self.unknown(&Type::Bool, env),
        }
    }

    fn instance(&self, expr: ExprId, env: &Env<'_>) -> Instance {
        let found = self.program.instances.get(expr);
        found.into_iter().flatten().map(|(param, ty)| (*param, ty.replace(&env.types))).collect()
    }

    pub fn var(&mut self, var: VarId, env: &Env<'_>) -> TermId {
        if let Some((_, value)) = env.bound.iter().rev().find(|(known, _)| *known == var) {
            return *value;
        }
        let variable = &self.program.vars[var];
        if matches!(variable.kind, VarKind::Const { .. }) {
            let (name, ty) = (variable.name.clone(), variable.ty.expanded());
            let sort = self.sort(&ty);
            let symbol = self.terms.declare(name, [], sort, SymbolKind::Function);
            return self.terms.constant(symbol);
        }
        let is_global = variable.kind == VarKind::Global;
        let place = if env.in_old && is_global { &env.state.old } else { &env.state.current };
        match place.get(&var) {
            Some(value) => *value,
            None => {
                let ty = variable.ty.expanded().replace(&env.types);
                self.unknown(&ty, env)
            }
        }
    }

    fn binary(&mut self, op: Binary, left: ExprId, right: ExprId, env: &Env<'_>) -> TermId {
        match op {
            Binary::Implies => {
                let left = self.expr(left, &env.with(env.polarity.flipped()));
                let right = self.expr(right, env);
                return self.terms.implies(left, right);
            }
            Binary::And | Binary::Or => {
                let both = [self.expr(left, env), self.expr(right, env)];
                return if op == Binary::And { self.terms.and(both) } else { self.terms.or(both) };
            }
            _ => {}
        }
        let (left, right) = (self.value(left, env), self.value(right, env));
        match op {
            Binary::Eq | Binary::Iff => self.eq(left, right),
            Binary::Ne => {
                let equal = self.eq(left, right);
                self.terms.not(equal)
            }
            Binary::Lt => self.terms.lt(left, right),
            Binary::Le => self.terms.le(left, right),
            Binary::Gt => self.terms.lt(right, left),
            Binary::Ge => self.terms.le(right, left),
            Binary::Add => self.terms.add(left, right),
            Binary::Sub => self.terms.sub(left, right),
            Binary::Mul => self.terms.mul(left, right),
            Binary::Div => self.terms.div(left, right),
            Binary::Mod => self.terms.modulo(left, right),
            Binary::RealDiv => {
                let (left, right) = (self.as_real(left), self.as_real(right));
                self.terms.perm_div(left, right)
            }
            Binary::Pow => {
                let real = self.terms.perm_sort();
                let symbol = self.terms.declare("real_pow", [real, real], real, SymbolKind::Function);
                self.terms.app(symbol, [left, right])
            }
            Binary::Concat => {
                let width = |text: &str| text.strip_prefix("(_ BitVec ")?.strip_suffix(')')?.parse::<u32>().ok();
                let width_of = |encoder: &Self, term| {
                    let sort = encoder.terms.sort_of(term);
                    match encoder.terms.sort_data(sort) {
                        echis_term::Sort::Interpreted(text) => width(text).unwrap_or(0),
                        _ => 0,
                    }
                };
                let total = width_of(self, left) + width_of(self, right);
                let sort = self.sort(&Type::Bitvector(total));
                self.interpreted("concat", &[left, right], sort)
            }
            Binary::Implies | Binary::And | Binary::Or => self.unknown(&Type::Bool, env),
        }
    }
    /// Values of different types differ.
    pub fn eq(&mut self, left: TermId, right: TermId) -> TermId {
        if self.terms.sort_of(left) != self.terms.sort_of(right) {
            return self.terms.falsity();
        }
        self.terms.eq(left, right)
    }
    fn as_real(&mut self, term: TermId) -> TermId {
        let int = self.terms.int_sort();
        if self.terms.sort_of(term) == int { self.terms.to_perm(term) } else { term }
    }

    fn call(&mut self, expr: ExprId, function: FunctionId, args: &[ExprId], env: &Env<'_>) -> TermId {
        let program = self.program;
        let declared = &program.functions[function];
        let instance = self.instance(expr, env);
        let values = self.all(args, env);
        if let (Some(body), Meaning::Inline | Meaning::Define) = (declared.body, declared.meaning) {
            let state = State::default();
            let bound = declared.params.iter().copied().zip(values).collect();
            let env = Env { state: &state, bound, types: instance, in_old: false, polarity: env.polarity };
            return self.expr(body, &env);
        }
        if declared.datatype.is_some() {
            let ty = declared.result.expanded().replace(&instance);
            let symbol = self.sorts.constructor(&mut self.terms, function, &ty);
            return self.terms.app(symbol, values);
        }
        let (symbol, _) = self.function(function, &instance);
        self.terms.app(symbol, values)
    }
    /// The symbol of a function's instance, and the types that stand for its parameters.
    pub fn function(&mut self, function: FunctionId, instance: &Instance) -> (SymbolId, Vec<Type>) {
        let declared = &self.program.functions[function];
        let types: Vec<Type> =
            declared.type_params.iter().map(|param| instance.get(param).cloned().unwrap_or(Type::Int)).collect();
        let types: Vec<Type> = types.iter().map(Type::canonical).collect();
        self.sorts.met.functions.entry(function).or_default().insert(types.clone());
        let params: Vec<Type> = declared.params.iter().map(|param| self.program.vars[*param].ty.expanded()).collect();
        let params: Vec<SortId> = params.iter().map(|ty| self.sort(&ty.replace(instance))).collect();
        let result_type = declared.result.expanded().replace(instance);
        let result = self.sort(&result_type);
        let builtin = text_attribute(&declared.attributes, "builtin")
            .or_else(|| text_attribute(&declared.attributes, "bvbuiltin"));
        let symbol = match builtin {
            Some(text) => {
                let text = self.builtin(text, &params, result, &result_type);
                self.terms.declare(text, params, result, SymbolKind::Interpreted)
            }
            None => {
                let mut name = declared.name.to_string();
                if !types.is_empty() {
                    let types: Vec<String> = types.iter().map(|ty| ty.text(&self.program.names)).collect();
                    name += &format!("<{}>", types.join(","));
                }
                self.terms.declare(name, params, result, SymbolKind::Function)
            }
        };
        (symbol, types)
    }
    /// The solver's word for an operation on arrays.
    fn builtin(&mut self, text: &str, params: &[SortId], result: SortId, result_type: &Type) -> String {
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
                let element = |ty: &Type| match ty {
                    Type::Map(map) => map.result.clone(),
                    other => other.clone(),
                };
                let _ = element(result_type);
                let value = params.last().map(|sort| sort_text(self, *sort)).unwrap_or_default();
                let value = array_element(&value);
                if text == "MapEq" {
                    format!("(_ map (= ({value} {value}) Bool))")
                } else {
                    format!("(_ map (ite (Bool {value} {value}) {value}))")
                }
            }
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
                self.fresh("unknown", &result)
            }
        }
    }
    /// One dimension after the other.
    fn read(&mut self, shape: &MapType, map: TermId, indices: &[TermId]) -> TermId {
        let mut value = map;
        for (position, index) in indices.iter().enumerate() {
            let rest = Type::map(Vec::new(), shape.args[position + 1..].to_vec(), shape.result.clone());
            let sort = self.sort(&rest);
            value = self.interpreted("select", &[value, *index], sort);
        }
        value
    }
    pub fn store(
        &mut self,
        ty: &Type,
        map: TermId,
        indices: &[TermId],
        value: TermId,
        instance: &Instance,
    ) -> TermId {
        let Type::Map(shape) = ty.head() else { return map };
        if shape.params.is_empty() {
            return self.written(shape, map, indices, value);
        }
        let types: Vec<Type> =
            shape.params.iter().map(|param| instance.get(param).cloned().unwrap_or(Type::Int)).collect();
        let ty = ty.expanded();
        let Some(part) = self.sorts.part(&mut self.terms, &ty, &types) else { return map };
        let Type::Map(shape) = &part.array else { return map };
        let mut parts: Vec<TermId> =
            part.selectors.iter().map(|selector| self.terms.app(*selector, [map])).collect();
        parts[part.position] = self.written(shape, parts[part.position], indices, value);
        self.terms.app(part.make, parts)
    }
    fn written(&mut self, shape: &MapType, map: TermId, indices: &[TermId], value: TermId) -> TermId {
        let Some((index, rest)) = indices.split_first() else { return value };
        let inner_shape =
            MapType { params: Vec::new(), args: shape.args[1..].to_vec(), result: shape.result.clone() };
        let inner = self.read(shape, map, &indices[..1]);
        let inner = self.written(&inner_shape, inner, rest, value);
        let sort = self.terms.sort_of(map);
        self.interpreted("store", &[map, *index, inner], sort)
    }

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
    /// The value with another field. Where it has no such field it stays.
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
    fn only_constructor(&self, ty: &Type) -> bool {
        let Type::Named(constructor, _) = ty else { return false };
        self.program.constructors[*constructor].datatype.as_ref().is_some_and(|datatype| datatype.constructors.len() == 1)
    }
    /// The fields of a value of which the constructor is known.
    pub fn fields(&mut self, ty: &Type, constructor: FunctionId, value: TermId) -> Vec<TermId> {
        let ty = ty.expanded();
        let count = self.program.functions[constructor].params.len();
        let field = |index| {
            let symbol = self.sorts.selector(&mut self.terms, constructor, index, &ty);
            self.terms.app(symbol, [value])
        };
        (0..count).map(field).collect()
    }

    /// Bound variables as symbols. Their names are made of the quantifier's key, so that the same expression is the same
    /// term each time.
    fn bind(&mut self, expr: ExprId, vars: &[VarId], env: &Env<'_>) -> (Vec<SymbolId>, Vec<(VarId, TermId)>) {
        let mut symbols = Vec::new();
        let mut bound = Vec::new();
        for var in vars {
            let (name, ty) = (self.program.vars[*var].name.clone(), self.program.vars[*var].ty.expanded());
            let sort = self.sort(&ty.replace(&env.types));
            let symbol = self.terms.declare(format!("{name}#{expr}"), [], sort, SymbolKind::Bound);
            symbols.push(symbol);
            bound.push((*var, self.terms.constant(symbol)));
        }
        (symbols, bound)
    }

    fn quantified(&mut self, expr: ExprId, quantified: &Quantified, env: &Env<'_>) -> TermId {
        let program = self.program;
        let Some(binder) = program.binders.get(expr) else { return self.unknown(&Type::Bool, env) };
        if binder.type_params.is_empty() {
            return self.quantified_at(expr, quantified, env);
        }
        let is_forall = quantified.quantifier == Quantifier::Forall;
        // For all types, demanded: for one of which nothing is known. Stated: for those that matter.
        let arbitrary = match env.polarity {
            Polarity::Demanded => is_forall,
            Polarity::Stated => !is_forall,
            Polarity::Neither => return self.unknown(&Type::Bool, env),
        };
        if arbitrary {
            let mut env = env.clone();
            env.types.extend(binder.type_params.iter().map(|param| (*param, Type::Var(*param))));
            return self.quantified_at(expr, quantified, &env);
        }
        let choices = crate::instances::choices(program, &self.sorts.met, expr, &env.types);
        let instances: Vec<TermId> = choices
            .into_iter()
            .map(|choice| {
                let mut env = env.clone();
                env.types.extend(choice);
                self.quantified_at(expr, quantified, &env)
            })
            .collect();
        if is_forall { self.terms.and(instances) } else { self.terms.or(instances) }
    }
    fn quantified_at(&mut self, expr: ExprId, quantified: &Quantified, env: &Env<'_>) -> TermId {
        let vars = self.program.binders.get(expr).map(|binder| binder.vars.clone()).unwrap_or_default();
        let (symbols, bound) = self.bind(expr, &vars, env);
        let mut env = env.clone();
        env.bound.extend(bound);
        let body = self.expr(quantified.body, &env);
        if symbols.is_empty() {
            return body;
        }
        let mut triggers = Vec::new();
        for trigger in &quantified.triggers {
            triggers.push(self.all(trigger, &env).into_boxed_slice());
        }
        // Solvers refuse triggers that do not mention all variables, which simplification may have caused.
        triggers.retain(|trigger: &Box<[TermId]>| {
            symbols.iter().all(|symbol| trigger.iter().any(|term| self.terms.is_free(*symbol, *term)))
        });
        if triggers.is_empty() && !quantified.excluded.is_empty() {
            let excluded = self.all(&quantified.excluded, &env);
            triggers = self.other_triggers(body, &symbols, &excluded);
        }
        let weight = self.program.tree.number_attribute(&quantified.attributes, "weight");
        let weight = weight.and_then(|weight| u32::try_from(weight.clone()).ok());
        let name = text_attribute(&quantified.attributes, "qid").cloned().unwrap_or_else(|| expr.to_string().into());
        let quantifier = match quantified.quantifier {
            Quantifier::Exists => TermQuantifier::Exists,
            Quantifier::Forall | Quantifier::Lambda => TermQuantifier::Forall,
        };
        let vars = symbols.into_boxed_slice();
        self.terms.quant(Quant { quantifier, vars, triggers: triggers.into(), body, weight, name })
    }

    /// `{:nopats}`: the smallest applications that mention all variables, without the excluded ones.
    fn other_triggers(&self, body: TermId, vars: &[SymbolId], excluded: &[TermId]) -> Vec<Box<[TermId]>> {
        let mut found: Vec<TermId> = Vec::new();
        self.terms.for_each_subterm(body, |term| {
            let is_application = match self.terms.kind(term) {
                echis_term::TermKind::App(symbol, args) => {
                    !args.is_empty() && self.terms.symbol(*symbol).kind == SymbolKind::Function
                }
                _ => false,
            };
            if is_application
                && !excluded.contains(&term)
                && vars.iter().all(|var| self.terms.is_free(*var, term))
                && self.terms.term(term).free.iter().all(|free| vars.contains(free))
            {
                found.push(term);
            }
        });
        found.sort();
        found.dedup();
        let contains = |outer: TermId, inner: TermId| {
            let mut inside = false;
            self.terms.for_each_subterm(outer, |term| inside |= term == inner && term != outer);
            inside
        };
        let smallest = found.iter().filter(|outer| !found.iter().any(|inner| contains(**outer, *inner)));
        smallest.map(|term| Box::from([*term])).collect()
    }

    /// A function of what the body mentions from outside, with an axiom that says what its value is at each index.
    /// Bodies that differ only in what they mention share the function.
    fn lambda(&mut self, expr: ExprId, quantified: &Quantified, env: &Env<'_>) -> TermId {
        let ty = self.ty(expr, env);
        let Type::Map(shape) = ty.clone() else { return self.unknown(&Type::Int, env) };
        if !shape.params.is_empty() {
            return self.polymorphic_lambda(expr, quantified, &ty, &shape, env);
        }
        let vars = self.program.binders.get(expr).map(|binder| binder.vars.clone()).unwrap_or_default();
        self.lambda_at(expr, quantified.body, &vars, &shape, env)
    }
    fn lambda_at(&mut self, expr: ExprId, body: ExprId, vars: &[VarId], shape: &MapType, env: &Env<'_>) -> TermId {
        let (own, _) = self.bind(expr, vars, env);
        // Names that do not depend on which expression it is.
        let mut symbols = Vec::new();
        let mut bound = Vec::new();
        for (position, (var, symbol)) in vars.iter().zip(&own).enumerate() {
            let sort = self.terms.symbol(*symbol).result;
            // Another one than any that the values around mention.
            let mut depth = 0;
            let symbol = loop {
                let symbol = self.terms.declare(format!("index#{depth}.{position}"), [], sort, SymbolKind::Bound);
                if !env.bound.iter().any(|(_, value)| self.terms.is_free(symbol, *value)) {
                    break symbol;
                }
                depth += 1;
            };
            symbols.push(symbol);
            bound.push((*var, self.terms.constant(symbol)));
        }
        let mut inner = env.with(Polarity::Neither);
        inner.bound.extend(bound.iter().copied());
        let value = self.expr(body, &inner);
        let mut holes = Vec::new();
        let template = self.template(value, &symbols, &mut holes);
        let map_type = Type::Map(std::sync::Arc::new(shape.clone()));
        let result = self.sort(&map_type);
        let symbol = match self.lambdas.get(&template) {
            Some(symbol) if self.terms.symbol(*symbol).result == result => *symbol,
            _ => {
                let args: Vec<TermId> = holes.iter().map(|(_, hole)| self.terms.constant(*hole)).collect();
                let map = self.terms.fresh(&Scope::default(), "lambda", &args, result);
                let echis_term::TermKind::App(symbol, _) = *self.terms.kind(map) else { return map };
                self.lambdas.insert(template, symbol);
                let indices: Vec<TermId> = symbols.iter().map(|symbol| self.terms.constant(*symbol)).collect();
                let read = self.read(shape, map, &indices);
                let body = self.eq(read, template);
                let all: Vec<SymbolId> = holes.iter().map(|(_, hole)| *hole).chain(symbols).collect();
                let axiom = self.terms.forall(&all, vec![vec![read]], body, "lambda");
                self.definitions.push(axiom);
                symbol
            }
        };
        let args: Vec<TermId> = holes.iter().map(|(term, _)| *term).collect();
        self.terms.app(symbol, args)
    }
    /// The term with variables in place of its largest parts that do not mention the bound ones.
    fn template(&mut self, term: TermId, own: &[SymbolId], holes: &mut Vec<(TermId, SymbolId)>) -> TermId {
        let mentions = |terms: &Terms, term: TermId| own.iter().any(|symbol| terms.is_free(*symbol, term));
        if !mentions(&self.terms, term) {
            let is_literal = matches!(
                self.terms.kind(term),
                echis_term::TermKind::Bool(_) | echis_term::TermKind::Int(_) | echis_term::TermKind::Perm(_)
            );
            if is_literal {
                return term;
            }
            if let Some((_, hole)) = holes.iter().find(|(known, _)| *known == term) {
                return self.terms.constant(*hole);
            }
            let sort = self.terms.sort_of(term);
            let hole = self.terms.declare(format!("hole#{}", holes.len()), [], sort, SymbolKind::Bound);
            holes.push((term, hole));
            return self.terms.constant(hole);
        }
        match self.terms.kind(term).clone() {
            echis_term::TermKind::App(symbol, args) if !args.is_empty() => {
                let args: Vec<TermId> = args.iter().map(|arg| self.template(*arg, own, holes)).collect();
                self.terms.app(symbol, args)
            }
            echis_term::TermKind::Op(op, args) => {
                let args: Vec<TermId> = args.iter().map(|arg| self.template(*arg, own, holes)).collect();
                self.terms.rebuild(op, &args)
            }
            echis_term::TermKind::Quant(quant) => {
                // What the inner quantifier binds belongs to the body, too.
                let inner: Vec<SymbolId> = own.iter().chain(quant.vars.iter()).copied().collect();
                let body = self.template(quant.body, &inner, holes);
                let triggers = quant
                    .triggers
                    .iter()
                    .map(|set| set.iter().map(|term| self.template(*term, &inner, holes)).collect())
                    .collect();
                self.terms.quant(Quant { body, triggers, ..*quant })
            }
            _ => term,
        }
    }
    /// A record of arrays, each of them the lambda at one instance.
    fn polymorphic_lambda(
        &mut self,
        expr: ExprId,
        quantified: &Quantified,
        ty: &Type,
        shape: &MapType,
        env: &Env<'_>,
    ) -> TermId {
        let vars = self.program.binders.get(expr).map(|binder| binder.vars.clone()).unwrap_or_default();
        let params = self.program.binders.get(expr).map(|binder| binder.type_params.clone()).unwrap_or_default();
        let ty = ty.expanded();
        let known: Vec<Vec<Type>> = self.sorts.met.maps.get(&ty.canonical()).into_iter().flatten().cloned().collect();
        let Some(first) = known.first() else { return self.unknown(&ty, env) };
        let Some(part) = self.sorts.part(&mut self.terms, &ty, first) else { return self.unknown(&ty, env) };
        if part.selectors.len() != known.len() {
            return self.unknown(&ty, env);
        }
        let mut arrays = Vec::new();
        for types in &known {
            // The map's parameters may stand in another order than the lambda's.
            let mut inner = env.clone();
            for (param, ty) in shape.params.iter().zip(types) {
                let name = &self.program.names.vars[*param];
                let own = params.iter().find(|own| self.program.names.vars[**own] == *name);
                inner.types.insert(*own.unwrap_or(param), ty.clone());
            }
            let instance: Instance = shape.params.iter().copied().zip(types.iter().cloned()).collect();
            let args = shape.args.iter().map(|arg| arg.replace(&instance)).collect();
            let at = MapType { params: Vec::new(), args, result: shape.result.replace(&instance) };
            arrays.push(self.lambda_at(expr, quantified.body, &vars, &at, &inner));
        }
        self.terms.app(part.make, arrays)
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
