//! The well-founded order of an ADT: components are smaller than the value. Values are finite, so every value is
//! bounded. Used only if a program mentions well-founded orders.

use super::{AdtKeys, Lowering};
use crate::program::{Axiom, Domain, DomainFunctionId, DomainId, ExprId, ExprKind, LocalId, Type};
use crate::walk::guarded;
use echis_base::SyntaxId;
use echis_syntax::ast;

/// A value that contains a value of the wanted type, over its variables.
struct Nest {
    vars: Vec<LocalId>,
    value: ExprId,
    inner: LocalId,
}

impl<'a> Lowering<'a> {
    pub(super) fn adt_order(&mut self, adt: DomainId, decl: &'a ast::Adt, keys: &AdtKeys) {
        let name = format!("{}WellFoundedOrder", decl.name.name);
        let exists = self.domain_named(&name);
        let (Some((decreasing, bounded)), false) = (self.declared_orders(), exists) else { return };
        let cause = self.program.domains[adt].id;
        let id = self.generated(cause);
        let domain = self.generated_domain(Domain {
            name: name.into(),
            id,
            parameters: self.program.domains[adt].parameters.clone(),
            interpretation: None,
            functions: Vec::new(),
            axioms: Vec::new(),
            adt: None,
        });
        for constructor in &keys.constructors {
            self.smaller_axioms(domain, adt, constructor.function, decreasing);
        }
        let ty = self.adt_type(adt);
        self.transitive_axiom(domain, decreasing, &ty, id);
        self.bounded_axiom(domain, bounded, &ty, id);
    }

    /// `forall as :: { C(as) } decreasing(a_i, C(as))`, also for values inside `a_i`.
    fn smaller_axioms(
        &mut self,
        domain: DomainId,
        adt: DomainId,
        constructor: DomainFunctionId,
        decreasing: DomainFunctionId,
    ) {
        let cause = self.program.domain_functions[constructor].id;
        let params = self.program.domain_functions[constructor].params.clone();
        let wanted = self.adt_type(adt);
        for (index, param) in params.iter().enumerate() {
            let id = self.generated(cause);
            for nest in self.nests(param, &wanted, &mut Vec::new(), id) {
                let (mut vars, args) = self.fill(&params, index, &nest, id);
                vars.extend(&nest.vars);
                let whole = self.own_app(constructor, args, id);
                let trigger = self.program.copy(whole);
                let inner = self.program.local(nest.inner, id);
                let body = self.order_app(decreasing, &wanted, vec![inner, whole], id);
                let body = self.program.forall(vars, vec![vec![trigger]], body, id);
                self.add_axiom(Axiom { name: None, id, domain, body });
            }
        }
    }

    /// Variables for all parameters but one, and the arguments with the nested value in that place.
    fn fill(&mut self, params: &[Type], place: usize, nest: &Nest, id: SyntaxId) -> (Vec<LocalId>, Vec<ExprId>) {
        let mut vars = Vec::new();
        let mut args = Vec::new();
        for (index, ty) in params.iter().enumerate() {
            if index == place {
                args.push(nest.value);
                continue;
            }
            let var = self.bound_variable(&format!("a{index}"), ty.clone(), id);
            vars.push(var);
            args.push(self.program.local(var, id));
        }
        (vars, args)
    }

    /// The ways in which a value of type `ty` can contain one of the wanted type, visiting each ADT type once.
    fn nests(&mut self, ty: &Type, wanted: &Type, visited: &mut Vec<Type>, id: SyntaxId) -> Vec<Nest> {
        if ty == wanted {
            let inner = self.bound_variable(&format!("b{}", visited.len()), ty.clone(), id);
            return vec![Nest { vars: vec![inner], value: self.program.local(inner, id), inner }];
        }
        let Type::Domain(adt, type_args) = ty else { return Vec::new() };
        let Some(keys) = self.adts.get(*adt).cloned() else { return Vec::new() };
        // A type that grows at each step would be visited forever.
        if visited.contains(ty) || visited.len() >= 8 {
            return Vec::new();
        }
        visited.push(ty.clone());
        let mut found = Vec::new();
        for constructor in &keys.constructors {
            let params = self.program.domain_functions[constructor.function].params.clone();
            let params: Vec<Type> = params.iter().map(|param| param.with(type_args)).collect();
            for (index, param) in params.iter().enumerate() {
                for nest in guarded(|| self.nests(param, wanted, visited, id)) {
                    let (mut vars, args) = self.fill(&params, index, &nest, id);
                    vars.extend(&nest.vars);
                    let kind =
                        ExprKind::DomainApp { function: constructor.function, type_args: type_args.clone(), args };
                    let value = self.program.add_expr(kind, ty.clone(), id);
                    found.push(Nest { vars, value, inner: nest.inner });
                }
            }
        }
        visited.pop();
        found
    }

    /// `decreasing` or `bounded` at a type.
    pub(super) fn order_app(
        &mut self,
        function: DomainFunctionId,
        ty: &Type,
        args: Vec<ExprId>,
        id: SyntaxId,
    ) -> ExprId {
        let kind = ExprKind::DomainApp { function, type_args: vec![ty.clone()], args };
        self.program.add_expr(kind, Type::Bool, id)
    }

    /// `forall a, b, c :: { a < b, b < c } a < b && b < c ==> a < c` for `decreasing` as `<`.
    fn transitive_axiom(&mut self, domain: DomainId, decreasing: DomainFunctionId, ty: &Type, id: SyntaxId) {
        let vars: Vec<LocalId> = ["a", "b", "c"].iter().map(|name| self.bound_variable(name, ty.clone(), id)).collect();
        let link = |lowering: &mut Self, small: usize, large: usize| {
            let args = vec![lowering.program.local(vars[small], id), lowering.program.local(vars[large], id)];
            lowering.order_app(decreasing, ty, args, id)
        };
        let trigger = vec![link(self, 0, 1), link(self, 1, 2)];
        let (first, second, third) = (link(self, 0, 1), link(self, 1, 2), link(self, 0, 2));
        let both = self.program.and(first, second, id);
        let body = self.program.implies(both, third, id);
        let body = self.program.forall(vars, vec![trigger], body, id);
        self.add_axiom(Axiom { name: None, id, domain, body });
    }

    /// `forall a :: { bounded(a) } bounded(a)`
    pub(super) fn bounded_axiom(&mut self, domain: DomainId, bounded: DomainFunctionId, ty: &Type, id: SyntaxId) {
        let var = self.bound_variable("a", ty.clone(), id);
        let (trigger_arg, arg) = (self.program.local(var, id), self.program.local(var, id));
        let trigger = self.order_app(bounded, ty, vec![trigger_arg], id);
        let body = self.order_app(bounded, ty, vec![arg], id);
        let body = self.program.forall(vec![var], vec![vec![trigger]], body, id);
        self.add_axiom(Axiom { name: None, id, domain, body });
    }
}

impl Type {
    /// The type with its parameters instantiated.
    pub fn with(&self, args: &[Type]) -> Type {
        match self {
            Type::Int | Type::Bool | Type::Perm | Type::Ref | Type::PredicateInstance => self.clone(),
            Type::Seq(element) => Type::Seq(Box::new(element.with(args))),
            Type::Set(element) => Type::Set(Box::new(element.with(args))),
            Type::Multiset(element) => Type::Multiset(Box::new(element.with(args))),
            Type::Map(key, value) => Type::Map(Box::new(key.with(args)), Box::new(value.with(args))),
            Type::Domain(domain, own) => Type::Domain(*domain, own.iter().map(|ty| ty.with(args)).collect()),
            Type::Parameter(index) => args.get(*index as usize).cloned().unwrap_or_else(|| self.clone()),
        }
    }
}
