//! Replaces uses of macros in one member by copies of their bodies, in source order, until none is left.

use super::copy::{Copied, Copier, Mode, Problem, Renaming};
use super::names::{declared_in, names_in_expr};
use super::{Definition, MAX_DEPTH, MAX_NODES, Scope};
use crate::ast::{
    BinaryOp, Block, ExprId, ExprKind, Exprs, Ident, MacroBody, Member, MemberKind, Part, Stmt, StmtKind, Type,
};
use crate::visit::for_each_stmt;
use echis_base::{Diagnostic, Name, Span};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// State shared by all members.
pub(super) struct Shared<'a> {
    pub exprs: &'a mut Exprs,
    /// Names that members declare.
    pub globals: &'a HashSet<Name>,
    /// Number of nodes created by expansion so far.
    pub nodes: usize,
}

pub(super) fn member(shared: &mut Shared<'_>, scope: Scope<'_>, member: &mut Member) -> Vec<Diagnostic> {
    let taken = declared_in(member, shared.exprs);
    let mut expander = Expander::new(shared, scope, taken);
    expander.types_of_member(member);
    member.for_each_expr(|root| expander.expr(root));
    if let MemberKind::Method(method) = &mut member.kind {
        method.body.iter_mut().for_each(|body| expander.block(body, 0));
    }
    expander.diagnostics
}

/// For a member without macro uses in expressions or statements.
pub(super) fn without_uses(shared: &mut Shared<'_>, scope: Scope<'_>, member: &Member) -> Vec<Diagnostic> {
    let mut expander = Expander::new(shared, scope, HashSet::new());
    expander.types_of_member(member);
    if let MemberKind::Method(method) = &member.kind
        && let Some(body) = &method.body
    {
        for_each_stmt(body, |stmt| {
            if let StmtKind::Assign { targets, .. } = &stmt.kind {
                expander.check_targets(targets);
            }
        });
    }
    expander.diagnostics
}

struct Expander<'a> {
    exprs: &'a mut Exprs,
    nodes: &'a mut usize,
    scope: Scope<'a>,
    globals: &'a HashSet<Name>,
    /// Names declared in the member or bound by expansion.
    taken: HashSet<Name>,
    /// For uses from another macro's body: the renamed bound names of that macro.
    renamings: HashMap<ExprId, Renaming>,
    diagnostics: Vec<Diagnostic>,
    /// Whether the limit was reached, which is reported once.
    stopped: bool,
}

/// A use of a macro.
struct Use<'a> {
    definition: &'a Definition,
    args: Vec<ExprId>,
    span: Span,
    outer: Renaming,
    /// For a use inside an expanded statement: the original use in the member.
    origin: Span,
}

enum Task {
    Expand(ExprId),
    /// Checks whether the result fits its context, after the parts are expanded.
    Check(ExprId),
}

impl<'a> Expander<'a> {
    fn new(shared: &'a mut Shared<'_>, scope: Scope<'a>, taken: HashSet<Name>) -> Self {
        let Shared { exprs, globals, nodes } = shared;
        let renamings = HashMap::new();
        Expander { exprs, nodes, globals, scope, taken, renamings, diagnostics: Vec::new(), stopped: false }
    }

    fn error(&mut self, span: Span, message: impl Into<String>, definition: Option<&Definition>) {
        let mut diagnostic = Diagnostic::error("parser.error", span, message);
        if let Some(definition) = definition {
            diagnostic = diagnostic.related(definition.span, "the macro is defined here");
        }
        self.diagnostics.push(diagnostic);
    }

    /// The macro that the node uses, if the use is valid.
    fn find_use(&mut self, id: ExprId) -> Option<Use<'a>> {
        let span = self.exprs[id].span;
        match &self.exprs[id].kind {
            ExprKind::Ident(name) => {
                let definition = self.scope.get(name)?;
                let Some(params) = &definition.decl.params else {
                    return Some(Use { definition, args: Vec::new(), span, outer: self.renaming(id), origin: span });
                };
                let message = format!("the macro `{name}` needs {}, found none", arguments(params.len()));
                self.error(span, message, Some(definition));
                None
            }
            ExprKind::Call(call) => {
                let definition = self.scope.get(&call.callee.name)?;
                let name = &definition.decl.name.name;
                let (expected, message, at) = match &definition.decl.params {
                    None => (
                        None,
                        format!("the macro `{name}` has no parameters, so it is used without `()`"),
                        call.callee.span,
                    ),
                    Some(params) => {
                        let found = call.args.len();
                        let expected = arguments(params.len());
                        (Some(params.len()), format!("the macro `{name}` needs {expected}, found {found}"), span)
                    }
                };
                if expected == Some(call.args.len()) {
                    let (args, outer) = (call.args.clone(), self.renaming(id));
                    return Some(Use { definition, args, span, outer, origin: span });
                }
                self.error(at, message, Some(definition));
                None
            }
            _ => None,
        }
    }

    fn renaming(&self, id: ExprId) -> Renaming {
        self.renamings.get(&id).cloned().unwrap_or_else(|| Rc::new([]))
    }

    fn with_copier<T>(
        &mut self,
        found: &Use<'a>,
        place: Option<Span>,
        copy: impl FnOnce(&mut Copier<'_>) -> Copied<T>,
    ) -> Option<T> {
        let mut in_args = HashSet::new();
        found.args.iter().for_each(|arg| names_in_expr(self.exprs, *arg, &mut in_args));
        let params = found.definition.decl.params.iter().flatten();
        let args: HashMap<Name, ExprId> =
            params.map(|param| param.name.clone()).zip(found.args.iter().copied()).collect();
        let mut copier = Copier {
            mode: Mode::Body,
            exprs: self.exprs,
            args,
            moved: HashSet::new(),
            place,
            taken: &mut self.taken,
            globals: self.globals,
            in_args,
            renamed: Vec::new(),
            outer: found.outer.clone(),
            renamings: &mut self.renamings,
            scope: self.scope,
            nodes: self.nodes,
        };
        match copy(&mut copier) {
            Ok(result) => Some(result),
            Err(problem) => {
                self.report(problem, found);
                None
            }
        }
    }

    fn report(&mut self, problem: Problem, found: &Use<'a>) {
        let name = &found.definition.decl.name.name;
        let message = match problem {
            Problem::NotAName(param) => {
                format!(
                    "the macro `{name}` uses its parameter `{param}` as a name, so the argument must be an identifier"
                )
            }
            Problem::TooLarge if self.stopped => return,
            Problem::TooLarge => {
                self.stopped = true;
                format!("expanding `{name}` and other macros makes the program too large: at most {MAX_NODES} nodes")
            }
        };
        let span = if self.stopped { found.origin } else { found.span };
        self.error(span, message, Some(found.definition));
    }

    // -------------------------------------------------------------------------------------------------------------
    // Expressions

    fn expr(&mut self, root: ExprId) {
        let mut stack = vec![Task::Expand(root)];
        while let Some(task) = stack.pop() {
            if self.stopped {
                return;
            }
            match task {
                Task::Check(id) => self.check(id),
                Task::Expand(id) => match self.find_use(id) {
                    // The copy may itself be a use.
                    Some(found) if self.expand_expr(id, &found) => stack.push(Task::Expand(id)),
                    Some(_) => {}
                    None => {
                        self.types_of_expr(id);
                        stack.push(Task::Check(id));
                        let first = stack.len();
                        self.exprs[id].kind.for_each_child(|child| stack.push(Task::Expand(child)));
                        stack[first..].reverse();
                    }
                },
            }
        }
    }

    /// Replaces the use by a copy of the macro's body, under the same key.
    fn expand_expr(&mut self, id: ExprId, found: &Use<'a>) -> bool {
        let MacroBody::Expr(body) = found.definition.decl.body else {
            let name = &found.definition.decl.name.name;
            let message = format!("expected an expression, found the statement macro `{name}`");
            self.error(found.span, message, Some(found.definition));
            return false;
        };
        let Some(copy) = self.with_copier(found, Some(found.span), |copier| copier.copy(body)) else { return false };
        let annotations = std::mem::take(&mut self.exprs[id].annotations);
        let mut expr = self.exprs[copy].clone();
        expr.annotations.splice(0..0, annotations);
        self.exprs[id] = expr;
        // If the copy is a macro use, this node now is that use.
        match self.renamings.get(&copy).cloned() {
            Some(renaming) => self.renamings.insert(id, renaming),
            None => self.renamings.remove(&id),
        };
        true
    }

    fn check(&mut self, id: ExprId) {
        let span = self.exprs[id].span;
        let fits = match self.exprs[id].kind {
            ExprKind::Acc { location, .. } => self.is_location(location),
            ExprKind::CurrentPerm(resource) => self.is_resource(resource),
            ExprKind::Forperm(ref forperm) => self.is_resource(forperm.resource),
            ExprKind::Unfolding { access, .. } => self.is_predicate_access(access),
            _ => true,
        };
        if !fits {
            let message = "expected a location (a field access or predicate instance) here, found another expression \
                           after macros are expanded";
            self.error(span, message, None);
        }
    }
    fn is_location(&self, id: ExprId) -> bool {
        matches!(self.exprs[id].kind, ExprKind::Field { .. }) || self.is_plain_call(id)
    }
    /// Whether the call has no type ascription.
    fn is_plain_call(&self, id: ExprId) -> bool {
        matches!(&self.exprs[id].kind, ExprKind::Call(call) if call.ascription.is_none())
    }
    fn is_resource(&self, id: ExprId) -> bool {
        self.is_location(id) || matches!(self.exprs[id].kind, ExprKind::Binary { op: BinaryOp::Wand, .. })
    }
    fn is_predicate_access(&self, id: ExprId) -> bool {
        matches!(self.exprs[id].kind, ExprKind::Acc { .. }) || self.is_plain_call(id)
    }

    // -------------------------------------------------------------------------------------------------------------
    // Types cannot be macro uses, so attempts are only reported.

    fn ty(&mut self, ty: &Type) {
        let mut wrong: Vec<Ident> = Vec::new();
        ty.for_each_name(&mut |name, args| {
            if args == 0 && self.scope.get(&name.name).is_some() {
                wrong.push(name.clone());
            }
        });
        for name in wrong {
            let message = format!("expected a type, found the macro `{}`", name.name);
            self.error(name.span, message, self.scope.get(&name.name));
        }
    }

    fn types_of_expr(&mut self, id: ExprId) {
        let mut types = Vec::new();
        self.exprs[id].kind.for_each_part(|part| {
            if let Part::Type(ty) = part {
                types.push(ty.clone());
            }
        });
        types.iter().for_each(|ty| self.ty(ty));
    }

    fn types_of_member(&mut self, member: &Member) {
        match &member.kind {
            MemberKind::Fields(fields) => fields.iter().for_each(|field| self.ty(&field.ty)),
            MemberKind::Method(method) => {
                method.params.iter().chain(&method.returns).for_each(|formal| self.ty(&formal.ty));
            }
            MemberKind::Function(function) => {
                function.params.iter().for_each(|formal| self.ty(&formal.ty));
                self.ty(&function.result);
            }
            MemberKind::Predicate(predicate) => predicate.params.iter().for_each(|formal| self.ty(&formal.ty)),
            MemberKind::Domain(domain) => {
                for function in &domain.functions {
                    function.params.iter().for_each(|param| self.ty(&param.ty));
                    self.ty(&function.result);
                }
            }
            MemberKind::Adt(adt) => {
                adt.constructors.iter().flat_map(|constructor| &constructor.args).for_each(|arg| self.ty(&arg.ty));
            }
            MemberKind::Import(_) | MemberKind::Define(_) => {}
        }
    }

    // -------------------------------------------------------------------------------------------------------------
    // Statements

    fn block(&mut self, block: &mut Block, depth: usize) {
        stacker::maybe_grow(64 << 10, 2 << 20, || {
            // Pending statements, the next one last, each with the number of uses it stems from.
            let mut pending: Vec<(Stmt, usize)> =
                std::mem::take(&mut block.stmts).into_iter().map(|stmt| (stmt, depth)).collect();
            pending.reverse();
            while let Some((mut stmt, depth)) = pending.pop() {
                if self.stopped {
                    return;
                }
                match self.stmt_use(&stmt) {
                    None => {
                        self.stmt(&mut stmt, depth);
                        block.stmts.push(stmt);
                    }
                    Some(mut found) => {
                        found.origin = stmt.macro_use.unwrap_or(stmt.span);
                        let copies = self.expand_stmt(&stmt, &found, depth);
                        pending.extend(copies.into_iter().rev().map(|copy| (copy, depth + 1)));
                    }
                }
            }
        });
    }

    /// The macro that the statement uses. An invalid use is reported and kept.
    fn stmt_use(&mut self, stmt: &Stmt) -> Option<Use<'a>> {
        let StmtKind::Call(expr) = stmt.kind else { return None };
        let errors = self.diagnostics.len();
        let found = self.find_use(expr);
        // The expression is visited again by `stmt`.
        if found.is_none() {
            self.diagnostics.truncate(errors);
        }
        found
    }

    fn expand_stmt(&mut self, stmt: &Stmt, found: &Use<'a>, depth: usize) -> Vec<Stmt> {
        let name = &found.definition.decl.name.name;
        let MacroBody::Stmt(body) = &found.definition.decl.body else {
            let message = format!("expected a statement, found the expression macro `{name}`");
            self.error(stmt.span, message, Some(found.definition));
            return Vec::new();
        };
        if depth >= MAX_DEPTH {
            let message =
                format!("macros are nested too deeply at `{name}`: at most {MAX_DEPTH} levels can be expanded");
            self.error(stmt.macro_use.unwrap_or(stmt.span), message, Some(found.definition));
            self.stopped = true;
            return Vec::new();
        }
        let Some(mut copies) = self.with_copier(found, None, |copier| copier.body(body)) else { return Vec::new() };
        let place = stmt.macro_use.unwrap_or(stmt.span);
        mark(&mut copies, place);
        if let Some(first) = copies.first_mut() {
            first.annotations.splice(0..0, stmt.annotations.iter().cloned());
        }
        copies
    }

    fn stmt(&mut self, stmt: &mut Stmt, depth: usize) {
        match &mut stmt.kind {
            // In text order, for the order of errors.
            StmtKind::If { arms, otherwise } => {
                for arm in arms {
                    self.expr(arm.condition);
                    self.block(&mut arm.body, depth);
                }
                otherwise.iter_mut().for_each(|block| self.block(block, depth));
                return;
            }
            _ => stmt.for_each_part(|part| {
                if let Part::Type(ty) = part {
                    self.ty(ty);
                }
            }),
        }
        stmt.for_each_expr(|root| self.expr(root));
        stmt.for_each_block_mut(|block| self.block(block, depth));
        match &stmt.kind {
            StmtKind::Fold(access) | StmtKind::Unfold(access) if !self.is_predicate_access(*access) => {
                let message = "expected a predicate instance, found another expression after macros are expanded";
                self.error(stmt.span, message, None);
            }
            StmtKind::Assign { targets, .. } => self.check_targets(targets),
            _ => {}
        }
    }

    fn check_targets(&mut self, targets: &[ExprId]) {
        for target in targets {
            if !matches!(self.exprs[*target].kind, ExprKind::Ident(_) | ExprKind::Field { .. }) {
                let message = "expected a variable, a field access, or a macro for one to the left of `:=`";
                self.error(self.exprs[*target].span, message, None);
            }
        }
    }
}

/// Records the use that the statements come from.
fn mark(stmts: &mut [Stmt], place: Span) {
    for stmt in stmts {
        stmt.macro_use = Some(place);
        stmt.for_each_block_mut(|block| mark(&mut block.stmts, place));
    }
}

fn arguments(count: usize) -> String {
    match count {
        1 => "1 argument".into(),
        count => format!("{count} arguments"),
    }
}
