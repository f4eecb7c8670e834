//! Fingerprints identify members that are equal for verification.
//!
//! A fingerprint is a digest of everything that the verification of a member can see ([`reach`](crate::reach)): its
//! own text, contracts of called methods, functions, predicates, domains, fields. It covers the typed program without
//! locations, and identifies keys only by their order. So comments, layout and members that are not visible change
//! nothing, and if two fingerprints are equal, an engine that uses nothing else behaves identically, query by query.

mod form;

use crate::program::{AxiomId, ExprId, LocalId, Program};
use crate::reach::{Declaration, Member, Reach};
use echis_base::SyntaxId;
use form::Form;
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;

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

struct Declared {
    digest: [u8; 32],
    nodes: Vec<SyntaxId>,
}

impl<'a> Fingerprints<'a> {
    pub fn new(program: &'a Program) -> Self {
        let declared = Declaration::all(program).map(|declaration| (declaration, declared(program, declaration)));
        Fingerprints { program, declared: declared.collect() }
    }

    /// The fingerprint of a single member.
    pub fn only(program: &'a Program, member: Member, reach: &Reach) -> Fingerprint {
        let seen = reach.seen(program, member).into_iter();
        let declared = seen.map(|declaration| (declaration, declared(program, declaration))).collect();
        Fingerprints { program, declared }.of(member, reach)
    }

    pub fn of(&self, member: Member, reach: &Reach) -> Fingerprint {
        let program = self.program;
        let seen = reach.seen(program, member);
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
        let places: Vec<SyntaxId> = seen.iter().map(|declaration| declaration.id(program)).collect();
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
