//! ADTs become domains: a function for each constructor, a destructor for each argument, and a tag that distinguishes
//! constructors. Destructors can be applied to any value; for the wrong constructor the result is arbitrary.

use super::{AdtKeys, ConstructorKeys, Lowering};
use crate::program::{
    AdtConstructor, Axiom, BinaryOp, DomainFunction, DomainFunctionId, DomainId, ExprId, ExprKind, LocalId, Type,
};
use crate::typed::Constructor;
use echis_base::{Diagnostic, Name, SyntaxId};
use echis_syntax::ast;

/// A constructor applied to variables.
struct Applied {
    vars: Vec<LocalId>,
    id: SyntaxId,
}

impl<'a> Lowering<'a> {
    pub(super) fn adt(&self, adt: DomainId) -> &AdtKeys {
        self.adts.get(adt).expect("the functions of all ADTs are declared before expressions are lowered")
    }

    pub(super) fn declare_adt(&mut self, adt: DomainId, decl: &'a ast::Adt, constructors: &[Constructor<'_>]) {
        let domain_id = self.program.domains[adt].id;
        if constructors.is_empty() {
            let span = self.program.syntax.span(domain_id);
            let message = format!("The ADT `{}` has no constructors.", decl.name.name);
            self.consistency.push(Diagnostic::error("consistency.error", span, message));
        }
        let mut names: Vec<&Name> = constructors.iter().map(|constructor| &constructor.decl.name.name).collect();
        names.sort();
        let own = self.adt_type(adt);
        let mut keys = Vec::new();
        for constructor in constructors {
            let id = self.node(constructor.decl.span, &constructor.decl.annotations);
            let name = &constructor.decl.name.name;
            let function = self.adt_function(adt, name.clone(), id, constructor.args.clone(), own.clone());
            let tag = names.iter().position(|other| *other == name).unwrap_or_default() as u32;
            keys.push(ConstructorKeys { function, destructors: Vec::new(), tag });
        }
        for (constructor, keys) in constructors.iter().zip(&mut keys) {
            for (arg, ty) in constructor.decl.args.iter().zip(&constructor.args) {
                let id = self.program.syntax.add_span(arg.span);
                // No program can write these names, so they do not clash with its declarations.
                let name = format!("{}.{}", decl.name.name, arg.name.name);
                keys.destructors.push(self.adt_function(adt, name.into(), id, vec![own.clone()], ty.clone()));
            }
        }
        let tag_id = self.generated(domain_id);
        let tag = self.adt_function(adt, format!("{}#tag", decl.name.name).into(), tag_id, vec![own], Type::Int);
        let constructors = keys.iter().map(|keys| AdtConstructor {
            constructor: keys.function,
            destructors: keys.destructors.clone(),
            tag_function: tag,
            tag: keys.tag,
        });
        self.program.domains[adt].adt = Some(constructors.collect());
        self.generated_domains.insert(adt);
        self.adts.set(adt, AdtKeys { constructors: keys, tag });
    }

    fn adt_function(
        &mut self,
        domain: DomainId,
        name: Name,
        id: SyntaxId,
        params: Vec<Type>,
        result: Type,
    ) -> DomainFunctionId {
        let function = DomainFunction { name, id, domain, params, result, unique: false, interpretation: None };
        let function = self.program.domain_functions.push(function);
        self.program.domains[domain].functions.push(function);
        function
    }

    /// The ADT applied to its own parameters, as it occurs in its axioms.
    pub(super) fn adt_type(&self, adt: DomainId) -> Type {
        Type::Domain(adt, self.parameters(adt))
    }

    pub(super) fn parameters(&self, domain: DomainId) -> Vec<Type> {
        (0..self.program.domains[domain].parameters.len() as u32).map(Type::Parameter).collect()
    }

    pub(super) fn adt_axioms(&mut self, adt: DomainId, decl: &'a ast::Adt) {
        let keys = self.adt(adt).clone();
        for keys in &keys.constructors {
            for index in 0..keys.destructors.len() {
                self.injectivity_axiom(adt, keys, index);
            }
        }
        for constructor in &keys.constructors {
            self.tag_axiom(adt, constructor, keys.tag);
        }
        if !keys.constructors.is_empty() {
            self.exhaustiveness_axiom(adt, &keys);
        }
        self.contains_axioms(adt, decl, &keys);
        self.adt_order(adt, decl, &keys);
    }

    /// Fresh variables for the arguments of a constructor.
    fn applied(&mut self, constructor: DomainFunctionId) -> Applied {
        let cause = self.program.domain_functions[constructor].id;
        let id = self.generated(cause);
        let params = self.program.domain_functions[constructor].params.clone();
        let vars = params.into_iter().enumerate();
        let vars = vars.map(|(index, ty)| self.bound_variable(&format!("a{index}"), ty, id)).collect();
        Applied { vars, id }
    }

    fn application(&mut self, constructor: DomainFunctionId, applied: &Applied) -> ExprId {
        let args = applied.vars.iter().map(|var| self.program.local(*var, applied.id)).collect();
        self.own_app(constructor, args, applied.id)
    }

    /// A function of an ADT with the ADT's own parameters as type arguments.
    pub(super) fn own_app(&mut self, function: DomainFunctionId, args: Vec<ExprId>, id: SyntaxId) -> ExprId {
        let type_args = self.parameters(self.program.domain_functions[function].domain);
        let ty = self.program.domain_functions[function].result.clone();
        self.program.add_expr(ExprKind::DomainApp { function, type_args, args }, ty, id)
    }

    fn generated_axiom(&mut self, domain: DomainId, body: ExprId, id: SyntaxId) {
        self.add_axiom(Axiom { name: None, id, domain, body });
    }

    /// `forall as :: { C(as) } a_i == get_i(C(as))`
    fn injectivity_axiom(&mut self, adt: DomainId, keys: &ConstructorKeys, index: usize) {
        let applied = self.applied(keys.function);
        let trigger = self.application(keys.function, &applied);
        let value = self.application(keys.function, &applied);
        let taken = self.own_app(keys.destructors[index], vec![value], applied.id);
        let argument = self.program.local(applied.vars[index], applied.id);
        let equal = self.program.eq(argument, taken, applied.id);
        let body = self.program.forall(applied.vars, vec![vec![trigger]], equal, applied.id);
        self.generated_axiom(adt, body, applied.id);
    }

    /// `forall as :: { C(as) } tag(C(as)) == k`, without the quantifier for a constant.
    fn tag_axiom(&mut self, adt: DomainId, keys: &ConstructorKeys, tag: DomainFunctionId) {
        let applied = self.applied(keys.function);
        let value = self.application(keys.function, &applied);
        let found = self.own_app(tag, vec![value], applied.id);
        let wanted = self.program.int(keys.tag, applied.id);
        let mut body = self.program.eq(found, wanted, applied.id);
        if !applied.vars.is_empty() {
            let trigger = self.application(keys.function, &applied);
            body = self.program.forall(applied.vars, vec![vec![trigger]], body, applied.id);
        }
        self.generated_axiom(adt, body, applied.id);
    }

    /// `forall t :: { tag(t) } { get_x(t) }... t == C1(gets of t) || ...`; the triggers use the destructors of the
    /// last constructor.
    fn exhaustiveness_axiom(&mut self, adt: DomainId, keys: &AdtKeys) {
        let cause = self.program.domains[adt].id;
        let id = self.generated(cause);
        let ty = self.adt_type(adt);
        let var = self.bound_variable("t", ty, id);
        let mut triggers = vec![keys.tag];
        triggers.extend(keys.constructors.last().into_iter().flat_map(|last| last.destructors.iter().copied()));
        let triggers = triggers.into_iter().map(|function| vec![self.of_variable(function, var, id)]).collect();
        let mut body = None;
        for constructor in &keys.constructors {
            let taken = constructor.destructors.iter().map(|function| self.of_variable(*function, var, id)).collect();
            let value = self.own_app(constructor.function, taken, id);
            let local = self.program.local(var, id);
            let equal = self.program.eq(local, value, id);
            body = Some(match body {
                None => equal,
                Some(before) => self.program.test(BinaryOp::Or, before, equal, id),
            });
        }
        let Some(body) = body else { return };
        let body = self.program.forall(vec![var], triggers, body, id);
        self.generated_axiom(adt, body, id);
    }

    fn of_variable(&mut self, function: DomainFunctionId, var: LocalId, id: SyntaxId) -> ExprId {
        let arg = self.program.local(var, id);
        self.own_app(function, vec![arg], id)
    }

    /// `derives { contains }`: `forall as :: { C(as) } contains(a_i, C(as))` for the non-excluded arguments.
    fn contains_axioms(&mut self, adt: DomainId, decl: &'a ast::Adt, keys: &AdtKeys) {
        let Some(contains) = self.contains_function() else { return };
        let Some(derive) = decl.derives.iter().find(|derive| &*derive.name.name == "contains") else { return };
        if !self.ast.derives_enabled {
            return;
        }
        for (constructor, keys) in decl.constructors.iter().zip(&keys.constructors) {
            if constructor.args.is_empty() {
                continue;
            }
            let applied = self.applied(keys.function);
            let mut parts = Vec::new();
            for (arg, var) in constructor.args.iter().zip(&applied.vars) {
                if derive.without.iter().any(|excluded| excluded.name == arg.name.name) {
                    continue;
                }
                let part = self.program.local(*var, applied.id);
                let whole = self.application(keys.function, &applied);
                parts.push(self.contains(contains, part, whole, applied.id));
            }
            let trigger = self.application(keys.function, &applied);
            let body = self.program.conjunction(parts, applied.id);
            let body = self.program.forall(applied.vars, vec![vec![trigger]], body, applied.id);
            self.generated_axiom(adt, body, applied.id);
        }
    }

    fn contains(&mut self, contains: DomainFunctionId, part: ExprId, whole: ExprId, id: SyntaxId) -> ExprId {
        let type_args = vec![self.program.ty(part).clone(), self.program.ty(whole).clone()];
        let kind = ExprKind::DomainApp { function: contains, type_args, args: vec![part, whole] };
        self.program.add_expr(kind, Type::Bool, id)
    }

    fn contains_function(&self) -> Option<DomainFunctionId> {
        self.library_function("ContainsDomain", "contains", 2, &[Type::Parameter(0), Type::Parameter(1)])
    }

    /// The transitivity of `contains` for the types connected by its applications in the program.
    pub(super) fn contains_transitivity(&mut self) {
        let Some(contains) = self.contains_function() else { return };
        let derived = self.ast.derives_enabled
            && self.ast.members.iter().any(|member| match &member.kind {
                ast::MemberKind::Adt(adt) => adt.derives.iter().any(|derive| &*derive.name.name == "contains"),
                _ => false,
            });
        if !derived {
            return;
        }
        let pairs = closure(self.contained_types(contains));
        let cause = self.program.domain_functions[contains].id;
        let id = self.generated(cause);
        let domain = self.generated_domain(crate::program::Domain {
            name: "ContainsTransitivityDomain".into(),
            id,
            parameters: Vec::new(),
            interpretation: None,
            functions: Vec::new(),
            axioms: Vec::new(),
            adt: None,
        });
        for (small, middle) in &pairs {
            for (same, large) in &pairs {
                if middle == same {
                    self.transitivity_axiom(domain, contains, [small, middle, large], id);
                }
            }
        }
    }

    /// The argument types of all applications of `contains` at concrete types, sorted.
    fn contained_types(&self, contains: DomainFunctionId) -> Vec<(Type, Type)> {
        let mut pairs = std::collections::BTreeSet::new();
        for root in self.program.roots() {
            self.program.visit(root, |expr| {
                if let ExprKind::DomainApp { function, type_args, .. } = self.program.kind(expr)
                    && *function == contains
                    && let [small, large] = &type_args[..]
                    && is_concrete(small)
                    && is_concrete(large)
                {
                    pairs.insert((small.clone(), large.clone()));
                }
                true
            });
        }
        pairs.into_iter().collect()
    }

    fn transitivity_axiom(&mut self, domain: DomainId, contains: DomainFunctionId, types: [&Type; 3], id: SyntaxId) {
        let vars: Vec<LocalId> =
            ["a", "b", "c"].iter().zip(types).map(|(name, ty)| self.bound_variable(name, ty.clone(), id)).collect();
        let link = |lowering: &mut Self, small: usize, large: usize| {
            let small = lowering.program.local(vars[small], id);
            let large = lowering.program.local(vars[large], id);
            lowering.contains(contains, small, large, id)
        };
        let trigger = vec![link(self, 0, 1), link(self, 1, 2)];
        let (first, second, third) = (link(self, 0, 1), link(self, 1, 2), link(self, 0, 2));
        let both = self.program.and(first, second, id);
        let body = self.program.implies(both, third, id);
        let body = self.program.forall(vars, vec![trigger], body, id);
        self.generated_axiom(domain, body, id);
    }
}

fn is_concrete(ty: &Type) -> bool {
    match ty {
        Type::Parameter(_) => false,
        Type::Seq(element) | Type::Set(element) | Type::Multiset(element) => is_concrete(element),
        Type::Map(key, value) => is_concrete(key) && is_concrete(value),
        Type::Domain(_, args) => args.iter().all(is_concrete),
        Type::Int | Type::Bool | Type::Perm | Type::Ref | Type::PredicateInstance => true,
    }
}

/// The transitive closure of a relation, sorted.
fn closure(pairs: Vec<(Type, Type)>) -> Vec<(Type, Type)> {
    let mut closed: std::collections::BTreeSet<(Type, Type)> = pairs.into_iter().collect();
    loop {
        let mut more = Vec::new();
        for (small, middle) in &closed {
            for (same, large) in &closed {
                let pair = (small.clone(), large.clone());
                if middle == same && !closed.contains(&pair) {
                    more.push(pair);
                }
            }
        }
        if more.is_empty() {
            return closed.into_iter().collect();
        }
        closed.extend(more);
    }
}
