//! Expressions as values: copies share their parts.

use super::Type;
use crate::ast::{Binary, Quantifier, Unary};
use dashu::{Integer, Rational};
use echis_base::Name;
use std::rc::Rc;

#[derive(Clone, Debug)]
pub struct Expr(Rc<Node>);

#[derive(Debug)]
struct Node {
    kind: Kind,
    /// How many characters its text has, as a tree.
    length: usize,
}

#[derive(PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Bool(bool),
    /// Not negative.
    Int(Integer),
    /// A decimal that is not negative.
    Real(Rational),
    Name(Name),
    Call(Name, Vec<Expr>),
    Unary(Unary, Expr),
    Binary(Binary, Expr, Expr),
    /// Two or more.
    All(Vec<Expr>),
    ToReal(Expr),
    Select(Expr, Vec<Expr>),
    If(Expr, Expr, Expr),
    Quantified(Quantified),
    Let(Name, Expr, Expr),
}

#[derive(PartialEq, Eq, Debug)]
pub(super) struct Quantified {
    pub quantifier: Quantifier,
    pub vars: Vec<Binder>,
    pub triggers: Vec<Vec<Expr>>,
    pub body: Expr,
}

/// A variable that an expression or a declaration binds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Binder {
    pub name: Name,
    pub ty: Type,
}

impl Binder {
    pub fn new(name: impl Into<Name>, ty: Type) -> Self {
        Binder { name: name.into(), ty }
    }
    pub fn var(&self) -> Expr {
        var(self.name.clone())
    }
}

pub fn yes() -> Expr {
    Expr::new(Kind::Bool(true))
}
pub fn no() -> Expr {
    Expr::new(Kind::Bool(false))
}
pub fn int(value: impl Into<Integer>) -> Expr {
    let value = value.into();
    if value < Integer::ZERO {
        return int(-value).negated();
    }
    Expr::new(Kind::Int(value))
}
/// The number with its last digits behind the point.
pub fn decimal(digits: u32, places: u32) -> Expr {
    let scale = Integer::from(10).pow(places as usize);
    Expr::new(Kind::Real(Rational::from_parts_signed(digits.into(), scale)))
}
pub fn var(name: impl Into<Name>) -> Expr {
    Expr::new(Kind::Name(name.into()))
}
pub fn call(function: impl Into<Name>, args: impl IntoIterator<Item = Expr>) -> Expr {
    Expr::new(Kind::Call(function.into(), args.into_iter().collect()))
}
pub fn conditional(condition: impl Into<Expr>, then: impl Into<Expr>, otherwise: impl Into<Expr>) -> Expr {
    Expr::new(Kind::If(condition.into(), then.into(), otherwise.into()))
}
pub fn forall(vars: &[Binder], triggers: Vec<Vec<Expr>>, body: impl Into<Expr>) -> Expr {
    quantified(Quantifier::Forall, vars, triggers, body.into())
}
pub fn exists(vars: &[Binder], triggers: Vec<Vec<Expr>>, body: impl Into<Expr>) -> Expr {
    quantified(Quantifier::Exists, vars, triggers, body.into())
}
pub fn lambda(vars: &[Binder], body: impl Into<Expr>) -> Expr {
    quantified(Quantifier::Lambda, vars, Vec::new(), body.into())
}
/// Over nothing, it is the body.
fn quantified(quantifier: Quantifier, vars: &[Binder], triggers: Vec<Vec<Expr>>, body: Expr) -> Expr {
    if vars.is_empty() {
        return body;
    }
    Expr::new(Kind::Quantified(Quantified { quantifier, vars: vars.to_vec(), triggers, body }))
}
pub fn let_in(name: impl Into<Name>, value: impl Into<Expr>, body: impl Into<Expr>) -> Expr {
    Expr::new(Kind::Let(name.into(), value.into(), body.into()))
}

impl Expr {
    fn new(kind: Kind) -> Self {
        let length = length(&kind);
        Expr(Rc::new(Node { kind, length }))
    }
    pub(super) fn kind(&self) -> &Kind {
        &self.0.kind
    }
    /// How many characters its text has, with parentheses around operators.
    pub fn length(&self) -> usize {
        self.0.length
    }

    fn binary(&self, op: Binary, right: impl Into<Expr>) -> Expr {
        Expr::new(Kind::Binary(op, self.clone(), right.into()))
    }
    pub fn by(&self, op: Binary, right: impl Into<Expr>) -> Expr {
        self.binary(op, right)
    }
    pub fn equals(&self, right: impl Into<Expr>) -> Expr {
        self.binary(Binary::Eq, right)
    }
    pub fn differs(&self, right: impl Into<Expr>) -> Expr {
        self.binary(Binary::Ne, right)
    }
    pub fn less(&self, right: impl Into<Expr>) -> Expr {
        self.binary(Binary::Lt, right)
    }
    pub fn at_most(&self, right: impl Into<Expr>) -> Expr {
        self.binary(Binary::Le, right)
    }
    pub fn greater(&self, right: impl Into<Expr>) -> Expr {
        self.binary(Binary::Gt, right)
    }
    pub fn at_least(&self, right: impl Into<Expr>) -> Expr {
        self.binary(Binary::Ge, right)
    }
    pub fn plus(&self, right: impl Into<Expr>) -> Expr {
        self.binary(Binary::Add, right)
    }
    pub fn minus(&self, right: impl Into<Expr>) -> Expr {
        self.binary(Binary::Sub, right)
    }
    pub fn times(&self, right: impl Into<Expr>) -> Expr {
        self.binary(Binary::Mul, right)
    }
    pub fn halved(&self) -> Expr {
        self.binary(Binary::RealDiv, decimal(20, 1))
    }
    pub fn implies(&self, right: impl Into<Expr>) -> Expr {
        self.binary(Binary::Implies, right)
    }
    pub fn or(&self, right: impl Into<Expr>) -> Expr {
        self.binary(Binary::Or, right)
    }
    pub fn and(&self, right: impl Into<Expr>) -> Expr {
        Expr::all(vec![self.clone(), right.into()])
    }
    /// The conjunction.
    pub fn all(mut parts: Vec<Expr>) -> Expr {
        match parts.len() {
            0 => yes(),
            1 => parts.swap_remove(0),
            _ => Expr::new(Kind::All(parts)),
        }
    }
    pub fn negated(&self) -> Expr {
        Expr::new(Kind::Unary(Unary::Neg, self.clone()))
    }
    pub fn not(&self) -> Expr {
        Expr::new(Kind::Unary(Unary::Not, self.clone()))
    }
    pub fn to_real(&self) -> Expr {
        Expr::new(Kind::ToReal(self.clone()))
    }
    /// The value of a map.
    pub fn at(&self, keys: &[Expr]) -> Expr {
        Expr::new(Kind::Select(self.clone(), keys.to_vec()))
    }

    pub fn is_true(&self) -> bool {
        matches!(self.kind(), Kind::Bool(true))
    }
    pub fn is_false(&self) -> bool {
        matches!(self.kind(), Kind::Bool(false))
    }
    /// The number 1 with a point.
    pub fn is_one(&self) -> bool {
        matches!(self.kind(), Kind::Real(value) if *value == Rational::ONE)
    }
    /// The number 0 with a point.
    pub fn is_zero(&self) -> bool {
        matches!(self.kind(), Kind::Real(value) if *value == Rational::ZERO)
    }
    /// The name of a variable, if it is nothing else.
    pub fn name(&self) -> Option<&Name> {
        match self.kind() {
            Kind::Name(name) => Some(name),
            _ => None,
        }
    }
    /// Whether it is a variable or a literal.
    pub fn is_atom(&self) -> bool {
        matches!(self.kind(), Kind::Bool(_) | Kind::Int(_) | Kind::Real(_) | Kind::Name(_))
    }
    /// Whether a function or a map is applied.
    pub fn is_application(&self) -> bool {
        matches!(self.kind(), Kind::Call(..) | Kind::Select(..) | Kind::ToReal(_))
    }
    /// Whether it may be a part of a trigger: solvers match applications.
    pub fn fits_trigger(&self) -> bool {
        !self.any(&mut |part| match part.kind() {
            Kind::Binary(op, ..) => {
                use Binary::{Add, Concat, Div, Mod, Mul, Pow, RealDiv, Sub};
                !matches!(op, Concat | Add | Sub | Mul | Div | Mod | RealDiv | Pow)
            }
            Kind::Unary(op, _) => *op == Unary::Not,
            Kind::All(_) | Kind::If(..) | Kind::Quantified(_) | Kind::Let(..) => true,
            _ => false,
        })
    }
    pub fn mentions(&self, name: &str) -> bool {
        self.any(&mut |part| part.name().is_some_and(|found| **found == *name))
    }
    /// Whether these terms stand side by side in it, or one alone is a part of it.
    pub fn has_side_by_side(&self, terms: &[Expr]) -> bool {
        self.any(&mut |part| match part.kind() {
            _ if terms == [part.clone()] => true,
            Kind::Call(_, args) | Kind::Select(_, args) => args.windows(terms.len()).any(|found| found == terms),
            _ => false,
        })
    }
    /// Whether a part satisfies a condition.
    fn any(&self, condition: &mut dyn FnMut(&Expr) -> bool) -> bool {
        stacker::maybe_grow(128 * 1024, 2 * 1024 * 1024, || {
            condition(self) || self.parts().into_iter().any(|part| part.any(condition))
        })
    }
    fn parts(&self) -> Vec<&Expr> {
        match self.kind() {
            Kind::Bool(_) | Kind::Int(_) | Kind::Real(_) | Kind::Name(_) => Vec::new(),
            Kind::Call(_, args) | Kind::All(args) => args.iter().collect(),
            Kind::Unary(_, inner) | Kind::ToReal(inner) => vec![inner],
            Kind::Binary(_, left, right) | Kind::Let(_, left, right) => vec![left, right],
            Kind::Select(base, args) => std::iter::once(base).chain(args).collect(),
            Kind::If(condition, then, otherwise) => vec![condition, then, otherwise],
            Kind::Quantified(quantified) => quantified.triggers.iter().flatten().chain([&quantified.body]).collect(),
        }
    }
}

impl From<&Expr> for Expr {
    fn from(expr: &Expr) -> Self {
        expr.clone()
    }
}

impl PartialEq for Expr {
    fn eq(&self, other: &Expr) -> bool {
        let alike = || stacker::maybe_grow(128 * 1024, 2 * 1024 * 1024, || self.kind() == other.kind());
        Rc::ptr_eq(&self.0, &other.0) || (self.length() == other.length() && alike())
    }
}
impl Eq for Expr {}

impl Drop for Node {
    /// Expressions are nested as deeply as programs are.
    fn drop(&mut self) {
        let kind = std::mem::replace(&mut self.kind, Kind::Bool(false));
        if !matches!(kind, Kind::Bool(_) | Kind::Int(_) | Kind::Real(_) | Kind::Name(_)) {
            stacker::maybe_grow(64 * 1024, 1024 * 1024, || drop(kind));
        }
    }
}

fn length(kind: &Kind) -> usize {
    let sum = |own: usize, parts: &[&Expr]| parts.iter().fold(own, |all, part| all.saturating_add(part.length()));
    let list = |own: usize, parts: &[Expr], between: usize| {
        let own = own.saturating_add(between * parts.len().saturating_sub(1));
        parts.iter().fold(own, |all, part| all.saturating_add(part.length()))
    };
    match kind {
        Kind::Bool(value) => value.to_string().len(),
        Kind::Int(value) => value.to_string().len(),
        Kind::Real(_) => "0.0".len(),
        Kind::Name(name) => name.len(),
        Kind::Call(name, args) => list(name.len() + "()".len(), args, ", ".len()),
        Kind::Unary(_, inner) => sum("!()".len(), &[inner]),
        Kind::Binary(op, left, right) => sum(op.text().len() + "(  )".len(), &[left, right]),
        Kind::All(parts) => list("()".len(), parts, " && ".len()),
        Kind::ToReal(inner) => sum("real()".len(), &[inner]),
        Kind::Select(base, args) => list(base.length().saturating_add("[]".len()), args, ", ".len()),
        Kind::If(condition, then, otherwise) => sum("(if  then  else )".len(), &[condition, then, otherwise]),
        Kind::Quantified(quantified) => {
            let vars: usize = quantified.vars.iter().map(|var| var.name.len() + var.ty.to_string().len() + 4).sum();
            let own = "(forall :: )".len() + vars;
            let triggers = quantified.triggers.iter().fold(own, |all, trigger| list(all, trigger, ", ".len()));
            sum(triggers, &[&quantified.body])
        }
        Kind::Let(name, value, body) => sum(name.len() + "(var  := ; )".len(), &[value, body]),
    }
}
