//! Declarations.

use super::Printer;
use crate::ast::{
    Axiom, Body, Clause, Const, Datatype, Decl, Function, Implementation, Measure, Param, Procedure, TypeDecl, Variable,
};

impl Printer<'_> {
    pub(super) fn decl(&mut self, decl: &Decl) {
        match decl {
            Decl::Type(decl) => self.type_decl(decl),
            Decl::Datatype(decl) => self.datatype(decl),
            Decl::Const(decl) => self.constant(decl),
            Decl::Function(decl) => self.function(decl),
            Decl::Axiom(axiom) => self.axiom(axiom),
            Decl::Global(var) => self.declared(var),
            Decl::Procedure(procedure) => self.procedure(procedure),
            Decl::Implementation(implementation) => self.implementation(implementation),
            // The tree does not have what it says.
            Decl::Concurrent(left_out) => self.put(&format!("// {} is left out.\n", left_out.name)),
        }
    }
    /// `var x: int;`
    pub(super) fn declared(&mut self, var: &Variable) {
        self.indent();
        self.put("var ");
        self.attributes(&var.attributes);
        self.variable(var);
        self.put(";\n");
    }
    fn type_decl(&mut self, decl: &TypeDecl) {
        self.put("type ");
        self.attributes(&decl.attributes);
        self.name(&decl.name.name);
        for param in &decl.params {
            self.put(" ");
            self.name(&param.name);
        }
        if let Some(synonym) = &decl.synonym {
            self.put(" = ");
            self.ty(synonym);
        }
        self.put(";\n");
    }
    fn datatype(&mut self, decl: &Datatype) {
        self.put("datatype ");
        self.attributes(&decl.attributes);
        self.name(&decl.name.name);
        self.type_params(&decl.params);
        self.put(" { ");
        self.separated(&decl.constructors, |printer, (constructor, fields)| {
            printer.name(&constructor.name);
            printer.put("(");
            printer.variables(fields);
            printer.put(")");
        });
        self.put(" }\n");
    }
    fn constant(&mut self, decl: &Const) {
        self.put("const ");
        self.attributes(&decl.attributes);
        self.put(if decl.unique { "unique " } else { "" });
        self.idents(&decl.names);
        self.put(": ");
        self.ty(&decl.ty);
        if decl.axioms.is_empty() {
            self.put(";\n");
        } else {
            self.uses(&decl.axioms);
        }
    }
    fn uses(&mut self, axioms: &[Axiom]) {
        self.put(" uses {\n");
        self.depth += 1;
        axioms.iter().for_each(|axiom| self.axiom(axiom));
        self.depth -= 1;
        self.put("}\n");
    }
    fn axiom(&mut self, axiom: &Axiom) {
        self.indent();
        self.put(if axiom.hideable { "hideable axiom " } else { "axiom " });
        self.attributes(&axiom.attributes);
        self.expr(axiom.condition);
        self.put(";\n");
    }
    fn function(&mut self, decl: &Function) {
        self.put(if decl.revealed { "revealed function " } else { "function " });
        self.attributes(&decl.attributes);
        self.name(&decl.name.name);
        self.type_params(&decl.type_params);
        self.put("(");
        self.separated(&decl.params, Self::param);
        self.put(")");
        if decl.result.name.is_none() && decl.result.attributes.is_empty() {
            self.put(": ");
            self.ty(&decl.result.ty);
        } else {
            self.put(" returns (");
            self.param(&decl.result);
            self.put(")");
        }
        if let Some(body) = decl.body {
            self.put(" { ");
            self.expr(body);
            self.put(" }");
        }
        match (decl.axioms.is_empty(), decl.body) {
            (false, _) => self.uses(&decl.axioms),
            (true, Some(_)) => self.put("\n"),
            (true, None) => self.put(";\n"),
        }
    }
    fn param(&mut self, param: &Param) {
        self.attributes(&param.attributes);
        if let Some(name) = &param.name {
            self.name(&name.name);
            self.put(": ");
        }
        self.ty(&param.ty);
    }

    fn procedure(&mut self, procedure: &Procedure) {
        self.put(if procedure.layer.is_some() { "yield " } else { "" });
        self.put(if procedure.pure { "pure procedure " } else { "procedure " });
        self.attributes(&procedure.attributes);
        self.name(&procedure.name.name);
        self.type_params(&procedure.type_params);
        self.signature(&procedure.ins, &procedure.outs);
        self.put(if procedure.body.is_none() { ";\n" } else { "\n" });
        self.depth += 1;
        self.clauses("requires", &procedure.requires);
        if !procedure.modifies.is_empty() {
            self.indent();
            self.put("modifies ");
            self.idents(&procedure.modifies);
            self.put(";\n");
        }
        self.clauses("ensures", &procedure.ensures);
        self.measures(&procedure.measures);
        self.depth -= 1;
        if let Some(body) = &procedure.body {
            self.body(body);
        }
    }
    fn implementation(&mut self, implementation: &Implementation) {
        self.put("implementation ");
        self.attributes(&implementation.attributes);
        self.name(&implementation.name.name);
        self.type_params(&implementation.type_params);
        self.signature(&implementation.ins, &implementation.outs);
        self.put("\n");
        self.body(&implementation.body);
    }
    fn signature(&mut self, ins: &[Variable], outs: &[Variable]) {
        self.put("(");
        self.variables(ins);
        self.put(")");
        if !outs.is_empty() {
            self.put(" returns (");
            self.variables(outs);
            self.put(")");
        }
    }
    pub(super) fn clauses(&mut self, word: &str, clauses: &[Clause]) {
        for clause in clauses {
            self.indent();
            self.put(if clause.free { "free " } else { "" });
            self.put(word);
            self.put(" ");
            self.attributes(&clause.attributes);
            self.expr(clause.condition);
            self.put(";\n");
        }
    }
    pub(super) fn measures(&mut self, measures: &[Measure]) {
        for measure in measures {
            self.indent();
            self.put("measure ");
            self.attributes(&measure.attributes);
            self.exprs(&measure.values);
            self.put(";\n");
        }
    }
    fn body(&mut self, body: &Body) {
        self.put("{\n");
        self.depth += 1;
        body.locals.iter().for_each(|var| self.declared(var));
        self.stmts(&body.stmts);
        self.depth -= 1;
        self.put("}\n");
    }
}
