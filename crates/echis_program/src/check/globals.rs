//! The globally visible names, and the keys of their declarations.

use super::Checker;
use crate::program::{DomainFunctionId, DomainId, FieldId, FunctionId, MethodId, PredicateId};
use crate::typed::{self, DomainKind};
use echis_base::{Name, Span};
use echis_syntax::ast::{self, MemberKind};
use std::collections::HashMap;

/// The declaration of a global name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Global {
    Field(FieldId),
    Function(FunctionId),
    Predicate(PredicateId),
    Method(MethodId),
    /// A domain or an ADT.
    Domain(DomainId),
    DomainFunction(DomainFunctionId),
    /// The n-th constructor of an ADT.
    Constructor(DomainId, usize),
}

/// `e.a`: the ADT, the constructor and the argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Destructor {
    pub(super) adt: DomainId,
    pub(super) constructor: usize,
    pub(super) argument: usize,
}

/// A place in the program: the index of the member, and the text offset.
pub(super) type Order = (usize, u32);

#[derive(Default)]
pub(super) struct Globals {
    /// More than one only if a name is declared several times, which is reported.
    names: HashMap<Name, Vec<(Global, Span)>>,
    /// The position of the first declaration.
    order: HashMap<Name, Order>,
    destructors: HashMap<Name, Vec<(Destructor, Span)>>,
}

impl Globals {
    pub(super) fn all(&self, name: &str) -> &[(Global, Span)] {
        self.names.get(name).map_or(&[], |found| found)
    }
    /// The first declaration of the name.
    pub(super) fn declaration(&self, name: &str) -> Option<(Global, Span)> {
        self.all(name).first().copied()
    }
    pub(super) fn destructors(&self, name: &str) -> &[(Destructor, Span)] {
        self.destructors.get(name).map_or(&[], |found| found)
    }
    /// All names, unordered.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.names.keys().map(|name| &**name)
    }
    pub(super) fn destructor_names(&self) -> impl Iterator<Item = &str> {
        self.destructors.keys().map(|name| &**name)
    }
    pub(super) fn destructor_of(&self, adt: DomainId, name: &str) -> Option<Destructor> {
        self.destructors(name).iter().map(|(found, _)| *found).find(|found| found.adt == adt)
    }
    pub(super) fn has_adts(&self) -> bool {
        self.names.values().flatten().any(|(global, _)| matches!(global, Global::Constructor(..)))
    }
    pub(super) fn is_constructor(&self, name: &str) -> bool {
        self.all(name).iter().any(|(global, _)| matches!(global, Global::Constructor(..)))
    }
    /// The constructor tested by `isC`.
    pub(super) fn discriminated(&self, name: &str) -> Option<(DomainId, usize)> {
        self.all(name.strip_prefix("is")?).iter().find_map(|(global, _)| match global {
            Global::Constructor(adt, constructor) => Some((*adt, *constructor)),
            _ => None,
        })
    }
}

impl Global {
    pub(super) fn describe(self) -> &'static str {
        match self {
            Global::Field(_) => "a field",
            Global::Function(_) => "a function",
            Global::Predicate(_) => "a predicate",
            Global::Method(_) => "a method",
            Global::Domain(_) => "a type",
            Global::DomainFunction(_) => "a domain function",
            Global::Constructor(..) => "a constructor",
        }
    }
}

impl<'a> Checker<'a> {
    /// Assigns a key to every declaration, in source order. Types of signatures are resolved later, when all names
    /// are known.
    pub(super) fn collect_globals(&mut self) {
        let program = self.program;
        for (number, member) in program.members.iter().enumerate() {
            self.context.member = number;
            match &member.kind {
                MemberKind::Import(_) | MemberKind::Define(_) => {}
                MemberKind::Fields(fields) => fields.iter().for_each(|decl| self.collect_field(member, decl)),
                MemberKind::Method(decl) => {
                    let returns = Vec::new();
                    let method = typed::Method { member, decl, params: Vec::new(), returns, labels: Vec::new() };
                    let id = self.typed.methods.push(method);
                    self.declare_global(&decl.name, Global::Method(id));
                }
                MemberKind::Function(decl) => {
                    let function = typed::Function { member, decl, params: Vec::new(), result: self.placeholder() };
                    let id = self.typed.functions.push(function);
                    self.declare_global(&decl.name, Global::Function(id));
                }
                MemberKind::Predicate(decl) => {
                    let id = self.typed.predicates.push(typed::Predicate { member, decl, params: Vec::new() });
                    self.declare_global(&decl.name, Global::Predicate(id));
                }
                MemberKind::Domain(decl) => self.collect_domain(member, decl),
                MemberKind::Adt(decl) => self.collect_adt(member, decl),
            }
        }
    }

    fn collect_field(&mut self, member: &'a ast::Member, decl: &'a ast::Formal) {
        let id = self.typed.fields.push(typed::Field { decl, member, ty: self.placeholder() });
        self.declare_global(&decl.name, Global::Field(id));
    }

    fn collect_domain(&mut self, member: &'a ast::Member, decl: &'a ast::Domain) {
        let kind = DomainKind::Domain { decl, functions: Vec::new() };
        let domain = typed::Domain { member, name: &decl.name, params: &decl.params, kind };
        let id = self.typed.domains.push(domain);
        self.declare_global(&decl.name, Global::Domain(id));
        for function in &decl.functions {
            let result = self.placeholder();
            let declared = typed::DomainFunction { decl: function, domain: id, params: Vec::new(), result };
            let key = self.typed.domain_functions.push(declared);
            if let DomainKind::Domain { functions, .. } = &mut self.typed.domains[id].kind {
                functions.push(key);
            }
            self.declare_global(&function.name, Global::DomainFunction(key));
        }
    }

    fn collect_adt(&mut self, member: &'a ast::Member, decl: &'a ast::Adt) {
        let constructors = decl.constructors.iter().map(|decl| typed::Constructor { decl, args: Vec::new() });
        let kind = DomainKind::Adt { decl, constructors: constructors.collect() };
        let adt = self.typed.domains.push(typed::Domain { member, name: &decl.name, params: &decl.params, kind });
        self.declare_global(&decl.name, Global::Domain(adt));
        for (constructor, declared) in decl.constructors.iter().enumerate() {
            self.declare_global(&declared.name, Global::Constructor(adt, constructor));
            for (argument, formal) in declared.args.iter().enumerate() {
                self.declare_destructor(&formal.name, Destructor { adt, constructor, argument });
            }
        }
    }

    fn declare_destructor(&mut self, name: &ast::Ident, destructor: Destructor) {
        let known = self.globals.destructors(&name.name);
        let same_adt = known.iter().find(|(known, _)| known.adt == destructor.adt).map(|(_, span)| *span);
        if let Some(earlier) = same_adt {
            self.clash(name, earlier, "an argument of a constructor of the same ADT");
        } else if let Some((global, earlier)) = self.globals.declaration(&name.name) {
            self.clash(name, earlier, global.describe());
        }
        self.globals.destructors.entry(name.name.clone()).or_default().push((destructor, name.span));
    }

    fn declare_global(&mut self, name: &ast::Ident, global: Global) {
        if let Some((known, earlier)) = self.globals.declaration(&name.name) {
            self.clash(name, earlier, known.describe());
        } else if let Some((_, earlier)) = self.globals.destructors(&name.name).first() {
            self.clash(name, *earlier, "a constructor argument");
        }
        let order = (self.context.member, name.span.start);
        self.globals.order.entry(name.name.clone()).or_insert(order);
        self.globals.names.entry(name.name.clone()).or_default().push((global, name.span));
    }

    /// If a local name repeats a global one, reports the later of the two. Returns whether that is the local one.
    pub(super) fn clashes_with_global(&mut self, name: &ast::Ident, what: &str) -> bool {
        let Some((global, span)) = self.globals.declaration(&name.name) else { return false };
        if self.globals.order[&name.name] > (self.context.member, name.span.start) {
            let message = format!("expected a new name, found `{}`, which already names {what}", name.name);
            self.report(super::error(span, message).related(name.span, "declared here"));
            return false;
        }
        self.clash(name, span, global.describe());
        true
    }

    pub(super) fn clash(&mut self, name: &ast::Ident, earlier: Span, what: &str) {
        let message = format!("expected a new name, found `{}`, which already names {what}", name.name);
        self.report(super::error(name.span, message).related(earlier, "declared here"));
    }

    /// A discriminator `isC` must not be hidden by another global of that name.
    pub(super) fn check_discriminator_names(&mut self) {
        for domain in self.typed.domains.keys().collect::<Vec<_>>() {
            let DomainKind::Adt { decl, .. } = self.typed.domains[domain].kind else { continue };
            for constructor in &decl.constructors {
                let discriminator = format!("is{}", constructor.name.name);
                if let Some((known, earlier)) = self.globals.declaration(&discriminator) {
                    let message = format!(
                        "expected `{discriminator}` to be free for the discriminator of `{}`, found {} of that name",
                        constructor.name.name,
                        known.describe()
                    );
                    self.report(super::error(constructor.name.span, message).related(earlier, "declared here"));
                }
            }
        }
    }
}
