//! Fingerprints identify members that are equal for verification.
//!
//! A fingerprint is a digest of everything that the verification of a member can see ([`reach`](crate::reach)): its
//! own text, contracts of called methods, functions, predicates, domains, fields. It covers the typed program without
//! locations, and identifies keys only by their order. So comments, layout and members that are not visible change
//! nothing, and if two fingerprints are equal, an engine that uses nothing else behaves identically, query by query.

mod form;

use crate::program::{AxiomId, DomainId, ExprId, FieldId, FunctionId, LocalId, MethodId, PredicateId, Program};
use crate::reach::{Member, Reach};
use echis_base::SyntaxId;
use form::Form;
use sha2::{Digest as _, Sha256};
use std::collections::{BTreeMap, BTreeSet};

/// Equal fingerprints imply equal verdicts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fingerprint {
    pub digest: [u8; 32],
    /// The nodes of the program that the member can see, in an order shared by equal fingerprints: the n-th node of
    /// one corresponds to the n-th of the other.
    pub nodes: Vec<SyntaxId>,
}

/// The digests of a program's declarations, from which those of members are computed.
pub struct Fingerprints<'a> {
    program: &'a Program,
    declared: BTreeMap<Declaration, Declared>,
}

/// A declaration that may be visible.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Declaration {
    Field(FieldId),
    Domain(DomainId),
    Function(FunctionId),
    Predicate(PredicateId),
    Contract(MethodId),
    /// Including the contract.
    Body(MethodId),
}

struct Declared {
    digest: [u8; 32],
    nodes: Vec<SyntaxId>,
}

impl<'a> Fingerprints<'a> {
    pub fn new(program: &'a Program) -> Self {
        let declared = all(program).map(|declaration| (declaration, declared(program, declaration)));
        Fingerprints { program, declared: declared.collect() }
    }

    /// The fingerprint of a single member.
    pub fn only(program: &'a Program, member: Member, reach: &Reach) -> Fingerprint {
        let mut fingerprints = Fingerprints { program, declared: BTreeMap::new() };
        let seen = match reach.quantified_wands {
            true => all(program).collect(),
            false => fingerprints.seen(member, reach),
        };
        fingerprints.declared =
            seen.into_iter().map(|declaration| (declaration, declared(program, declaration))).collect();
        fingerprints.of(member, reach)
    }

    pub fn of(&self, member: Member, reach: &Reach) -> Fingerprint {
        let program = self.program;
        let seen = self.seen(member, reach);
        let mut hasher = Sha256::new();
        let mut write = |part: &[u8]| {
            hasher.update((part.len() as u64).to_le_bytes());
            hasher.update(part);
        };
        write(match member {
            Member::Function(_) => b"function",
            Member::Predicate(_) => b"predicate",
            Member::Method(_) => b"method",
        });
        write(member.name(program).as_bytes());
        // The declarations of each kind in key order, and how the kinds interleave.
        let places: Vec<SyntaxId> = seen.iter().map(|declaration| place(program, *declaration)).collect();
        for (declaration, rank) in seen.iter().zip(ranks(&places)) {
            write(&self.declared[declaration].digest);
            write(&rank.to_le_bytes());
        }
        // Cycles and their order.
        let heights: Vec<u32> = reach.functions.iter().map(|function| program.functions[*function].height).collect();
        let cycles: Vec<u32> = reach.methods.iter().map(|method| program.methods[*method].cycle).collect();
        ranks(&heights).into_iter().chain(ranks(&cycles)).for_each(|rank| write(&rank.to_le_bytes()));
        // The functions of well-founded orders are not identified by their names alone.
        if let Some(orders) = &program.well_founded {
            let all = [Some(orders.decreasing), Some(orders.bounded), orders.nested];
            for function in all.into_iter().flatten().map(|function| &program.domain_functions[function]) {
                if reach.domains.iter().any(|(domain, _)| *domain == function.domain) {
                    write(function.name.as_bytes());
                }
            }
        }
        let nodes = seen.iter().flat_map(|declaration| self.declared[declaration].nodes.iter().copied()).collect();
        Fingerprint { digest: hasher.finalize().into(), nodes }
    }

    fn seen(&self, member: Member, reach: &Reach) -> BTreeSet<Declaration> {
        // The shapes of wands under quantifiers matter everywhere.
        if reach.quantified_wands {
            return self.declared.keys().copied().collect();
        }
        let fields = reach.fields.iter().copied().map(Declaration::Field);
        let domains = reach.domains.iter().map(|(domain, _)| Declaration::Domain(*domain));
        let functions = reach.functions.iter().copied().map(Declaration::Function);
        let predicates = reach.predicates.iter().copied().map(Declaration::Predicate);
        let contracts = reach.methods.iter().copied().map(Declaration::Contract);
        let mut seen: BTreeSet<Declaration> =
            fields.chain(domains).chain(functions).chain(predicates).chain(contracts).collect();
        if let Member::Method(method) = member {
            seen.insert(Declaration::Body(method));
        }
        seen
    }
}

fn all(program: &Program) -> impl Iterator<Item = Declaration> {
    let fields = program.fields.keys().map(Declaration::Field);
    let domains = program.domains.keys().map(Declaration::Domain);
    let functions = program.functions.keys().map(Declaration::Function);
    let predicates = program.predicates.keys().map(Declaration::Predicate);
    let methods = program.methods.keys().flat_map(|method| [Declaration::Contract(method), Declaration::Body(method)]);
    fields.chain(domains).chain(functions).chain(predicates).chain(methods)
}

fn place(program: &Program, declaration: Declaration) -> SyntaxId {
    match declaration {
        Declaration::Field(field) => program.fields[field].id,
        Declaration::Domain(domain) => program.domains[domain].id,
        Declaration::Function(function) => program.functions[function].id,
        Declaration::Predicate(predicate) => program.predicates[predicate].id,
        Declaration::Contract(method) | Declaration::Body(method) => program.methods[method].id,
    }
}

fn declared(program: &Program, declaration: Declaration) -> Declared {
    let mut form = Form::new(program);
    match declaration {
        Declaration::Field(field) => form.field(&program.fields[field]),
        Declaration::Domain(domain) => form.domain(&program.domains[domain]),
        Declaration::Function(function) => form.function(&program.functions[function]),
        Declaration::Predicate(predicate) => form.predicate(&program.predicates[predicate]),
        Declaration::Contract(method) => form.contract(&program.methods[method]),
        Declaration::Body(method) => {
            form.contract(&program.methods[method]);
            form.body(&program.methods[method]);
        }
    }
    let (digest, nodes) = form.finish();
    Declared { digest, nodes }
}

/// A digest of an expression over parameters; declarations it mentions are identified only by name.
pub(crate) fn of_expr(program: &Program, params: &[LocalId], expr: ExprId) -> [u8; 32] {
    let mut form = Form::new(program);
    form.expr_over(params, expr);
    form.finish().0
}

pub(crate) fn of_axiom(program: &Program, axiom: AxiomId) -> [u8; 32] {
    let mut form = Form::new(program);
    form.axiom(&program.axioms[axiom]);
    form.finish().0
}

/// For each value, its rank among the distinct values.
fn ranks<T: Ord + Copy>(values: &[T]) -> Vec<u32> {
    let mut order: Vec<T> = values.to_vec();
    order.sort_unstable();
    order.dedup();
    values.iter().map(|value| order.partition_point(|other| other < value) as u32).collect()
}
