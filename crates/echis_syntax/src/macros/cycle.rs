//! Detects recursive macros.

use super::{Definition, Scope, for_each_body_expr};
use crate::ast::{ExprKind, Exprs, Member, MemberKind};
use crate::visit::{for_each_expr, for_each_stmt};
use echis_base::Name;
use std::collections::HashSet;

/// A recursive macro that is reachable from `uses`. `acyclic` are macros known not to be recursive, extended by this
/// search.
pub(super) fn find<'a>(
    scope: Scope<'a>,
    uses: &[Name],
    exprs: &Exprs,
    acyclic: &mut HashSet<Name>,
) -> Option<&'a Definition> {
    uses.iter().cloned().find_map(|name| find_from(scope, name, exprs, acyclic))
}

/// Depth-first with an explicit stack, since chains of macros may be long.
fn find_from<'a>(scope: Scope<'a>, start: Name, exprs: &Exprs, acyclic: &mut HashSet<Name>) -> Option<&'a Definition> {
    let mut on_path: HashSet<Name> = HashSet::new();
    let mut path: Vec<(Name, std::vec::IntoIter<Name>)> = Vec::new();
    let mut next = Some(start);
    loop {
        if let Some(name) = next.take() {
            if on_path.contains(&name) {
                return scope.get(&name);
            }
            if !acyclic.contains(&name) {
                let uses = scope.get(&name).map_or(Vec::new(), |definition| uses_of_macro(scope, definition, exprs));
                on_path.insert(name.clone());
                path.push((name, uses.into_iter()));
            }
        }
        let (_, uses) = path.last_mut()?;
        next = uses.next();
        if next.is_none() {
            let (done, _) = path.pop()?;
            on_path.remove(&done);
            acyclic.insert(done);
        }
    }
}

/// The macros that the member uses directly, in source order.
pub(super) fn uses_of_member(scope: Scope<'_>, member: &Member, exprs: &Exprs) -> Vec<Name> {
    let mut uses = Uses::new(scope, HashSet::new());
    member.for_each_expr(|root| for_each_expr(exprs, root, |id| uses.add(&exprs[id].kind)));
    if let MemberKind::Method(method) = &member.kind
        && let Some(body) = &method.body
    {
        for_each_stmt(body, |stmt| {
            stmt.for_each_expr(|root| for_each_expr(exprs, root, |id| uses.add(&exprs[id].kind)));
        });
    }
    uses.names
}

fn uses_of_macro(scope: Scope<'_>, definition: &Definition, exprs: &Exprs) -> Vec<Name> {
    let params = definition.decl.params.iter().flatten().map(|param| param.name.clone()).collect();
    let mut uses = Uses::new(scope, params);
    for_each_body_expr(&definition.decl.body, exprs, |id| uses.add(&exprs[id].kind));
    uses.names
}

/// Names of macros in order of first use.
struct Uses<'a> {
    scope: Scope<'a>,
    seen: HashSet<Name>,
    names: Vec<Name>,
}

impl<'a> Uses<'a> {
    /// Names in `hidden` are parameters, not macros.
    fn new(scope: Scope<'a>, hidden: HashSet<Name>) -> Self {
        Uses { scope, seen: hidden, names: Vec::new() }
    }
    fn add(&mut self, kind: &ExprKind) {
        let name = match kind {
            ExprKind::Ident(name) => name,
            ExprKind::Call(call) => &call.callee.name,
            _ => return,
        };
        if self.scope.get(name).is_some() && self.seen.insert(name.clone()) {
            self.names.push(name.clone());
        }
    }
}
