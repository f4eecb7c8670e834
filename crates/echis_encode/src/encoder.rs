//! The state of the translation, the contexts of expressions, and the names of types and variables.

use crate::names;
use crate::resource::{Behind, Resource, Resources, Wands, signature};
use crate::write::{Blame, Body};
use echis_base::{Name, SyntaxId};
use echis_boogie::build::{self, Expr};
use echis_program::program::{
    DecreasesTuple, DomainFunctionId, ExprId, ExprKind, LabelId, LocalId, PredicateId, Program, Type,
};
use echis_program::reach::substitute;
use std::collections::{BTreeMap, BTreeSet};

/// Maximum length of the text of an expression.
pub const LONGEST: usize = 200_000;

/// An unsupported construct.
#[derive(Clone, Debug)]
pub struct Unknown {
    pub at: SyntaxId,
    pub message: String,
}
pub type Result<T> = std::result::Result<T, Unknown>;

/// The prefixes of the variables that make up a state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct St {
    pub heap: String,
    pub mask: String,
}

impl St {
    pub fn named(name: &str) -> Self {
        St { heap: format!("{name}H."), mask: format!("{name}M.") }
    }
}

/// Whether the postcondition of an application may be used while its own component of the call graph is being verified.
/// The module `exec::function` of `echis_exec` has the argument; both engines follow it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Induction {
    Unavailable,
    /// For applications that the evaluation of a body of a function of this height makes.
    Calls(u32),
    /// For every application in the text, since each is shown to have a smaller measure.
    Measured(u32),
}

/// The context of an expression.
#[derive(Clone)]
pub struct ExprContext {
    pub now: St,
    /// The mask for `perm` and `forperm`: the remainder while permission is given away.
    pub left: String,
    pub old: St,
    /// `old[lhs]`: the left side of the wand that is being packaged or applied.
    pub left_side: Option<St>,
    pub locals: BTreeMap<LocalId, Expr>,
    /// The states of `applying` expressions.
    pub applied: BTreeMap<ExprId, St>,
    /// Expressions whose value was settled before.
    pub settled: BTreeMap<ExprId, Expr>,
    pub result: Option<Expr>,
    pub types: Vec<Type>,
    /// Functions of this cycle are not unrolled here.
    pub limited: Option<u32>,
    /// No facts may be assumed about applications of functions of this cycle.
    pub unknown: Option<u32>,
    pub induction: Induction,
    /// Whether the assumed half of `[a, b]` counts.
    pub assumed: bool,
    /// Whether amounts only decide if a location may be read.
    pub any: bool,
    /// The error for amounts and locations in text that is otherwise known to be defined: the body of an opened
    /// instance, or a callee's postcondition.
    pub amounts: Option<Blame>,
    /// Whether the condition of `asserting` is being checked, so that it is not a fact.
    pub doubts: bool,
    /// The opened predicates: facts about one that unfolds itself would not end.
    pub opened: Vec<PredicateId>,
    /// Whether in a trigger, where versions of functions that are not unrolled are used.
    pub trigger: bool,
    /// The names that are bound around: a predicate may be opened in its own body, below the same quantifiers.
    pub bound: BTreeSet<Name>,
}

impl ExprContext {
    pub fn new() -> Self {
        let now = St::named("");
        ExprContext {
            left: now.mask.clone(),
            now,
            old: St::named("old."),
            left_side: None,
            locals: BTreeMap::new(),
            applied: BTreeMap::new(),
            settled: BTreeMap::new(),
            result: None,
            types: Vec::new(),
            limited: None,
            unknown: None,
            induction: Induction::Unavailable,
            assumed: true,
            any: false,
            amounts: None,
            doubts: false,
            opened: Vec::new(),
            trigger: false,
            bound: BTreeSet::new(),
        }
    }
    pub fn at(&self, st: &St) -> ExprContext {
        ExprContext { now: st.clone(), left: st.mask.clone(), ..self.clone() }
    }
    /// For text of the member that its evaluation does not reach: assertions, and bodies of opened predicates.
    pub fn unevaluated(&self) -> ExprContext {
        match self.induction {
            Induction::Measured(_) => self.clone(),
            Induction::Unavailable | Induction::Calls(_) => self.foreign(),
        }
    }
    /// For text that does not belong to the member.
    pub fn foreign(&self) -> ExprContext {
        ExprContext { induction: Induction::Unavailable, ..self.clone() }
    }
    pub fn with(&self, locals: impl IntoIterator<Item = (LocalId, Expr)>) -> ExprContext {
        let mut cx = self.clone();
        cx.locals.extend(locals);
        cx
    }
}

/// The measure of the translated member.
#[derive(Clone)]
pub struct Promise {
    pub tuple: DecreasesTuple,
    /// The state in which its measures are evaluated: that of the start.
    pub start: St,
    /// The cycle of calls that it belongs to.
    pub cycle: u32,
}

pub struct Encoder<'a> {
    pub program: &'a Program,
    pub behind: Behind,
    pub wands: Wands,
    pub body: Body,
    /// The types of values in snapshots, by their text.
    pub boxes: BTreeMap<String, build::Type>,
    /// Variables for some positive amount.
    pub positive: BTreeSet<Name>,
    /// Variables for amounts that may be chosen as small as they have to be.
    pub open: BTreeSet<Name>,
    pub types: BTreeSet<Type>,
    pub domain_functions: BTreeSet<(DomainFunctionId, Vec<Type>)>,
    /// The resources that the member can read.
    pub resources: Resources,
    /// Variables that have a value in the member.
    pub scope: BTreeSet<LocalId>,
    /// Labels passed so far.
    pub passed: BTreeSet<LabelId>,
    pub promise: Option<Promise>,
    pub in_function: bool,
    fresh: usize,
}

/// A location: a resource and its arguments.
pub struct ResourceInstance {
    pub resource: Resource,
    pub args: Vec<Expr>,
}

impl<'a> Encoder<'a> {
    pub fn new(program: &'a Program) -> Self {
        Encoder {
            program,
            behind: Behind::new(program),
            wands: Wands::default(),
            body: Body::new(),
            boxes: BTreeMap::new(),
            positive: BTreeSet::new(),
            open: BTreeSet::new(),
            types: BTreeSet::new(),
            domain_functions: BTreeSet::new(),
            resources: Resources::new(),
            scope: BTreeSet::new(),
            passed: BTreeSet::new(),
            promise: None,
            in_function: false,
            fresh: 0,
        }
    }
    pub fn unknown<T>(&self, at: SyntaxId, message: &str) -> Result<T> {
        Err(Unknown { at, message: message.to_string() })
    }
    pub fn id(&self, expr: ExprId) -> SyntaxId {
        self.program.exprs[expr].id
    }
    /// Whether the clauses contain `[a, b]`. If so, the exhaled clauses are not the ones that were found to be
    /// defined when they were assumed: `b` was not checked, and what follows `a` may be defined only because of it.
    pub fn have_halves(&self, clauses: &[ExprId]) -> bool {
        clauses.iter().any(|clause| self.program.any(*clause, |kind| matches!(kind, ExprKind::InhaleExhale(..))))
    }
    /// A unique number.
    pub fn number(&mut self) -> usize {
        self.fresh += 1;
        self.fresh
    }
    /// A new variable of the procedure, of which nothing is known.
    pub fn fresh(&mut self, base: &str, ty: &build::Type) -> Expr {
        let name: Name = format!("{base}~{}", self.number()).into();
        self.body.declare(&name, ty)
    }
    /// A variable for some positive amount.
    pub fn fresh_part(&mut self) -> Expr {
        let part = self.fresh("part", &build::Type::Real);
        self.positive.extend(part.name().cloned());
        part
    }
    /// A variable for an amount that may be chosen as small as it has to be.
    pub fn fresh_open(&mut self) -> Expr {
        let open = self.fresh("open", &build::Type::Real);
        self.open.extend(open.name().cloned());
        open
    }
    /// Whether the amount is known to be positive.
    pub fn is_positive(&self, amount: &Expr) -> bool {
        amount.is_one() || amount.name().is_some_and(|name| self.positive.contains(name))
    }
    /// Whether the scale may be chosen as small as it has to be.
    pub fn is_open(&self, scale: Option<&Expr>) -> bool {
        scale.and_then(Expr::name).is_some_and(|name| self.open.contains(name))
    }

    // Types.

    pub fn ty(&mut self, ty: &Type, cx: &ExprContext) -> build::Type {
        let ty = substitute(ty, &cx.types);
        self.meet(&ty);
        names::ty(self.program, &ty)
    }
    pub fn meet(&mut self, ty: &Type) {
        if self.types.insert(ty.clone()) {
            match ty {
                Type::Seq(item) | Type::Multiset(item) | Type::Set(item) => self.meet(item),
                Type::Map(from, to) => {
                    self.meet(from);
                    self.meet(to);
                    self.meet(&Type::Set(from.clone()));
                    self.meet(&Type::Set(to.clone()));
                }
                Type::Domain(_, args) => args.iter().for_each(|arg| self.meet(arg)),
                _ => {}
            }
        }
    }
    pub fn local_type(&mut self, local: LocalId, cx: &ExprContext) -> build::Type {
        let program = self.program;
        self.ty(&program.locals[local].ty, cx)
    }
    pub fn mangled(&mut self, ty: &Type, cx: &ExprContext) -> String {
        let ty = substitute(ty, &cx.types);
        self.meet(&ty);
        names::mangled(self.program, &ty)
    }
    /// The types of a resource's maps of values and of amounts.
    pub fn map_types(&mut self, resource: Resource) -> (build::Type, build::Type) {
        let keys = self.key_types(resource);
        let value = self.value_type(resource);
        (build::Type::map(keys.clone(), value), build::Type::map(keys, build::Type::Real))
    }
    pub fn key_types(&mut self, resource: Resource) -> Vec<build::Type> {
        if let Resource::Wand(kind) = resource {
            return match self.wands.keys[kind].clone() {
                keys if keys.is_empty() => vec![build::Type::Int],
                keys => keys,
            };
        }
        let cx = ExprContext::new();
        let (keys, _) = signature(self.program, resource);
        match keys.is_empty() {
            true => vec![build::Type::Int],
            false => keys.iter().map(|key| self.ty(key, &cx)).collect(),
        }
    }
    pub fn value_type(&mut self, resource: Resource) -> build::Type {
        match signature(self.program, resource).1 {
            Some(ty) => self.ty(&ty, &ExprContext::new()),
            None => names::snapshot(),
        }
    }

    // Variables of states.

    pub fn heap(&self, st: &St, resource: Resource) -> Expr {
        build::var(format!("{}{}", st.heap, names::resource(self.program, resource)))
    }
    pub fn mask(&self, prefix: &str, resource: Resource) -> Expr {
        build::var(format!("{prefix}{}", names::resource(self.program, resource)))
    }
    /// The heap as a variable of the procedure.
    pub fn heap_var(&mut self, st: &St, resource: Resource) -> Expr {
        let ty = self.map_types(resource).0;
        self.state_var(&st.heap, resource, &ty)
    }
    pub fn mask_var(&mut self, prefix: &str, resource: Resource) -> Expr {
        let ty = self.map_types(resource).1;
        self.state_var(prefix, resource, &ty)
    }
    /// A variable of the procedure for a resource.
    pub fn state_var(&mut self, prefix: &str, resource: Resource, ty: &build::Type) -> Expr {
        let name: Name = format!("{prefix}{}", names::resource(self.program, resource)).into();
        self.body.declare(&name, ty)
    }
    pub fn label_state(&self, label: LabelId) -> St {
        St::named(&format!("{}.", names::label(self.program, label)))
    }
}

/// What locates a predicate instance without arguments is a number.
pub fn keys(args: Vec<Expr>) -> Vec<Expr> {
    if args.is_empty() { vec![build::int(0)] } else { args }
}

pub fn let_in(name: Option<Name>, value: &Expr, body: Expr) -> Expr {
    match name {
        Some(name) if !body.is_true() => build::let_in(name, value, body),
        _ => body,
    }
}
