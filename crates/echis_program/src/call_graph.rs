//! Cycles of the call graph: which functions and methods are recursive, and the order in which definitions depend on
//! each other.

use crate::program::{ExprId, ExprKind, FunctionId, MethodId, PredicateId, Program, StmtKind};
use echis_base::Key;
use std::collections::BTreeSet;

/// The strongly connected components of a graph, callers before callees.
pub(crate) struct Components {
    /// The component of each node.
    pub of: Vec<u32>,
    /// Whether each node lies on a cycle.
    pub cyclic: Vec<bool>,
}

/// Numbers functions by cycles of bodies and contracts (callees have larger numbers) and methods by cycles of calls.
/// Measures are defined by earlier functions; a cycle through a measure is invalid.
///
/// A function that opens a predicate also reaches the functions in the predicate's body, so these precede it too, as
/// far as possible: such applications form no cycle, since a predicate can only be folded if its contents are held.
pub(crate) fn number(program: &mut Program) {
    let calls: Vec<Vec<usize>> =
        program.functions.keys().map(|function| called_functions(program, program.function_roots(function))).collect();
    let met: Vec<Vec<usize>> = program.functions.keys().map(|function| met_functions(program, function)).collect();
    let (components, around) = (Components::of(&calls), Components::of(&met));
    let mut order: Vec<(u32, u32)> = around.of.into_iter().zip(components.of).collect();
    let places = order.clone();
    order.sort_unstable();
    order.dedup();
    for (function, declared) in program.functions.iter_mut() {
        let place = places[function.index()];
        declared.height = order.partition_point(|other| *other < place) as u32;
        declared.recursive = components.cyclic[function.index()];
    }
    let calls: Vec<Vec<usize>> = program.methods.keys().map(|method| called_methods(program, method)).collect();
    let components = Components::of(&calls);
    for (method, declared) in program.methods.iter_mut() {
        declared.cycle = components.of[method.index()];
    }
}

impl crate::program::Function {
    /// Body and contract, without `decreases` clauses.
    pub(crate) fn heads(&self) -> Vec<ExprId> {
        self.pre.iter().chain(&self.post).copied().chain(self.body).collect()
    }
}

/// The functions applied in some expressions, without duplicates, in key order.
pub(crate) fn called_functions(program: &Program, roots: impl IntoIterator<Item = ExprId>) -> Vec<usize> {
    let mut called = Vec::new();
    for root in roots {
        program.visit(root, |expr| {
            if let ExprKind::FunctionApp { function, .. } = program.kind(expr) {
                called.push(function.index());
            }
            true
        });
    }
    called.sort_unstable();
    called.dedup();
    called
}

/// The functions that a function applies, and those in the bodies of the predicates it opens.
fn met_functions(program: &Program, function: FunctionId) -> Vec<usize> {
    let mut met = Vec::new();
    let mut opened: BTreeSet<PredicateId> = BTreeSet::new();
    let mut roots = program.function_roots(function);
    while let Some(root) = roots.pop() {
        met.extend(called_functions(program, [root]));
        program.visit(root, |expr| {
            if let ExprKind::Unfolding { access, .. } = program.kind(expr)
                && opened.insert(access.predicate)
            {
                roots.extend(program.predicate_roots(access.predicate));
            }
            true
        });
    }
    met.sort_unstable();
    met.dedup();
    met
}

fn called_methods(program: &Program, method: MethodId) -> Vec<usize> {
    let mut called = Vec::new();
    if let Some(body) = &program.methods[method].body {
        body.visit_stmts(&mut |stmt| {
            if let StmtKind::Call { method, .. } = &stmt.kind {
                called.push(method.index());
            }
        });
    }
    called.sort_unstable();
    called.dedup();
    called
}

impl Components {
    pub(crate) fn same(&self, left: FunctionId, right: FunctionId) -> bool {
        self.of[left.index()] == self.of[right.index()]
    }

    /// Tarjan's algorithm without recursion. It yields callees first, so the numbers are reversed.
    pub(crate) fn of(edges: &[Vec<usize>]) -> Components {
        const UNSEEN: usize = usize::MAX;
        let count = edges.len();
        let mut search = Search {
            order: vec![UNSEEN; count],
            low: vec![0; count],
            on_stack: vec![false; count],
            stack: Vec::new(),
            component: vec![0; count],
            components: 0,
            seen: 0,
        };
        for start in 0..count {
            if search.order[start] == UNSEEN {
                search.run(edges, start);
            }
        }
        let mut sizes = vec![0u32; search.components as usize];
        search.component.iter().for_each(|component| sizes[*component as usize] += 1);
        let cyclic =
            (0..count).map(|node| sizes[search.component[node] as usize] > 1 || edges[node].contains(&node)).collect();
        let of = search.component.iter().map(|component| search.components - 1 - component).collect();
        Components { of, cyclic }
    }
}

struct Search {
    order: Vec<usize>,
    low: Vec<usize>,
    on_stack: Vec<bool>,
    stack: Vec<usize>,
    component: Vec<u32>,
    components: u32,
    seen: usize,
}

impl Search {
    fn run(&mut self, edges: &[Vec<usize>], start: usize) {
        let mut frames = vec![(start, 0)];
        self.enter(start);
        while let Some((node, next)) = frames.last_mut() {
            let node = *node;
            if let Some(&target) = edges[node].get(*next) {
                *next += 1;
                if self.order[target] == usize::MAX {
                    self.enter(target);
                    frames.push((target, 0));
                } else if self.on_stack[target] {
                    self.low[node] = self.low[node].min(self.order[target]);
                }
                continue;
            }
            frames.pop();
            if let Some((parent, _)) = frames.last() {
                self.low[*parent] = self.low[*parent].min(self.low[node]);
            }
            if self.low[node] == self.order[node] {
                self.close(node);
            }
        }
    }

    fn enter(&mut self, node: usize) {
        self.order[node] = self.seen;
        self.low[node] = self.seen;
        self.seen += 1;
        self.stack.push(node);
        self.on_stack[node] = true;
    }

    fn close(&mut self, root: usize) {
        while let Some(node) = self.stack.pop() {
            self.on_stack[node] = false;
            self.component[node] = self.components;
            if node == root {
                break;
            }
        }
        self.components += 1;
    }
}
