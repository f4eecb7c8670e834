//! Statements.

use super::Lowering;
use crate::program::{Block, FieldId, LocalId, Stmt, StmtKind, Type};
use crate::typed::Use;
use crate::walk::guarded;
use echis_base::{SyntaxId, SyntaxNode};
use echis_syntax::ast;

/// The target of a result of a call or `new`.
enum Target {
    Local(LocalId),
    Field { target: ast::ExprId, receiver: ast::ExprId, field: FieldId },
}

impl<'a> Lowering<'a> {
    pub(super) fn block(&mut self, block: &'a ast::Block) -> Block {
        guarded(|| {
            self.method_scope.push(Vec::new());
            let mut stmts = Vec::new();
            for stmt in &block.stmts {
                self.stmt(stmt, &mut stmts);
            }
            Block { locals: self.method_scope.pop().unwrap_or_default(), stmts }
        })
    }

    fn stmt(&mut self, stmt: &'a ast::Stmt, out: &mut Vec<Stmt>) {
        let id = self.stmt_node(stmt);
        let kind = match &stmt.kind {
            ast::StmtKind::Fold(access) => StmtKind::Fold(self.predicate_access(*access)),
            ast::StmtKind::Unfold(access) => StmtKind::Unfold(self.predicate_access(*access)),
            ast::StmtKind::Inhale(expr) => StmtKind::Inhale(self.expr(*expr)),
            ast::StmtKind::Exhale(expr) => StmtKind::Exhale(self.expr(*expr)),
            ast::StmtKind::Assert(expr) => StmtKind::Assert(self.expr(*expr)),
            ast::StmtKind::Refute(expr) => StmtKind::Refute(self.expr(*expr)),
            ast::StmtKind::Assume(expr) => {
                let assertion = self.expr(*expr);
                let conjuncts = self.assumed(assertion);
                out.extend(conjuncts.into_iter().map(|conjunct| Stmt { kind: StmtKind::Assume(conjunct), id }));
                return;
            }
            ast::StmtKind::If { arms, otherwise } => {
                out.push(self.conditional(arms, otherwise.as_ref(), id));
                return;
            }
            ast::StmtKind::While { condition, invariants, body } => StmtKind::While {
                condition: self.expr(*condition),
                invariants: self.exprs(&invariants.exprs),
                decreases: self.decreases(&invariants.decreases),
                body: self.block(body),
            },
            ast::StmtKind::Var { vars, init } => return self.declaration(vars, *init, id, out),
            ast::StmtKind::Goto(name) => match self.typed.label_use(name) {
                Some(label) => StmtKind::Goto(label),
                None => return self.no_label(stmt.span, name),
            },
            ast::StmtKind::Label { name, invariants } => StmtKind::Label {
                label: self.typed.label(name),
                invariants: self.exprs(&invariants.exprs),
                decreases: self.decreases(&invariants.decreases),
            },
            ast::StmtKind::Package { wand, script } => StmtKind::Package {
                wand: self.expr(*wand),
                script: script.as_ref().map(|script| self.block(script)).unwrap_or_default(),
            },
            ast::StmtKind::Apply(wand) => StmtKind::Apply { wand: self.expr(*wand) },
            ast::StmtKind::Quasihavoc { condition, resource } => {
                let condition = condition.map(|condition| self.expr(condition));
                let (location, location_id) = self.location(*resource);
                StmtKind::Quasihavoc { condition, location, location_id }
            }
            ast::StmtKind::QuasihavocAll { vars, condition, resource } => {
                let vars = vars.iter().map(|var| self.typed.local(var)).collect();
                let condition = condition.map(|condition| self.expr(condition));
                let (location, location_id) = self.location(*resource);
                StmtKind::QuasihavocAll { vars, condition, location, location_id }
            }
            ast::StmtKind::Block(block) => StmtKind::Block(self.block(block)),
            ast::StmtKind::Assign { targets, value } => {
                let targets = targets.iter().map(|target| self.target(*target)).collect();
                return self.assign(targets, *value, id, out);
            }
            ast::StmtKind::Call(call) => return self.assign(Vec::new(), *call, id, out),
            // Macros are expanded before names are resolved.
            ast::StmtKind::Define(_) => return,
        };
        out.push(Stmt { kind, id });
    }

    /// `if` with `elseif`s: each becomes an `if` in the else block of the previous one.
    fn conditional(&mut self, arms: &'a [ast::IfArm], otherwise: Option<&'a ast::Block>, id: SyntaxId) -> Stmt {
        let mut lowered = Vec::new();
        for (index, arm) in arms.iter().enumerate() {
            let id = if index == 0 { id } else { self.program.syntax.add_span(arm.span) };
            lowered.push((id, self.expr(arm.condition), self.block(&arm.body)));
        }
        let mut rest = otherwise.map(|block| self.block(block)).unwrap_or_default();
        while let Some((id, condition, then)) = lowered.pop() {
            let kind = StmtKind::If { condition, then, otherwise: rest };
            rest = Block { locals: Vec::new(), stmts: vec![Stmt { kind, id }] };
        }
        rest.stmts.pop().unwrap_or(Stmt { kind: StmtKind::Block(Block::default()), id })
    }

    fn declaration(&mut self, vars: &'a [ast::Formal], init: Option<ast::ExprId>, id: SyntaxId, out: &mut Vec<Stmt>) {
        let mut targets = Vec::new();
        for var in vars {
            let local = self.typed.local(var);
            self.scope(local);
            let declare_id = match init {
                // Without an initialiser the declaration is the whole statement.
                None if vars.len() == 1 => id,
                _ => self.program.syntax.add_span(var.span),
            };
            out.push(Stmt { kind: StmtKind::Declare(local), id: declare_id });
            targets.push(Target::Local(local));
        }
        if let Some(init) = init {
            self.assign(targets, init, id, out);
        }
    }

    fn scope(&mut self, local: LocalId) {
        if let Some(scope) = self.method_scope.last_mut() {
            scope.push(local);
        }
    }

    fn target(&self, target: ast::ExprId) -> Target {
        match (self.typed.usage(target), &self.ast.exprs[target].kind) {
            (Use::Variable(local), _) => Target::Local(*local),
            (Use::Field(field), ast::ExprKind::Field { receiver, .. }) => {
                Target::Field { target, receiver: *receiver, field: *field }
            }
            (other, _) => unreachable!("a target of an assignment is no {other:?}"),
        }
    }

    fn assign(&mut self, targets: Vec<Target>, value: ast::ExprId, id: SyntaxId, out: &mut Vec<Stmt>) {
        let ast = self.ast;
        match &ast.exprs[value].kind {
            ast::ExprKind::New(_) => {
                // A field that is named twice is listed once.
                let mut fields: Vec<FieldId> = Vec::new();
                for field in self.typed.new_fields(value) {
                    if !fields.contains(field) {
                        fields.push(*field);
                    }
                }
                self.with_locals(targets, id, out, |_, locals| match locals.first() {
                    Some(target) => StmtKind::New { target: *target, fields },
                    None => StmtKind::Block(Block::default()),
                });
            }
            ast::ExprKind::Call(call) if matches!(self.typed.usage(value), Use::Method(_)) => {
                let Use::Method(method) = self.typed.usage(value) else { return };
                self.with_locals(targets, id, out, |lowering, targets| StmtKind::Call {
                    targets,
                    method: *method,
                    args: lowering.exprs(&call.args),
                });
            }
            _ => {
                let kind = match targets.first() {
                    Some(Target::Local(target)) => StmtKind::Assign { target: *target, value: self.expr(value) },
                    Some(Target::Field { receiver, field, .. }) => {
                        let receiver = self.expr(*receiver);
                        StmtKind::AssignField { receiver, field: *field, value: self.expr(value) }
                    }
                    None => return,
                };
                out.push(Stmt { kind, id });
            }
        }
    }

    /// Creates a statement whose targets are all variables: receivers of field targets are evaluated into temporaries
    /// before it, its results go to temporaries, and the fields are assigned after it, in order.
    fn with_locals(
        &mut self,
        targets: Vec<Target>,
        id: SyntaxId,
        out: &mut Vec<Stmt>,
        make: impl FnOnce(&mut Self, Vec<LocalId>) -> StmtKind,
    ) {
        let mut locals = Vec::new();
        let mut after = Vec::new();
        for target in targets {
            match target {
                Target::Local(local) => locals.push(local),
                Target::Field { target, receiver, field } => {
                    let held = self.part_of(id, receiver);
                    let receiver = self.expr(receiver);
                    let ty = self.program.ty(receiver).clone();
                    let holder = self.temporary("receiver", ty, held);
                    out.push(Stmt { kind: StmtKind::Assign { target: holder, value: receiver }, id: held });
                    let made = self.part_of(id, target);
                    let ty = self.program.fields[field].ty.clone();
                    let result = self.temporary("result", ty, made);
                    locals.push(result);
                    after.push((holder, field, result, made));
                }
            }
        }
        let kind = make(self, locals);
        out.push(Stmt { kind, id });
        for (holder, field, result, made) in after {
            let receiver = self.program.local(holder, made);
            let value = self.program.local(result, made);
            out.push(Stmt { kind: StmtKind::AssignField { receiver, field, value }, id: made });
        }
    }

    /// A generated statement for part of a written one: errors are reported at the part.
    fn part_of(&mut self, stmt: SyntaxId, part: ast::ExprId) -> SyntaxId {
        let ast::Expr { span, macro_span, .. } = self.ast.exprs[part];
        let node = SyntaxNode { span, macro_span, macro_use: None, cause: Some(stmt), annotations: Vec::new() };
        self.program.syntax.add(node)
    }

    fn temporary(&mut self, purpose: &str, ty: Type, id: SyntaxId) -> LocalId {
        let number = self.program.locals.len();
        // `@` cannot occur in a name of the program, so the name is unique.
        let local = self.program.fresh_local(format!("{purpose}@{number}"), ty, id);
        self.scope(local);
        local
    }
}
