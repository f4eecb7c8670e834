//! What the verification of one member can see: the declarations, axioms and symbols that it needs. Used for
//! scheduling members, executing them, and determining whether an edit affects them.
//!
//! The closure starts at the member's own contract and body, and follows contracts of called methods, functions and
//! predicates completely, and axioms of domains. A domain without type parameters is needed if it declares a
//! function; any domain is needed for the type arguments at which its type or one of its functions occurs, or at
//! which one of its axioms mentions a function that occurs (so that axioms may be in a separate domain).

mod domains;
#[cfg(test)]
mod tests;
mod text;

use crate::program::{
    AxiomId, DomainFunctionId, DomainId, ExprId, FieldId, FunctionId, MethodId, PredicateId, Program, Type,
};
use echis_base::{Name, SyntaxId};
use std::collections::BTreeSet;

/// A unit of verification, by its key.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Member {
    Function(FunctionId),
    Predicate(PredicateId),
    Method(MethodId),
}

/// A declaration that a member may see.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Declaration {
    Field(FieldId),
    Domain(DomainId),
    Function(FunctionId),
    Predicate(PredicateId),
    Contract(MethodId),
    /// Including the contract.
    Body(MethodId),
}

/// The kind of a heap location other than a wand.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Resource {
    Field(FieldId),
    Predicate(PredicateId),
}

#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Reach {
    pub functions: BTreeSet<FunctionId>,
    pub predicates: BTreeSet<PredicateId>,
    /// The member itself, if it is a method, and those it calls.
    pub methods: BTreeSet<MethodId>,
    pub fields: BTreeSet<FieldId>,
    /// Every type that occurs, including component types; none has type parameters.
    pub types: BTreeSet<Type>,
    /// Domains at the type arguments of each occurrence: in a type, a function application, or an axiom.
    pub domains: BTreeSet<(DomainId, Vec<Type>)>,
    pub domain_functions: BTreeSet<(DomainFunctionId, Vec<Type>)>,
    /// The axioms to assume, in key order. Axioms at very deep type arguments are left out: see `domains`.
    pub axioms: Vec<(AxiomId, Vec<Type>)>,
    /// Resources under a quantifier: `forall .. :: acc(..)`, `quasihavocall`, or locations in triggers that depend on
    /// bound variables.
    pub quantified: BTreeSet<Resource>,
    /// Resources in triggers, whose chunks must provide terms for the trigger.
    pub triggered: BTreeSet<Resource>,
    /// Whether a wand occurs under `forall .. :: acc(..)` or `quasihavocall`.
    pub quantified_wands: bool,
}

pub fn reach(program: &Program, member: Member) -> Reach {
    Reaches::new(program).of(member)
}

/// The declarations that each member can see, and data shared by all of them.
pub struct Reaches<'p> {
    program: &'p Program,
    patterns: Vec<domains::Pattern>,
}

impl<'p> Reaches<'p> {
    pub fn new(program: &'p Program) -> Self {
        Reaches { program, patterns: domains::patterns(program) }
    }
    pub fn of(&self, member: Member) -> Reach {
        let mut closure = text::Closure::new(self.program);
        match member {
            Member::Function(function) => closure.function(function),
            Member::Predicate(predicate) => closure.predicate(predicate),
            Member::Method(method) => {
                closure.contract(method);
                closure.body(method);
            }
        }
        closure.exprs();
        domains::close(&mut closure, &self.patterns);
        closure.reach
    }
}

impl Reach {
    /// The declarations that the verdict of the member can depend on.
    pub fn seen(&self, program: &Program, member: Member) -> BTreeSet<Declaration> {
        // The shapes of wands under quantifiers matter everywhere.
        if self.quantified_wands {
            return Declaration::all(program).collect();
        }
        let fields = self.fields.iter().copied().map(Declaration::Field);
        let domains = self.domains.iter().map(|(domain, _)| Declaration::Domain(*domain));
        let functions = self.functions.iter().copied().map(Declaration::Function);
        let predicates = self.predicates.iter().copied().map(Declaration::Predicate);
        let contracts = self.methods.iter().copied().map(Declaration::Contract);
        let mut seen: BTreeSet<Declaration> =
            fields.chain(domains).chain(functions).chain(predicates).chain(contracts).collect();
        if let Member::Method(method) = member {
            seen.insert(Declaration::Body(method));
        }
        seen
    }
    /// The functions whose definitions the member imports: not those of a function's own cycle, nor those that lead
    /// back to it through a predicate, which do not precede it.
    pub fn imports(&self, program: &Program, member: Member) -> BTreeSet<FunctionId> {
        let mut imports = self.functions.clone();
        if let Member::Function(own) = member {
            let height = program.functions[own].height;
            imports.retain(|function| program.functions[*function].height > height);
        }
        imports
    }
}

impl Member {
    /// All members of a program, functions first.
    pub fn all(program: &Program) -> impl Iterator<Item = Member> {
        let functions = program.functions.keys().map(Member::Function);
        let predicates = program.predicates.keys().map(Member::Predicate);
        functions.chain(predicates).chain(program.methods.keys().map(Member::Method))
    }
    pub fn name(self, program: &Program) -> &Name {
        match self {
            Member::Function(function) => &program.functions[function].name,
            Member::Predicate(predicate) => &program.predicates[predicate].name,
            Member::Method(method) => &program.methods[method].name,
        }
    }
    /// Its contract and body.
    pub fn roots(self, program: &Program) -> Vec<ExprId> {
        match self {
            Member::Function(function) => program.function_roots(function),
            Member::Predicate(predicate) => program.predicate_roots(predicate),
            Member::Method(method) => program.method_roots(method),
        }
    }
    /// The id of its declaration.
    pub fn id(self, program: &Program) -> SyntaxId {
        match self {
            Member::Function(function) => program.functions[function].id,
            Member::Predicate(predicate) => program.predicates[predicate].id,
            Member::Method(method) => program.methods[method].id,
        }
    }
}

impl Declaration {
    pub fn all(program: &Program) -> impl Iterator<Item = Declaration> {
        let fields = program.fields.keys().map(Declaration::Field);
        let domains = program.domains.keys().map(Declaration::Domain);
        let functions = program.functions.keys().map(Declaration::Function);
        let predicates = program.predicates.keys().map(Declaration::Predicate);
        let methods = program.methods.keys();
        let methods = methods.flat_map(|method| [Declaration::Contract(method), Declaration::Body(method)]);
        fields.chain(domains).chain(functions).chain(predicates).chain(methods)
    }
    pub fn id(self, program: &Program) -> SyntaxId {
        match self {
            Declaration::Field(field) => program.fields[field].id,
            Declaration::Domain(domain) => program.domains[domain].id,
            Declaration::Function(function) => program.functions[function].id,
            Declaration::Predicate(predicate) => program.predicates[predicate].id,
            Declaration::Contract(method) | Declaration::Body(method) => program.methods[method].id,
        }
    }
    /// The member that proves it to be well-formed.
    pub fn member(self) -> Option<Member> {
        match self {
            Declaration::Field(_) | Declaration::Domain(_) => None,
            Declaration::Function(function) => Some(Member::Function(function)),
            Declaration::Predicate(predicate) => Some(Member::Predicate(predicate)),
            Declaration::Contract(method) | Declaration::Body(method) => Some(Member::Method(method)),
        }
    }
}

/// The type with each type parameter replaced by its argument.
pub fn substitute(ty: &Type, args: &[Type]) -> Type {
    let inner = |ty: &Type| Box::new(substitute(ty, args));
    match ty {
        Type::Parameter(index) => args.get(*index as usize).unwrap_or(ty).clone(),
        Type::Seq(item) => Type::Seq(inner(item)),
        Type::Set(item) => Type::Set(inner(item)),
        Type::Multiset(item) => Type::Multiset(inner(item)),
        Type::Map(from, to) => Type::Map(inner(from), inner(to)),
        Type::Domain(domain, types) => Type::Domain(*domain, substitute_all(types, args)),
        Type::Int | Type::Bool | Type::Perm | Type::Ref | Type::PredicateInstance => ty.clone(),
    }
}

pub fn substitute_all(types: &[Type], args: &[Type]) -> Vec<Type> {
    types.iter().map(|ty| substitute(ty, args)).collect()
}
