//! Declarations.

use super::Checker;
use crate::ast::Argument;
use crate::attributes::{Known, attribute, has_attribute};
use crate::program::{Clause, FunctionId, Implementation, Meaning, Procedure, Reference, VarId, VarKind};
use crate::types::Type;
use crate::walk;
use echis_base::{Diagnostic, Name, Span};
use std::collections::{BTreeMap, BTreeSet};

impl Checker<'_> {
    pub(super) fn declarations(&mut self) {
        self.shared_fields();
        for var in self.program.vars.keys() {
            self.variable(var);
        }
        for function in self.program.functions.keys() {
            let function = &self.program.functions[function];
            let (attributes, body, result) = (function.attributes.clone(), function.body, function.result.clone());
            let (meaning, name) = (function.meaning, self.program.syntax.span(function.id));
            self.attributes(&attributes);
            if let Some(body) = body
                && let Some(ty) = self.expr(body)
                && !self.unifier.unify(&ty, &result)
            {
                let (found, expected) = (self.text(&ty), self.text(&result));
                if meaning == Meaning::Axiom {
                    // In Boogie, the body is one side of an axiom.
                    let types = format!("{expected} and {found}");
                    self.error(name, format!("invalid argument types ({types}) to binary operator =="));
                } else {
                    let message = format!("function body with invalid type: {found} (expected: {expected})");
                    self.error(self.program.span(body), message);
                }
            }
        }
        for axiom in self.program.axioms.keys() {
            let (condition, attributes) =
                (self.program.axioms[axiom].condition, self.program.axioms[axiom].attributes.clone());
            self.attributes(&attributes);
            let at = self.program.syntax.span(self.program.axioms[axiom].id);
            self.proposition(at, condition, "axioms must be of type bool");
        }
        for procedure in self.program.procedures.keys() {
            self.procedure(procedure);
        }
        for implementation in self.program.implementations.keys() {
            self.implementation(implementation);
        }
        // Boogie checks these only if there are no type errors.
        if self.errors.is_empty() {
            self.replaced();
        }
        if self.errors.is_empty() {
            self.cycles();
        }
    }
    /// Functions whose applications are replaced.
    fn replaced(&mut self) {
        for function in self.program.functions.keys() {
            let function = &self.program.functions[function];
            let (span, meaning, body) = (self.program.syntax.span(function.id), function.meaning, function.body);
            let inline = attribute(&function.attributes, Known::Inline);
            if let Some([Argument::Expr(value), ..]) = inline.map(|attribute| &attribute.args[..])
                && self.program.types.get(*value) != Some(&Type::Bool)
            {
                self.error(span, "Parameter to :inline attribute on a function must be Boolean");
            }
            let attribute = match (meaning, body) {
                (Meaning::Inline, None) => "inline",
                (Meaning::Define, None) => "define",
                _ => continue,
            };
            self.error(span, format!("Function with :{attribute} attribute must have a body"));
        }
    }
    /// The replacement of an application must not contain the function itself.
    fn cycles(&mut self) {
        let mut callees: BTreeMap<FunctionId, BTreeSet<FunctionId>> = BTreeMap::new();
        for (id, function) in self.program.functions.iter().filter(|(_, function)| function.meaning != Meaning::Axiom) {
            let called = callees.entry(id).or_default();
            if let Some(body) = function.body {
                walk::for_each(&self.program.tree, body, &mut |part| {
                    if let Some(Reference::Function(callee)) = self.program.references.get(part) {
                        called.insert(*callee);
                    }
                });
            }
        }
        let mut reported = BTreeSet::new();
        for function in callees.keys() {
            let reach = |from: FunctionId| {
                let mut found = BTreeSet::new();
                let mut stack = vec![from];
                while let Some(next) = stack.pop() {
                    let new = callees.get(&next).into_iter().flatten().filter(|callee| callees.contains_key(callee));
                    stack.extend(new.filter(|callee| found.insert(**callee)));
                }
                found
            };
            let cycle: BTreeSet<FunctionId> =
                reach(*function).into_iter().filter(|other| reach(*other).contains(function)).collect();
            if cycle.contains(function) && reported.is_disjoint(&cycle) {
                let names: Vec<&str> = cycle.iter().map(|function| &*self.program.functions[*function].name).collect();
                let message = format!("Call cycle detected among functions: {}", names.join(", "));
                let span = self.program.syntax.span(self.program.functions[*function].id);
                self.errors.push(Diagnostic::error(super::TYPE_ERROR, span, message));
                reported.extend(cycle);
            }
        }
    }
    fn variable(&mut self, var: VarId) {
        let (attributes, constraint) = (self.program.vars[var].attributes.clone(), self.program.vars[var].constraint);
        self.attributes(&attributes);
        if has_attribute(&attributes, Known::Assumption) {
            let span = self.program.syntax.span(self.program.vars[var].id);
            if self.program.vars[var].ty.head() != &Type::Bool {
                self.error(span, "assumption variable must be of type 'bool'");
            }
            if constraint.is_some() {
                self.error(span, "assumption variable may not be declared with a where clause");
            }
        }
        if let Some(constraint) = constraint {
            let at = self.program.syntax.span(self.program.vars[var].id);
            self.proposition(at, constraint, "where clauses must be of type bool");
        }
    }
    fn clauses(&mut self, clauses: &[Clause], message: &str) {
        for clause in clauses {
            self.attributes(&clause.attributes);
            self.proposition(self.program.syntax.span(clause.id), clause.condition, message);
        }
    }
    /// Fields with the same name share a type, whichever constructor has them.
    fn shared_fields(&mut self) {
        let mut errors = Vec::new();
        for datatype in self.program.constructors.values().filter_map(|constructor| constructor.datatype.as_ref()) {
            let mut known: BTreeMap<&Name, (Type, &Name)> = BTreeMap::new();
            for constructor in datatype.constructors.iter().map(|constructor| &self.program.functions[*constructor]) {
                for field in constructor.params.iter().map(|field| &self.program.vars[*field]) {
                    let ty = field.ty.canonical();
                    let (first, of) = known.entry(&field.name).or_insert((ty.clone(), &constructor.name));
                    if *first != ty {
                        let message = format!(
                            "type mismatch between field {} and identically-named field in constructor {of}",
                            field.name
                        );
                        errors.push((self.program.syntax.span(field.id), message));
                    }
                }
            }
        }
        errors.into_iter().for_each(|(span, message)| self.error(span, message));
    }

    fn procedure(&mut self, procedure: crate::program::ProcedureId) {
        let Procedure { requires, ensures, measures, attributes, .. } = &self.program.procedures[procedure];
        let (requires, ensures) = (requires.clone(), ensures.clone());
        let (measures, attributes) = (measures.clone(), attributes.clone());
        self.attributes(&attributes);
        for var in self.program.procedures[procedure].modifies.clone() {
            if matches!(self.program.vars[var].kind, VarKind::Const { .. }) {
                let span = self.program.syntax.span(self.program.procedures[procedure].id);
                let message = format!("modifies list contains constant: {}", self.program.vars[var].name);
                self.error(span, message);
            }
        }
        self.clauses(&requires, "preconditions must be of type bool");
        self.clauses(&ensures, "postconditions must be of type bool");
        if let Some((second, _)) = measures.get(1) {
            let span = self.program.syntax.span(*second);
            self.error(span, "Sequential procedure may contain at most one measure command");
        }
        measures.iter().for_each(|(_, values)| self.measure(values));
    }
    /// Measures are numbers, or propositions with `false` as the smaller one.
    pub(super) fn measure(&mut self, values: &[crate::ast::ExprId]) {
        for value in values {
            if let Some(ty) = self.expr(*value)
                && self.unifier.head(&ty) != Type::Bool
                && !self.unifier.unify(&ty, &Type::Int)
            {
                let text = self.text(&ty);
                let message = format!("a measure must be of type int or bool (got: {text})");
                self.error(self.program.span(*value), message);
            }
        }
    }

    fn implementation(&mut self, implementation: crate::program::ImplementationId) {
        let found = &self.program.implementations[implementation];
        let span = self.program.syntax.span(found.id);
        let attributes = found.attributes.clone();
        self.attributes(&attributes);
        self.matches_procedure(implementation, span);
        let found = &mut self.program.implementations[implementation];
        let placeholder = crate::program::Block { stmts: Vec::new(), end: found.body.end };
        let mut body = std::mem::replace(&mut found.body, placeholder);
        let procedure = found.procedure;
        self.frame = self.program.procedures[procedure].modifies.clone();
        self.block(&mut body);
        self.program.implementations[implementation].body = body;
    }

    fn matches_procedure(&mut self, implementation: crate::program::ImplementationId, span: Span) {
        let Implementation { procedure, type_params, ins, outs, .. } = &self.program.implementations[implementation];
        let procedure = &self.program.procedures[*procedure];
        let name = procedure.name.clone();
        let mismatch = |what: &str| format!("mismatched number of {what} in procedure implementation: {name}");
        if procedure.type_params.len() != type_params.len() {
            return self.error(span, mismatch("type parameters"));
        }
        if procedure.ins.len() != ins.len() {
            return self.error(span, mismatch("in-parameters"));
        }
        if procedure.outs.len() != outs.len() {
            return self.error(span, mismatch("out-parameters"));
        }
        let kinds = ins.iter().map(|_| "in-parameter").chain(outs.iter().map(|_| "out-parameter"));
        let pairs = procedure.ins.iter().chain(&procedure.outs).zip(ins.iter().chain(outs));
        let pairs: Vec<(&str, VarId, VarId)> = kinds.zip(pairs).map(|(kind, (a, b))| (kind, *a, *b)).collect();
        let instance = {
            let params = procedure.type_params.clone();
            self.open(&params)
        };
        for (kind, declared, copy) in pairs {
            let (declared, copy) = (&self.program.vars[declared], &self.program.vars[copy]);
            let (expected, found) = (declared.ty.replace(&instance), copy.ty.clone());
            let mut place = declared.name.to_string();
            if declared.name != copy.name {
                place += &format!(" (named {} in implementation)", copy.name);
            }
            if !self.unifier.unify(&expected, &found) || !self.is_renaming(&instance) {
                self.error(span, format!("mismatched type of {kind} in implementation {name}: {place}"));
            }
        }
    }
    /// Whether type parameters are instantiated with distinct type variables, as far as known.
    fn is_renaming(&self, instance: &crate::types::Instance) -> bool {
        let mut seen = std::collections::BTreeSet::new();
        instance.values().all(|ty| match self.unifier.head(ty) {
            Type::Open(_) => true,
            Type::Var(var) => seen.insert(var),
            _ => false,
        })
    }
}
