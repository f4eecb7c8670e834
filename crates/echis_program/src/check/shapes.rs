//! Checks the form of triggers and of the resource of `forperm`, after names and types.

use super::Checker;
use super::walk::{Descend, walk};
use crate::program::LocalId;
use crate::typed::Use;
use echis_syntax::ast::{self, BinaryOp, Expr, ExprId, ExprKind};

impl<'a> Checker<'a> {
    pub(super) fn check_shapes(&mut self) {
        let late = std::mem::take(&mut self.late);
        self.diagnostics.extend(late);
        for quantifier in std::mem::take(&mut self.quantifiers) {
            if let ExprKind::Forall(quantifier) | ExprKind::Exists(quantifier) = &self.expr(quantifier).kind {
                quantifier.triggers.iter().for_each(|trigger| self.check_trigger(trigger));
            }
        }
        for forperm in std::mem::take(&mut self.forperms) {
            if let ExprKind::Forperm(form) = &self.expr(forperm).kind {
                self.check_forperm(forperm, form);
            }
        }
    }

    /// A trigger is matched syntactically: it needs a function symbol at its head, and no subterm that the solver
    /// rewrites.
    fn check_trigger(&mut self, trigger: &ast::Trigger) {
        let bad = trigger.terms.iter().find_map(|term| self.untriggerable(*term));
        if let Some(part) = bad {
            let message = "expected applications, accesses and collection operators without arithmetic, comparisons \
                           or connectives as a trigger, found another expression";
            let found = super::error(trigger.span, message);
            self.report(found.related(self.expr(part).span, "this part"));
        }
    }

    /// The subterm that makes a term unusable as a trigger.
    fn untriggerable(&self, term: ExprId) -> Option<ExprId> {
        let mut head = term;
        while let ExprKind::Old { body, .. } = &self.expr(head).kind {
            head = *body;
        }
        if self.is_trigger_head(head) { self.forbidden_part(head) } else { Some(head) }
    }

    fn is_trigger_head(&self, head: ExprId) -> bool {
        let usage = self.typed.uses.get(head);
        match &self.expr(head).kind {
            ExprKind::Call(_) => usage.is_some_and(|usage| !self.is_interpreted(usage)),
            ExprKind::Field { .. } => !matches!(usage, Some(Use::Discriminator { .. })),
            ExprKind::Binary { op, .. } => !rewritten(*op),
            ExprKind::Acc { location, .. } => matches!(self.expr(*location).kind, ExprKind::Call(_)),
            ExprKind::PredicateInstance(_)
            | ExprKind::Index { .. }
            | ExprKind::Update { .. }
            | ExprKind::Take { .. }
            | ExprKind::Drop { .. }
            | ExprKind::Slice { .. }
            | ExprKind::Range { .. }
            | ExprKind::Cardinality(_)
            | ExprKind::Collection(_)
            | ExprKind::Map(_)
            | ExprKind::MapDomain(_)
            | ExprKind::MapRange(_) => true,
            _ => false,
        }
    }

    fn forbidden_part(&self, head: ExprId) -> Option<ExprId> {
        match &self.expr(head).kind {
            ExprKind::Binary { op: BinaryOp::Wand, .. } => {
                self.evaluated_parts(head).into_iter().find_map(|part| self.forbidden_part(part))
            }
            _ => {
                let mut found = None;
                walk(&self.program.exprs, head, &mut |id, expr| {
                    if found.is_none() && self.is_forbidden(id, expr) {
                        found = Some(id);
                    }
                    if found.is_some() { Descend::Past } else { Descend::Into }
                });
                found
            }
        }
    }

    /// The maximal subterms of a wand without accesses and heap reads. The rest is the wand's shape.
    fn evaluated_parts(&self, wand: ExprId) -> Vec<ExprId> {
        struct Node {
            id: ExprId,
            parent: usize,
            reads_heap: bool,
        }
        let (mut nodes, mut open): (Vec<Node>, _) = (Vec::new(), vec![(wand, 0)]);
        while let Some((id, parent)) = open.pop() {
            let position = nodes.len();
            nodes.push(Node { id, parent, reads_heap: self.reads_heap(id) });
            self.expr(id).kind.for_each_child(|part| open.push((part, position)));
        }
        for position in (1..nodes.len()).rev() {
            let Node { parent, reads_heap, .. } = nodes[position];
            nodes[parent].reads_heap |= reads_heap;
        }
        let largest = |node: &&Node| !node.reads_heap && nodes[node.parent].reads_heap;
        nodes.iter().filter(largest).map(|node| node.id).collect()
    }

    /// Whether the node itself, apart from its children, reads the heap.
    fn reads_heap(&self, id: ExprId) -> bool {
        match (&self.expr(id).kind, self.typed.uses.get(id)) {
            (ExprKind::Binary { op: BinaryOp::Wand, .. }, _) => true,
            (ExprKind::Acc { .. } | ExprKind::CurrentPerm(_) | ExprKind::Forperm(_), _) => true,
            (ExprKind::Unfolding { .. } | ExprKind::Applying { .. }, _) => true,
            (_, Some(Use::Field(_) | Use::Predicate(_))) => true,
            (_, Some(Use::Function(function))) => !self.typed.functions[*function].decl.contract.requires.is_empty(),
            _ => false,
        }
    }

    fn is_forbidden(&self, id: ExprId, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Unary { .. } | ExprKind::Chain { .. } | ExprKind::Conditional { .. } => true,
            ExprKind::Binary { op, .. } => rewritten(*op),
            ExprKind::Field { .. } => matches!(self.typed.uses.get(id), Some(Use::Discriminator { .. })),
            _ => false,
        }
    }

    /// Every variable must be an argument of the resource by itself, so that the held instances determine its values.
    fn check_forperm(&mut self, id: ExprId, forperm: &ast::Forperm) {
        let vars: Vec<LocalId> = forperm.vars.iter().map(|var| self.typed.local(var)).collect();
        let (mut used, mut indirect) = (Vec::new(), Vec::new());
        for argument in self.arguments(forperm.resource) {
            let mentioned = self.mentioned(argument, &vars);
            if !mentioned.is_empty() && !matches!(self.expr(argument).kind, ExprKind::Ident(_)) {
                indirect.push(argument);
            }
            used.extend(mentioned);
        }
        for part in indirect {
            let message = "expected each bound variable of `forperm` to be an argument by itself, found it inside \
                           another expression";
            self.error_at(part, message);
        }
        for (var, formal) in vars.iter().zip(&forperm.vars) {
            if !used.contains(var) {
                let message =
                    format!("expected `{}` to be an argument of the resource, found no use of it", formal.name.name);
                self.error_at(id, message);
            }
        }
    }

    /// The values that distinguish instances of a resource: receivers, arguments, amounts, and the pure parts of
    /// wands.
    fn arguments(&self, resource: ExprId) -> Vec<ExprId> {
        let (mut open, mut arguments) = (vec![resource], Vec::new());
        while let Some(id) = open.pop() {
            match &self.expr(id).kind {
                ExprKind::Field { receiver, .. } => arguments.push(*receiver),
                ExprKind::Acc { location, amount } => {
                    open.push(*location);
                    arguments.extend(*amount);
                }
                ExprKind::Binary { op: BinaryOp::Wand | BinaryOp::And | BinaryOp::Implies, left, right } => {
                    open.extend([*right, *left]);
                }
                ExprKind::InhaleExhale { inhale, exhale } => open.extend([*exhale, *inhale]),
                ExprKind::Conditional { condition, then, otherwise } => {
                    arguments.push(*condition);
                    open.extend([*otherwise, *then]);
                }
                ExprKind::Let { value, body, .. } => {
                    arguments.push(*value);
                    open.push(*body);
                }
                ExprKind::Forall(quantifier) => open.push(quantifier.body),
                ExprKind::Call(call) if matches!(self.typed.uses.get(id), Some(Use::Predicate(_))) => {
                    arguments.extend(&call.args);
                }
                _ => arguments.push(id),
            }
        }
        arguments
    }

    fn mentioned(&self, root: ExprId, vars: &[LocalId]) -> Vec<LocalId> {
        let mut found = Vec::new();
        walk(&self.program.exprs, root, &mut |id, _| {
            match self.typed.uses.get(id) {
                Some(Use::Variable(local)) if vars.contains(local) => found.push(*local),
                _ => {}
            }
            Descend::Into
        });
        found
    }
}

/// Operators that the solver evaluates or rewrites, so that terms containing them never match.
fn rewritten(op: BinaryOp) -> bool {
    use BinaryOp::{Add, And, Div, Eq, Ge, Gt, Iff, Implies, IntDiv, Le, Lt, Mod, Mul, Ne, Or, Sub};
    matches!(op, Iff | Implies | Or | And | Eq | Ne | Lt | Le | Gt | Ge | Add | Sub | Mul | Div | IntDiv | Mod)
}
