//! Prints the tree as Viper text. Parsing the text gives the same tree up to ranges. Parentheses are written only
//! where needed; expressions are printed with an explicit stack, because they are deep.

mod form;

use crate::ast::*;
use crate::dump::{annotation_text, formals, names, type_text};
use crate::op::Level;
use form::{Item, form, needs_parentheses};

pub fn print_program(program: &Program) -> String {
    let mut printer = Printer { exprs: &program.exprs, out: String::new(), indent: 0 };
    for (index, member) in program.members.iter().enumerate() {
        if index > 0 {
            printer.out.push('\n');
        }
        printer.member(member);
    }
    printer.out
}

pub fn print_expr(exprs: &Exprs, id: ExprId) -> String {
    let mut printer = Printer { exprs, out: String::new(), indent: 0 };
    printer.expr(id, Level::Conditional);
    printer.out
}

pub fn print_type(ty: &Type) -> String {
    type_text(ty)
}

struct Printer<'a> {
    exprs: &'a Exprs,
    out: String,
    indent: usize,
}

impl Printer<'_> {
    fn start_line(&mut self) {
        self.out.extend(std::iter::repeat_n("  ", self.indent));
    }
    fn line(&mut self, text: &str) {
        self.start_line();
        self.out.push_str(text);
        self.out.push('\n');
    }
    fn nested(&mut self, parts: impl FnOnce(&mut Self)) {
        self.indent += 1;
        parts(self);
        self.indent -= 1;
    }
    fn expr_line(&mut self, word: &str, id: ExprId, level: Level) {
        self.start_line();
        self.out.push_str(word);
        self.out.push(' ');
        self.expr(id, level);
        self.out.push('\n');
    }
    fn clause(&mut self, word: &str, id: ExprId) {
        self.expr_line(word, id, Level::Conditional);
    }

    // -------------------------------------------------------------------------------------------------------------
    // Members

    fn annotations(&mut self, annotations: &[Annotation]) {
        annotations.iter().for_each(|annotation| self.line(&annotation_text(annotation)));
    }

    fn member(&mut self, member: &Member) {
        self.annotations(&member.annotations);
        match &member.kind {
            MemberKind::Import(import) if import.library => self.line(&format!("import <{}>", import.path)),
            MemberKind::Import(import) => self.line(&format!("import \"{}\"", import.path)),
            MemberKind::Define(decl) => self.define(decl),
            MemberKind::Fields(fields) => self.line(&format!("field {}", formals(fields))),
            MemberKind::Method(method) => self.method(method),
            MemberKind::Function(function) => {
                let (name, params) = (&function.name.name, formals(&function.params));
                self.line(&format!("function {name}({params}): {}", type_text(&function.result)));
                self.nested(|printer| printer.contract(&function.contract));
                self.expr_body(function.body);
            }
            MemberKind::Predicate(predicate) => {
                self.line(&format!("predicate {}({})", predicate.name.name, formals(&predicate.params)));
                self.expr_body(predicate.body);
            }
            MemberKind::Domain(domain) => self.domain(domain),
            MemberKind::Adt(adt) => self.adt(adt),
        }
    }

    fn method(&mut self, method: &Method) {
        let mut head = format!("method {}({})", method.name.name, formals(&method.params));
        if !method.returns.is_empty() {
            head.push_str(&format!(" returns ({})", formals(&method.returns)));
        }
        self.line(&head);
        self.nested(|printer| printer.contract(&method.contract));
        if let Some(body) = &method.body {
            self.start_line();
            self.block(body);
            self.out.push('\n');
        }
    }

    fn expr_body(&mut self, body: Option<ExprId>) {
        if let Some(body) = body {
            self.line("{");
            self.nested(|printer| {
                printer.start_line();
                printer.expr(body, Level::Conditional);
                printer.out.push('\n');
            });
            self.line("}");
        }
    }

    fn define(&mut self, decl: &Macro) {
        self.start_line();
        self.out.push_str("define ");
        self.out.push_str(&decl.name.name);
        if let Some(params) = &decl.params {
            self.out.push_str(&format!("({})", names(params)));
        }
        self.out.push(' ');
        match &decl.body {
            MacroBody::Expr(body) => self.expr(*body, Level::Conditional),
            MacroBody::Stmt(body) => self.block(body),
        }
        self.out.push('\n');
    }

    fn contract(&mut self, contract: &Contract) {
        contract.requires.iter().for_each(|expr| self.clause("requires", *expr));
        contract.ensures.iter().for_each(|expr| self.clause("ensures", *expr));
        self.decreases(&contract.decreases);
    }
    fn invariants(&mut self, invariants: &Invariants) {
        invariants.exprs.iter().for_each(|expr| self.clause("invariant", *expr));
        self.decreases(&invariants.decreases);
    }

    fn decreases(&mut self, clauses: &[Decreases]) {
        for clause in clauses {
            self.start_line();
            self.out.push_str("decreases");
            match &clause.kind {
                DecreasesKind::Wildcard => self.out.push_str(" _"),
                DecreasesKind::Star => self.out.push_str(" *"),
                DecreasesKind::Tuple(tuple) => {
                    for (index, expr) in tuple.iter().enumerate() {
                        self.out.push_str(if index > 0 { ", " } else { " " });
                        self.expr(*expr, Level::Conditional);
                    }
                }
            }
            if let Some(condition) = clause.condition {
                self.out.push_str(" if ");
                self.expr(condition, Level::Conditional);
            }
            self.out.push('\n');
        }
    }

    fn domain(&mut self, domain: &Domain) {
        let mut head = format!("domain {}{}", domain.name.name, type_params(&domain.params));
        if let Some(interpretations) = &domain.interpretations {
            let texts: Vec<String> =
                interpretations.iter().map(|part| format!("{}: \"{}\"", part.backend.name, part.text)).collect();
            head.push_str(&format!(" interpretation ({})", texts.join(", ")));
        }
        self.line(&format!("{head} {{"));
        self.nested(|printer| {
            // Functions and axioms in source order.
            let mut axioms = domain.axioms.iter().peekable();
            for function in &domain.functions {
                while let Some(axiom) = axioms.next_if(|axiom| axiom.span < function.span) {
                    printer.axiom(axiom);
                }
                printer.domain_function(function);
            }
            axioms.for_each(|axiom| printer.axiom(axiom));
        });
        self.line("}");
    }

    fn domain_function(&mut self, function: &DomainFunction) {
        self.annotations(&function.annotations);
        let param = |param: &DomainParam| match &param.name {
            Some(name) => format!("{}: {}", name.name, type_text(&param.ty)),
            None => type_text(&param.ty),
        };
        let params: Vec<String> = function.params.iter().map(param).collect();
        let unique = if function.unique { "unique " } else { "" };
        let interpretation =
            function.interpretation.as_ref().map_or(String::new(), |text| format!(" interpretation \"{text}\""));
        let (name, result) = (&function.name.name, type_text(&function.result));
        self.line(&format!("{unique}function {name}({}): {result}{interpretation}", params.join(", ")));
    }

    fn axiom(&mut self, axiom: &Axiom) {
        self.annotations(&axiom.annotations);
        let name = axiom.name.as_ref().map_or(String::new(), |name| format!("{} ", name.name));
        self.line(&format!("axiom {name}{{"));
        self.nested(|printer| {
            printer.start_line();
            printer.expr(axiom.body, Level::Conditional);
            printer.out.push('\n');
        });
        self.line("}");
    }

    fn adt(&mut self, adt: &Adt) {
        self.line(&format!("adt {}{} {{", adt.name.name, type_params(&adt.params)));
        self.nested(|printer| {
            for constructor in &adt.constructors {
                printer.annotations(&constructor.annotations);
                printer.line(&format!("{}({})", constructor.name.name, formals(&constructor.args)));
            }
        });
        self.line("}");
        if adt.derives.is_empty() {
            return;
        }
        self.line("derives {");
        self.nested(|printer| {
            for derive in &adt.derives {
                let arg = derive.arg.as_ref().map_or(String::new(), |ty| format!("[{}]", type_text(ty)));
                let without = match derive.without.is_empty() {
                    true => String::new(),
                    false => format!(" without {}", names(&derive.without)),
                };
                printer.line(&format!("{}{arg}{without}", derive.name.name));
            }
        });
        self.line("}");
    }

    // -------------------------------------------------------------------------------------------------------------
    // Statements

    /// From `{` to `}`, starting on the current line.
    fn block(&mut self, block: &Block) {
        self.out.push_str("{\n");
        self.nested(|printer| printer.stmts(&block.stmts));
        self.start_line();
        self.out.push('}');
    }

    fn stmts(&mut self, stmts: &[Stmt]) {
        for (index, stmt) in stmts.iter().enumerate() {
            let before = self.out.len();
            self.stmt(stmt);
            // Statements need no separator, unless the next one could continue this one.
            let first = self.out[before..].trim_start().chars().next();
            if index > 0 && (ends_openly(&stmts[index - 1]) || matches!(first, Some('(' | '[' | '{' | '|' | '-'))) {
                self.out.insert(before - 1, ';');
            }
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        self.annotations(&stmt.annotations);
        match &stmt.kind {
            StmtKind::Apply(expr) => self.expr_line("apply", *expr, Level::Wand),
            StmtKind::Goto(label) => self.line(&format!("goto {}", label.name)),
            StmtKind::Define(decl) => self.define(decl),
            StmtKind::Call(expr) => {
                self.start_line();
                self.expr(*expr, Level::Conditional);
                self.out.push('\n');
            }
            StmtKind::If { arms, otherwise } => self.if_stmt(arms, otherwise.as_ref()),
            StmtKind::While { condition, invariants, body } => {
                self.start_line();
                self.out.push_str("while (");
                self.expr(*condition, Level::Conditional);
                self.out.push_str(")\n");
                self.nested(|printer| printer.invariants(invariants));
                self.start_line();
                self.block(body);
                self.out.push('\n');
            }
            StmtKind::Var { vars, init } => {
                let text = format!("var {}", formals(vars));
                match init {
                    Some(init) => self.clause(&format!("{text} :="), *init),
                    None => self.line(&text),
                }
            }
            StmtKind::Label { name, invariants } => {
                self.line(&format!("label {}", name.name));
                self.nested(|printer| printer.invariants(invariants));
            }
            StmtKind::Package { wand, script } => {
                self.start_line();
                self.out.push_str("package ");
                self.expr(*wand, Level::Wand);
                if let Some(script) = script {
                    self.out.push(' ');
                    self.block(script);
                }
                self.out.push('\n');
            }
            StmtKind::Quasihavoc { condition, resource } => self.havoc("quasihavoc", *condition, *resource),
            StmtKind::QuasihavocAll { vars, condition, resource } => {
                self.havoc(&format!("quasihavocall {} ::", formals(vars)), *condition, *resource);
            }
            StmtKind::Block(block) => {
                self.start_line();
                self.block(block);
                self.out.push('\n');
            }
            StmtKind::Assign { targets, value } => {
                self.start_line();
                for (index, target) in targets.iter().enumerate() {
                    if index > 0 {
                        self.out.push_str(", ");
                    }
                    self.expr(*target, Level::Suffix);
                }
                self.out.push_str(" := ");
                self.expr(*value, Level::Conditional);
                self.out.push('\n');
            }
            kind => {
                self.start_line();
                self.out.push_str(kind.word());
                stmt.for_each_expr(|expr| {
                    self.out.push(' ');
                    self.expr(expr, Level::Conditional);
                });
                self.out.push('\n');
            }
        }
    }

    fn if_stmt(&mut self, arms: &[IfArm], otherwise: Option<&Block>) {
        self.start_line();
        for (index, arm) in arms.iter().enumerate() {
            self.out.push_str(if index == 0 { "if (" } else { " elseif (" });
            self.expr(arm.condition, Level::Conditional);
            self.out.push_str(") ");
            self.block(&arm.body);
        }
        if let Some(block) = otherwise {
            self.out.push_str(" else ");
            self.block(block);
        }
        self.out.push('\n');
    }

    fn havoc(&mut self, word: &str, condition: Option<ExprId>, resource: ExprId) {
        self.start_line();
        self.out.push_str(word);
        self.out.push(' ');
        // An implication would be parsed as a condition.
        let is_implication = matches!(self.exprs[resource].kind, ExprKind::Binary { op: BinaryOp::Implies, .. });
        let mut level = if is_implication { Level::Or } else { Level::Conditional };
        if let Some(condition) = condition {
            self.expr(condition, Level::Or);
            self.out.push_str(" ==> ");
            level = Level::Implies;
        }
        self.expr(resource, level);
        self.out.push('\n');
    }

    // -------------------------------------------------------------------------------------------------------------
    // Expressions

    fn expr(&mut self, root: ExprId, level: Level) {
        let mut stack = vec![Item::Expr(root, level)];
        while let Some(item) = stack.pop() {
            match item {
                Item::Text(text) => self.text(text),
                Item::Owned(text) => self.text(&text),
                Item::Expr(id, level) => {
                    let first = stack.len();
                    self.items(id, level, &mut stack);
                    stack[first..].reverse();
                }
            }
        }
    }

    fn text(&mut self, text: &str) {
        // Two adjacent bars would be a disjunction.
        if text.starts_with('|') && self.out.ends_with('|') {
            self.out.push(' ');
        }
        self.out.push_str(text);
    }

    fn items(&self, id: ExprId, level: Level, items: &mut Vec<Item>) {
        let expr = &self.exprs[id];
        for annotation in &expr.annotations {
            items.push(Item::Owned(format!("{} ", annotation_text(annotation))));
        }
        let level = if expr.annotations.is_empty() { level } else { Level::Atom };
        let in_parentheses = needs_parentheses(&expr.kind, level);
        if in_parentheses {
            items.push(Item::Text("("));
        }
        form(&expr.kind, items);
        if in_parentheses {
            items.push(Item::Text(")"));
        }
    }
}

/// Whether the text after the statement could be parsed as part of it, even on a new line.
fn ends_openly(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Label { invariants, .. } => !invariants.decreases.is_empty(),
        _ => false,
    }
}

fn type_params(params: &[Ident]) -> String {
    if params.is_empty() { String::new() } else { format!("[{}]", names(params)) }
}
