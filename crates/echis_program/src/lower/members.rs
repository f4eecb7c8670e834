//! Declarations.

use super::{Lowering, has_annotation, key};
use crate::program::{
    Axiom, AxiomId, Domain, DomainFunction, DomainFunctionId, DomainId, Field, Function, Local, LocalId, Method,
    Predicate,
};
use crate::typed::{self, DomainKind};
use echis_syntax::ast;

impl<'a> Lowering<'a> {
    pub(super) fn declare_fields(&mut self) {
        for field in self.typed.fields.values() {
            let id = self.node(field.decl.span, &field.member.annotations);
            self.program.fields.push(Field { name: field.decl.name.name.clone(), ty: field.ty.clone(), id });
        }
    }

    /// Assigns keys to domains and their functions, including those of ADTs, before any expression is lowered.
    pub(super) fn declare_domains(&mut self) {
        let typed = self.typed;
        for domain in typed.domains.values() {
            let id = self.node(domain.member.span, &domain.member.annotations);
            let interpretation = self.interpretation(domain);
            let functions = match &domain.kind {
                DomainKind::Domain { functions, .. } => functions.clone(),
                DomainKind::Adt { .. } => Vec::new(),
            };
            self.add_domain(Domain {
                name: domain.name.name.clone(),
                id,
                parameters: domain.params.iter().map(|param| param.name.clone()).collect(),
                interpretation,
                functions,
                axioms: Vec::new(),
                adt: None,
            });
        }
        for function in typed.domain_functions.values() {
            let id = self.node(function.decl.span, &function.decl.annotations);
            self.program.domain_functions.push(DomainFunction {
                name: function.decl.name.name.clone(),
                id,
                domain: function.domain,
                params: function.params.clone(),
                result: function.result.clone(),
                unique: function.decl.unique,
                interpretation: function.decl.interpretation.clone(),
            });
        }
        for (domain, decl) in typed.domains.iter() {
            if let DomainKind::Adt { decl, constructors } = &decl.kind {
                self.declare_adt(domain, decl, constructors);
            }
        }
    }

    /// The SMT-LIB sort of an interpreted type. A type with sorts for other back ends only is not supported.
    fn interpretation(&mut self, domain: &typed::Domain<'_>) -> Option<echis_base::Name> {
        let DomainKind::Domain { decl, .. } = &domain.kind else { return None };
        let interpretations = decl.interpretations.as_ref()?;
        let found = interpretations.iter().find(|interpretation| &*interpretation.backend.name == "SMTLIB");
        match found {
            Some(found) => Some(found.text.clone()),
            None => {
                let message = format!("The domain `{}` has no SMTLIB interpretation.", domain.name.name);
                self.consistency_error(domain.member.span, message);
                None
            }
        }
    }

    pub(super) fn members(&mut self) {
        let typed = self.typed;
        for (domain, decl) in typed.domains.iter() {
            if let DomainKind::Domain { decl, .. } = &decl.kind {
                self.axioms(domain, decl);
            }
        }
        for function in typed.functions.values() {
            let function = self.function(function);
            self.program.functions.push(function);
        }
        for predicate in typed.predicates.values() {
            let predicate = self.predicate_member(predicate);
            self.program.predicates.push(predicate);
        }
        for method in typed.methods.values() {
            let method = self.method(method);
            self.program.methods.push(method);
        }
        self.orders();
        for (domain, decl) in typed.domains.iter() {
            if let DomainKind::Adt { decl, .. } = &decl.kind {
                self.adt_axioms(domain, decl);
            }
        }
        self.contains_transitivity();
    }

    fn axioms(&mut self, domain: DomainId, decl: &'a ast::Domain) {
        for axiom in &decl.axioms {
            let id = self.node(axiom.span, &axiom.annotations);
            let body = self.expr(axiom.body);
            let name = axiom.name.as_ref().map(|name| name.name.clone());
            self.add_axiom(Axiom { name, id, domain, body });
        }
    }

    pub(super) fn add_axiom(&mut self, axiom: Axiom) -> AxiomId {
        let domain = axiom.domain;
        let axiom = self.program.axioms.push(axiom);
        self.program.domains[domain].axioms.push(axiom);
        axiom
    }

    fn function(&mut self, function: &typed::Function<'a>) -> Function {
        let contract = &function.decl.contract;
        Function {
            name: function.decl.name.name.clone(),
            id: self.node(function.member.span, &function.member.annotations),
            params: function.params.clone(),
            result: function.result.clone(),
            pre: self.exprs(&contract.requires),
            post: self.exprs(&contract.ensures),
            body: function.decl.body.map(|body| self.expr(body)),
            decreases: self.decreases(&contract.decreases),
            opaque: has_annotation(&function.member.annotations, "opaque"),
            height: 0,
            recursive: false,
        }
    }

    fn predicate_member(&mut self, predicate: &typed::Predicate<'a>) -> Predicate {
        Predicate {
            name: predicate.decl.name.name.clone(),
            id: self.node(predicate.member.span, &predicate.member.annotations),
            params: predicate.params.clone(),
            body: predicate.decl.body.map(|body| self.expr(body)),
        }
    }

    fn method(&mut self, method: &typed::Method<'a>) -> Method {
        let contract = &method.decl.contract;
        Method {
            name: method.decl.name.name.clone(),
            id: self.node(method.member.span, &method.member.annotations),
            params: method.params.clone(),
            returns: method.returns.clone(),
            pre: self.exprs(&contract.requires),
            post: self.exprs(&contract.ensures),
            decreases: self.decreases(&contract.decreases),
            body: method.decl.body.as_ref().map(|body| self.block(body)),
            cycle: 0,
        }
    }

    /// Adds a domain after those of the program.
    pub(super) fn generated_domain(&mut self, domain: Domain) -> DomainId {
        let id: DomainId = key(self.program.domains.len());
        self.generated_domains.insert(id);
        self.add_domain(domain)
    }

    fn add_domain(&mut self, domain: Domain) -> DomainId {
        let name = domain.name.clone();
        let key = self.program.domains.push(domain);
        self.domains_by_name.entry(name).or_insert(key);
        key
    }

    pub(super) fn domain_named(&self, name: &str) -> bool {
        self.domains_by_name.contains_key(name)
    }

    /// A relation of the library by name; programs may declare it themselves. One with another signature does not
    /// count.
    pub(super) fn library_function(
        &self,
        domain: &str,
        function: &str,
        parameters: usize,
        params: &[crate::program::Type],
    ) -> Option<DomainFunctionId> {
        let domain = &self.program.domains[*self.domains_by_name.get(domain)?];
        let is_it = |key: &DomainFunctionId| {
            let declared = &self.program.domain_functions[*key];
            &*declared.name == function
                && declared.params == params
                && declared.result == crate::program::Type::Bool
                && !declared.unique
        };
        let functions = domain.functions.iter().copied();
        functions.filter(|_| domain.parameters.len() == parameters).find(is_it)
    }

    pub(super) fn bound_variable(&mut self, name: &str, ty: crate::program::Type, id: echis_base::SyntaxId) -> LocalId {
        self.program.locals.push(Local { name: name.into(), ty, id })
    }
}
