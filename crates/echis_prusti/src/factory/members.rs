//! Members and programs.

use super::{AstFactory, exprs};
use crate::arena::{
    Annotations, Domain, DomainFunc, DomainFuncData, Expr, Field, Function, LocalVarDecl, Method, NamedDomainAxiom,
    Position, Predicate, PredicateData, Program, ProgramData, Stmt, Type, push,
};
use echis_build::{self as build, Param};
use std::collections::BTreeMap;

impl<'a> AstFactory<'a> {
    pub fn program(
        &self,
        domains: &[Domain],
        fields: &[Field],
        functions: &[Function],
        predicates: &[Predicate],
        methods: &[Method],
    ) -> Program<'a> {
        let program = ProgramData {
            domains: domains.iter().map(|domain| domain.index).collect(),
            fields: fields.iter().map(|field| field.index).collect(),
            functions: functions.iter().map(|function| function.index).collect(),
            predicates: predicates.iter().map(|predicate| predicate.index).collect(),
            methods: methods.iter().map(|method| method.index).collect(),
        };
        Program::new(push(&mut self.tables().programs, program))
    }
    pub fn field(&self, name: &str, typ: Type) -> Field<'a> {
        let field = Param::new(name, self.ty(typ));
        Field::new(push(&mut self.tables().fields, field))
    }
    pub fn local_var_decl(&self, name: &str, typ: Type) -> LocalVarDecl<'a> {
        let variable = Param::new(name, self.ty(typ));
        LocalVarDecl::new(push(&mut self.tables().variables, variable))
    }
    pub fn predicate(&self, name: &str, formal_args: &[LocalVarDecl], body: Option<Expr>) -> Predicate<'a> {
        self.predicate_with_annotations(name, formal_args, body, &BTreeMap::new())
    }
    pub fn annotations(&self, annotations: &BTreeMap<String, Vec<String>>) -> Annotations {
        Annotations(annotations.clone())
    }
    pub fn predicate_with_annotations(
        &self,
        name: &str,
        formal_args: &[LocalVarDecl],
        body: Option<Expr>,
        annotations: &BTreeMap<String, Vec<String>>,
    ) -> Predicate<'a> {
        let mut predicate = build::Predicate::new(name);
        for param in self.params(formal_args) {
            predicate = predicate.param(param.name, param.ty);
        }
        if let Some(body) = body {
            predicate = predicate.body(body.expr);
        }
        for (name, args) in annotations {
            predicate = predicate.annotate(name, args.iter().cloned());
        }
        let data = PredicateData { name: name.to_owned(), predicate };
        Predicate::new(push(&mut self.tables().predicates, data))
    }
    // The signature is that of the original method.
    #[expect(clippy::too_many_arguments)]
    pub fn function(
        &self,
        name: &str,
        formal_args: &[LocalVarDecl],
        typ: Type,
        pres: &[Expr],
        posts: &[Expr],
        pos: Position,
        body: Option<Expr>,
    ) -> Function<'a> {
        let mut function = build::Function::new(name, self.ty(typ));
        for param in self.params(formal_args) {
            function = function.param(param.name, param.ty);
        }
        function = exprs(pres).into_iter().fold(function, build::Function::requires);
        function = exprs(posts).into_iter().fold(function, build::Function::ensures);
        if let Some(body) = body {
            function = function.body(body.expr);
        }
        let tables = &mut *self.tables();
        if tables.positions[pos.index].id.is_some() {
            function = function.at(pos.index);
        }
        Function::new(push(&mut tables.functions, function))
    }
    pub fn method(
        &self,
        name: &str,
        formal_args: &[LocalVarDecl],
        formal_returns: &[LocalVarDecl],
        pres: &[Expr],
        posts: &[Expr],
        body: Option<Stmt>,
    ) -> Method<'a> {
        let mut method = build::Method::new(name);
        for param in self.params(formal_args) {
            method = method.param(param.name, param.ty);
        }
        for result in self.params(formal_returns) {
            method = method.returns(result.name, result.ty);
        }
        method = exprs(pres).into_iter().fold(method, build::Method::requires);
        method = exprs(posts).into_iter().fold(method, build::Method::ensures);
        let tables = &mut *self.tables();
        if let Some(body) = body {
            method = method.body(tables.body_of(body.index));
        }
        Method::new(push(&mut tables.methods, method))
    }
    pub fn domain(
        &self,
        name: &str,
        functions: &[DomainFunc],
        axioms: &[NamedDomainAxiom],
        type_vars: &[Type],
    ) -> Domain<'a> {
        let variables: Vec<build::Type> = type_vars.iter().map(|variable| self.ty(*variable)).collect();
        let mut domain = build::Domain::new(name);
        for variable in variables {
            // Any other type is rejected when the program is built, because its text is not an identifier.
            domain = domain.type_param(match variable {
                build::Type::Named(name, args) if args.is_empty() => name,
                other => format!("{other:?}"),
            });
        }
        let tables = &mut *self.tables();
        for function in functions {
            domain = domain.function(tables.domain_funcs[function.index].function.clone());
        }
        for axiom in axioms {
            domain = domain.axiom(tables.axioms[axiom.index].clone());
        }
        Domain::new(push(&mut tables.domains, domain))
    }
    /// A domain function. It belongs to the domain that lists it; the domain name is ignored.
    pub fn domain_func(
        &self,
        name: &str,
        formal_args: &[LocalVarDecl],
        typ: Type,
        unique: bool,
        _domain_name: &str,
    ) -> DomainFunc<'a> {
        let function = self.declared(name, formal_args, typ);
        self.add_domain_func(name, typ, if unique { function.unique() } else { function })
    }
    /// An axiom. It belongs to the domain that lists it; the domain name is ignored.
    pub fn named_domain_axiom(&self, name: &str, expr: Expr, _domain_name: &str) -> NamedDomainAxiom<'a> {
        let axiom = build::Axiom::new(expr.expr).named(name);
        NamedDomainAxiom::new(push(&mut self.tables().axioms, axiom))
    }
    /// An axiom. The comment is ignored.
    pub fn named_domain_axiom_with_comment(
        &self,
        name: &str,
        expr: Expr,
        domain_name: &str,
        _comment: &str,
    ) -> NamedDomainAxiom<'a> {
        self.named_domain_axiom(name, expr, domain_name)
    }
    /// An interpreted type of the solver.
    pub fn backend_type(
        &self,
        name: &str,
        functions: &[DomainFunc],
        interpretations: &BTreeMap<String, String>,
    ) -> Domain<'a> {
        let mut domain = build::Domain::new(name);
        for (backend, text) in interpretations {
            domain = domain.interpretation(backend, text);
        }
        let tables = &mut *self.tables();
        for function in functions {
            domain = domain.function(tables.domain_funcs[function.index].function.clone());
        }
        Domain::new(push(&mut tables.domains, domain))
    }
    /// An interpreted function of the solver.
    pub fn backend_func(
        &self,
        name: &str,
        formal_args: &[LocalVarDecl],
        typ: Type,
        _domain_name: &str,
        interpretation: &str,
    ) -> DomainFunc<'a> {
        let function = self.declared(name, formal_args, typ).interpretation(interpretation);
        self.add_domain_func(name, typ, function)
    }

    fn declared(&self, name: &str, formal_args: &[LocalVarDecl], typ: Type) -> build::DomainFunction<usize> {
        let function = build::DomainFunction::new(name, self.ty(typ));
        self.params(formal_args).into_iter().fold(function, |function, param| function.param(param.name, param.ty))
    }
    fn add_domain_func(&self, name: &str, typ: Type, function: build::DomainFunction<usize>) -> DomainFunc<'a> {
        let data = DomainFuncData { name: name.to_owned(), result: self.ty(typ), function };
        DomainFunc::new(push(&mut self.tables().domain_funcs, data))
    }
}
