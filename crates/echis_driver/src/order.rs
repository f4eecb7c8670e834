//! What has to be known before a member can be verified: the definitions of the functions it may meet.

use echis_base::Key;
use echis_exec::Member;
use echis_program::program::{ExprId, ExprKind, FunctionId, Location, PredicateId, Program};
use std::collections::BTreeSet;

/// A member to verify, and which of the others come first.
pub struct Task {
    pub member: Member,
    /// Positions of tasks in the plan.
    pub waits: Vec<usize>,
    /// The functions whose definitions the member may import.
    pub imports: Imports,
}

pub enum Imports {
    /// For a function: what it reaches outside its own cycle.
    Some(BTreeSet<FunctionId>),
    /// For predicates and methods, which come after all functions.
    All,
}

/// All members, functions first.
pub fn plan(program: &Program) -> Vec<Task> {
    let functions = program.functions.keys().map(|function| {
        let imports = reached_functions(program, function);
        let waits = imports.iter().map(|needed| needed.index()).collect();
        Task { member: Member::Function(function), waits, imports: Imports::Some(imports) }
    });
    let all: Vec<usize> = program.functions.keys().map(|function| function.index()).collect();
    let predicates = program.predicates.keys().map(Member::Predicate);
    let others = predicates.chain(program.methods.keys().map(Member::Method));
    let others = others.map(|member| Task { member, waits: all.clone(), imports: Imports::All });
    functions.chain(others).collect()
}

/// Functions that the function's contract and body lead to, also through predicates that they mention. Those of
/// its own cycle, and those that lead back to it through a predicate, do not come before it.
fn reached_functions(program: &Program, function: FunctionId) -> BTreeSet<FunctionId> {
    let mut reach = Reach { program, functions: BTreeSet::new(), predicates: BTreeSet::new(), pending: Vec::new() };
    reach.pending.extend(program.function_roots(function));
    reach.run();
    let height = program.functions[function].height;
    reach.functions.retain(|reached| program.functions[*reached].height > height);
    reach.functions
}

struct Reach<'a> {
    program: &'a Program,
    functions: BTreeSet<FunctionId>,
    predicates: BTreeSet<PredicateId>,
    pending: Vec<ExprId>,
}

impl Reach<'_> {
    fn run(&mut self) {
        while let Some(expr) = self.pending.pop() {
            self.mention(expr);
            let kind = self.program.kind(expr);
            self.pending.extend(kind.children());
            self.pending.extend(kind.triggers().iter().flatten());
        }
    }

    fn mention(&mut self, expr: ExprId) {
        match self.program.kind(expr) {
            ExprKind::FunctionApp { function, .. } if self.functions.insert(*function) => {
                self.pending.extend(self.program.function_roots(*function));
            }
            ExprKind::PredicateInstance { predicate, .. } => self.mention_predicate(*predicate),
            ExprKind::Unfolding { access, .. } => self.mention_predicate(access.predicate),
            ExprKind::Acc { location, .. }
            | ExprKind::ForallAcc { location, .. }
            | ExprKind::PermOf(location)
            | ExprKind::ForPerm { location, .. }
            | ExprKind::TriggerLocation(location) => {
                if let Location::Predicate { predicate, .. } = location {
                    self.mention_predicate(*predicate);
                }
            }
            _ => {}
        }
    }

    fn mention_predicate(&mut self, predicate: PredicateId) {
        if self.predicates.insert(predicate) {
            self.pending.extend(self.program.predicate_roots(predicate));
        }
    }
}
