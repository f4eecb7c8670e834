//! Type inference within one top-level expression, with type variables and alternatives for overloaded operators.
//!
//! Expressions are visited bottom-up. If only one type is possible, it is fixed immediately, together with the
//! variable bindings it implies. If several signatures fit (`1/2` is a `Perm` or an `Int`), all are kept, each with
//! its variable bindings and the alternatives of its operands that it needs. Alternatives that are indistinguishable
//! from outside are merged, preferring the first listed, so their number stays small and the cost linear.

use super::ty::{Ty, TyId, Types, VarId, parts};
use crate::limits::ALTERNATIVES;
use crate::program::{DomainId, LocalId};
use crate::typed::Use;
use echis_base::{IndexVec, Span};
use echis_syntax::ast::ExprId;
use std::collections::HashMap;

/// The result of visiting an expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Inferred {
    /// An error was reported here or below.
    Error,
    Type(TyId),
    /// Several alternatives, kept in [`Inference::pending`].
    Choice,
}

/// One possible type of an expression.
#[derive(Clone, Debug)]
pub(super) struct Alternative {
    pub(super) ty: TyId,
    pub(super) binds: Binds,
    /// For each operand with a choice: the selected alternative.
    pub(super) picks: Vec<(ExprId, u32)>,
}

pub(super) type Binds = Vec<(VarId, TyId)>;

/// An operand's type, its bindings, and which alternative it is if there are several.
type OperandAlternative<'a> = (TyId, &'a [(VarId, TyId)], Option<(ExprId, u32)>);

/// The operand types and the type of an operator.
#[derive(Clone, Debug)]
pub(super) struct Signature {
    pub(super) params: Vec<TyId>,
    pub(super) result: TyId,
}

/// The origin of a variable, in case nothing determines it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Origin {
    pub(super) span: Span,
    /// For a type parameter of a domain function: the domain and the parameter.
    pub(super) owner: Option<(DomainId, u32)>,
}

/// The inference state for one top-level expression.
#[derive(Default)]
pub(super) struct Inference {
    bindings: IndexVec<VarId, Option<TyId>>,
    pub(super) origins: IndexVec<VarId, Origin>,
    pub(super) pending: HashMap<ExprId, Vec<Alternative>>,
    /// Every expression with a known type.
    pub(super) nodes: Vec<(ExprId, TyId)>,
    /// Applications whose type arguments are being inferred.
    pub(super) uses: Vec<(ExprId, Use, Vec<TyId>)>,
    /// `let` variables, whose types are being inferred.
    pub(super) lets: Vec<(LocalId, TyId)>,
    /// Whether variables may occur in the type of a `let` variable and so matter outside the current expression.
    pub(super) escaping: bool,
}

impl Inference {
    pub(super) fn fresh(&mut self, types: &mut Types, origin: Origin) -> TyId {
        self.origins.push(origin);
        types.intern(Ty::Var(self.bindings.push(None)))
    }

    /// Follows variables until the type's head is known.
    pub(super) fn head(&self, types: &Types, mut ty: TyId, binds: &Binds) -> TyId {
        while let Ty::Var(var) = types.get(ty) {
            let bound = binds.iter().find(|(bound, _)| bound == var).map(|(_, ty)| *ty).or(self.bindings[*var]);
            match bound {
                Some(next) => ty = next,
                None => break,
            }
        }
        ty
    }

    /// Substitutes all bound variables.
    pub(super) fn resolve(&self, types: &mut Types, ty: TyId, binds: &Binds) -> TyId {
        if !types.has_vars(ty) {
            return ty;
        }
        let ty = self.head(types, ty, binds);
        types.map_parts(ty, &mut |types, part| self.resolve(types, part, binds))
    }

    /// Whether a value of type `actual` can be used where `expected` is required; adds the implied bindings to
    /// `binds`.
    pub(super) fn fits(&self, types: &mut Types, expected: TyId, actual: TyId, binds: &mut Binds) -> bool {
        let (expected, actual) = (self.head(types, expected, binds), self.head(types, actual, binds));
        match (types.get(expected), types.get(actual)) {
            _ if expected == actual => true,
            (Ty::Assertion, Ty::Bool | Ty::PredicateAccess | Ty::Wand) | (Ty::Perm, Ty::Rational) => true,
            (Ty::Assertion, Ty::Var(var)) => {
                binds.push((*var, types.bool()));
                true
            }
            _ => self.unify(types, expected, actual, binds),
        }
    }

    fn unify(&self, types: &mut Types, left: TyId, right: TyId, binds: &mut Binds) -> bool {
        let (left, right) = (self.head(types, left, binds), self.head(types, right, binds));
        if left == right {
            return true;
        }
        match (types.get(left).clone(), types.get(right).clone()) {
            (Ty::Var(var), _) => self.bind(types, var, right, binds),
            (_, Ty::Var(var)) => self.bind(types, var, left, binds),
            (left, right) if same_head(&left, &right) => {
                let pairs = parts(&left).into_iter().zip(parts(&right));
                pairs.into_iter().all(|(left, right)| self.unify(types, left, right, binds))
            }
            _ => false,
        }
    }

    fn bind(&self, types: &mut Types, var: VarId, ty: TyId, binds: &mut Binds) -> bool {
        let ty = self.resolve(types, ty, binds);
        if types.is_impure(ty) || (types.has_vars(ty) && occurs(types, var, ty)) {
            return false;
        }
        binds.push((var, ty));
        true
    }

    /// The alternatives of an operand.
    fn alternatives(&self, expr: ExprId, outcome: Inferred) -> Vec<OperandAlternative<'_>> {
        match outcome {
            Inferred::Error => Vec::new(),
            Inferred::Type(ty) => vec![(ty, &[], None)],
            Inferred::Choice => {
                let pending = self.pending[&expr].iter().enumerate();
                pending.map(|(index, alt)| (alt.ty, &alt.binds[..], Some((expr, index as u32)))).collect()
            }
        }
    }

    /// The possible types of an operand, for messages.
    pub(super) fn possible(&self, expr: ExprId, outcome: Inferred) -> Vec<TyId> {
        self.alternatives(expr, outcome).into_iter().map(|(ty, ..)| ty).collect()
    }

    /// The alternatives of an operand as candidates.
    pub(super) fn start(&self, (operand, outcome): (ExprId, Inferred)) -> Vec<Alternative> {
        let alternatives = self.alternatives(operand, outcome).into_iter();
        let candidate = |(ty, binds, pick): OperandAlternative<'_>| Alternative {
            ty,
            binds: binds.to_vec(),
            picks: pick.into_iter().collect(),
        };
        alternatives.map(candidate).collect()
    }

    /// Adds an operand: combines each candidate with each alternative of the operand that fits.
    pub(super) fn step<T: Clone>(
        &self,
        types: &mut Types,
        candidates: Vec<(T, Alternative)>,
        expected: impl Fn(&T) -> TyId,
        (operand, outcome): (ExprId, Inferred),
    ) -> Vec<(T, Alternative)> {
        let alternatives = self.alternatives(operand, outcome);
        let mut kept = Vec::new();
        for (key, mut candidate) in candidates {
            let mut fitting = Vec::new();
            for (ty, needed, pick) in &alternatives {
                let mut binds = candidate.binds.clone();
                if self.merge(types, &mut binds, needed) && self.fits(types, expected(&key), *ty, &mut binds) {
                    fitting.push((*ty, binds, *pick));
                }
            }
            // The list of picks may be long; it is copied only if the candidate splits.
            let count = fitting.len();
            for (index, (ty, binds, pick)) in fitting.into_iter().enumerate() {
                let last = index + 1 == count;
                let mut picks = if last { std::mem::take(&mut candidate.picks) } else { candidate.picks.clone() };
                picks.extend(pick);
                kept.push((key.clone(), Alternative { ty, binds, picks }));
            }
        }
        kept.truncate(ALTERNATIVES);
        kept
    }

    fn merge(&self, types: &mut Types, binds: &mut Binds, needed: &[(VarId, TyId)]) -> bool {
        needed.iter().all(|(var, ty)| {
            let var = types.intern(Ty::Var(*var));
            self.unify(types, var, *ty, binds)
        })
    }

    /// Ends the visit of `expr` with its alternatives. The list is not empty.
    pub(super) fn conclude(&mut self, types: &mut Types, expr: ExprId, alternatives: Vec<Alternative>) -> Inferred {
        let mut distinct: Vec<Alternative> = Vec::new();
        for mut alternative in alternatives {
            alternative.ty = self.resolve(types, alternative.ty, &alternative.binds);
            if !distinct.iter().any(|known| self.covers(types, known, &alternative)) {
                distinct.push(alternative);
            }
        }
        if distinct.len() > 1 {
            self.pending.insert(expr, distinct);
            return Inferred::Choice;
        }
        let only = distinct.pop().expect("an expression without error has a type");
        self.commit(types, &only.binds);
        self.pick(types, only.picks);
        self.nodes.push((expr, only.ty));
        Inferred::Type(only.ty)
    }

    /// Whether `known` fits every context that `other` would. A Boolean can be used as an assertion.
    fn covers(&self, types: &Types, known: &Alternative, other: &Alternative) -> bool {
        let ty = known.ty == other.ty || (known.ty == types.bool() && other.ty == types.assertion());
        ty && (!self.escaping || known.binds == other.binds)
    }

    pub(super) fn commit(&mut self, types: &mut Types, binds: &[(VarId, TyId)]) {
        for (var, ty) in binds {
            let var = types.intern(Ty::Var(*var));
            let mut decided = Vec::new();
            // This cannot fail: alternatives that disagree were excluded by `merge`.
            self.unify(types, var, *ty, &mut decided);
            for (var, ty) in decided {
                self.bindings[var] = Some(ty);
            }
        }
    }

    /// Selects alternatives, and transitively those of their operands.
    pub(super) fn pick(&mut self, types: &mut Types, mut picks: Vec<(ExprId, u32)>) {
        while let Some((expr, index)) = picks.pop() {
            let Some(mut pending) = self.pending.remove(&expr) else { continue };
            let chosen = pending.swap_remove(index as usize);
            self.commit(types, &chosen.binds);
            self.nodes.push((expr, chosen.ty));
            picks.extend(chosen.picks);
        }
    }

    /// Binds a variable that nothing else determines.
    pub(super) fn decide(&mut self, var: VarId, ty: TyId) {
        self.bindings[var] = Some(ty);
    }
}

fn same_head(left: &Ty, right: &Ty) -> bool {
    match (left, right) {
        (Ty::Seq(_), Ty::Seq(_)) | (Ty::Set(_), Ty::Set(_)) | (Ty::Multiset(_), Ty::Multiset(_)) => true,
        (Ty::Map(..), Ty::Map(..)) => true,
        (Ty::Domain(left, _), Ty::Domain(right, _)) => left == right,
        _ => false,
    }
}

fn occurs(types: &Types, var: VarId, ty: TyId) -> bool {
    match types.get(ty) {
        Ty::Var(found) => *found == var,
        other => types.has_vars(ty) && parts(other).into_iter().any(|part| occurs(types, var, part)),
    }
}
