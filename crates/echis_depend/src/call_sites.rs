//! Connects preconditions to the proofs of their callers: a precondition rests on the proofs at all calls and
//! applications of the member, and is an assumption only if nothing calls the member or a call fails.

use crate::callers::callers;
use crate::graph::Graph;
use crate::kind::Construct;
use crate::nodes::{Nodes, UserId};
use crate::owner::Owner;
use echis_program::program::{ExprId, ExprKind, Program, StmtKind};
use std::collections::{BTreeMap, BTreeSet};

/// Connects the preconditions of members to the nodes that call or apply them.
pub fn join_callers(program: &Program, nodes: &Nodes, graph: &mut Graph) {
    let mut demanded: BTreeMap<Owner, Vec<UserId>> = BTreeMap::new();
    for (user, node) in nodes.all.iter().filter(|(_, node)| node.construct == Construct::Precondition) {
        demanded.entry(node.owner).or_default().push(user);
    }
    let sites = sites(program, nodes);
    for (owner, preconditions) in demanded {
        let Some(sites) = sites.get(&owner).filter(|_| callers(program, owner).next().is_some()) else { continue };
        let proved = sites.iter().all(|site| !graph.failed.contains(site));
        for precondition in preconditions {
            graph.rest_on(precondition, sites);
            graph.discharged.extend(proved.then_some(precondition));
        }
    }
}

/// The nodes that call or apply each member.
fn sites(program: &Program, nodes: &Nodes) -> BTreeMap<Owner, BTreeSet<UserId>> {
    let mut sites: BTreeMap<Owner, BTreeSet<UserId>> = BTreeMap::new();
    for body in program.methods.values().filter_map(|method| method.body.as_ref()) {
        body.visit_stmts(&mut |stmt| {
            if let StmtKind::Call { method, .. } = stmt.kind {
                sites.entry(Owner::Method(method)).or_default().extend(nodes.find(program, stmt.id));
            }
        });
    }
    let functions = program.functions.keys().flat_map(|id| program.function_roots(id));
    let methods = program.methods.keys().flat_map(|id| program.method_roots(id));
    let axioms = program.axioms.values().map(|axiom| axiom.body);
    let mut pending: Vec<ExprId> = functions.chain(methods).chain(axioms).collect();
    while let Some(expr) = pending.pop() {
        let kind = program.kind(expr);
        if let ExprKind::FunctionApp { function, .. } = kind {
            let site = nodes.find(program, program.expr(expr).id);
            sites.entry(Owner::Function(*function)).or_default().extend(site);
        }
        pending.extend(kind.children());
    }
    sites
}
