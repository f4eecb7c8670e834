//! Determines whether two types may be equal for some values of their type parameters.

use super::Encoder;
use echis_boogie::types::{Instance, Type, TypeVar};
use echis_term::{SortId, SymbolRole, TermId};

impl Encoder<'_> {
    pub(super) fn may_coincide(&self, left: &[Type], right: &[Type]) -> bool {
        let mut found = Instance::new();
        let unify = |(left, right): (&Type, &Type)| unify(&left.canonical(), &right.canonical(), &mut found);
        left.len() == right.len()
            && left.iter().zip(right).all(unify)
            && found.iter().all(|(var, ty)| self.may_stand_for(*var, ty))
    }
    fn may_stand_for(&self, var: TypeVar, ty: &Type) -> bool {
        let excludes = |var: TypeVar, ty: &Type| match var == self.sorts.other {
            true => self.sorts.is_argument(ty),
            false => self.excluded.get(&var).is_some_and(|types| types.contains(ty)),
        };
        let back = match ty {
            Type::Var(other) => excludes(*other, &Type::Var(var)),
            _ => false,
        };
        !back && !excludes(var, ty)
    }

    /// The equality of values of syntactically different types: false, or unknown if the types may be equal.
    pub(super) fn eq_of(&mut self, types: [&Type; 2], left: TermId, right: TermId) -> TermId {
        if self.terms.sort_of(left) == self.terms.sort_of(right) {
            return self.terms.eq(left, right);
        }
        if !self.may_coincide(&[types[0].clone()], &[types[1].clone()]) {
            return self.terms.falsity();
        }
        let mut sides = types.map(|ty| ty.text(&self.sorts.names)).into_iter().zip([left, right]).collect::<Vec<_>>();
        sides.sort();
        let bool_sort = self.terms.bool_sort();
        let name = format!("{} == {}", sides[0].0, sides[1].0);
        let args: Vec<TermId> = sides.into_iter().map(|(_, value)| value).collect();
        let params: Vec<SortId> = args.iter().map(|arg| self.terms.sort_of(*arg)).collect();
        let equal = self.terms.declare(SymbolRole::Uninterpreted(name.into()), params, bool_sort);
        self.terms.app(equal, args)
    }
}

/// Unifies types. The parameters of map types are not variables.
fn unify(left: &Type, right: &Type, found: &mut Instance) -> bool {
    let (left, right) = (resolved(left, found), resolved(right, found));
    match (&left, &right) {
        _ if left == right => true,
        (Type::Var(var), other) | (other, Type::Var(var)) if !var.is_map_parameter() => {
            let is_finite = !occurs(*var, other, found);
            found.insert(*var, other.clone());
            is_finite
        }
        (Type::Named(a, left), Type::Named(b, right)) => {
            a == b && left.iter().zip(right.iter()).all(|(left, right)| unify(left, right, found))
        }
        (Type::Map(left), Type::Map(right)) => {
            left.params.len() == right.params.len()
                && left.args.len() == right.args.len()
                && left.args.iter().zip(&right.args).all(|(left, right)| unify(left, right, found))
                && unify(&left.result, &right.result, found)
        }
        _ => false,
    }
}

/// Whether the variable occurs in the type under the substitution.
fn occurs(var: TypeVar, ty: &Type, found: &Instance) -> bool {
    let in_var = |part: TypeVar| part == var || found.get(&part).is_some_and(|ty| occurs(var, ty, found));
    ty.free_vars().into_iter().any(in_var)
}

fn resolved(ty: &Type, found: &Instance) -> Type {
    let mut ty = ty;
    while let Type::Var(var) = ty
        && let Some(known) = found.get(var)
    {
        ty = known;
    }
    ty.clone()
}
