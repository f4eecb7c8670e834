//! A generic type that represents all types a member does not mention.
//!
//! The values of this type are pairs of a type and a value of it; values of `C a` at this type are pairs of a type
//! `t` and a value of `C t`. A proposition about one variable whose type mentions the parameter is then true of all
//! such pairs exactly if it is true for all types: everything else in it whose type mentions the parameter is built
//! from that variable, by functions and maps that have their meaning at the pair's type. This gives quantifiers over
//! types a meaning in any position, also inside other quantifiers, where a witness would have to be a different type
//! for each value of the outer variables.
//!
//! With two such variables, the types of both would have to be the same; an expression not built from the variable
//! would have no type of its own; a solver's built-in types are not sums. All of these are rejected.

use echis_boogie::Program;
use echis_boogie::ast::{ExprId, ExprKind};
use echis_boogie::attributes::{Known, text_attribute};
use echis_boogie::program::{FunctionId, Meaning, Reference, VarId};
use echis_boogie::types::{Instance, Type, TypeVar};
use echis_boogie::walk;

/// Whether a quantifier or lambda expression may be stated for the generic type. `other` is that type, which may
/// already instantiate outer parameters.
pub fn of_binder(program: &Program, expr: ExprId, outer: &Instance, other: TypeVar) -> bool {
    let Some(binder) = program.binders.get(expr) else { return false };
    let [param] = binder.type_params[..] else { return false };
    let ExprKind::Quantified(quantified) = program.kind(expr) else { return false };
    let check = Check { program, params: [param, other] };
    check.is_about_one(&binder.vars, outer)
        && check.expr(quantified.body, outer)
        && quantified.triggers.iter().flatten().all(|term| check.expr(*term, outer))
}

/// Whether the definition of a function may be stated for the generic type.
pub fn of_function(program: &Program, function: FunctionId, other: TypeVar) -> bool {
    let declared = &program.functions[function];
    let ([param], Some(body)) = (&declared.type_params[..], declared.body) else { return false };
    let check = Check { program, params: [*param, other] };
    let none = Instance::new();
    check.is_about_one(&declared.params, &none) && check.ty(&declared.result, &none) && check.expr(body, &none)
}

struct Check<'p> {
    program: &'p Program,
    /// The type parameter, and the generic type that may instantiate an outer one.
    params: [TypeVar; 2],
}

impl Check<'_> {
    fn mentions(&self, ty: &Type) -> bool {
        ty.free_vars().iter().any(|var| self.params.contains(var))
    }
    fn is_param(&self, ty: &Type) -> bool {
        matches!(ty.head(), Type::Var(var) if self.params.contains(var))
    }
    /// Whether exactly one of the variables' types mentions the parameter.
    fn is_about_one(&self, vars: &[VarId], outer: &Instance) -> bool {
        let about = |var: &&VarId| self.program.vars[**var].ty.replace(outer).free_vars().contains(&self.params[0]);
        let types_fit = vars.iter().all(|var| self.ty(&self.program.vars[*var].ty, outer));
        types_fit && vars.iter().filter(about).count() == 1
    }
    /// Whether values of a type are pairs, or unrelated to the parameter.
    fn ty(&self, ty: &Type, outer: &Instance) -> bool {
        let ty = ty.replace(outer);
        if !self.mentions(&ty) || self.is_param(&ty) {
            return true;
        }
        let Type::Named(constructor, args) = ty.head() else { return false };
        let constructor = &self.program.constructors[*constructor];
        let is_own =
            constructor.datatype.is_none() && text_attribute(&constructor.attributes, Known::Builtin).is_none();
        is_own && self.stand_for_one(args)
    }
    /// Whether at most one of the types mentions the parameter, and equals it.
    fn stand_for_one(&self, types: &[Type]) -> bool {
        let mut about = types.iter().filter(|ty| self.mentions(ty));
        about.next().is_none_or(|ty| self.is_param(ty)) && about.next().is_none()
    }
    fn expr(&self, expr: ExprId, outer: &Instance) -> bool {
        let mut fits = true;
        walk::for_each(&self.program.tree, expr, &mut |part| fits &= self.part(part, outer));
        fits
    }
    fn part(&self, expr: ExprId, outer: &Instance) -> bool {
        let program = self.program;
        if let Some(binder) = program.binders.get(expr)
            && let ExprKind::Quantified(_) = program.kind(expr)
            && binder.vars.iter().any(|var| self.mentions(&program.vars[*var].ty.replace(outer)))
        {
            return false;
        }
        if !self.ty(program.type_of(expr), outer) || matches!(program.kind(expr), ExprKind::Code(_)) {
            return false;
        }
        let Some(instance) = program.instances.get(expr).filter(|instance| !instance.is_empty()) else { return true };
        let inner: Instance = instance.iter().map(|(param, ty)| (*param, ty.replace(outer))).collect();
        let types: Vec<Type> = inner.values().cloned().collect();
        match program.references.get(expr) {
            Some(Reference::Function(function)) => self.function(*function, &inner, &types),
            _ if !types.iter().any(|ty| self.mentions(ty)) => true,
            _ => matches!(program.kind(expr), ExprKind::Select(..)) && self.stand_for_one(&types) && self.indexed(expr),
        }
    }
    fn function(&self, function: FunctionId, instance: &Instance, types: &[Type]) -> bool {
        let declared = &self.program.functions[function];
        if let (Some(body), Meaning::Inline | Meaning::Define) = (declared.body, declared.meaning) {
            return self.expr(body, instance);
        }
        if !types.iter().any(|ty| self.mentions(ty)) {
            return true;
        }
        let is_own = declared.datatype.is_none()
            && text_attribute(&declared.attributes, Known::Builtin).is_none()
            && text_attribute(&declared.attributes, Known::BvBuiltin).is_none();
        let param_types = declared.params.iter().map(|param| self.program.vars[*param].ty.replace(instance));
        is_own && self.stand_for_one(types) && param_types.into_iter().any(|ty| self.mentions(&ty))
    }
    /// Whether the indices of a map determine the type at which it is read.
    fn indexed(&self, expr: ExprId) -> bool {
        let ExprKind::Select(base, _) = self.program.kind(expr) else { return false };
        let Type::Map(map) = self.program.type_of(*base).head() else { return false };
        map.params.iter().all(|param| map.args.iter().any(|arg| arg.mentions(*param)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use echis_base::SourceMap;

    /// Whether each axiom of a program may be stated for the generic type.
    fn generic(text: &str) -> Vec<bool> {
        let prelude = "type ref; type Field a; type Box; type Heap = <a>[ref, Field a]a;
            datatype Pair<a> { Pair(first: a, second: int) }
            const heap: Heap; const size: Field int;
            function kind<a>(f: Field a): int; function unbox<a>(b: Box): a; function both<a, b>(x: a, y: b): bool;
            function {:inline} read<a>(h: Heap, o: ref, f: Field a): a { h[o, f] }\n";
        let checked = echis_boogie::check_program(SourceMap::default().next_file(), &format!("{prelude}{text}"));
        assert!(checked.errors.is_empty(), "{:?}", checked.errors);
        let program = checked.program.expect("a program without errors");
        let other = program.names.vars.next_key();
        let of = |axiom: &echis_boogie::program::Axiom| of_binder(&program, axiom.condition, &Instance::new(), other);
        program.axioms.values().map(of).collect()
    }

    #[test]
    fn frames_are_generic() {
        let frames = [
            "axiom (forall<a> o: ref, f: Field a :: heap[o, f] == heap[o, f]);",
            "axiom (forall<a> o: ref, f: Field a :: read(heap, o, f) == read(heap, o, f));",
            "axiom (forall<a> f: Field a :: f == size || kind(f) == 3);",
            "axiom (forall<a> x: a :: x == x);",
            "axiom (exists<a> f: Field a :: (forall o: ref, h: Heap :: h[o, f] == heap[o, f]));",
        ];
        for frame in frames {
            assert_eq!(generic(frame), [true], "{frame}");
        }
    }

    #[test]
    fn what_needs_the_type_of_two_values_is_not() {
        let others = [
            "axiom (forall<a> f, g: Field a :: kind(f) == kind(g));",
            "axiom (forall<a> f: Field a :: (forall g: Field a :: kind(f) == kind(g)));",
            "axiom (forall<a> b: Box, f: Field a :: (unbox(b): a) == (unbox(b): a));",
            "axiom (forall<a> o: ref, f: Field a :: kind(f) == 3 ==> heap[o, f := heap[o, f]] == heap);",
            "axiom (forall<a> x: a :: both(x, x));",
            "axiom (forall<a> p: Pair a :: p == p);",
            "axiom (forall<a> m: [int]a :: m == m);",
            "axiom (forall<a, b> f: Field a, g: Field b :: kind(f) == kind(g));",
        ];
        for other in others {
            assert_eq!(generic(other), [false], "{other}");
        }
    }
}
