//! Definedness of expressions: permission to read, preconditions of functions, divisors, indices.

use crate::encoder::{Encoder, ExprContext, ResourceInstance, Result, St, keys};
use crate::resource::Resource;
use crate::write::{Blame, zero};
use echis_boogie::build::{Expr, call, int, no};
use echis_program::program::{
    BinaryOp, Defined, ExprId, ExprKind, FunctionId, LocalId, OldState, PredicateAccess, Type,
};
use echis_program::reach::Member;
use echis_proof::{ErrorKind, Reason};

impl Encoder<'_> {
    /// Asserts that the expression is defined, and assumes the resulting facts about its applications.
    pub fn defined(&mut self, expr: ExprId, cx: &ExprContext, blame: Blame) -> Result<()> {
        stacker::maybe_grow(256 * 1024, 4 * 1024 * 1024, || self.defined_kind(expr, cx, blame))
    }
    pub fn all_defined(&mut self, exprs: &[ExprId], cx: &ExprContext, blame: Blame) -> Result<()> {
        exprs.iter().try_for_each(|expr| self.defined(*expr, cx, blame))
    }
    /// Whether the expression is always defined, so that nothing is written.
    fn is_total(&self, expr: ExprId) -> bool {
        !self.program.any(expr, |kind| match kind {
            ExprKind::Field { .. }
            | ExprKind::FunctionApp { .. }
            | ExprKind::PredicateInstance { .. }
            | ExprKind::Old { .. }
            | ExprKind::Unfolding { .. }
            | ExprKind::Applying { .. }
            | ExprKind::Asserting { .. }
            | ExprKind::SeqUpdate(..) => true,
            ExprKind::Binary(op, ..) => op.row().defined != Defined::Always,
            _ => false,
        })
    }
    fn defined_kind(&mut self, expr: ExprId, cx: &ExprContext, blame: Blame) -> Result<()> {
        let program = self.program;
        if cx.settled.contains_key(&expr) || self.is_total(expr) {
            return Ok(());
        }
        let id = self.id(expr);
        match program.kind(expr) {
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Implies | BinaryOp::Or), left, right) => {
                self.defined(*left, cx, blame)?;
                let left = self.expr(*left, cx)?;
                let guard = if *op == BinaryOp::Or { left.not() } else { left };
                self.under(&guard, |encoder| encoder.defined(*right, cx, blame))
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                self.defined(*condition, cx, blame)?;
                let condition = self.expr(*condition, cx)?;
                self.branch(&condition, |encoder, taken| {
                    encoder.defined(if taken { *then } else { *otherwise }, cx, blame)
                })
            }
            ExprKind::Let { var, value, body } => {
                self.defined(*value, cx, blame)?;
                let inner = self.bind(*var, *value, cx)?;
                self.defined(*body, &inner, blame)
            }
            ExprKind::Quantified { vars, body, .. } => {
                self.arbitrary(vars, cx, |encoder, inner| encoder.defined(*body, inner, blame))?;
                let facts = self.facts(expr, cx)?;
                self.body.assume(facts);
                Ok(())
            }
            ExprKind::ForPerm { vars, location, body, .. } => self.arbitrary(vars, cx, |encoder, inner| {
                let place = encoder.place(location, inner)?;
                let held = encoder.amount_at(&cx.left, &place);
                encoder.body.assume(held.greater(zero()));
                encoder.defined(*body, inner, blame)
            }),
            ExprKind::Field { receiver, field } => {
                self.defined(*receiver, cx, blame)?;
                let place =
                    ResourceInstance { resource: Resource::Field(*field), args: vec![self.expr(*receiver, cx)?] };
                let held = self.amount_at(&cx.now.mask, &place);
                self.body.assert(held.greater(zero()), blame.property(Reason::InsufficientPermission, id));
                Ok(())
            }
            ExprKind::FunctionApp { function, args, .. } => {
                self.all_defined(args, cx, blame)?;
                let values = self.exprs(args, cx)?;
                self.applicable(*function, &values, expr, cx)
            }
            ExprKind::PredicateInstance { predicate, args } => {
                self.all_defined(args, cx, blame)?;
                let place =
                    ResourceInstance { resource: Resource::Predicate(*predicate), args: keys(self.exprs(args, cx)?) };
                let held = self.amount_at(&cx.now.mask, &place);
                let blame = Blame { error: ErrorKind::PredicateInstanceNoAccess, at: id };
                self.body.assert(held.greater(zero()), blame.property(Reason::InsufficientPermission, id));
                Ok(())
            }
            ExprKind::Old { state, body } => {
                if let OldState::Label(label) = state {
                    let reached = self.reached(*label);
                    self.body.assert(reached, blame.property(Reason::LabelledStateNotReached, id));
                }
                let st = self.old_state(*state, id, cx)?;
                self.defined(*body, &cx.at(&st), blame)
            }
            ExprKind::Unfolding { access, body } => {
                let inner = self.open(access, cx, blame)?;
                self.defined(*body, &inner, blame)
            }
            ExprKind::Asserting { assertion, body } => {
                self.check(&[*assertion], &cx.unevaluated(), blame, true)?;
                self.defined(*body, cx, blame)
            }
            ExprKind::Binary(op, left, right) => {
                self.all_defined(&[*left, *right], cx, blame)?;
                self.partial(expr, *op, *left, *right, cx, blame)
            }
            ExprKind::SeqUpdate(seq, index, value) => {
                self.all_defined(&[*seq, *index], cx, blame)?;
                self.index(*seq, *index, cx, blame)?;
                self.defined(*value, cx, blame)
            }
            ExprKind::InhaleExhale(assumed, checked) => {
                self.defined(if cx.assumed { *assumed } else { *checked }, cx, blame)
            }
            ExprKind::Applying { body, .. } => match cx.applied.get(&expr).cloned() {
                Some(st) => self.defined(*body, &cx.at(&st), blame),
                None => self.unknown(id, "`applying` is not supported here by verification conditions"),
            },
            ExprKind::Wand { .. } => self.wand_defined(expr, cx, blame),
            kind => self.all_defined(&kind.children(), cx, blame),
        }
    }
    /// A procedure variable for the value of a `let`.
    pub fn bind(&mut self, var: LocalId, value: ExprId, cx: &ExprContext) -> Result<ExprContext> {
        let value = self.expr(value, cx)?;
        if value.is_atom() {
            return Ok(cx.with([(var, value)]));
        }
        let ty = self.local_type(var, cx);
        let name = self.fresh("let", &ty);
        self.body.assign(&name, value);
        Ok(cx.with([(var, name)]))
    }
    pub fn under(&mut self, guard: &Expr, work: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        let mark = self.body.mark();
        self.body.begin(guard);
        work(self)?;
        self.body.end_unless_empty(mark);
        Ok(())
    }
    /// Both sides of a condition, which is evaluated once: what a side does may change it.
    pub fn branch(&mut self, condition: &Expr, mut side: impl FnMut(&mut Self, bool) -> Result<()>) -> Result<()> {
        self.body.begin(condition);
        side(self, true)?;
        self.body.otherwise();
        side(self, false)?;
        self.body.end();
        Ok(())
    }
    /// For arbitrary values of variables; facts learned there are discarded.
    pub fn arbitrary(
        &mut self,
        vars: &[LocalId],
        cx: &ExprContext,
        work: impl FnOnce(&mut Self, &ExprContext) -> Result<()>,
    ) -> Result<()> {
        let mut inner = cx.clone();
        for var in vars {
            let ty = self.local_type(*var, cx);
            let name = self.fresh("any", &ty);
            inner.locals.insert(*var, name);
        }
        self.aside(|encoder| work(encoder, &inner))
    }
    /// Executes `work` and undoes its effects.
    pub fn aside(&mut self, work: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        let mark = self.body.mark();
        self.body.begin_aside();
        work(self)?;
        if self.body.mark() > mark + 1 {
            self.body.assume(no());
        }
        self.body.end_unless_empty(mark);
        Ok(())
    }
    fn applicable(&mut self, function: FunctionId, args: &[Expr], app: ExprId, cx: &ExprContext) -> Result<()> {
        let program = self.program;
        self.meaningful(Member::Function(function))?;
        let declared = &program.functions[function];
        let id = self.id(app);
        let params = declared.params.iter().copied().zip(args.iter().cloned());
        let inner = ExprContext { any: true, assumed: false, result: None, ..cx.foreign().with(params) };
        let blame = Blame { error: ErrorKind::ApplicationPrecondition, at: id };
        self.check(&declared.pre, &inner, blame, self.have_halves(&declared.pre))?;
        self.check_termination_of_application(function, args, id, cx)?;
        let applied = self.applied(function, args, cx);
        self.body.assume(applied);
        Ok(())
    }
    /// The facts about an opened instance, in a copy of the mask with its body in place of it.
    fn open(&mut self, access: &PredicateAccess, cx: &ExprContext, blame: Blame) -> Result<ExprContext> {
        let program = self.program;
        let body = self.predicate_body(access.predicate, access.id)?;
        let (args, amount) = self.instance_held(access, cx, blame)?;
        let opened = St { heap: cx.now.heap.clone(), mask: format!("in{}.M.", self.number()) };
        self.copy_masks(&cx.now.mask, &opened.mask);
        let place = ResourceInstance { resource: Resource::Predicate(access.predicate), args: keys(args.clone()) };
        let held = self.amount_at(&opened.mask, &place);
        if !cx.any {
            self.body.assign(&held, held.minus(&amount));
        }
        let inner = cx.at(&opened);
        let params = program.predicates[access.predicate].params.iter().copied().zip(args.iter().cloned());
        let inside = ExprContext { assumed: true, amounts: Some(blame), ..inner.foreign().with(params) };
        let known = self.inside(access.predicate, &args, cx)?;
        self.body.assume(known);
        self.inhale(body, &inside, Some(&amount), None)?;
        self.assume_nesting(access.predicate, &args, cx)?;
        Ok(inner)
    }
    /// Asserts that an instance is held, and returns its arguments and the amount.
    pub fn instance_held(
        &mut self,
        access: &PredicateAccess,
        cx: &ExprContext,
        blame: Blame,
    ) -> Result<(Vec<Expr>, Expr)> {
        let program = self.program;
        let cx = &cx.unevaluated();
        self.all_defined(&access.args, cx, blame)?;
        let args = self.exprs(&access.args, cx)?;
        let place = ResourceInstance { resource: Resource::Predicate(access.predicate), args: keys(args.clone()) };
        let held = self.amount_at(&cx.now.mask, &place);
        let lacking = blame.property(Reason::InsufficientPermission, access.id);
        if matches!(program.kind(access.amount), ExprKind::Wildcard) {
            self.body.assert(held.greater(zero()), lacking);
            let amount = self.fresh_part();
            self.body.assume(zero().less(&amount).and(amount.less(&held)));
            return Ok((args, amount));
        }
        self.defined(access.amount, cx, blame)?;
        let amount = self.expr(access.amount, cx)?;
        if !amount.is_one() {
            let property = blame.property(Reason::PermissionNotPositive, self.id(access.amount));
            self.body.assert(amount.greater(zero()), property);
        }
        let enough = if cx.any { held.greater(zero()) } else { held.at_least(&amount) };
        self.body.assert(enough, lacking);
        Ok((args, amount))
    }
    fn partial(
        &mut self,
        expr: ExprId,
        op: BinaryOp,
        left: ExprId,
        right: ExprId,
        cx: &ExprContext,
        blame: Blame,
    ) -> Result<()> {
        let program = self.program;
        match op.row().defined {
            Defined::Always => Ok(()),
            Defined::Divisor => {
                let zero = if *program.ty(right) == Type::Perm { zero() } else { int(0) };
                if let ExprKind::Int(value) = program.kind(right)
                    && value.to_string() != "0"
                {
                    return Ok(());
                }
                let divisor = self.expr(right, cx)?;
                let property = blame.property(Reason::DivisionByZero, self.id(right));
                self.body.assert(divisor.differs(zero), property);
                Ok(())
            }
            Defined::Index => self.index(left, right, cx, blame),
            Defined::Key => {
                let (map, key) = (self.expr(left, cx)?, self.expr(right, cx)?);
                let contains = self.map_contains(program.ty(left), map, key, cx);
                self.body.assert(contains, blame.property(Reason::MapKeyContains, self.id(expr)));
                Ok(())
            }
        }
    }
    fn index(&mut self, seq: ExprId, index: ExprId, cx: &ExprContext, blame: Blame) -> Result<()> {
        let id = self.id(index);
        let size = self.seq_size(seq, cx)?;
        let index = self.expr(index, cx)?;
        self.body.assert(index.at_least(int(0)), blame.property(Reason::SeqIndexNegative, id));
        self.body.assert(index.less(size), blame.property(Reason::SeqIndexLength, id));
        Ok(())
    }
    fn seq_size(&mut self, seq: ExprId, cx: &ExprContext) -> Result<Expr> {
        let program = self.program;
        let value = self.expr(seq, cx)?;
        let ty = self.ty(program.ty(seq), cx);
        Ok(call(format!("size#{ty}"), [value]))
    }
    fn map_contains(&mut self, ty: &Type, map: Expr, key: Expr, cx: &ExprContext) -> Expr {
        let name = self.ty(ty, cx);
        let set = match ty {
            Type::Map(from, _) => self.mangled(&Type::Set(from.clone()), cx),
            _ => String::new(),
        };
        call(format!("in#{set}"), [key, call(format!("domain#{name}"), [map])])
    }
}
