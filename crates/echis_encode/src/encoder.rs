//! The state of the translation, the contexts of expressions, and the names of types and variables.

use crate::names;
use crate::resource::{Behind, Resource, Resources, Wands, signature};
use crate::write::{Blame, Body};
use echis_base::SyntaxId;
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
    pub locals: BTreeMap<LocalId, String>,
    /// The states of `applying` expressions.
    pub applied: BTreeMap<ExprId, St>,
    /// Expressions whose value was already computed.
    pub settled: BTreeMap<ExprId, String>,
    pub result: Option<String>,
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
    /// The names bound in the context: a predicate may be opened in its own body, inside the same quantifiers.
    pub bound: BTreeSet<String>,
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
    pub fn with(&self, locals: impl IntoIterator<Item = (LocalId, String)>) -> ExprContext {
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
    /// The types of values in snapshots.
    pub boxes: BTreeSet<String>,
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
    pub args: Vec<String>,
}

impl<'a> Encoder<'a> {
    pub fn new(program: &'a Program) -> Self {
        Encoder {
            program,
            behind: Behind::new(program),
            wands: Wands::default(),
            body: Body::new(),
            boxes: BTreeSet::new(),
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
    /// A fresh, unconstrained variable of the procedure.
    pub fn fresh(&mut self, base: &str, ty: &str) -> String {
        let name = format!("{base}@{}", self.number()).replace('@', "~");
        self.body.declare(&name, ty);
        name
    }

    // Types.

    pub fn ty(&mut self, ty: &Type, cx: &ExprContext) -> String {
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
    pub fn local_type(&mut self, local: LocalId, cx: &ExprContext) -> String {
        let program = self.program;
        self.ty(&program.locals[local].ty, cx)
    }
    pub fn mangled(&mut self, ty: &Type, cx: &ExprContext) -> String {
        let ty = substitute(ty, &cx.types);
        self.meet(&ty);
        names::mangled(self.program, &ty)
    }
    /// The types of a resource's maps of values and of amounts.
    pub fn map_types(&mut self, resource: Resource) -> (String, String) {
        let keys = self.key_types(resource).join(",");
        let value = self.value_type(resource);
        (format!("[{keys}]{value}"), format!("[{keys}]real"))
    }
    pub fn key_types(&mut self, resource: Resource) -> Vec<String> {
        if let Resource::Wand(kind) = resource {
            return match self.wands.keys[kind].clone() {
                keys if keys.is_empty() => vec!["int".into()],
                keys => keys,
            };
        }
        let cx = ExprContext::new();
        let (keys, _) = signature(self.program, resource);
        match keys.is_empty() {
            true => vec!["int".into()],
            false => keys.iter().map(|key| self.ty(key, &cx)).collect(),
        }
    }
    pub fn value_type(&mut self, resource: Resource) -> String {
        match signature(self.program, resource).1 {
            Some(ty) => self.ty(&ty, &ExprContext::new()),
            None => "Snap".into(),
        }
    }

    // Variables of states.

    pub fn heap(&mut self, st: &St, resource: Resource) -> String {
        format!("{}{}", st.heap, names::resource(self.program, resource))
    }
    pub fn mask(&mut self, prefix: &str, resource: Resource) -> String {
        format!("{prefix}{}", names::resource(self.program, resource))
    }
    /// The heap as a variable of the procedure.
    pub fn heap_var(&mut self, st: &St, resource: Resource) -> String {
        let name = self.heap(st, resource);
        let ty = self.map_types(resource).0;
        self.body.declare(&name, &ty);
        name
    }
    pub fn mask_var(&mut self, prefix: &str, resource: Resource) -> String {
        let name = self.mask(prefix, resource);
        let ty = self.map_types(resource).1;
        self.body.declare(&name, &ty);
        name
    }
    pub fn label_state(&self, label: LabelId) -> St {
        St::named(&format!("{}.", names::label(self.program, label)))
    }
}

/// The keys of a location; a predicate instance without arguments has a number.
pub fn keys(args: Vec<String>) -> Vec<String> {
    if args.is_empty() { vec!["0".into()] } else { args }
}

pub fn let_in(name: Option<String>, value: &str, body: String) -> String {
    match name {
        Some(name) if body != "true" => format!("(var {name} := {value}; {body})"),
        _ => body,
    }
}
