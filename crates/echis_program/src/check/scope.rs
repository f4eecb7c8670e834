//! Local names of one member. There is no shadowing: a name may not be declared while an enclosing scope has it, nor
//! after a scope nested in the current one had it; siblings may share it.

use super::Checker;
use super::ty::TyId;
use crate::program::{LabelId, LocalId};
use crate::typed::{Address, Local, LocalKind};
use echis_base::{Name, Span};
use echis_syntax::ast;
use std::collections::HashMap;

/// Invariant: `visible` holds exactly the names of the open scopes, innermost last.
#[derive(Default)]
pub(super) struct Scopes {
    visible: HashMap<Name, Vec<LocalId>>,
    /// When a name was last declared, on a clock that counts declarations, and the variable.
    latest: HashMap<Name, (u32, LocalId)>,
    clock: u32,
    open: Vec<Scope>,
    /// Labels are visible in the whole method. Only the first with each name.
    pub(super) labels: HashMap<Name, LabelId>,
    /// When a label with the name was last visited, on the same clock, and its location.
    latest_labels: HashMap<Name, (u32, Span)>,
}

struct Scope {
    opened_at: u32,
    names: Vec<Name>,
}

/// The meaning of a name used as a variable.
pub(super) enum Variable {
    Local(LocalId),
    /// Declared more than once among the open scopes.
    Ambiguous,
    Unknown,
}

impl Scopes {
    pub(super) fn open(&mut self) {
        self.open.push(Scope { opened_at: self.clock, names: Vec::new() });
    }
    pub(super) fn close(&mut self) {
        for name in self.open.pop().map_or(Vec::new(), |scope| scope.names) {
            if let Some(declared) = self.visible.get_mut(&name) {
                declared.pop();
            }
        }
    }
    /// The declarations of a name in the open scopes, innermost last.
    pub(super) fn visible(&self, name: &str) -> &[LocalId] {
        self.visible.get(name).map_or(&[][..], |found| found)
    }
    pub(super) fn lookup(&self, name: &str) -> Variable {
        match self.visible(name) {
            [] => Variable::Unknown,
            [only] => Variable::Local(*only),
            _ => Variable::Ambiguous,
        }
    }
    /// The names of all usable variables, unordered.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.visible.iter().filter(|(_, declared)| !declared.is_empty()).map(|(name, _)| &**name)
    }
    /// The declaration that conflicts with a new one of this name.
    fn rival(&self, name: &str) -> Option<LocalId> {
        if let Some(enclosing) = self.visible.get(name).and_then(|found| found.last()) {
            return Some(*enclosing);
        }
        let (at, local) = self.latest.get(name)?;
        let opened_at = self.open.last().map_or(0, |scope| scope.opened_at);
        (*at >= opened_at).then_some(*local)
    }
    /// The label of this name in the innermost scope or a nested one.
    fn rival_label(&self, name: &str) -> Option<Span> {
        let (at, span) = self.latest_labels.get(name)?;
        (*at >= self.open.last().map_or(0, |scope| scope.opened_at)).then_some(*span)
    }
    fn enter(&mut self, name: Name, local: LocalId) {
        self.latest.insert(name.clone(), (self.clock, local));
        self.clock += 1;
        self.visible.entry(name.clone()).or_default().push(local);
        if let Some(scope) = self.open.last_mut() {
            scope.names.push(name);
        }
    }
}

impl Checker<'_> {
    /// Declares a variable in the innermost scope.
    pub(super) fn declare(&mut self, name: &ast::Ident, ty: Option<TyId>, kind: LocalKind) -> LocalId {
        let local = self.add_local(name, ty, kind);
        self.enter_scope(name, local);
        local
    }

    /// Assigns a key to a variable without making it visible.
    pub(super) fn add_local(&mut self, name: &ast::Ident, ty: Option<TyId>, kind: LocalKind) -> LocalId {
        let written = ty.map_or(self.placeholder(), |ty| self.types.to_program(ty));
        let local = Local { name: name.name.clone(), ty: written, span: name.span, kind };
        let local = self.typed.locals.push(local);
        self.local_types.push(ty);
        self.typed.declared.insert(Address::of(name), local);
        local
    }

    pub(super) fn enter_scope(&mut self, name: &ast::Ident, local: LocalId) {
        self.check_new_name(name);
        self.scopes.enter(name.name.clone(), local);
    }

    fn check_new_name(&mut self, name: &ast::Ident) {
        if self.clashes_with_global(name, "a variable") {
            return;
        }
        if let Some(local) = self.scopes.rival(&name.name) {
            self.clash(name, self.typed.locals[local].span, "a variable of the same member");
        } else if let Some(earlier) = self.scopes.rival_label(&name.name) {
            self.clash(name, earlier, "a label of the same method");
        }
    }

    /// Visits `label l`: its name must differ from globals and visible variables. Duplicate labels are left to the
    /// consistency checks.
    pub(super) fn check_label_name(&mut self, name: &ast::Ident) {
        let clashes = self.clashes_with_global(name, "a label");
        if let (false, Some(local)) = (clashes, self.scopes.visible(&name.name).last()) {
            self.clash(name, self.typed.locals[*local].span, "a variable of the same method");
        }
        self.scopes.latest_labels.insert(name.name.clone(), (self.scopes.clock, name.span));
        self.scopes.clock += 1;
    }
}
