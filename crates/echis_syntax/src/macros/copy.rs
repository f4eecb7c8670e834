//! Copies a macro's body: parameters are replaced by arguments, and what the body binds is renamed where it would
//! clash.

use super::names::declared_by;
use super::{MAX_NODES, Scope};
use crate::ast::{
    Block, Call, Collection, Decreases, DecreasesKind, Expr, ExprId, ExprKind, Exprs, Formal, Forperm, Ident, IfArm,
    Invariants, MapLiteral, NewFields, OldLabel, Quantifier, Stmt, StmtKind, Trigger, Type, TypeKind,
};
use crate::visit::for_each_stmt;
use echis_base::{Name, Span};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// Why a body cannot be copied; the use is where it is reported.
pub(super) enum Problem {
    /// A parameter stands for a name, but its argument is not one.
    NotAName(Name),
    TooLarge,
}

pub(super) type Copied<T> = Result<T, Problem>;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    Body,
    /// Nothing is replaced or renamed.
    Argument,
}

pub(super) struct Copier<'a> {
    pub mode: Mode,
    pub exprs: &'a mut Exprs,
    pub args: HashMap<Name, ExprId>,
    /// Parameters that were replaced before. The first time, the argument itself is taken; copies are for the rest.
    pub moved: HashSet<Name>,
    /// The range that nodes get; `None` keeps each node's own.
    pub place: Option<Span>,
    /// Names that what the body binds must differ from. Grows by what it binds.
    pub taken: &'a mut HashSet<Name>,
    pub globals: &'a HashSet<Name>,
    /// Names in the arguments, which must not be captured either.
    pub in_args: HashSet<Name>,
    /// What bound names of the body are called now, innermost last.
    pub renamed: Vec<(Name, Name)>,
    /// For a use inside another macro's body: what that macro's bound names are called, which free names here mean.
    pub outer: Renaming,
    /// Where uses inside the copy find the renaming that holds for them.
    pub renamings: &'a mut HashMap<ExprId, Renaming>,
    pub scope: Scope<'a>,
    pub nodes: &'a mut usize,
}

/// Old names and new ones, innermost last.
pub(super) type Renaming = Rc<[(Name, Name)]>;

impl Copier<'_> {
    fn count(&mut self) -> Copied<()> {
        *self.nodes += 1;
        if *self.nodes > MAX_NODES { Err(Problem::TooLarge) } else { Ok(()) }
    }
    fn span(&self, own: Span) -> Span {
        self.place.unwrap_or(own)
    }
    fn new_name(&self, name: &Name) -> Option<&Name> {
        self.renamed.iter().rev().find(|(old, _)| old == name).map(|(_, new)| new)
    }
    /// What a variable or label is called that neither the body binds nor an argument replaces.
    fn outer_name(&self, name: &Name) -> Name {
        let found = self.outer.iter().rev().find(|(old, _)| old == name);
        found.map_or(name, |(_, new)| new).clone()
    }
    /// Notes what names mean in `copy`, if `original` uses a macro, which is expanded later.
    fn note_renaming(&mut self, original: ExprId, copy: ExprId) {
        if self.mode == Mode::Argument {
            if let Some(renaming) = self.renamings.get(&original).cloned() {
                self.renamings.insert(copy, renaming);
            }
            return;
        }
        let name = match &self.exprs[copy].kind {
            ExprKind::Ident(name) => name,
            ExprKind::Call(call) => &call.callee.name,
            _ => return,
        };
        if self.scope.get(name).is_some() && !(self.outer.is_empty() && self.renamed.is_empty()) {
            let renaming = self.outer.iter().chain(&self.renamed).cloned().collect();
            self.renamings.insert(copy, renaming);
        }
    }

    /// Decides what a bound name of the body is called from now on.
    fn bind(&mut self, name: &Name) {
        if self.mode == Mode::Argument {
            return;
        }
        let clashes = |copier: &Self, name: &str| {
            copier.taken.contains(name) || copier.globals.contains(name) || copier.in_args.contains(name)
        };
        let mut new = name.clone();
        let mut number = 0;
        while clashes(self, &new) {
            new = format!("{name}${number}").into();
            number += 1;
        }
        self.taken.insert(new.clone());
        self.renamed.push((name.clone(), new));
    }
    fn bound(&self, ident: &Ident) -> Ident {
        let name = self.new_name(&ident.name).unwrap_or(&ident.name).clone();
        Ident { name, span: self.span(ident.span) }
    }
    /// A name that is no variable of the body: a callee, a field, a type.
    fn free(&self, ident: &Ident) -> Copied<Ident> {
        let span = self.span(ident.span);
        match self.args.get(&ident.name) {
            Some(arg) if self.new_name(&ident.name).is_none() => match &self.exprs[*arg].kind {
                ExprKind::Ident(name) => Ok(Ident { name: name.clone(), span }),
                _ => Err(Problem::NotAName(ident.name.clone())),
            },
            _ => Ok(Ident { name: ident.name.clone(), span }),
        }
    }
    /// A label, or a local variable where it is declared.
    fn declared(&self, ident: &Ident) -> Copied<Ident> {
        if self.new_name(&ident.name).is_some() {
            return Ok(self.bound(ident));
        }
        if self.args.contains_key(&ident.name) {
            return self.free(ident);
        }
        Ok(Ident { name: self.outer_name(&ident.name), span: self.span(ident.span) })
    }

    // -------------------------------------------------------------------------------------------------------------
    // Expressions

    pub(super) fn expr(&mut self, id: ExprId) -> Copied<ExprId> {
        self.count()?;
        stacker::maybe_grow(32 << 10, 2 << 20, || self.expr_here(id))
    }

    fn expr_here(&mut self, id: ExprId) -> Copied<ExprId> {
        if let ExprKind::Ident(name) = &self.exprs[id].kind
            && self.new_name(name).is_none()
            && let Some(arg) = self.args.get(name)
        {
            let arg = *arg;
            let first = self.moved.insert(name.clone());
            return self.argument(arg, id, first);
        }
        let Expr { kind, span, macro_span, annotations } = self.exprs[id].clone();
        let kind = self.kind(kind)?;
        let macro_span = self.place.map(|_| span).or(macro_span);
        let span = self.span(span);
        let copy = self.exprs.push(Expr { kind, span, macro_span, annotations });
        self.note_renaming(id, copy);
        Ok(copy)
    }

    /// The argument or a copy of it, for the parameter that stands at `param`.
    fn argument(&mut self, arg: ExprId, param: ExprId, first: bool) -> Copied<ExprId> {
        let copy = if first { arg } else { self.copy_argument(arg)? };
        let annotations = self.exprs[param].annotations.clone();
        self.exprs[copy].annotations.splice(0..0, annotations);
        Ok(copy)
    }

    fn copy_argument(&mut self, arg: ExprId) -> Copied<ExprId> {
        let args = std::mem::take(&mut self.args);
        let renamed = std::mem::take(&mut self.renamed);
        let outer = std::mem::replace(&mut self.outer, Rc::new([]));
        let place = self.place.take();
        let mode = std::mem::replace(&mut self.mode, Mode::Argument);
        let copy = self.expr(arg);
        (self.args, self.renamed, self.outer, self.place, self.mode) = (args, renamed, outer, place, mode);
        copy
    }

    fn list(&mut self, ids: &[ExprId]) -> Copied<Vec<ExprId>> {
        ids.iter().map(|id| self.expr(*id)).collect()
    }
    fn optional(&mut self, id: Option<ExprId>) -> Copied<Option<ExprId>> {
        id.map(|id| self.expr(id)).transpose()
    }

    fn kind(&mut self, kind: ExprKind) -> Copied<ExprKind> {
        use ExprKind::*;
        Ok(match kind {
            Bool(_) | Null | Int(_) | Perm(_) | Result | New(NewFields::All) => kind,
            Ident(name) => Ident(self.new_name(&name).cloned().unwrap_or_else(|| self.outer_name(&name))),
            Call(call) => Call(Box::new(self.call(*call)?)),
            PredicateInstance(call) => PredicateInstance(Box::new(self.call(*call)?)),
            Field { receiver, field } => Field { receiver: self.expr(receiver)?, field: self.free(&field)? },
            Unary { op, operand } => Unary { op, operand: self.expr(operand)? },
            Binary { op, left, right } => Binary { op, left: self.expr(left)?, right: self.expr(right)? },
            Chain { first, links } => {
                let first = self.expr(first)?;
                let links = links.into_iter().map(|(op, operand)| Ok((op, self.expr(operand)?)));
                Chain { first, links: links.collect::<Copied<_>>()? }
            }
            Conditional { condition, then, otherwise } => Conditional {
                condition: self.expr(condition)?,
                then: self.expr(then)?,
                otherwise: self.expr(otherwise)?,
            },
            Old { label, body } => {
                let label = match label {
                    OldLabel::Label(label) => OldLabel::Label(self.declared(&label)?),
                    label => label,
                };
                Old { label, body: self.expr(body)? }
            }
            Acc { location, amount } => Acc { location: self.expr(location)?, amount: self.optional(amount)? },
            CurrentPerm(resource) => CurrentPerm(self.expr(resource)?),
            Let { var, value, body } => {
                let value = self.expr(value)?;
                let depth = self.renamed.len();
                self.bind(&var.name);
                let var = self.bound(&var);
                let body = self.expr(body)?;
                self.renamed.truncate(depth);
                Let { var, value, body }
            }
            Forall(quantifier) => Forall(Box::new(self.quantifier(*quantifier)?)),
            Exists(quantifier) => Exists(Box::new(self.quantifier(*quantifier)?)),
            Forperm(forperm) => {
                let depth = self.renamed.len();
                let vars = self.bind_formals(&forperm.vars)?;
                let resource = self.expr(forperm.resource)?;
                let body = self.expr(forperm.body)?;
                self.renamed.truncate(depth);
                Forperm(Box::new(self::Forperm { vars, resource, body }))
            }
            Unfolding { access, body } => Unfolding { access: self.expr(access)?, body: self.expr(body)? },
            Applying { wand, body } => Applying { wand: self.expr(wand)?, body: self.expr(body)? },
            Asserting { assertion, body } => Asserting { assertion: self.expr(assertion)?, body: self.expr(body)? },
            Collection(collection) => {
                let element = collection.element.as_ref().map(|ty| self.ty(ty)).transpose()?;
                let elements = self.list(&collection.elements)?;
                Collection(Box::new(self::Collection { kind: collection.kind, element, elements }))
            }
            Map(map) => {
                let types = match &map.types {
                    Some((key, value)) => Some((self.ty(key)?, self.ty(value)?)),
                    None => None,
                };
                let entries = map.entries.iter().map(|(key, value)| Ok((self.expr(*key)?, self.expr(*value)?)));
                Map(Box::new(MapLiteral { types, entries: entries.collect::<Copied<_>>()? }))
            }
            MapDomain(map) => MapDomain(self.expr(map)?),
            MapRange(map) => MapRange(self.expr(map)?),
            New(NewFields::Fields(fields)) => {
                New(NewFields::Fields(fields.iter().map(|field| self.free(field)).collect::<Copied<_>>()?))
            }
            Cardinality(collection) => Cardinality(self.expr(collection)?),
            InhaleExhale { inhale, exhale } => InhaleExhale { inhale: self.expr(inhale)?, exhale: self.expr(exhale)? },
            Range { low, high } => Range { low: self.expr(low)?, high: self.expr(high)? },
            Index { base, index } => Index { base: self.expr(base)?, index: self.expr(index)? },
            Update { base, index, value } => {
                Update { base: self.expr(base)?, index: self.expr(index)?, value: self.expr(value)? }
            }
            Take { base, end } => Take { base: self.expr(base)?, end: self.expr(end)? },
            Drop { base, start } => Drop { base: self.expr(base)?, start: self.expr(start)? },
            Slice { base, start, end } => {
                Slice { base: self.expr(base)?, start: self.expr(start)?, end: self.expr(end)? }
            }
        })
    }

    fn call(&mut self, call: Call) -> Copied<Call> {
        let callee = self.free(&call.callee)?;
        let args = self.list(&call.args)?;
        let ascription = call.ascription.as_ref().map(|ty| self.ty(ty)).transpose()?;
        Ok(Call { callee, args, ascription })
    }

    fn quantifier(&mut self, quantifier: Quantifier) -> Copied<Quantifier> {
        let depth = self.renamed.len();
        let vars = self.bind_formals(&quantifier.vars)?;
        let mut triggers = Vec::new();
        for trigger in &quantifier.triggers {
            triggers.push(Trigger { terms: self.list(&trigger.terms)?, span: self.span(trigger.span) });
        }
        let body = self.expr(quantifier.body)?;
        self.renamed.truncate(depth);
        Ok(Quantifier { vars, triggers, body })
    }

    fn bind_formals(&mut self, formals: &[Formal]) -> Copied<Vec<Formal>> {
        formals.iter().for_each(|formal| self.bind(&formal.name.name));
        self.formals(formals)
    }
    fn formals(&mut self, formals: &[Formal]) -> Copied<Vec<Formal>> {
        let formal = |formal: &Formal| {
            Ok(Formal { name: self.declared(&formal.name)?, ty: self.ty(&formal.ty)?, span: self.span(formal.span) })
        };
        formals.iter().map(formal).collect()
    }

    fn ty(&self, ty: &Type) -> Copied<Type> {
        let kind = match &ty.kind {
            TypeKind::Seq(element) => TypeKind::Seq(Box::new(self.ty(element)?)),
            TypeKind::Set(element) => TypeKind::Set(Box::new(self.ty(element)?)),
            TypeKind::Multiset(element) => TypeKind::Multiset(Box::new(self.ty(element)?)),
            TypeKind::Map(key, value) => TypeKind::Map(Box::new(self.ty(key)?), Box::new(self.ty(value)?)),
            TypeKind::Named(name, args) => {
                TypeKind::Named(self.free(name)?, args.iter().map(|arg| self.ty(arg)).collect::<Copied<_>>()?)
            }
            simple => simple.clone(),
        };
        Ok(Type { kind, span: self.span(ty.span) })
    }

    // -------------------------------------------------------------------------------------------------------------
    // Statements

    /// The body of a statement macro. Its variables and labels are known in all of it.
    pub(super) fn body(&mut self, block: &Block) -> Copied<Vec<Stmt>> {
        let mut declared: Vec<Name> = Vec::new();
        for_each_stmt(block, |stmt| declared.extend(declared_by(stmt)));
        let mut seen = HashSet::new();
        for name in declared {
            if !self.args.contains_key(&name) && seen.insert(name.clone()) {
                self.bind(&name);
            }
        }
        self.stmts(&block.stmts)
    }

    fn stmts(&mut self, stmts: &[Stmt]) -> Copied<Vec<Stmt>> {
        stmts.iter().map(|stmt| self.stmt(stmt)).collect()
    }
    fn block(&mut self, block: &Block) -> Copied<Block> {
        Ok(Block { stmts: self.stmts(&block.stmts)?, span: self.span(block.span) })
    }

    fn stmt(&mut self, stmt: &Stmt) -> Copied<Stmt> {
        self.count()?;
        let kind = stacker::maybe_grow(32 << 10, 2 << 20, || self.stmt_kind(&stmt.kind))?;
        Ok(Stmt { kind, span: stmt.span, macro_use: None, annotations: stmt.annotations.clone() })
    }

    fn stmt_kind(&mut self, kind: &StmtKind) -> Copied<StmtKind> {
        use StmtKind::*;
        Ok(match kind {
            Fold(expr) => Fold(self.expr(*expr)?),
            Unfold(expr) => Unfold(self.expr(*expr)?),
            Inhale(expr) => Inhale(self.expr(*expr)?),
            Exhale(expr) => Exhale(self.expr(*expr)?),
            Assert(expr) => Assert(self.expr(*expr)?),
            Assume(expr) => Assume(self.expr(*expr)?),
            Refute(expr) => Refute(self.expr(*expr)?),
            Apply(expr) => Apply(self.expr(*expr)?),
            Call(expr) => Call(self.expr(*expr)?),
            If { arms, otherwise } => {
                let arm = |arm: &IfArm| {
                    Ok(IfArm { condition: self.expr(arm.condition)?, body: self.block(&arm.body)?, span: arm.span })
                };
                let arms = arms.iter().map(arm).collect::<Copied<_>>()?;
                If { arms, otherwise: otherwise.as_ref().map(|block| self.block(block)).transpose()? }
            }
            While { condition, invariants, body } => While {
                condition: self.expr(*condition)?,
                invariants: self.invariants(invariants)?,
                body: self.block(body)?,
            },
            Var { vars, init } => Var { vars: self.formals(vars)?, init: self.optional(*init)? },
            Goto(label) => Goto(self.declared(label)?),
            Label { name, invariants } => {
                Label { name: self.declared(name)?, invariants: self.invariants(invariants)? }
            }
            Package { wand, script } => {
                Package { wand: self.expr(*wand)?, script: script.as_ref().map(|block| self.block(block)).transpose()? }
            }
            Quasihavoc { condition, resource } => {
                Quasihavoc { condition: self.optional(*condition)?, resource: self.expr(*resource)? }
            }
            QuasihavocAll { vars, condition, resource } => QuasihavocAll {
                vars: self.formals(vars)?,
                condition: self.optional(*condition)?,
                resource: self.expr(*resource)?,
            },
            Block(block) => Block(self.block(block)?),
            Assign { targets, value } => Assign { targets: self.list(targets)?, value: self.expr(*value)? },
            Define(decl) => Define(decl.clone()),
        })
    }

    fn invariants(&mut self, invariants: &Invariants) -> Copied<Invariants> {
        let exprs = self.list(&invariants.exprs)?;
        let mut decreases = Vec::new();
        for clause in &invariants.decreases {
            let kind = match &clause.kind {
                DecreasesKind::Tuple(tuple) => DecreasesKind::Tuple(self.list(tuple)?),
                kind => kind.clone(),
            };
            decreases.push(Decreases { kind, condition: self.optional(clause.condition)?, span: clause.span });
        }
        Ok(Invariants { exprs, decreases })
    }
}
