//! The typed program: small and closed, with a `SyntaxId` on every node that leads back to the source.
//!
//! Everything is in tables of [`Program`]; references are keys. Expressions are in one arena so that deep trees need
//! no stack to drop or copy. Guaranteed properties that need not be checked again: names are resolved and types
//! agree; every local, parameter and bound variable has a unique key in the whole program (so nothing shadows or
//! captures); macros, imports, ADTs, chained comparisons, `elseif`, initialisers and field targets of calls are gone;
//! quantified permissions are canonical ([`ExprKind::ForallAcc`]); `assume` is pure; every access has an explicit
//! amount; every quantifier has its triggers, given or inferred.

mod expr;
mod part;
mod stmt;

pub use crate::operators::{BinaryOp, Defined, Form, Kind, Side};
pub use expr::*;
pub use part::{Copied, Copier, Part, Parts};
pub use stmt::*;

use echis_base::{IndexVec, Name, SyntaxId, SyntaxTable, key};

key!(ExprId, "e");
key!(LocalId, "x");
key!(LabelId, "label");
key!(FieldId, "field");
key!(DomainId, "domain");
key!(DomainFunctionId, "df");
key!(AxiomId, "axiom");
key!(FunctionId, "function");
key!(PredicateId, "predicate");
key!(MethodId, "method");

/// A checked program.
#[derive(Clone, Debug, Default)]
pub struct Program {
    pub syntax: SyntaxTable,
    pub exprs: IndexVec<ExprId, Expr>,
    pub locals: IndexVec<LocalId, Local>,
    pub labels: IndexVec<LabelId, Label>,
    pub fields: IndexVec<FieldId, Field>,
    pub domains: IndexVec<DomainId, Domain>,
    pub domain_functions: IndexVec<DomainFunctionId, DomainFunction>,
    pub axioms: IndexVec<AxiomId, Axiom>,
    pub functions: IndexVec<FunctionId, Function>,
    pub predicates: IndexVec<PredicateId, Predicate>,
    pub methods: IndexVec<MethodId, Method>,
    /// The vocabulary of termination checks, if some member has a `decreases` tuple.
    pub well_founded: Option<WellFounded>,
}

impl Program {
    pub fn expr(&self, id: ExprId) -> &Expr {
        &self.exprs[id]
    }
    pub fn kind(&self, id: ExprId) -> &ExprKind {
        &self.exprs[id].kind
    }
    pub fn ty(&self, id: ExprId) -> &Type {
        &self.exprs[id].ty
    }
    /// Whether the expression asserts no permission, so that it has a value.
    pub fn is_pure(&self, id: ExprId) -> bool {
        self.exprs[id].pure
    }
    /// The top-level conjuncts, each with its enclosing conjunctions.
    pub fn conjuncts(&self, id: ExprId) -> Vec<(ExprId, Vec<ExprId>)> {
        let mut conjuncts = Vec::new();
        let mut pending = vec![(id, Vec::new())];
        while let Some((expr, around)) = pending.pop() {
            match self.kind(expr) {
                ExprKind::Binary(BinaryOp::And, left, right) => {
                    let mut around = around.clone();
                    around.push(expr);
                    pending.push((*right, around.clone()));
                    pending.push((*left, around));
                }
                _ => conjuncts.push((expr, around)),
            }
        }
        conjuncts
    }
}

/// A type of values. Assertions (accesses, wands) have type `Bool` here; `is_pure` distinguishes them.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Type {
    Int,
    Bool,
    Perm,
    Ref,
    Seq(Box<Type>),
    Set(Box<Type>),
    Multiset(Box<Type>),
    Map(Box<Type>, Box<Type>),
    Domain(DomainId, Vec<Type>),
    /// The n-th parameter of the domain whose axiom or signature this type occurs in.
    Parameter(u32),
    /// The value of `#P(es)`.
    PredicateInstance,
}

/// A parameter, result, local variable or bound variable.
#[derive(Clone, Debug)]
pub struct Local {
    pub name: Name,
    pub ty: Type,
    pub id: SyntaxId,
}

#[derive(Clone, Debug)]
pub struct Label {
    pub name: Name,
    pub id: SyntaxId,
}

#[derive(Clone, Debug)]
pub struct Field {
    pub name: Name,
    pub ty: Type,
    pub id: SyntaxId,
}

#[derive(Clone, Debug)]
pub struct Domain {
    pub name: Name,
    pub id: SyntaxId,
    pub parameters: Vec<Name>,
    /// The SMT-LIB sort, for a domain with an interpretation.
    pub interpretation: Option<Name>,
    pub functions: Vec<DomainFunctionId>,
    pub axioms: Vec<AxiomId>,
    /// The constructors of a domain generated for an `adt`, in declaration order.
    pub adt: Option<Vec<AdtConstructor>>,
}

#[derive(Clone, Debug)]
pub struct AdtConstructor {
    pub constructor: DomainFunctionId,
    /// One for each argument.
    pub destructors: Vec<DomainFunctionId>,
    /// The function that distinguishes the constructors of the domain, and its value for this one.
    pub tag_function: DomainFunctionId,
    pub tag: u32,
}

#[derive(Clone, Debug)]
pub struct DomainFunction {
    pub name: Name,
    pub id: SyntaxId,
    pub domain: DomainId,
    pub params: Vec<Type>,
    pub result: Type,
    pub unique: bool,
    /// The SMT-LIB operator (spliced as text), for an interpreted function.
    pub interpretation: Option<Name>,
}

#[derive(Clone, Debug)]
pub struct Axiom {
    /// Anonymous axioms have none.
    pub name: Option<Name>,
    pub id: SyntaxId,
    pub domain: DomainId,
    pub body: ExprId,
}

#[derive(Clone, Debug)]
pub struct Function {
    pub name: Name,
    pub id: SyntaxId,
    pub params: Vec<LocalId>,
    pub result: Type,
    pub pre: Vec<ExprId>,
    /// May mention [`ExprKind::Result`].
    pub post: Vec<ExprId>,
    pub body: Option<ExprId>,
    pub decreases: Decreases,
    /// `@opaque()`: the body is visible only at `@reveal()` applications.
    pub opaque: bool,
    /// The index of the function's cycle in the call graph (bodies, contracts, measures). Callees outside the
    /// cycle have a larger number; functions of one cycle share it.
    pub height: u32,
    /// Whether the function is part of a cycle in the call graph (itself included).
    pub recursive: bool,
}

#[derive(Clone, Debug)]
pub struct Predicate {
    pub name: Name,
    pub id: SyntaxId,
    pub params: Vec<LocalId>,
    pub body: Option<ExprId>,
}

#[derive(Clone, Debug)]
pub struct Method {
    pub name: Name,
    pub id: SyntaxId,
    pub params: Vec<LocalId>,
    pub returns: Vec<LocalId>,
    pub pre: Vec<ExprId>,
    pub post: Vec<ExprId>,
    pub body: Option<Block>,
    pub decreases: Decreases,
    /// The method's cycle in the call graph of methods; methods of one cycle share it.
    pub cycle: u32,
}

/// The `decreases` clauses of a member or loop.
#[derive(Clone, Debug, Default)]
pub struct Decreases {
    pub tuple: Option<DecreasesTuple>,
    pub wildcard: Option<DecreasesWildcard>,
    /// `decreases *`
    pub star: Option<SyntaxId>,
}

#[derive(Clone, Debug)]
pub struct DecreasesTuple {
    pub id: SyntaxId,
    /// A predicate measure is an [`ExprKind::PredicateInstance`].
    pub measures: Vec<ExprId>,
    pub condition: Option<ExprId>,
}

#[derive(Clone, Debug)]
pub struct DecreasesWildcard {
    pub id: SyntaxId,
    pub condition: Option<ExprId>,
}

/// `decreasing` and `bounded` of `WellFoundedOrder`, and `nestedPredicates` if declared.
#[derive(Clone, Debug)]
pub struct WellFounded {
    pub decreasing: DomainFunctionId,
    pub bounded: DomainFunctionId,
    pub nested: Option<DomainFunctionId>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum UnaryOp {
    Not,
    /// On `Int` or `Perm`.
    Minus,
    SeqLength,
    SetCardinality,
    MultisetCardinality,
    MapCardinality,
    MapDomain,
    MapRange,
}
