//! Members: first all signatures, then all bodies and contracts.

use super::restrictions::ContractKind;
use super::scope::Scopes;
use super::ty::{Ty, TyId};
use super::{Checker, Context, ResultUse};
use crate::program::{DomainFunctionId, DomainId, FieldId, FunctionId, LocalId, MethodId, PredicateId};
use crate::typed::{Address, DomainKind, LocalKind};
use echis_base::{IndexVec, Key, Span};
use echis_syntax::ast;

/// The checker's types of member declarations; `None` if a written type is invalid.
#[derive(Default)]
pub(super) struct Signatures {
    pub(super) fields: IndexVec<FieldId, Option<TyId>>,
    pub(super) functions: IndexVec<FunctionId, Callable>,
    pub(super) predicates: IndexVec<PredicateId, Vec<Option<TyId>>>,
    pub(super) methods: IndexVec<MethodId, MethodSignature>,
    pub(super) domain_functions: IndexVec<DomainFunctionId, Callable>,
    /// Empty for a domain that is not an ADT.
    pub(super) constructors: IndexVec<DomainId, Vec<Callable>>,
}

#[derive(Clone)]
pub(super) struct Callable {
    pub(super) params: Vec<Option<TyId>>,
    pub(super) result: Option<TyId>,
}

#[derive(Clone)]
pub(super) struct MethodSignature {
    pub(super) params: Vec<Option<TyId>>,
    pub(super) returns: Vec<Option<TyId>>,
}

impl<'a> Checker<'a> {
    pub(super) fn check_members(&mut self) {
        self.check_signatures();
        for domain in keys(&self.typed.domains) {
            self.check_axioms(domain);
        }
        for function in keys(&self.typed.functions) {
            self.check_function(function);
        }
        for predicate in keys(&self.typed.predicates) {
            self.check_predicate(predicate);
        }
        for method in keys(&self.typed.methods) {
            self.check_method(method);
        }
    }

    fn check_signatures(&mut self) {
        for domain in keys(&self.typed.domains) {
            let member = self.member_number(self.typed.domains[domain].member);
            self.context = Context { member, domain: Some(domain), ..Context::default() };
            self.check_type_parameters(domain);
            self.check_domain_signatures(domain);
        }
        self.context = Context::default();
        for field in keys(&self.typed.fields) {
            let ty = self.resolve_type(&self.typed.fields[field].decl.ty);
            self.signatures.fields.push(ty);
            self.typed.fields[field].ty = self.program_type(ty);
        }
        for function in keys(&self.typed.functions) {
            let decl = self.typed.functions[function].decl;
            let params = self.add_formals(&decl.params, LocalKind::Parameter);
            let result = self.resolve_type(&decl.result);
            self.signatures.functions.push(Callable { params: self.types_of(&params), result });
            self.typed.functions[function].result = self.program_type(result);
            self.typed.functions[function].params = params;
        }
        for predicate in keys(&self.typed.predicates) {
            let params = self.add_formals(&self.typed.predicates[predicate].decl.params, LocalKind::Parameter);
            self.signatures.predicates.push(self.types_of(&params));
            self.typed.predicates[predicate].params = params;
        }
        for method in keys(&self.typed.methods) {
            let decl = self.typed.methods[method].decl;
            let params = self.add_formals(&decl.params, LocalKind::Parameter);
            let returns = self.add_formals(&decl.returns, LocalKind::Return);
            let signature = MethodSignature { params: self.types_of(&params), returns: self.types_of(&returns) };
            self.signatures.methods.push(signature);
            self.typed.methods[method].params = params;
            self.typed.methods[method].returns = returns;
        }
    }

    /// Type parameters must differ from globals; a repeated one is reported where it is used.
    fn check_type_parameters(&mut self, domain: DomainId) {
        for parameter in self.typed.domains[domain].params {
            self.clashes_with_global(parameter, "a type parameter");
        }
    }

    fn check_domain_signatures(&mut self, domain: DomainId) {
        let mut signatures = Vec::new();
        match &self.typed.domains[domain].kind {
            DomainKind::Domain { functions, .. } => {
                for function in functions.clone() {
                    self.check_domain_function(function);
                }
            }
            DomainKind::Adt { decl, .. } => {
                let decl = *decl;
                for (index, constructor) in decl.constructors.iter().enumerate() {
                    let callable = self.check_constructor(domain, index, constructor);
                    signatures.push(callable);
                }
                if self.program.derives_enabled {
                    self.check_derives(decl);
                }
            }
        }
        self.signatures.constructors.push(signatures);
    }

    fn check_domain_function(&mut self, function: DomainFunctionId) {
        let decl = self.typed.domain_functions[function].decl;
        self.check_distinct_names(decl);
        let params: Vec<_> = decl.params.iter().map(|param| self.resolve_type(&param.ty)).collect();
        let result = self.resolve_type(&decl.result);
        self.typed.domain_functions[function].params = params.iter().map(|ty| self.program_type(*ty)).collect();
        self.typed.domain_functions[function].result = self.program_type(result);
        self.signatures.domain_functions.push(Callable { params, result });
    }

    fn check_distinct_names(&mut self, decl: &ast::DomainFunction) {
        let mut later: std::collections::HashMap<&str, Span> = std::collections::HashMap::new();
        for name in decl.params.iter().rev().filter_map(|param| param.name.as_ref()) {
            if let Some(other) = later.insert(&name.name, name.span) {
                self.clash(name, other, "a parameter of the same function");
            }
        }
    }

    fn check_constructor(&mut self, adt: DomainId, index: usize, decl: &'a ast::Constructor) -> Callable {
        let params: Vec<_> = decl.args.iter().map(|arg| self.resolve_type(&arg.ty)).collect();
        let args = params.iter().map(|ty| self.program_type(*ty)).collect();
        if let DomainKind::Adt { constructors, .. } = &mut self.typed.domains[adt].kind {
            constructors[index].args = args;
        }
        let count = self.typed.domains[adt].params.len();
        let own: Vec<_> = (0..count).map(|index| self.types.intern(Ty::Parameter(adt, index as u32))).collect();
        let result = Some(self.types.intern(Ty::Domain(adt, own)));
        Callable { params, result }
    }

    fn check_derives(&mut self, decl: &'a ast::Adt) {
        for (index, derive) in decl.derives.iter().enumerate() {
            let later = decl.derives[index + 1..].iter().find(|later| later.name.name == derive.name.name);
            if let Some(later) = later {
                let message = format!("expected one derivation of `{}`, found another", derive.name.name);
                self.report(super::error(derive.name.span, message).related(later.name.span, "the other one"));
            }
            if let Some(ty) = &derive.arg {
                self.resolve_type(ty);
            }
            for name in &derive.without {
                let mut args = decl.constructors.iter().flat_map(|constructor| &constructor.args);
                if args.any(|arg| arg.name.name == name.name) {
                    continue;
                }
                let message = format!(
                    "expected an argument of a constructor of `{}`, found `{}`, which is none",
                    decl.name.name, name.name
                );
                self.error(name.span, message);
            }
        }
    }

    fn check_axioms(&mut self, domain: DomainId) {
        let DomainKind::Domain { decl, .. } = self.typed.domains[domain].kind else { return };
        for axiom in &decl.axioms {
            let member = self.typed.domains[domain].member;
            self.begin(member, Context { domain: Some(domain), in_axiom: true, ..Context::default() });
            self.check_top(axiom.body, Some(self.types.bool()));
        }
    }

    fn check_function(&mut self, function: FunctionId) {
        let decl = self.typed.functions[function].decl;
        let result = self.signatures.functions[function].result;
        self.begin(self.typed.functions[function].member, Context::default());
        self.enter_formals(&decl.params, &self.typed.functions[function].params.clone());
        for clause in &decl.contract.requires {
            self.check_top(*clause, Some(self.types.assertion()));
            self.restrict(*clause, ContractKind::FunctionPrecondition);
        }
        self.check_decreases(&decl.contract.decreases);
        self.restrict_decreases(&decl.contract.decreases, ContractKind::FunctionPrecondition);
        self.context.result = ResultUse::Of(result);
        for clause in &decl.contract.ensures {
            self.context.in_function_postcondition = true;
            self.check_top(*clause, Some(self.types.bool()));
            self.context.in_function_postcondition = false;
            self.restrict(*clause, ContractKind::Contract);
        }
        if let Some(body) = decl.body {
            self.check_top(body, result);
        }
    }

    fn check_predicate(&mut self, predicate: PredicateId) {
        let decl = self.typed.predicates[predicate].decl;
        self.begin(self.typed.predicates[predicate].member, Context::default());
        self.enter_formals(&decl.params, &self.typed.predicates[predicate].params.clone());
        if let Some(body) = decl.body {
            self.check_top(body, Some(self.types.assertion()));
            self.restrict(body, ContractKind::PredicateBody);
        }
    }

    fn check_method(&mut self, method: MethodId) {
        let decl = self.typed.methods[method].decl;
        self.begin(self.typed.methods[method].member, Context::default());
        self.enter_formals(&decl.params, &self.typed.methods[method].params.clone());
        self.enter_formals(&decl.returns, &self.typed.methods[method].returns.clone());
        if let Some(body) = &decl.body {
            self.collect_labels(method, body);
        }
        for clause in decl.contract.requires.iter().chain(&decl.contract.ensures) {
            self.check_top(*clause, Some(self.types.assertion()));
            self.restrict(*clause, ContractKind::Contract);
        }
        self.check_decreases(&decl.contract.decreases);
        self.restrict_decreases(&decl.contract.decreases, ContractKind::Contract);
        if let Some(body) = &decl.body {
            self.check_block(body);
        }
    }

    /// Measures may be predicate instances; impure ones are left to the consistency checks.
    pub(super) fn check_decreases(&mut self, clauses: &'a [ast::Decreases]) {
        for clause in clauses {
            if let ast::DecreasesKind::Tuple(measures) = &clause.kind {
                measures.iter().for_each(|measure| self.check_top(*measure, None));
            }
            if let Some(condition) = clause.condition {
                self.check_top(condition, Some(self.types.bool()));
            }
        }
    }

    fn begin(&mut self, member: &'a ast::Member, context: Context) {
        self.context = Context { member: self.member_number(member), ..context };
        self.scopes = Scopes::default();
        self.scopes.open();
    }

    fn member_number(&self, member: &'a ast::Member) -> usize {
        self.member_numbers[&Address::of(member)]
    }

    fn add_formals(&mut self, formals: &'a [ast::Formal], kind: LocalKind) -> Vec<LocalId> {
        let mut locals = Vec::new();
        for formal in formals {
            let ty = self.resolve_type(&formal.ty);
            locals.push(self.add_local(&formal.name, ty, kind));
        }
        locals
    }

    fn enter_formals(&mut self, formals: &'a [ast::Formal], locals: &[LocalId]) {
        for (formal, local) in formals.iter().zip(locals) {
            self.enter_scope(&formal.name, *local);
        }
    }

    fn types_of(&self, locals: &[LocalId]) -> Vec<Option<TyId>> {
        locals.iter().map(|local| self.local_types[*local]).collect()
    }
    fn program_type(&self, ty: Option<TyId>) -> crate::program::Type {
        ty.map_or(self.placeholder(), |ty| self.types.to_program(ty))
    }
}

fn keys<K: Key, T>(table: &IndexVec<K, T>) -> Vec<K> {
    table.keys().collect()
}
