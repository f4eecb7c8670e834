//! Declarations: first all names, then their contents.

use super::{Resolver, State, Synonym, TypeName};
use crate::ast::{self, Decl, Ident};
use crate::attributes::{Known, has_attribute};
use crate::program::{
    Axiom, Datatype, Function, Implementation, Meaning, Procedure, ProcedureId, Reference, TypeConstructor, VarId,
    VarKind,
};
use crate::types::Type;
use echis_base::Name;
use std::collections::{BTreeMap, BTreeSet};

impl<'a> Resolver<'a> {
    pub(super) fn program(&mut self) {
        let dropped = self.dropped();
        let decls = || self.tree.decls.iter().enumerate().filter(|(index, _)| !dropped.contains(index));
        let decls: Vec<&'a Decl> = decls().map(|(_, decl)| decl).collect();
        decls.iter().for_each(|decl| self.declare_type(decl));
        self.break_cycles();
        (0..self.synonyms.len()).for_each(|index| drop(self.meaning(index)));
        decls.iter().for_each(|decl| self.declare(decl));
        self.well_founded();
        decls.iter().for_each(|decl| self.define(decl));
    }

    /// Declarations marked `{:extern}` that are overridden.
    fn dropped(&mut self) -> BTreeSet<usize> {
        let mut known: BTreeMap<(u8, Name), usize> = BTreeMap::new();
        let mut dropped = BTreeSet::new();
        for (index, decl) in self.tree.decls.iter().enumerate() {
            let Some((space, name, attributes)) = named(decl) else { continue };
            match known.get(&(space, name.name.clone())) {
                Some(_) if has_attribute(attributes, Known::Extern) => drop(dropped.insert(index)),
                Some(&first) if is_extern(&self.tree.decls[first]) => {
                    dropped.insert(first);
                    known.insert((space, name.name.clone()), index);
                }
                Some(_) => {}
                None => drop(known.insert((space, name.name.clone()), index)),
            }
        }
        dropped
    }

    fn declare_type(&mut self, decl: &'a Decl) {
        let (name, attributes, arity, synonym) = match decl {
            Decl::Type(decl) => {
                (&decl.name, &decl.attributes, decl.params.len(), decl.synonym.is_some().then_some(decl))
            }
            Decl::Datatype(decl) => (&decl.name, &decl.attributes, decl.params.len(), None),
            _ => return,
        };
        if is_bitvector(&name.name) {
            return self.error(name.span, format!("type name: {} is registered for bitvectors", name.name));
        }
        if self.type_names.contains_key(&name.name) {
            return self.error(name.span, format!("more than one declaration of type name: {}", name.name));
        }
        let found = match synonym {
            Some(decl) => {
                self.synonyms.push(Synonym { decl, meaning: None });
                TypeName::Synonym(self.synonyms.len() - 1)
            }
            None => {
                let id = self.syntax(name.span);
                let (attributes, text) = (attributes.clone(), name.name.clone());
                self.program.names.constructors.push(text.clone());
                let constructor = TypeConstructor { name: text, id, arity, attributes, datatype: None };
                TypeName::Constructor(self.program.constructors.push(constructor))
            }
        };
        self.type_names.insert(name.name.clone(), found);
    }

    fn declare(&mut self, decl: &'a Decl) {
        match decl {
            Decl::Const(decl) => {
                let ty = self.ty(&decl.ty);
                for name in &decl.names {
                    self.global(name, ty.clone(), VarKind::Const { unique: decl.unique }, &decl.attributes);
                }
            }
            Decl::Global(decl) => {
                let ty = self.ty(&decl.ty);
                self.global(&decl.name, ty, VarKind::Global, &decl.attributes);
            }
            Decl::Function(decl) => self.declare_function(decl),
            Decl::Datatype(decl) => self.declare_datatype(decl),
            Decl::Procedure(decl) => self.declare_procedure(decl),
            Decl::Type(_) | Decl::Axiom(_) | Decl::Implementation(_) | Decl::Concurrent(_) => {}
        }
    }
    fn global(&mut self, name: &Ident, ty: Type, kind: VarKind, attributes: &[ast::Attribute]) {
        if self.globals.contains_key(&name.name) {
            self.error(name.span, format!("more than one declaration of variable name: {}", name.name));
        }
        let var = self.var(name, ty, kind, attributes);
        self.globals.insert(name.name.clone(), var);
    }

    fn declare_function(&mut self, decl: &'a ast::Function) {
        let outer = self.type_scope.len();
        let type_params = self.type_params(&decl.type_params);
        let start = self.scope.len();
        let mut params = Vec::new();
        for param in &decl.params {
            let ty = self.ty(&param.ty);
            let name = param.name.clone();
            let is_named = name.is_some();
            let name = name.unwrap_or(Ident { name: "".into(), span: param.ty.span });
            let var = self.var(&name, ty, VarKind::In, &param.attributes);
            if is_named {
                self.bind(&name, var, start);
            }
            params.push(var);
        }
        let result = self.ty(&decl.result.ty);
        self.scope.truncate(start);
        self.type_scope.truncate(outer);
        let mut types: Vec<Type> = params.iter().map(|param| self.program.vars[*param].ty.clone()).collect();
        types.push(result.clone());
        self.occurs(&type_params, &types, "function arguments", decl.name.span);
        let is_on = |name| self.tree.is_on(&decl.attributes, name);
        let meaning = match (is_on(Known::Inline), is_on(Known::Define)) {
            (true, _) => Meaning::Inline,
            (false, true) => Meaning::Define,
            (false, false) => Meaning::Axiom,
        };
        let id = self.syntax(decl.name.span);
        self.add_function(Function {
            name: decl.name.name.clone(),
            id,
            type_params,
            params,
            result,
            body: decl.body,
            meaning,
            attributes: decl.attributes.clone(),
            revealed: decl.revealed,
            datatype: None,
        });
    }
    fn add_function(&mut self, function: Function) -> crate::program::FunctionId {
        let (name, span) = (function.name.clone(), self.program.syntax.span(function.id));
        if self.functions.contains_key(&name) {
            self.error(span, format!("more than one declaration of function name: {name}"));
        }
        let function = self.program.functions.push(function);
        self.functions.insert(name, function);
        function
    }

    fn declare_datatype(&mut self, decl: &'a ast::Datatype) {
        let Some(TypeName::Constructor(constructor)) = self.type_names.get(&decl.name.name).copied() else { return };
        if self.program.constructors[constructor].datatype.is_some() {
            return;
        }
        let params = {
            let outer = self.type_scope.len();
            let params = self.type_params(&decl.params);
            self.type_scope.truncate(outer);
            params
        };
        let result = Type::Named(constructor, params.iter().map(|param| Type::Var(*param)).collect());
        let mut constructors = Vec::new();
        for (name, fields) in &decl.constructors {
            let outer = self.type_scope.len();
            let scope = decl.params.iter().map(|param| param.name.clone()).zip(params.iter().copied());
            self.type_scope.extend(scope);
            let start = self.scope.len();
            let fields = self.variables(fields, VarKind::In);
            self.scope.truncate(start);
            self.type_scope.truncate(outer);
            let id = self.syntax(name.span);
            constructors.push(self.add_function(Function {
                name: name.name.clone(),
                id,
                type_params: params.clone(),
                params: fields,
                result: result.clone(),
                body: None,
                meaning: Meaning::Axiom,
                attributes: decl.attributes.clone(),
                revealed: false,
                datatype: Some(constructor),
            }));
        }
        self.program.constructors[constructor].datatype = Some(Datatype { params, constructors });
    }

    fn declare_procedure(&mut self, decl: &'a ast::Procedure) {
        let name = &decl.name;
        if self.procedures.contains_key(&name.name) {
            self.error(name.span, format!("more than one declaration of procedure name: {}", name.name));
        }
        let outer = self.type_scope.len();
        let type_params = self.type_params(&decl.type_params);
        let start = self.scope.len();
        let ins = self.variables_since(&decl.ins, VarKind::In, start);
        let outs = self.variables_since(&decl.outs, VarKind::Out, start);
        self.scope.truncate(start);
        self.type_scope.truncate(outer);
        let types: Vec<Type> = ins.iter().chain(&outs).map(|var| self.program.vars[*var].ty.clone()).collect();
        self.occurs(&type_params, &types, "procedure arguments", name.span);
        let id = self.syntax(name.span);
        let procedure = self.program.procedures.push(Procedure {
            name: name.name.clone(),
            id,
            type_params,
            ins,
            outs,
            pure: decl.pure,
            is_concurrent: decl.layer.is_some(),
            requires: Vec::new(),
            ensures: Vec::new(),
            modifies: Vec::new(),
            measures: Vec::new(),
            attributes: decl.attributes.clone(),
        });
        self.procedures.insert(name.name.clone(), procedure);
    }

    fn define(&mut self, decl: &'a Decl) {
        match decl {
            Decl::Type(decl) => self.attributes(&decl.attributes),
            Decl::Datatype(decl) => self.attributes(&decl.attributes),
            Decl::Const(decl) => {
                self.attributes(&decl.attributes);
                let uses = decl.names.iter().filter_map(|name| self.globals.get(&name.name));
                let uses: Vec<Reference> = uses.map(|var| Reference::Var(*var)).collect();
                decl.axioms.iter().for_each(|axiom| self.axiom(axiom, uses.clone()));
            }
            Decl::Global(decl) => {
                self.attributes(&decl.attributes);
                if let (Some(condition), Some(var)) = (decl.constraint, self.globals.get(&decl.name.name).copied()) {
                    self.in_state(State::One, |resolver| resolver.expr(condition));
                    self.program.vars[var].constraint = Some(condition);
                }
            }
            Decl::Function(decl) => self.define_function(decl),
            Decl::Axiom(axiom) => self.axiom(axiom, Vec::new()),
            Decl::Procedure(decl) => self.define_procedure(decl),
            Decl::Implementation(decl) => {
                let Some(procedure) = self.procedures.get(&decl.name.name).copied() else {
                    let message = format!("implementation given for undeclared procedure: {}", decl.name.name);
                    return self.error(decl.name.span, message);
                };
                self.implementation(procedure, Formals::of(decl), &decl.body, &decl.attributes);
            }
            Decl::Concurrent(_) => {}
        }
    }
    fn define_function(&mut self, decl: &'a ast::Function) {
        self.attributes(&decl.attributes);
        let Some(&function) = self.functions.get(&decl.name.name) else { return };
        if let Some(body) = decl.body {
            let outer = (self.scope.len(), self.type_scope.len());
            let Function { params, type_params, .. } = &self.program.functions[function];
            let named = params.iter().map(|param| (self.program.vars[*param].name.clone(), *param));
            self.scope.extend(named.filter(|(name, _)| !name.is_empty()));
            let vars = type_params.iter().map(|var| (self.program.names.vars[*var].clone(), *var));
            self.type_scope.extend(vars);
            self.expr(body);
            self.scope.truncate(outer.0);
            self.type_scope.truncate(outer.1);
        }
        decl.axioms.iter().for_each(|axiom| self.axiom(axiom, vec![Reference::Function(function)]));
    }
    fn axiom(&mut self, axiom: &'a ast::Axiom, uses: Vec<Reference>) {
        self.attributes(&axiom.attributes);
        self.statement_id(&axiom.attributes, axiom.span);
        self.expr(axiom.condition);
        let id = self.syntax(axiom.span);
        self.program.extents.insert(id, axiom.whole);
        let (condition, attributes, hideable) = (axiom.condition, axiom.attributes.clone(), axiom.hideable);
        self.program.axioms.push(Axiom { id, condition, attributes, hideable, uses });
    }

    fn define_procedure(&mut self, decl: &'a ast::Procedure) {
        let Some(&procedure) = self.procedures.get(&decl.name.name) else { return };
        let outer = (self.scope.len(), self.type_scope.len());
        let known = &self.program.procedures[procedure];
        let (ins, outs) = (known.ins.clone(), known.outs.clone());
        self.type_scope.extend(known.type_params.iter().map(|var| (self.program.names.vars[*var].clone(), *var)));
        let (one, two) = if decl.pure { (State::None, State::None) } else { (State::One, State::Two) };
        self.enter(&ins);
        // Results do not exist in the pre-state.
        self.constraints(&decl.ins, &ins);
        let requires = self.clauses(&decl.requires, one);
        self.enter(&outs);
        self.constraints(&decl.outs, &outs);
        let ensures = self.clauses(&decl.ensures, two);
        let measures: Vec<_> = decl.measures.iter().map(|measure| self.measure(measure)).collect();
        self.attributes(&decl.attributes);
        self.scope.truncate(outer.0);
        self.type_scope.truncate(outer.1);
        self.layers(decl);
        if decl.pure && !decl.modifies.is_empty() {
            self.error(decl.name.span, "unnecessary modifies clause for pure procedure");
        }
        let modifies: Vec<VarId> = decl.modifies.iter().filter_map(|name| self.use_var(name)).collect();
        let into = &mut self.program.procedures[procedure];
        (into.requires, into.ensures, into.modifies) = (requires, ensures, modifies);
        into.measures = measures;
        if let Some(body) = &decl.body {
            let formals =
                Formals { type_params: &decl.type_params, ins: &decl.ins, outs: &decl.outs, name: &decl.name };
            self.implementation(procedure, formals, body, &decl.attributes);
        }
    }
    fn measure(&mut self, measure: &'a ast::Measure) -> (echis_base::SyntaxId, Vec<ast::ExprId>) {
        self.attributes(&measure.attributes);
        self.in_state(State::One, |resolver| resolver.exprs(&measure.values));
        (self.syntax(measure.span), measure.values.clone())
    }
    fn enter(&mut self, vars: &[VarId]) {
        let entries: Vec<_> = vars.iter().map(|var| (self.program.vars[*var].name.clone(), *var)).collect();
        self.scope.extend(entries);
    }

    fn implementation(
        &mut self,
        procedure: ProcedureId,
        formals: Formals<'a>,
        body: &'a ast::Body,
        attributes: &'a [ast::Attribute],
    ) {
        let outer = (self.scope.len(), self.type_scope.len());
        let type_params = self.type_params(formals.type_params);
        let start = self.scope.len();
        let ins = self.variables_since(formals.ins, VarKind::In, start);
        let outs = self.variables_since(formals.outs, VarKind::Out, start);
        let locals = self.variables_since(&body.locals, VarKind::Local, start);
        self.constraints(&body.locals, &locals);
        self.attributes(attributes);
        self.assumed.clear();
        self.procedure = Some(procedure);
        let state = if self.program.procedures[procedure].pure { State::None } else { State::Two };
        let lowered = self.in_state(state, |resolver| resolver.body(body));
        self.scope.truncate(outer.0);
        self.type_scope.truncate(outer.1);
        let id = self.syntax(formals.name.span);
        let attributes = attributes.to_vec();
        let implementation =
            Implementation { procedure, id, type_params, ins, outs, locals, body: lowered, attributes };
        self.program.implementations.push(implementation);
    }
}

/// The signature of an implementation.
#[derive(Clone, Copy)]
struct Formals<'a> {
    name: &'a Ident,
    type_params: &'a [Ident],
    ins: &'a [ast::Variable],
    outs: &'a [ast::Variable],
}

impl<'a> Formals<'a> {
    fn of(decl: &'a ast::Implementation) -> Self {
        Formals { name: &decl.name, type_params: &decl.type_params, ins: &decl.ins, outs: &decl.outs }
    }
}

/// The namespace of a declaration, with its name and attributes.
pub(crate) fn named(decl: &Decl) -> Option<(u8, &Ident, &[ast::Attribute])> {
    match decl {
        Decl::Type(decl) => Some((0, &decl.name, &decl.attributes)),
        Decl::Datatype(decl) => Some((0, &decl.name, &decl.attributes)),
        Decl::Const(decl) => decl.names.first().map(|name| (1, name, &decl.attributes[..])),
        Decl::Global(decl) => Some((1, &decl.name, &decl.attributes)),
        Decl::Function(decl) => Some((2, &decl.name, &decl.attributes)),
        Decl::Procedure(decl) => Some((3, &decl.name, &decl.attributes)),
        Decl::Axiom(_) | Decl::Implementation(_) | Decl::Concurrent(_) => None,
    }
}

fn is_extern(decl: &Decl) -> bool {
    named(decl).is_some_and(|(_, _, attributes)| has_attribute(attributes, Known::Extern))
}

/// `bv16`
fn is_bitvector(name: &str) -> bool {
    let width = name.strip_prefix("bv");
    width.is_some_and(|width| !width.is_empty() && width.bytes().all(|digit| digit.is_ascii_digit()))
}
