//! The typed program as text, for users and tests (`echis dump program`). Everything is explicit: amounts, type
//! arguments, triggers. Variables with the same name are distinguished by their keys.

mod expr;
mod stmt;

use crate::program::{
    Decreases, DecreasesTuple, Domain, ExprId, Function, LocalId, Method, Predicate, Program, Type, WellFounded,
};
use std::collections::HashMap;
use std::fmt::{self, Write};

/// A program that displays as text.
pub struct Printed<'a> {
    program: &'a Program,
    /// Number of variables with each name.
    names: HashMap<&'a str, u32>,
}

pub fn print(program: &Program) -> Printed<'_> {
    let mut names = HashMap::new();
    for local in program.locals.values() {
        *names.entry(&*local.name).or_default() += 1;
    }
    Printed { program, names }
}

impl fmt::Display for Printed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = Out { printed: self, text: String::new(), indent: 0 };
        out.program();
        f.write_str(&out.text)
    }
}

struct Out<'a> {
    printed: &'a Printed<'a>,
    text: String,
    indent: usize,
}

impl<'a> Out<'a> {
    fn p(&self) -> &'a Program {
        self.printed.program
    }

    fn program(&mut self) {
        let program = self.p();
        for field in program.fields.values() {
            let ty = self.ty(&field.ty, &[]);
            self.line(&format!("field {}: {ty}", field.name));
        }
        for domain in program.domains.values() {
            self.domain(domain);
        }
        if let Some(well_founded) = &program.well_founded {
            self.well_founded(well_founded);
        }
        for function in program.functions.values() {
            self.function(function);
        }
        for predicate in program.predicates.values() {
            self.predicate(predicate);
        }
        for method in program.methods.values() {
            self.method(method);
        }
    }

    fn line(&mut self, text: &str) {
        for _ in 0..self.indent {
            self.text.push_str("  ");
        }
        self.text.push_str(text);
        self.text.push('\n');
    }

    fn domain(&mut self, domain: &Domain) {
        let mut head = format!("domain {}", domain.name);
        if !domain.parameters.is_empty() {
            let _ = write!(head, "[{}]", domain.parameters.join(", "));
        }
        if let Some(sort) = &domain.interpretation {
            let _ = write!(head, " interpretation (SMTLIB: \"{sort}\")");
        }
        self.line(&format!("{head} {{"));
        self.indent += 1;
        for function in &domain.functions {
            let function = &self.p().domain_functions[*function];
            let params: Vec<_> = function.params.iter().map(|ty| self.ty(ty, &domain.parameters)).collect();
            let unique = if function.unique { "unique " } else { "" };
            let result = self.ty(&function.result, &domain.parameters);
            let mut text = format!("{unique}function {}({}): {result}", function.name, params.join(", "));
            if let Some(operator) = &function.interpretation {
                let _ = write!(text, " interpretation \"{operator}\"");
            }
            self.line(&text);
        }
        for axiom in &domain.axioms {
            let axiom = &self.p().axioms[*axiom];
            let name = axiom.name.as_ref().map(|name| format!("{name} ")).unwrap_or_default();
            let body = self.expr_in(axiom.body, &domain.parameters);
            self.line(&format!("axiom {name}{{ {body} }}"));
        }
        for constructor in domain.adt.iter().flatten() {
            let name = &self.p().domain_functions[constructor.constructor].name;
            self.line(&format!("// constructor {name}: tag {}", constructor.tag));
        }
        self.indent -= 1;
        self.line("}");
    }

    fn well_founded(&mut self, well_founded: &WellFounded) {
        let name = |function| self.p().domain_functions[function].name.clone();
        let mut text = format!("// termination: {}, {}", name(well_founded.decreasing), name(well_founded.bounded));
        if let Some(nested) = well_founded.nested {
            let _ = write!(text, ", {}", name(nested));
        }
        self.line(&text);
    }

    fn function(&mut self, function: &Function) {
        let params = self.formals(&function.params);
        let result = self.ty(&function.result, &[]);
        let recursive = if function.recursive { ", recursive" } else { "" };
        let opaque = if function.opaque { ", opaque" } else { "" };
        self.line(&format!(
            "function {}({params}): {result} // height {}{recursive}{opaque}",
            function.name, function.height
        ));
        self.contract(&function.pre, &function.post, &function.decreases);
        self.body(function.body);
    }

    fn predicate(&mut self, predicate: &Predicate) {
        let params = self.formals(&predicate.params);
        self.line(&format!("predicate {}({params})", predicate.name));
        self.body(predicate.body);
    }

    fn body(&mut self, body: Option<ExprId>) {
        if let Some(body) = body {
            let body = self.expr(body);
            self.line(&format!("{{ {body} }}"));
        }
    }

    fn method(&mut self, method: &Method) {
        let params = self.formals(&method.params);
        let returns = self.formals(&method.returns);
        self.line(&format!("method {}({params}) returns ({returns}) // cycle {}", method.name, method.cycle));
        self.contract(&method.pre, &method.post, &method.decreases);
        if let Some(body) = &method.body {
            self.line("{");
            self.block(body);
            self.line("}");
        }
    }

    fn contract(&mut self, pre: &[ExprId], post: &[ExprId], decreases: &Decreases) {
        self.clauses("requires", pre);
        self.clauses("ensures", post);
        self.decreases(decreases);
    }

    fn clauses(&mut self, keyword: &str, clauses: &[ExprId]) {
        for clause in clauses {
            let clause = self.expr(*clause);
            self.line(&format!("  {keyword} {clause}"));
        }
    }

    fn decreases(&mut self, decreases: &Decreases) {
        if let Some(DecreasesTuple { measures, condition, .. }) = &decreases.tuple {
            let measures: Vec<_> = measures.iter().map(|measure| self.expr(*measure)).collect();
            let condition = self.condition(*condition);
            self.line(format!("  decreases {}{condition}", measures.join(", ")).trim_end());
        }
        if let Some(wildcard) = &decreases.wildcard {
            let condition = self.condition(wildcard.condition);
            self.line(&format!("  decreases _{condition}"));
        }
        if decreases.star.is_some() {
            self.line("  decreases *");
        }
    }

    fn condition(&self, condition: Option<ExprId>) -> String {
        condition.map(|condition| format!(" if {}", self.expr(condition))).unwrap_or_default()
    }

    fn formals(&self, locals: &[LocalId]) -> String {
        let formal = |local: &LocalId| format!("{}: {}", self.local(*local), self.ty(&self.p().locals[*local].ty, &[]));
        locals.iter().map(formal).collect::<Vec<_>>().join(", ")
    }

    fn local(&self, local: LocalId) -> String {
        let name = &self.p().locals[local].name;
        match self.printed.names.get(&**name) {
            Some(1) => name.to_string(),
            _ => format!("{name}'{local}"),
        }
    }

    /// A type; parameters print under the names of the enclosing domain, if known.
    fn ty(&self, ty: &Type, parameters: &[echis_base::Name]) -> String {
        match ty {
            Type::Int => "Int".into(),
            Type::Bool => "Bool".into(),
            Type::Perm => "Perm".into(),
            Type::Ref => "Ref".into(),
            Type::Seq(element) => format!("Seq[{}]", self.ty(element, parameters)),
            Type::Set(element) => format!("Set[{}]", self.ty(element, parameters)),
            Type::Multiset(element) => format!("Multiset[{}]", self.ty(element, parameters)),
            Type::Map(key, value) => format!("Map[{}, {}]", self.ty(key, parameters), self.ty(value, parameters)),
            Type::Domain(domain, args) => {
                let name = &self.p().domains[*domain].name;
                match args.is_empty() {
                    true => name.to_string(),
                    false => {
                        let args: Vec<_> = args.iter().map(|arg| self.ty(arg, parameters)).collect();
                        format!("{name}[{}]", args.join(", "))
                    }
                }
            }
            Type::Parameter(index) => match parameters.get(*index as usize) {
                Some(name) => name.to_string(),
                None => format!("${index}"),
            },
            Type::PredicateInstance => "PredicateInstance".into(),
        }
    }
}
