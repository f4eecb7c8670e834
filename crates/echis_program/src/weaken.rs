//! Weakened programs: without some assumptions that a member's proof does not need.
//!
//! Only what is never demanded of the member may be left out: pure conjuncts of postconditions of others, bodies of
//! functions, axioms. So a member that is correct in the weakened program is correct in this one, and in every other
//! with the same weakened program. Everything that is also demanded (preconditions, the member's own contract),
//! everything that determines amounts of permission, and types and declarations are unchanged.
//!
//! `refute` demands that something can *not* be proved: a member containing it has no weakened program.

use crate::fingerprint;
use crate::program::{AxiomId, Block, DomainId, ExprId, Function, FunctionId, Method, MethodId, Program, Role};
use crate::reach::{Declaration, Member, Reach};
use echis_base::IndexVec;
use sha2::{Digest as _, Sha256};
use std::collections::{BTreeMap, BTreeSet};

/// A clause that may be left out.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Clause {
    Axiom(AxiomId),
    /// A top-level conjunct.
    FunctionPost(FunctionId, ExprId),
    Body(FunctionId),
    MethodPost(MethodId, ExprId),
}

impl Clause {
    /// The declaration that it is part of.
    fn declaration(self, program: &Program) -> Declaration {
        match self {
            Clause::Axiom(axiom) => Declaration::Domain(program.axioms[axiom].domain),
            Clause::FunctionPost(function, _) | Clause::Body(function) => Declaration::Function(function),
            Clause::MethodPost(method, _) => Declaration::Contract(method),
        }
    }
    /// Identifies the clause across programs: by its owner and its content.
    pub fn digest(self, program: &Program) -> [u8; 32] {
        let (kind, owner, says) = match self {
            Clause::Axiom(key) => {
                let domain = program.axioms[key].domain;
                ("axiom", &program.domains[domain].name, fingerprint::of_axiom(program, key))
            }
            Clause::FunctionPost(key, conjunct) => {
                let Function { name, params, .. } = &program.functions[key];
                ("function post", name, fingerprint::of_expr(program, params, conjunct))
            }
            Clause::Body(key) => {
                let Function { name, params, body, .. } = &program.functions[key];
                let says = body.map(|body| fingerprint::of_expr(program, params, body));
                ("body", name, says.unwrap_or_default())
            }
            Clause::MethodPost(key, conjunct) => {
                let Method { name, params, returns, .. } = &program.methods[key];
                let params: Vec<_> = params.iter().chain(returns).copied().collect();
                ("method post", name, fingerprint::of_expr(program, &params, conjunct))
            }
        };
        let owner_length = (owner.len() as u64).to_le_bytes();
        let hasher = Sha256::new().chain_update(kind).chain_update(owner_length).chain_update(owner.as_bytes());
        hasher.chain_update(says).finalize().into()
    }
}

/// All clauses of a program that may be left out.
pub fn clauses(program: &Program) -> Vec<Clause> {
    let axioms = program.axioms.keys().filter(|axiom| is_written(program, *axiom)).map(Clause::Axiom);
    let mut all: Vec<Clause> = axioms.collect();
    for (key, function) in program.functions.iter() {
        all.extend(pure_conjuncts(program, &function.post).map(|conjunct| Clause::FunctionPost(key, conjunct)));
        all.extend(function.body.map(|_| Clause::Body(key)));
    }
    for (key, method) in program.methods.iter() {
        all.extend(pure_conjuncts(program, &method.post).map(|conjunct| Clause::MethodPost(key, conjunct)));
    }
    all
}

/// Whether a member can be verified in a weakened program at all: `refute` requires less to be provable, and shapes
/// of wands under quantifiers depend on the whole program.
pub fn is_monotone(program: &Program, member: Member, reach: &Reach) -> bool {
    let refutes = match member {
        Member::Method(method) => program.methods[method].body.as_ref().is_some_and(refutes),
        Member::Function(_) | Member::Predicate(_) => false,
    };
    !refutes && !reach.quantified_wands
}

/// The program for a member with only the kept clauses. Conjuncts become separate clauses. The call order of
/// functions and methods remains that of the whole program.
pub fn weakened(program: &Program, member: Member, keep: impl Fn(Clause) -> bool) -> Program {
    let mut less = program.clone();
    let keeps = |clause: Clause| !is_spare(program, member, clause) || keep(clause);
    let mut axioms = IndexVec::new();
    let mut of_domains: BTreeMap<DomainId, Vec<AxiomId>> = BTreeMap::new();
    for (key, axiom) in program.axioms.iter() {
        if !is_written(program, key) || keeps(Clause::Axiom(key)) {
            of_domains.entry(axiom.domain).or_default().push(axioms.push(axiom.clone()));
        }
    }
    less.axioms = axioms;
    for (key, domain) in less.domains.iter_mut() {
        domain.axioms = of_domains.remove(&key).unwrap_or_default();
    }
    let kept = |posts: &[ExprId], clause: &dyn Fn(ExprId) -> Clause| -> Vec<ExprId> {
        let conjuncts = posts.iter().flat_map(|post| program.conjuncts(*post)).map(|(conjunct, _)| conjunct);
        conjuncts.filter(|conjunct| !program.is_pure(*conjunct) || keeps(clause(*conjunct))).collect()
    };
    for (key, function) in less.functions.iter_mut() {
        if is_spare(program, member, Clause::Body(key)) {
            function.post = kept(&function.post, &|conjunct| Clause::FunctionPost(key, conjunct));
            function.body = function.body.filter(|_| keep(Clause::Body(key)));
        }
    }
    for (key, method) in less.methods.iter_mut() {
        if member != Member::Method(key) {
            method.post = kept(&method.post, &|conjunct| Clause::MethodPost(key, conjunct));
        }
    }
    less
}

/// Whether the member only assumes a clause. Its own contract is demanded, and so, as far as applicable, is that of
/// functions of its own cycle.
pub fn is_spare(program: &Program, member: Member, clause: Clause) -> bool {
    match (clause, member) {
        (Clause::FunctionPost(function, _) | Clause::Body(function), Member::Function(own)) => {
            program.functions[function].height != program.functions[own].height
        }
        (Clause::MethodPost(method, _), Member::Method(own)) => method != own,
        _ => true,
    }
}

/// Whether an axiom can be left out: what extensions generate belongs to its declaration, and an interpretation is
/// more than its axioms.
fn is_written(program: &Program, axiom: AxiomId) -> bool {
    let axiom = &program.axioms[axiom];
    let domain = &program.domains[axiom.domain];
    domain.adt.is_none() && domain.interpretation.is_none() && program.syntax.node(axiom.id).cause.is_none()
}

fn pure_conjuncts(program: &Program, posts: &[ExprId]) -> impl Iterator<Item = ExprId> {
    let conjuncts = posts.iter().flat_map(|post| program.conjuncts(*post)).map(|(conjunct, _)| conjunct);
    conjuncts.filter(|conjunct| program.is_pure(*conjunct))
}

fn refutes(body: &Block) -> bool {
    let mut found = false;
    body.visit_stmts(&mut |stmt| found |= stmt.kind.role() == Role::Refute);
    found
}

/// The clauses by content, to find the corresponding clauses of another program.
pub fn by_digest(program: &Program) -> BTreeMap<Clause, [u8; 32]> {
    clauses(program).into_iter().map(|clause| (clause, clause.digest(program))).collect()
}

/// The members that must prove the well-formedness of the clauses that a member can see and that are left out.
pub fn owners_of_left_out<'a>(
    program: &Program,
    member: Member,
    reach: &Reach,
    left_out: impl Iterator<Item = &'a Clause>,
) -> BTreeSet<Member> {
    let spare = left_out.filter(|clause| is_spare(program, member, **clause));
    let seen = reach.seen(program, member);
    let declarations = spare.map(|clause| clause.declaration(program)).filter(|declaration| seen.contains(declaration));
    declarations.filter_map(Declaration::member).collect()
}
