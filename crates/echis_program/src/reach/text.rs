//! Follows the text: what each expression and statement mentions. Expressions are on a work list, so neither their
//! depth nor chains of functions use stack.

use super::{Reach, Resource, substitute, substitute_all};
use crate::program::{
    Decreases, DomainFunctionId, DomainId, ExprId, ExprKind, FieldId, FunctionId, LocalId, Location, MethodId, Part,
    PredicateId, Program, Stmt, Type,
};
use std::rc::Rc;

pub(super) struct Closure<'p> {
    pub program: &'p Program,
    pub reach: Reach,
    /// Expressions to process, with the arguments for their type parameters.
    pending: Vec<(ExprId, Rc<[Type]>)>,
    /// Domain instances whose axioms are still to be processed.
    pub new_domains: Vec<(DomainId, Vec<Type>)>,
    pub new_functions: Vec<(DomainFunctionId, Vec<Type>)>,
    no_args: Rc<[Type]>,
}

impl<'p> Closure<'p> {
    pub(super) fn new(program: &'p Program) -> Self {
        let no_args = Rc::from(Vec::new());
        let reach = Reach::default();
        Closure { program, reach, pending: Vec::new(), new_domains: Vec::new(), new_functions: Vec::new(), no_args }
    }

    pub(super) fn function(&mut self, key: FunctionId) {
        if !self.reach.functions.insert(key) {
            return;
        }
        let function = &self.program.functions[key];
        self.locals(&function.params);
        self.ty(function.result.clone());
        self.all(&function.pre);
        self.all(&function.post);
        self.decreases(&function.decreases);
        self.all(function.body.as_slice());
    }

    pub(super) fn predicate(&mut self, key: PredicateId) {
        if !self.reach.predicates.insert(key) {
            return;
        }
        let predicate = &self.program.predicates[key];
        self.locals(&predicate.params);
        self.all(predicate.body.as_slice());
    }

    pub(super) fn contract(&mut self, key: MethodId) {
        if !self.reach.methods.insert(key) {
            return;
        }
        let method = &self.program.methods[key];
        self.locals(&method.params);
        self.locals(&method.returns);
        self.all(&method.pre);
        self.all(&method.post);
        self.decreases(&method.decreases);
    }

    pub(super) fn body(&mut self, key: MethodId) {
        if let Some(body) = &self.program.methods[key].body {
            self.locals(&body.locals);
            body.visit_stmts(&mut |stmt| self.stmt(stmt));
        }
    }

    /// Processes all pending expressions.
    pub(super) fn exprs(&mut self) {
        while let Some((expr, args)) = self.pending.pop() {
            self.expr(expr, &args);
        }
    }

    pub(super) fn push(&mut self, expr: ExprId, args: Rc<[Type]>) {
        self.pending.push((expr, args));
    }

    pub(super) fn domain(&mut self, domain: DomainId, args: Vec<Type>) {
        if self.reach.domains.insert((domain, args.clone())) {
            self.new_domains.push((domain, args));
        }
    }

    fn all(&mut self, exprs: &[ExprId]) {
        self.pending.extend(exprs.iter().map(|&expr| (expr, self.no_args.clone())));
    }

    fn locals(&mut self, locals: &[LocalId]) {
        for &local in locals {
            self.ty(self.program.locals[local].ty.clone());
        }
    }

    /// Most types occur repeatedly, so they are looked up before being copied.
    fn ty_at(&mut self, ty: &Type, args: &[Type]) {
        if !args.is_empty() {
            self.ty(substitute(ty, args));
        } else if !self.reach.types.contains(ty) {
            self.ty(ty.clone());
        }
    }

    fn ty(&mut self, ty: Type) {
        let mut pending = vec![ty];
        while let Some(ty) = pending.pop() {
            if self.reach.types.contains(&ty) {
                continue;
            }
            match &ty {
                Type::Seq(item) | Type::Set(item) | Type::Multiset(item) => pending.push((**item).clone()),
                Type::Map(from, to) => pending.extend([(**from).clone(), (**to).clone()]),
                Type::Domain(domain, args) => {
                    pending.extend(args.iter().cloned());
                    self.domain(*domain, args.clone());
                }
                _ => {}
            }
            self.reach.types.insert(ty);
        }
    }

    fn domain_function(&mut self, key: DomainFunctionId, args: Vec<Type>) {
        if !self.reach.domain_functions.insert((key, args.clone())) {
            return;
        }
        let function = &self.program.domain_functions[key];
        for ty in function.params.iter().chain([&function.result]) {
            self.ty(substitute(ty, &args));
        }
        self.domain(function.domain, args.clone());
        self.new_functions.push((key, args));
    }

    fn field(&mut self, key: FieldId) {
        if self.reach.fields.insert(key) {
            self.ty(Type::Ref);
            self.ty(self.program.fields[key].ty.clone());
        }
    }

    /// Adds a resource that is mentioned; its subexpressions are processed separately.
    fn location(&mut self, location: &Location) {
        match location {
            Location::Field { field, .. } => self.field(*field),
            Location::Predicate { predicate, .. } => self.predicate(*predicate),
            Location::Wand(_) => {}
        }
    }

    fn quantified(&mut self, location: &Location) {
        match location.resource() {
            Some(resource) => _ = self.reach.quantified.insert(resource),
            None => self.reach.quantified_wands = true,
        }
    }

    /// The checks compare measures by the functions of the well-founded orders, which the text need not mention.
    fn decreases(&mut self, decreases: &Decreases) {
        self.all(&decreases.roots());
        let (Some(tuple), Some(orders)) = (&decreases.tuple, &self.program.well_founded) else { return };
        for &measure in &tuple.measures {
            let ty = self.program.ty(measure);
            self.domain_function(orders.decreasing, self.order_args(orders.decreasing, ty));
            self.domain_function(orders.bounded, self.order_args(orders.bounded, ty));
        }
        if let Some(nested) = orders.nested {
            self.domain_function(nested, self.order_args(nested, &Type::PredicateInstance));
        }
    }

    fn order_args(&self, function: DomainFunctionId, ty: &Type) -> Vec<Type> {
        let domain = self.program.domain_functions[function].domain;
        vec![ty.clone(); self.program.domains[domain].parameters.len()]
    }

    fn expr(&mut self, expr: ExprId, args: &Rc<[Type]>) {
        let kind = self.program.kind(expr);
        self.ty_at(self.program.ty(expr), args);
        kind.each_part(|part| self.mentioned(part, args));
        match kind {
            ExprKind::DomainApp { function, type_args, .. } => {
                self.domain_function(*function, substitute_all(type_args, args));
            }
            ExprKind::ForallAcc { location, .. } => self.quantified(location),
            _ => {}
        }
        for &trigger in kind.triggers().iter().flatten() {
            self.trigger(trigger, kind.bound());
        }
        let children = self.program.kind(expr).children_with_triggers();
        self.pending.extend(children.into_iter().map(|child| (child, args.clone())));
    }

    /// Adds what a part of a node mentions; expressions and blocks are processed separately.
    fn mentioned(&mut self, part: Part<'_>, args: &[Type]) {
        match part {
            Part::Expr(_) | Part::Triggers(_) | Part::Block(_) => {}
            Part::Locals(locals) => {
                locals.iter().for_each(|local| self.ty_at(&self.program.locals[*local].ty, args));
            }
            Part::Field(field) => self.field(field),
            Part::Function(function) => self.function(function),
            Part::Predicate(predicate) => self.predicate(predicate),
            Part::Method(method) => self.contract(method),
            Part::Location(location) => self.location(location),
            Part::Access(access) => self.predicate(access.predicate),
            Part::Decreases(decreases) => self.decreases(decreases),
            // An application of a domain function determines these types.
            Part::DomainFunction(_) | Part::Types(_) => {}
            Part::Label(_) | Part::Syntax(_) | Part::Integer(_) | Part::Number(_) => {}
        }
    }

    /// A field of something not bound by the quantifier (`{a.elems[i]}`) is an ordinary read.
    fn trigger(&mut self, trigger: ExprId, vars: &[LocalId]) {
        let mut looked_up = Vec::new();
        self.program.visit_with_triggers(trigger, |_, kind| match kind {
            ExprKind::TriggerLocation(location) => looked_up.extend(location.resource()),
            ExprKind::Field { receiver, field } => {
                let free = self.program.free_locals(*receiver);
                if vars.iter().any(|var| free.contains(var)) {
                    looked_up.push(Resource::Field(*field));
                }
            }
            _ => {}
        });
        self.reach.quantified.extend(&looked_up);
        self.reach.triggered.extend(&looked_up);
    }

    /// Processes a statement, without nested statements.
    fn stmt(&mut self, stmt: &'p Stmt) {
        self.all(&stmt.kind.roots());
        for block in stmt.kind.blocks() {
            self.locals(&block.locals);
        }
        let args = self.no_args.clone();
        stmt.kind.each_part(|part| {
            if let Part::Location(location) = part
                && stmt.kind.is_quantified()
            {
                self.quantified(location);
            }
            self.mentioned(part, &args);
        });
    }
}

/// The resource of a location; wands are distinguished by their shape elsewhere.
trait Named {
    fn resource(&self) -> Option<Resource>;
}

impl Named for Location {
    fn resource(&self) -> Option<Resource> {
        match self {
            Location::Field { field, .. } => Some(Resource::Field(*field)),
            Location::Predicate { predicate, .. } => Some(Resource::Predicate(*predicate)),
            Location::Wand(_) => None,
        }
    }
}
