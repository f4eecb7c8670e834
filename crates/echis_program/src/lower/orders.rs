//! The vocabulary of termination: `WellFoundedOrder` and the orders for the types of measures, unless the program
//! declares them. The generated declarations are those of the library files `decreases/*.vpr`.

use super::Lowering;
use crate::program::{
    Axiom, BinaryOp, Decreases, Domain, DomainFunction, DomainFunctionId, DomainId, ExprId, ExprKind, LocalId,
    StmtKind, Type, UnaryOp, WellFounded,
};
use echis_base::SyntaxId;
use std::collections::BTreeMap;

/// The types with a known order, in the order in which their domains are generated.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Order {
    Bool,
    Int,
    Multiset,
    Perm,
    PredicateInstance,
    Ref,
    Seq,
    Set,
}

impl Order {
    fn of(ty: &Type) -> Option<Order> {
        match ty {
            Type::Bool => Some(Order::Bool),
            Type::Int => Some(Order::Int),
            Type::Multiset(_) => Some(Order::Multiset),
            Type::Perm => Some(Order::Perm),
            Type::PredicateInstance => Some(Order::PredicateInstance),
            Type::Ref => Some(Order::Ref),
            Type::Seq(_) => Some(Order::Seq),
            Type::Set(_) => Some(Order::Set),
            Type::Map(..) | Type::Domain(..) | Type::Parameter(_) => None,
        }
    }

    /// The domains that may declare the order; the first one is generated.
    fn domains(self) -> &'static [&'static str] {
        match self {
            Order::Bool => &["BoolWellFoundedOrder"],
            Order::Int => &["IntWellFoundedOrder"],
            Order::Multiset => &["MultiSetWellFoundedOrder"],
            Order::Perm => &["PermWellFoundedOrder", "RationalWellFoundedOrder"],
            Order::PredicateInstance => &["PredicateInstancesWellFoundedOrder"],
            Order::Ref => &["RefWellFoundedOrder"],
            Order::Seq => &["SeqWellFoundedOrder"],
            Order::Set => &["SetWellFoundedOrder"],
        }
    }
}

impl Lowering<'_> {
    /// Adds missing vocabulary if some member or loop has a tuple.
    pub(super) fn orders(&mut self) {
        let Some((first, orders)) = self.measured() else { return };
        let (decreasing, bounded) = self.order_vocabulary(first);
        for (order, cause) in orders {
            let declared = order.domains().iter().any(|name| self.domain_named(name));
            if !declared {
                self.order(order, decreasing, bounded, cause);
            }
        }
        let nested = self.declared_relation();
        self.program.well_founded = Some(WellFounded { decreasing, bounded, nested });
    }

    /// The first tuple, and the types of measures, each with the first tuple that has one.
    fn measured(&self) -> Option<(SyntaxId, BTreeMap<Order, SyntaxId>)> {
        let mut first = None;
        let mut orders = BTreeMap::new();
        let mut note = |decreases: &Decreases| {
            let Some(tuple) = &decreases.tuple else { return };
            first.get_or_insert(tuple.id);
            for measure in &tuple.measures {
                if let Some(order) = Order::of(self.program.ty(*measure)) {
                    orders.entry(order).or_insert(tuple.id);
                }
            }
        };
        self.program.functions.values().for_each(|function| note(&function.decreases));
        for method in self.program.methods.values() {
            note(&method.decreases);
            if let Some(body) = &method.body {
                body.visit_stmts(&mut |stmt| match &stmt.kind {
                    StmtKind::While { decreases, .. } | StmtKind::Label { decreases, .. } => note(decreases),
                    _ => {}
                });
            }
        }
        Some((first?, orders))
    }

    /// `WellFoundedOrder` as declared by the program or its library.
    pub(super) fn declared_orders(&self) -> Option<(DomainFunctionId, DomainFunctionId)> {
        if let Some(made) = &self.program.well_founded {
            return Some((made.decreasing, made.bounded));
        }
        let own = Type::Parameter(0);
        let decreasing = self.library_function("WellFoundedOrder", "decreasing", 1, &[own.clone(), own.clone()])?;
        Some((decreasing, self.library_function("WellFoundedOrder", "bounded", 1, &[own])?))
    }

    /// `WellFoundedOrder`, declared or generated.
    fn order_vocabulary(&mut self, cause: SyntaxId) -> (DomainFunctionId, DomainFunctionId) {
        if let Some(declared) = self.declared_orders() {
            return declared;
        }
        if let Some(domain) = self.domains_by_name.get("WellFoundedOrder") {
            let span = self.program.syntax.span(self.program.domains[*domain].id);
            let message = "`decreases` compares measures by `WellFoundedOrder[T]`, which has to declare \
                           `decreasing(T, T): Bool` and `bounded(T): Bool`.";
            self.consistency_error(span, message);
        }
        let id = self.generated(cause);
        let domain = self.order_domain("WellFoundedOrder", &["T"], id);
        let own = Type::Parameter(0);
        let decreasing = self.order_function(domain, "decreasing", vec![own.clone(), own.clone()], id);
        let bounded = self.order_function(domain, "bounded", vec![own], id);
        (decreasing, bounded)
    }

    fn order_domain(&mut self, name: &str, parameters: &[&str], id: SyntaxId) -> DomainId {
        self.generated_domain(Domain {
            name: name.into(),
            id,
            parameters: parameters.iter().map(|name| (*name).into()).collect(),
            interpretation: None,
            functions: Vec::new(),
            axioms: Vec::new(),
            adt: None,
        })
    }

    fn order_function(&mut self, domain: DomainId, name: &str, params: Vec<Type>, id: SyntaxId) -> DomainFunctionId {
        // The program may use the name for something else.
        let mut name = name.to_string();
        while self.program.domain_functions.values().any(|declared| *declared.name == *name) {
            name.push('\'');
        }
        let function = self.program.domain_functions.push(DomainFunction {
            name: name.into(),
            id,
            domain,
            params,
            result: Type::Bool,
            unique: false,
            interpretation: None,
        });
        self.program.domains[domain].functions.push(function);
        function
    }

    fn order(&mut self, order: Order, decreasing: DomainFunctionId, bounded: DomainFunctionId, cause: SyntaxId) {
        let id = self.generated(cause);
        let parameters: &[&str] = match order {
            Order::Seq | Order::Set | Order::Multiset => &["S"],
            _ => &[],
        };
        let nested = match order {
            Order::PredicateInstance => Some(self.nested_relation(id)),
            _ => None,
        };
        let domain = self.order_domain(order.domains()[0], parameters, id);
        let element = || Box::new(Type::Parameter(0));
        match order {
            Order::Int => {
                self.less_axiom(domain, decreasing, Type::Int, id, |l, [a, b]| l.program.test(BinaryOp::Lt, a, b, id));
                self.floor_axiom(domain, bounded, Type::Int, id);
            }
            Order::Perm => {
                self.less_axiom(domain, decreasing, Type::Perm, id, |lowering, [a, b]| {
                    let one = lowering.program.write(id);
                    let kind = ExprKind::Binary(BinaryOp::Sub, b, one);
                    let below = lowering.program.add_expr(kind, Type::Perm, id);
                    lowering.program.test(BinaryOp::Le, a, below, id)
                });
                self.floor_axiom(domain, bounded, Type::Perm, id);
            }
            Order::Bool => {
                let args = vec![self.program.bool(false, id), self.program.bool(true, id)];
                let body = self.order_app(decreasing, &Type::Bool, args, id);
                self.add_axiom(Axiom { name: None, id, domain, body });
                self.bounded_axiom(domain, bounded, &Type::Bool, id);
            }
            Order::Ref => {
                self.null_axiom(domain, decreasing, id);
                self.bounded_axiom(domain, bounded, &Type::Ref, id);
            }
            Order::Seq => {
                let ty = Type::Seq(element());
                self.size_axioms(domain, decreasing, bounded, ty, UnaryOp::SeqLength, id);
            }
            Order::Set => {
                let ty = Type::Set(element());
                self.size_axioms(domain, decreasing, bounded, ty, UnaryOp::SetCardinality, id);
            }
            Order::Multiset => {
                let ty = Type::Multiset(element());
                self.size_axioms(domain, decreasing, bounded, ty, UnaryOp::MultisetCardinality, id);
            }
            Order::PredicateInstance => {
                if let Some(nested) = nested {
                    self.nesting_axiom(domain, decreasing, nested, id);
                }
                self.bounded_axiom(domain, bounded, &Type::PredicateInstance, id);
            }
        }
    }

    fn variables<const N: usize>(&mut self, ty: &Type, id: SyntaxId) -> [LocalId; N] {
        let names = ["a", "b", "c"];
        std::array::from_fn(|index| self.bound_variable(names[index], ty.clone(), id))
    }

    fn locals<const N: usize>(&mut self, vars: [LocalId; N], id: SyntaxId) -> [ExprId; N] {
        vars.map(|var| self.program.local(var, id))
    }

    fn quantified_axiom(
        &mut self,
        domain: DomainId,
        vars: &[LocalId],
        trigger: Vec<ExprId>,
        body: ExprId,
        id: SyntaxId,
    ) {
        let body = self.program.forall(vars.to_vec(), vec![trigger], body, id);
        self.add_axiom(Axiom { name: None, id, domain, body });
    }

    /// `forall a, b :: { decreasing(a, b) } less(a, b) ==> decreasing(a, b)`
    fn less_axiom(
        &mut self,
        domain: DomainId,
        decreasing: DomainFunctionId,
        ty: Type,
        id: SyntaxId,
        less: impl FnOnce(&mut Self, [ExprId; 2]) -> ExprId,
    ) {
        let vars: [LocalId; 2] = self.variables(&ty, id);
        let args = self.locals(vars, id);
        let trigger = self.order_app(decreasing, &ty, args.to_vec(), id);
        let args = self.locals(vars, id);
        let condition = less(self, args);
        let args = self.locals(vars, id);
        let conclusion = self.order_app(decreasing, &ty, args.to_vec(), id);
        let body = self.program.implies(condition, conclusion, id);
        self.quantified_axiom(domain, &vars, vec![trigger], body, id);
    }

    /// `forall a :: { bounded(a) } 0 <= a ==> bounded(a)`
    fn floor_axiom(&mut self, domain: DomainId, bounded: DomainFunctionId, ty: Type, id: SyntaxId) {
        let vars: [LocalId; 1] = self.variables(&ty, id);
        let [for_trigger] = self.locals(vars, id);
        let [for_test] = self.locals(vars, id);
        let [for_body] = self.locals(vars, id);
        let trigger = self.order_app(bounded, &ty, vec![for_trigger], id);
        let zero = match ty {
            Type::Int => self.program.int(0, id),
            _ => self.program.add_expr(ExprKind::NonePerm, Type::Perm, id),
        };
        let condition = self.program.test(BinaryOp::Le, zero, for_test, id);
        let conclusion = self.order_app(bounded, &ty, vec![for_body], id);
        let body = self.program.implies(condition, conclusion, id);
        self.quantified_axiom(domain, &vars, vec![trigger], body, id);
    }

    /// `forall a :: { decreasing(null, a) } a != null ==> decreasing(null, a)`
    fn null_axiom(&mut self, domain: DomainId, decreasing: DomainFunctionId, id: SyntaxId) {
        let vars: [LocalId; 1] = self.variables(&Type::Ref, id);
        let smallest = |lowering: &mut Self| {
            let null = lowering.program.add_expr(ExprKind::Null, Type::Ref, id);
            let [a] = lowering.locals(vars, id);
            (null, a)
        };
        let (null, a) = smallest(self);
        let trigger = self.order_app(decreasing, &Type::Ref, vec![null, a], id);
        let (null, a) = smallest(self);
        let condition = self.program.test(BinaryOp::Ne, a, null, id);
        let (null, a) = smallest(self);
        let conclusion = self.order_app(decreasing, &Type::Ref, vec![null, a], id);
        let body = self.program.implies(condition, conclusion, id);
        self.quantified_axiom(domain, &vars, vec![trigger], body, id);
    }

    /// Collections are ordered by size.
    fn size_axioms(
        &mut self,
        domain: DomainId,
        decreasing: DomainFunctionId,
        bounded: DomainFunctionId,
        ty: Type,
        size: UnaryOp,
        id: SyntaxId,
    ) {
        self.less_axiom(domain, decreasing, ty.clone(), id, |lowering, args| {
            let [a, b] = args.map(|arg| lowering.program.add_expr(ExprKind::Unary(size, arg), Type::Int, id));
            lowering.program.test(BinaryOp::Lt, a, b, id)
        });
        self.bounded_axiom(domain, bounded, &ty, id);
    }

    /// `nestedPredicates`, declared or generated: transitive and irreflexive.
    fn declared_relation(&self) -> Option<DomainFunctionId> {
        let instances = [Type::PredicateInstance, Type::PredicateInstance];
        self.library_function("PredicateInstancesNestedRelation", "nestedPredicates", 0, &instances)
    }

    fn nested_relation(&mut self, id: SyntaxId) -> DomainFunctionId {
        if let Some(nested) = self.declared_relation() {
            return nested;
        }
        let instance = Type::PredicateInstance;
        let domain = self.order_domain("PredicateInstancesNestedRelation", &[], id);
        let nested = self.order_function(domain, "nestedPredicates", vec![instance.clone(), instance.clone()], id);
        let vars: [LocalId; 3] = self.variables(&instance, id);
        let link = |lowering: &mut Self, small: usize, large: usize| {
            let args = [vars[small], vars[large]];
            let args = lowering.locals(args, id).to_vec();
            lowering.nested_app(nested, args, id)
        };
        let trigger = vec![link(self, 0, 1), link(self, 1, 2)];
        let (first, second, third) = (link(self, 0, 1), link(self, 1, 2), link(self, 0, 2));
        let both = self.program.and(first, second, id);
        let body = self.program.implies(both, third, id);
        self.quantified_axiom(domain, &vars, trigger, body, id);
        let vars: [LocalId; 1] = self.variables(&instance, id);
        let itself = |lowering: &mut Self| {
            let args = lowering.locals([vars[0], vars[0]], id).to_vec();
            lowering.nested_app(nested, args, id)
        };
        let (trigger, inside) = (itself(self), itself(self));
        let body = self.program.not(inside, id);
        self.quantified_axiom(domain, &vars, vec![trigger], body, id);
        nested
    }

    fn nested_app(&mut self, nested: DomainFunctionId, args: Vec<ExprId>, id: SyntaxId) -> ExprId {
        let kind = ExprKind::DomainApp { function: nested, type_args: Vec::new(), args };
        self.program.add_expr(kind, Type::Bool, id)
    }

    /// `forall a, b :: { decreasing(a, b) } decreasing(a, b) == nestedPredicates(a, b)`
    fn nesting_axiom(
        &mut self,
        domain: DomainId,
        decreasing: DomainFunctionId,
        nested: DomainFunctionId,
        id: SyntaxId,
    ) {
        let ty = Type::PredicateInstance;
        let vars: [LocalId; 2] = self.variables(&ty, id);
        let args = self.locals(vars, id).to_vec();
        let trigger = self.order_app(decreasing, &ty, args, id);
        let args = self.locals(vars, id).to_vec();
        let left = self.order_app(decreasing, &ty, args, id);
        let args = self.locals(vars, id).to_vec();
        let right = self.nested_app(nested, args, id);
        let body = self.program.eq(left, right, id);
        self.quantified_axiom(domain, &vars, vec![trigger], body, id);
    }
}
