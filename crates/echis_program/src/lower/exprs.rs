//! Expressions and assertions.

use super::operators::cardinality;
use super::{Lowering, has_annotation};
use crate::operators::Written;
use crate::program::{
    BinaryOp, ExprId, ExprKind, Label, Location, OldState, PredicateAccess, PredicateId, Quantifier, Type, UnaryOp,
};
use crate::typed::Use;
use crate::walk::guarded;
use dashu::Integer;
use echis_base::{Diagnostic, Severity, SyntaxId};
use echis_syntax::ast;

impl<'a> Lowering<'a> {
    pub(super) fn exprs(&mut self, exprs: &[ast::ExprId]) -> Vec<ExprId> {
        exprs.iter().map(|expr| self.expr(*expr)).collect()
    }

    pub(super) fn expr(&mut self, expr: ast::ExprId) -> ExprId {
        guarded(|| self.expr_inner(expr))
    }

    fn expr_inner(&mut self, expr: ast::ExprId) -> ExprId {
        let ast = self.ast;
        let id = self.expr_node(expr);
        let ty = self.typed.try_ty(expr).cloned().unwrap_or(Type::Bool);
        let kind = match &ast.exprs[expr].kind {
            ast::ExprKind::Bool(value) => ExprKind::Bool(*value),
            ast::ExprKind::Null => ExprKind::Null,
            ast::ExprKind::Int(digits) => ExprKind::Int(integer(digits)),
            ast::ExprKind::Perm(literal) => perm_literal(*literal),
            ast::ExprKind::Result => ExprKind::Result,
            ast::ExprKind::Ident(_) => self.variable(expr),
            ast::ExprKind::Call(call) => return self.call(expr, call, ty, id),
            ast::ExprKind::PredicateInstance(call) => {
                self.check_instances_declared();
                self.predicate_instance(expr, &call.args)
            }
            ast::ExprKind::Field { receiver, .. } => return self.field(expr, *receiver, ty, id),
            ast::ExprKind::Unary { op, operand } => {
                let op = match op {
                    ast::UnaryOp::Not => UnaryOp::Not,
                    ast::UnaryOp::Neg => UnaryOp::Minus,
                };
                ExprKind::Unary(op, self.expr(*operand))
            }
            ast::ExprKind::Binary { op, left, right } => {
                let (left, right) = (self.expr(*left), self.expr(*right));
                return self.binary(*op, left, right, ty, id);
            }
            ast::ExprKind::Chain { first, links } => return self.chain(*first, links, id),
            ast::ExprKind::Conditional { condition, then, otherwise } => {
                ExprKind::Conditional(self.expr(*condition), self.expr(*then), self.expr(*otherwise))
            }
            ast::ExprKind::Old { label, body } => {
                ExprKind::Old { state: self.old_state(expr, label), body: self.expr(*body) }
            }
            ast::ExprKind::Acc { location, amount } => self.acc(*location, *amount, id),
            ast::ExprKind::CurrentPerm(resource) => ExprKind::PermOf(self.location(*resource).0),
            ast::ExprKind::Let { var, value, body } => {
                ExprKind::Let { var: self.typed.let_local(var), value: self.expr(*value), body: self.expr(*body) }
            }
            ast::ExprKind::Forall(quantifier) => return self.quantifier(Quantifier::Forall, quantifier, id),
            ast::ExprKind::Exists(quantifier) => return self.quantifier(Quantifier::Exists, quantifier, id),
            ast::ExprKind::Forperm(forperm) => self.forperm(forperm),
            ast::ExprKind::Unfolding { access, body } => {
                ExprKind::Unfolding { access: self.predicate_access(*access), body: self.expr(*body) }
            }
            ast::ExprKind::Applying { wand, body } => {
                ExprKind::Applying { wand: self.expr(*wand), body: self.expr(*body) }
            }
            ast::ExprKind::Asserting { assertion, body } => {
                ExprKind::Asserting { assertion: self.expr(*assertion), body: self.expr(*body) }
            }
            ast::ExprKind::Collection(collection) => {
                let elements = self.exprs(&collection.elements);
                match collection.kind {
                    ast::CollectionKind::Seq => ExprKind::SeqLiteral(elements),
                    ast::CollectionKind::Set => ExprKind::SetLiteral(elements),
                    ast::CollectionKind::Multiset => ExprKind::MultisetLiteral(elements),
                }
            }
            ast::ExprKind::Map(map) => {
                let entry = |(key, value): &(ast::ExprId, ast::ExprId)| (self.expr(*key), self.expr(*value));
                ExprKind::MapLiteral(map.entries.iter().map(entry).collect())
            }
            ast::ExprKind::MapDomain(map) => ExprKind::Unary(UnaryOp::MapDomain, self.expr(*map)),
            ast::ExprKind::MapRange(map) => ExprKind::Unary(UnaryOp::MapRange, self.expr(*map)),
            // The checker allows `new` only where statements are lowered.
            ast::ExprKind::New(_) => ExprKind::Null,
            ast::ExprKind::Cardinality(collection) => {
                let collection = self.expr(*collection);
                ExprKind::Unary(cardinality(self.program.ty(collection)), collection)
            }
            ast::ExprKind::InhaleExhale { inhale, exhale } => {
                ExprKind::InhaleExhale(self.expr(*inhale), self.expr(*exhale))
            }
            ast::ExprKind::Range { low, high } => {
                let (low, high) = (self.expr(*low), self.expr(*high));
                return self.operation(Written::Range, low, high, ty, id);
            }
            ast::ExprKind::Index { base, index } => {
                let (base, index) = (self.expr(*base), self.expr(*index));
                return self.operation(Written::Index, base, index, ty, id);
            }
            ast::ExprKind::Update { base, index, value } => {
                let (base, index, value) = (self.expr(*base), self.expr(*index), self.expr(*value));
                match self.is_map(base) {
                    true => ExprKind::MapUpdate(base, index, value),
                    false => ExprKind::SeqUpdate(base, index, value),
                }
            }
            ast::ExprKind::Take { base, end } => {
                let (base, end) = (self.expr(*base), self.expr(*end));
                return self.operation(Written::Take, base, end, ty, id);
            }
            ast::ExprKind::Drop { base, start } => {
                let (base, start) = (self.expr(*base), self.expr(*start));
                return self.operation(Written::Drop, base, start, ty, id);
            }
            ast::ExprKind::Slice { base, start, end } => {
                let (base, start, end) = (self.expr(*base), self.expr(*start), self.expr(*end));
                let take_id = self.generated(id);
                let take = self.program.add_expr(ExprKind::Binary(BinaryOp::SeqTake, base, end), ty.clone(), take_id);
                ExprKind::Binary(BinaryOp::SeqDrop, take, start)
            }
        };
        self.program.add_expr(kind, ty, id)
    }

    fn is_map(&self, expr: ExprId) -> bool {
        matches!(self.program.ty(expr), Type::Map(..))
    }

    fn variable(&mut self, expr: ast::ExprId) -> ExprKind {
        match self.typed.usage(expr) {
            Use::Variable(local) => ExprKind::Local(*local),
            other => unreachable!("a lone name is a variable, not {other:?}"),
        }
    }

    fn call(&mut self, expr: ast::ExprId, call: &'a ast::Call, ty: Type, id: SyntaxId) -> ExprId {
        let kind = match self.typed.usage(expr) {
            Use::Function(function) => {
                let reveal = has_annotation(&self.ast.exprs[expr].annotations, "reveal");
                ExprKind::FunctionApp { function: *function, args: self.exprs(&call.args), reveal }
            }
            Use::DomainFunction { function, type_args } => {
                ExprKind::DomainApp { function: *function, type_args: type_args.clone(), args: self.exprs(&call.args) }
            }
            Use::Constructor { adt, constructor, type_args } => {
                let function = self.adt(*adt).constructors[*constructor].function;
                ExprKind::DomainApp { function, type_args: type_args.clone(), args: self.exprs(&call.args) }
            }
            Use::Predicate(_) if self.measures => self.predicate_instance(expr, &call.args),
            Use::Predicate(_) => self.acc(expr, None, id),
            other => unreachable!("a call in an expression is no {other:?}"),
        };
        self.program.add_expr(kind, ty, id)
    }

    fn predicate_instance(&mut self, expr: ast::ExprId, args: &[ast::ExprId]) -> ExprKind {
        ExprKind::PredicateInstance { predicate: self.predicate(expr), args: self.exprs(args) }
    }

    /// `#P(es)` is typed only if the program imports its domain.
    fn check_instances_declared(&mut self) {
        if !self.domain_named("PredicateInstance") {
            let message = "`#P(..)` needs `import <predicateinstance/pi.vpr>`.";
            self.consistency.push(Diagnostic::new(Severity::Error, "consistency.error", None, message));
        }
    }

    fn predicate(&self, expr: ast::ExprId) -> PredicateId {
        match self.typed.usage(expr) {
            Use::Predicate(predicate) => *predicate,
            other => unreachable!("a predicate is wanted, not {other:?}"),
        }
    }

    fn field(&mut self, expr: ast::ExprId, receiver: ast::ExprId, ty: Type, id: SyntaxId) -> ExprId {
        let receiver = self.expr(receiver);
        let kind = match self.typed.usage(expr) {
            Use::Field(field) => ExprKind::Field { receiver, field: *field },
            Use::Destructor { adt, constructor, argument } => {
                let function = self.adt(*adt).constructors[*constructor].destructors[*argument];
                let type_args = self.type_args(receiver);
                ExprKind::DomainApp { function, type_args, args: vec![receiver] }
            }
            Use::Discriminator { adt, constructor } => {
                let keys = self.adt(*adt);
                let (function, tag) = (keys.tag, keys.constructors[*constructor].tag);
                let type_args = self.type_args(receiver);
                let tag_id = self.generated(id);
                let kind = ExprKind::DomainApp { function, type_args, args: vec![receiver] };
                let found = self.program.add_expr(kind, Type::Int, tag_id);
                let wanted = self.program.int(tag, tag_id);
                ExprKind::Binary(BinaryOp::Eq, found, wanted)
            }
            other => unreachable!("a name after a dot is no {other:?}"),
        };
        self.program.add_expr(kind, ty, id)
    }

    /// The type arguments of a receiver whose type is an ADT.
    fn type_args(&self, receiver: ExprId) -> Vec<Type> {
        match self.program.ty(receiver) {
            Type::Domain(_, args) => args.clone(),
            _ => Vec::new(),
        }
    }

    /// `a < b <= c`: comparisons of neighbours; an operand between two of them is evaluated in both.
    fn chain(&mut self, first: ast::ExprId, links: &'a [(ast::BinaryOp, ast::ExprId)], id: SyntaxId) -> ExprId {
        let start = self.span(first);
        let mut left_span = start;
        let mut left = self.expr(first);
        let mut whole: Option<ExprId> = None;
        for (index, (op, right)) in links.iter().enumerate() {
            let right_span = self.span(*right);
            let right = self.expr(*right);
            let link_id = self.program.syntax.add_span(left_span.to(right_span));
            let link = self.binary(*op, left, right, Type::Bool, link_id);
            whole = Some(match whole {
                None => link,
                Some(before) => {
                    let last = index + 1 == links.len();
                    let and_id = if last { id } else { self.program.syntax.add_span(start.to(right_span)) };
                    self.program.and(before, link, and_id)
                }
            });
            left_span = right_span;
            if index + 1 < links.len() {
                left = self.program.copy(right);
            }
        }
        whole.unwrap_or(left)
    }

    fn old_state(&mut self, expr: ast::ExprId, label: &ast::OldLabel) -> OldState {
        match label {
            ast::OldLabel::Start => OldState::Pre,
            ast::OldLabel::Lhs => OldState::Lhs,
            ast::OldLabel::Label(name) => match self.typed.label_use(name) {
                Some(label) => OldState::Label(label),
                None => {
                    self.no_label(self.span(expr), name);
                    let id = self.program.syntax.add_span(name.span);
                    OldState::Label(self.program.labels.push(Label { name: name.name.clone(), id }))
                }
            },
        }
    }

    /// `acc(location, amount)` or a bare predicate call, whose amount is `write`.
    fn acc(&mut self, location: ast::ExprId, amount: Option<ast::ExprId>, id: SyntaxId) -> ExprKind {
        if self.measures
            && let ast::ExprKind::Call(call) = &self.ast.exprs[location].kind
        {
            return self.predicate_instance(location, &call.args);
        }
        let (location, location_id) = self.location(location);
        ExprKind::Acc { location, location_id, amount: self.amount(amount, id) }
    }

    fn amount(&mut self, amount: Option<ast::ExprId>, cause: SyntaxId) -> ExprId {
        match amount {
            Some(amount) => self.expr(amount),
            None => {
                let id = self.generated(cause);
                self.program.write(id)
            }
        }
    }

    /// A field access, predicate call or wand as a resource.
    pub(super) fn location(&mut self, resource: ast::ExprId) -> (Location, SyntaxId) {
        let ast = self.ast;
        match &ast.exprs[resource].kind {
            ast::ExprKind::Acc { location, .. } => self.location(*location),
            ast::ExprKind::Field { receiver, .. } => {
                let id = self.expr_node(resource);
                let receiver = self.expr(*receiver);
                match self.typed.usage(resource) {
                    Use::Field(field) => (Location::Field { receiver, field: *field }, id),
                    other => unreachable!("a location is no {other:?}"),
                }
            }
            ast::ExprKind::Call(call) => {
                let id = self.expr_node(resource);
                let predicate = self.predicate(resource);
                (Location::Predicate { predicate, args: self.exprs(&call.args) }, id)
            }
            _ => {
                let wand = self.expr(resource);
                (Location::Wand(wand), self.program.expr(wand).id)
            }
        }
    }

    /// The operand of fold, unfold and unfolding: `acc(P(es), p)` or `P(es)`.
    pub(super) fn predicate_access(&mut self, access: ast::ExprId) -> PredicateAccess {
        let ast = self.ast;
        let measures = std::mem::replace(&mut self.measures, false);
        let id = self.expr_node(access);
        let (call, amount) = match &ast.exprs[access].kind {
            ast::ExprKind::Acc { location, amount } => (*location, *amount),
            _ => (access, None),
        };
        let predicate = self.predicate(call);
        let args = match &ast.exprs[call].kind {
            ast::ExprKind::Call(call) => self.exprs(&call.args),
            _ => Vec::new(),
        };
        let access = PredicateAccess { predicate, args, amount: self.amount(amount, id), id };
        self.measures = measures;
        access
    }

    fn forperm(&mut self, forperm: &'a ast::Forperm) -> ExprKind {
        let vars: Vec<_> = forperm.vars.iter().map(|var| self.typed.local(var)).collect();
        let (location, location_id) = self.location(forperm.resource);
        ExprKind::ForPerm { vars, location, location_id, body: self.expr(forperm.body) }
    }
}

fn integer(digits: &str) -> Integer {
    digits.parse().expect("the lexer lets only digits through")
}

fn perm_literal(literal: ast::PermLiteral) -> ExprKind {
    match literal {
        ast::PermLiteral::Write => ExprKind::Write,
        ast::PermLiteral::None => ExprKind::NonePerm,
        ast::PermLiteral::Wildcard => ExprKind::Wildcard,
        ast::PermLiteral::Epsilon => ExprKind::Epsilon,
    }
}
