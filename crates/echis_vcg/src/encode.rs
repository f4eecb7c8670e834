//! Translates expressions to terms.

mod assign;
mod code;
mod fields;
mod floats;
mod lambda;
mod maps;
mod quantified;
mod triggers;
mod type_overlap;

use crate::sorts::Sorts;
use echis_base::FastMap;
use echis_boogie::Program;
use echis_boogie::ast::{Binary, ExprId, ExprKind, Quantifier, Unary};
use echis_boogie::attributes::{Known, text_attribute};
use echis_boogie::program::{FunctionId, Meaning, Reference, VarId, VarKind};
use echis_boogie::types::{Instance, Type, TypeVar};
use echis_term::{FreshRole, Made, Scope, SortId, SymbolId, SymbolRole, TermId, Terms};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The values of variables.
#[derive(Clone, Default, Debug)]
pub struct State {
    pub current: BTreeMap<VarId, TermId>,
    pub old: BTreeMap<VarId, TermId>,
}

/// Whether a proposition is stated or demanded. Positions with both polarities count as neither.
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

/// The context of an expression.
#[derive(Clone)]
pub struct Env<'s> {
    pub state: &'s State,
    /// Bound variables, innermost last.
    pub bound: Vec<(VarId, TermId)>,
    pub types: Instance,
    pub in_old: bool,
    pub polarity: Polarity,
    /// Whether bound variables are in scope: the witness of an existential may differ for each of their values.
    pub varies: bool,
}

impl<'s> Env<'s> {
    pub fn new(state: &'s State, types: &Instance, polarity: Polarity) -> Self {
        Env { state, bound: Vec::new(), types: types.clone(), in_old: false, polarity, varies: false }
    }
    fn with(&self, polarity: Polarity) -> Env<'s> {
        Env { polarity, ..self.clone() }
    }
}

/// The symbol of a function at some types, and the types of its parameters and its result.
type Signature = (SymbolId, Arc<[Type]>);

pub struct Encoder<'a> {
    pub program: &'a Program,
    pub terms: Terms,
    pub sorts: Sorts<'a>,
    /// Facts about functions that represent lambda expressions.
    pub definitions: Vec<TermId>,
    lambdas: FastMap<TermId, SymbolId>,
    other_lambdas: BTreeMap<Vec<TermId>, SymbolId>,
    /// Functions that write maps, with stated read-over-write facts.
    written_rests: BTreeSet<SymbolId>,
    /// The types that a witness differs from; the quantifier is also instantiated for these.
    excluded: BTreeMap<TypeVar, BTreeSet<Type>>,
    never_patterns: BTreeSet<SymbolId>,
    /// The symbols of functions at types, with the types of their parameters and results.
    functions: FastMap<(FunctionId, Vec<Type>), Signature>,
    constants: FastMap<VarId, TermId>,
    /// Number of evaluations of each quantifier over types.
    evaluated: FastMap<ExprId, usize>,
}

impl<'a> Encoder<'a> {
    pub fn new(program: &'a Program, sorts: Sorts<'a>) -> Self {
        Encoder {
            program,
            terms: Terms::new(),
            sorts,
            definitions: Vec::new(),
            lambdas: FastMap::default(),
            other_lambdas: BTreeMap::new(),
            written_rests: BTreeSet::new(),
            excluded: BTreeMap::new(),
            never_patterns: BTreeSet::new(),
            functions: FastMap::default(),
            constants: FastMap::default(),
            evaluated: FastMap::default(),
        }
    }
    pub fn sort(&mut self, ty: &Type) -> SortId {
        self.sorts.sort(&mut self.terms, ty)
    }
    /// The type of an expression, with type variables instantiated.
    fn ty(&self, expr: ExprId, env: &Env<'_>) -> Type {
        self.program.type_of(expr).replace(&env.types)
    }
    /// A fresh constant.
    pub fn fresh(&mut self, role: impl Into<FreshRole>, ty: &Type) -> TermId {
        let sort = self.sort(ty);
        self.terms.fresh(&Scope::default(), role, &[], sort)
    }
    /// An unsupported expression: its value is unknown, and may differ for each value of the bound variables.
    fn unknown(&mut self, ty: &Type, env: &Env<'_>) -> TermId {
        let sort = self.sort(ty);
        let around: Vec<TermId> = env.bound.iter().map(|(_, value)| *value).collect();
        self.terms.fresh(&Scope::default(), Made::Unknown, &around, sort)
    }
    fn interpreted(&mut self, text: &str, args: &[TermId], result: SortId) -> TermId {
        self.apply(SymbolRole::interpreted(text), args, result)
    }
    fn apply(&mut self, role: SymbolRole, args: &[TermId], result: SortId) -> TermId {
        let params: Vec<SortId> = args.iter().map(|arg| self.terms.sort_of(*arg)).collect();
        let symbol = self.terms.declare(role, params, result);
        self.terms.app(symbol, args)
    }

    pub fn expr(&mut self, expr: ExprId, env: &Env<'_>) -> TermId {
        stacker::maybe_grow(256 * 1024, 4 * 1024 * 1024, || self.expr_inner(expr, env))
    }
    /// An expression at a position with this polarity. The environment is copied only if it changes.
    fn expr_at(&mut self, expr: ExprId, env: &Env<'_>, polarity: Polarity) -> TermId {
        if env.polarity == polarity { self.expr(expr, env) } else { self.expr(expr, &env.with(polarity)) }
    }
    fn all(&mut self, exprs: &[ExprId], env: &Env<'_>) -> Vec<TermId> {
        if env.polarity != Polarity::Neither {
            return self.all(exprs, &env.with(Polarity::Neither));
        }
        exprs.iter().map(|expr| self.expr(*expr, env)).collect()
    }
    fn value(&mut self, expr: ExprId, env: &Env<'_>) -> TermId {
        self.expr_at(expr, env, Polarity::Neither)
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
            ExprKind::Float(float) => self.float(float),
            ExprKind::RoundingMode(mode) => {
                let sort = self.sort(&Type::RoundingMode);
                self.interpreted(mode, &[], sort)
            }
            ExprKind::Text(text) => {
                let sort = self.sort(&Type::Text);
                let literal = format!("\"{}\"", text.replace('"', "\"\""));
                self.interpreted(&literal, &[], sort)
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
                let inner = self.expr_at(*inner, env, env.polarity.flipped());
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
                    // Solvers have no empty bitvectors.
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
            ExprKind::Code(_) => self.code(expr, env),
            ExprKind::Bounds { .. } => self.unknown(&Type::Bool, env),
        }
    }

    fn instance(&self, expr: ExprId, env: &Env<'_>) -> Instance {
        let found = self.program.instances.get(expr);
        found.into_iter().flatten().map(|(param, ty)| (*param, ty.replace(&env.types))).collect()
    }

    pub fn var(&mut self, var: VarId, env: &Env<'_>) -> TermId {
        let variable = &self.program.vars[var];
        let is_old = env.in_old && variable.kind == VarKind::Global;
        if let Some((_, value)) = env.bound.iter().rev().find(|(known, _)| *known == var)
            && !is_old
        {
            return *value;
        }
        if matches!(variable.kind, VarKind::Const { .. }) {
            let sort = self.sort(&variable.ty);
            if let Some(constant) = self.constants.get(&var) {
                return *constant;
            }
            let symbol = self.terms.declare(SymbolRole::BoogieConstant(variable.name.clone()), [], sort);
            let constant = self.terms.constant(symbol);
            self.constants.insert(var, constant);
            return constant;
        }
        let place = if is_old { &env.state.old } else { &env.state.current };
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
                let left = self.expr_at(left, env, env.polarity.flipped());
                let right = self.expr(right, env);
                return self.terms.implies(left, right);
            }
            Binary::And | Binary::Or => {
                let both = [self.expr(left, env), self.expr(right, env)];
                return if op == Binary::And { self.terms.and(both) } else { self.terms.or(both) };
            }
            _ => {}
        }
        if let Binary::Eq | Binary::Ne = op {
            let types = [self.ty(left, env), self.ty(right, env)];
            let (left, right) = (self.value(left, env), self.value(right, env));
            let equal = match self.float_comparison(Binary::Eq, left, right) {
                Some(equal) => equal,
                None => self.eq_of([&types[0], &types[1]], left, right),
            };
            return if op == Binary::Eq { equal } else { self.terms.not(equal) };
        }
        let (left, right) = (self.value(left, env), self.value(right, env));
        if let Some(result) = self.float_operation(op, left, right) {
            return result;
        }
        match op {
            Binary::Iff => self.eq(left, right),
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
                let symbol = self.terms.declare(SymbolRole::Uninterpreted("real_pow".into()), [real, real], real);
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
            Binary::Implies | Binary::And | Binary::Or | Binary::Eq | Binary::Ne => self.unknown(&Type::Bool, env),
        }
    }
    /// An equation; values of different types differ.
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
            let env = Env { state: &state, bound, types: instance, in_old: false, ..env.clone() };
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
    /// The symbol of a function's instance, and the types of its parameters.
    pub fn function(&mut self, function: FunctionId, instance: &Instance) -> (SymbolId, Vec<Type>) {
        let declared = &self.program.functions[function];
        let types: Vec<Type> =
            declared.type_params.iter().map(|param| instance.get(param).cloned().unwrap_or(Type::Int)).collect();
        let types: Vec<Type> = types.iter().map(|ty| self.sorts.canonical(ty)).collect();
        self.sorts.met.functions.entry(function).or_default().insert(types.clone());
        let key = (function, types);
        if let Some((symbol, signature)) = self.functions.get(&key) {
            let (symbol, signature) = (*symbol, signature.clone());
            for ty in &*signature {
                self.sort(ty);
            }
            return (symbol, key.1);
        }
        let types = key.1;
        let params = declared.params.iter().map(|param| &self.program.vars[*param].ty);
        let signature: Arc<[Type]> =
            params.chain([&declared.result]).map(|ty| ty.expanded().replace(instance)).collect();
        let mut params: Vec<SortId> = signature.iter().map(|ty| self.sort(ty)).collect();
        let result = params.pop().unwrap_or_else(|| self.terms.bool_sort());
        let builtin = text_attribute(&declared.attributes, Known::Builtin)
            .or_else(|| text_attribute(&declared.attributes, Known::BvBuiltin));
        let symbol = match builtin {
            Some(text) => {
                let text = self.builtin(text, &params, result);
                self.terms.declare(SymbolRole::interpreted(text), params, result)
            }
            None => {
                let texts: Vec<String> = types.iter().map(|ty| ty.text(&self.sorts.names)).collect();
                let type_args = if texts.is_empty() { String::new() } else { format!("<{}>", texts.join(",")) };
                let role = SymbolRole::BoogieFunction { function: declared.name.clone(), type_args: type_args.into() };
                self.terms.declare(role, params, result)
            }
        };
        if self.program.tree.is_on(&declared.attributes, Known::NeverPattern) {
            self.never_patterns.insert(symbol);
        }
        self.functions.insert((function, types.clone()), (symbol, signature));
        (symbol, types)
    }

    /// Bound variables as symbols. Their names derive from the quantifier's key, so that the same expression is
    /// always the same term.
    fn bind(&mut self, expr: ExprId, vars: &[VarId], env: &Env<'_>) -> (Vec<SymbolId>, Vec<(VarId, TermId)>) {
        let mut symbols = Vec::new();
        let mut bound = Vec::new();
        for var in vars {
            let (name, ty) = (self.program.vars[*var].name.clone(), self.program.vars[*var].ty.expanded());
            let sort = self.sort(&ty.replace(&env.types));
            let role = SymbolRole::VariableAt { base: name, place: expr.to_string().into() };
            let symbol = self.terms.declare(role, [], sort);
            symbols.push(symbol);
            bound.push((*var, self.terms.constant(symbol)));
        }
        (symbols, bound)
    }
}
