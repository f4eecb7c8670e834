//! The tree as text, one form per line, without ranges: for inspecting a stage, and for comparing trees. Expressions
//! are processed iteratively.

use crate::ast::*;
use std::fmt::Write;

/// Dumps a program. Two programs are equal up to ranges if and only if their dumps are equal.
pub fn dump_program(program: &Program) -> String {
    let mut dump = Dump { exprs: &program.exprs, out: String::new(), indent: 0 };
    program.members.iter().for_each(|member| dump.member(member));
    dump.out
}

/// Dumps one expression, on one line.
pub fn dump_expr(exprs: &Exprs, id: ExprId) -> String {
    let mut dump = Dump { exprs, out: String::new(), indent: 0 };
    dump.expr(id);
    dump.out
}

pub(crate) fn macro_text(decl: &Macro, exprs: &Exprs) -> String {
    let mut dump = Dump { exprs, out: String::new(), indent: 0 };
    dump.define(decl);
    dump.out
}

struct Dump<'a> {
    exprs: &'a Exprs,
    out: String,
    indent: usize,
}

enum Item {
    Text(String),
    Expr(ExprId),
}

impl Dump<'_> {
    fn line(&mut self, text: &str) {
        self.start_line();
        self.out.push_str(text);
        self.out.push('\n');
    }
    fn start_line(&mut self) {
        self.out.extend(std::iter::repeat_n("  ", self.indent));
    }
    fn nested(&mut self, parts: impl FnOnce(&mut Self)) {
        self.indent += 1;
        parts(self);
        self.indent -= 1;
    }
    fn expr_line(&mut self, word: &str, id: ExprId) {
        self.start_line();
        self.out.push_str(word);
        self.out.push(' ');
        self.expr(id);
        self.out.push('\n');
    }

    // -------------------------------------------------------------------------------------------------------------
    // Members

    fn annotations(&mut self, annotations: &[Annotation]) {
        for annotation in annotations {
            self.line(&annotation_text(annotation));
        }
    }

    fn member(&mut self, member: &Member) {
        self.annotations(&member.annotations);
        match &member.kind {
            MemberKind::Import(import) => self.line(&format!("import library={} {:?}", import.library, import.path)),
            MemberKind::Define(decl) => self.define(decl),
            MemberKind::Fields(fields) => self.line(&format!("field {}", formals(fields))),
            MemberKind::Method(method) => {
                self.line(&format!(
                    "method {}({}) returns ({})",
                    method.name.name,
                    formals(&method.params),
                    formals(&method.returns)
                ));
                self.nested(|dump| {
                    dump.contract(&method.contract);
                    method.body.iter().for_each(|body| dump.block("body", body));
                });
            }
            MemberKind::Function(function) => {
                let (name, params) = (&function.name.name, formals(&function.params));
                self.line(&format!("function {name}({params}): {}", type_text(&function.result)));
                self.nested(|dump| {
                    dump.contract(&function.contract);
                    function.body.iter().for_each(|body| dump.expr_line("body", *body));
                });
            }
            MemberKind::Predicate(predicate) => {
                self.line(&format!("predicate {}({})", predicate.name.name, formals(&predicate.params)));
                self.nested(|dump| predicate.body.iter().for_each(|body| dump.expr_line("body", *body)));
            }
            MemberKind::Domain(domain) => self.domain(domain),
            MemberKind::Adt(adt) => self.adt(adt),
        }
    }

    fn define(&mut self, decl: &Macro) {
        let params = decl.params.as_ref().map_or(String::new(), |params| format!("({})", names(params)));
        self.line(&format!("define {}{params}", decl.name.name));
        self.nested(|dump| match &decl.body {
            MacroBody::Expr(body) => dump.expr_line("body", *body),
            MacroBody::Stmt(body) => dump.block("body", body),
        });
    }

    fn contract(&mut self, contract: &Contract) {
        contract.requires.iter().for_each(|expr| self.expr_line("requires", *expr));
        contract.ensures.iter().for_each(|expr| self.expr_line("ensures", *expr));
        self.decreases(&contract.decreases);
    }

    fn decreases(&mut self, clauses: &[Decreases]) {
        for clause in clauses {
            self.start_line();
            self.out.push_str("decreases");
            match &clause.kind {
                DecreasesKind::Wildcard => self.out.push_str(" _"),
                DecreasesKind::Star => self.out.push_str(" *"),
                DecreasesKind::Tuple(tuple) => tuple.iter().for_each(|expr| {
                    self.out.push(' ');
                    self.expr(*expr);
                }),
            }
            if let Some(condition) = clause.condition {
                self.out.push_str(" if ");
                self.expr(condition);
            }
            self.out.push('\n');
        }
    }

    fn domain(&mut self, domain: &Domain) {
        let mut head = format!("domain {}[{}]", domain.name.name, names(&domain.params));
        for interpretation in domain.interpretations.iter().flatten() {
            let _ = write!(head, " {}={:?}", interpretation.backend.name, interpretation.text);
        }
        if domain.interpretations.is_some() {
            head.push_str(" interpreted");
        }
        self.line(&head);
        self.nested(|dump| {
            for function in &domain.functions {
                dump.annotations(&function.annotations);
                let param = |param: &DomainParam| match &param.name {
                    Some(name) => format!("{}: {}", name.name, type_text(&param.ty)),
                    None => type_text(&param.ty),
                };
                let params: Vec<String> = function.params.iter().map(param).collect();
                let unique = if function.unique { "unique " } else { "" };
                let (name, result) = (&function.name.name, type_text(&function.result));
                let mut line = format!("{unique}function {name}({}): {result}", params.join(", "));
                if let Some(interpretation) = &function.interpretation {
                    let _ = write!(line, " interpretation {interpretation:?}");
                }
                dump.line(&line);
            }
            for axiom in &domain.axioms {
                dump.annotations(&axiom.annotations);
                let name = axiom.name.as_ref().map_or("", |name| &name.name);
                dump.expr_line(&format!("axiom {name}"), axiom.body);
            }
        });
    }

    fn adt(&mut self, adt: &Adt) {
        self.line(&format!("adt {}[{}]", adt.name.name, names(&adt.params)));
        self.nested(|dump| {
            for constructor in &adt.constructors {
                dump.annotations(&constructor.annotations);
                dump.line(&format!("{}({})", constructor.name.name, formals(&constructor.args)));
            }
            for derive in &adt.derives {
                let arg = derive.arg.as_ref().map_or(String::new(), type_text);
                dump.line(&format!("derive {}[{arg}] without {}", derive.name.name, names(&derive.without)));
            }
        });
    }

    // -------------------------------------------------------------------------------------------------------------
    // Statements

    fn block(&mut self, word: &str, block: &Block) {
        self.line(word);
        self.stmts(block);
    }
    fn stmts(&mut self, block: &Block) {
        self.nested(|dump| block.stmts.iter().for_each(|stmt| dump.stmt(stmt)));
    }

    fn stmt(&mut self, stmt: &Stmt) {
        self.annotations(&stmt.annotations);
        match &stmt.kind {
            StmtKind::If { arms, otherwise } => {
                for arm in arms {
                    self.expr_line("if", arm.condition);
                    self.stmts(&arm.body);
                }
                otherwise.iter().for_each(|block| self.block("else", block));
            }
            StmtKind::Define(decl) => self.define(decl),
            kind => {
                self.head(kind);
                self.nested(|dump| {
                    kind.each_field(&mut |label, field| {
                        if !label.is_empty() {
                            dump.labelled(label, field);
                        }
                    });
                });
            }
        }
    }

    /// A statement's keyword and its unlabelled fields.
    fn head(&mut self, kind: &StmtKind) {
        self.start_line();
        self.out.push_str(kind.word());
        let mut block = None;
        let mut typed = false;
        kind.each_field(&mut |label, field| {
            let mut part = |part: Part<'_>| {
                match part {
                    Part::Expr(expr) => {
                        self.out.push_str(if typed { " :: " } else { " " });
                        self.expr(expr);
                    }
                    Part::Declared(name) | Part::Named(name) => {
                        self.out.push_str(if typed { ", " } else { " " });
                        self.out.push_str(&name.name);
                    }
                    Part::Type(ty) => _ = write!(self.out, ": {}", type_text(ty)),
                    Part::Text(text) => _ = write!(self.out, " {text}"),
                    Part::Block(_) | Part::Decreases(_) | Part::Define(_) => {}
                }
                typed = matches!(part, Part::Type(_));
            };
            field.each_part(&mut |found| match found {
                _ if !label.is_empty() => {}
                Part::Block(found) => block = Some(found),
                found => part(found),
            });
        });
        self.out.push('\n');
        block.into_iter().for_each(|block| self.stmts(block));
    }

    /// The lines of a labelled field.
    fn labelled(&mut self, label: &str, field: &dyn Parts) {
        let mut in_clause = false;
        field.each_part(&mut |part| match part {
            Part::Expr(expr) if !in_clause => self.expr_line(label, expr),
            Part::Block(block) => self.block(label, block),
            Part::Decreases(clause) => {
                in_clause = true;
                self.decreases(std::slice::from_ref(clause));
            }
            Part::Expr(_) => {}
            Part::Declared(name) | Part::Named(name) => self.line(&format!("{label} {}", name.name)),
            Part::Type(ty) => self.line(&format!("{label} {}", type_text(ty))),
            Part::Define(decl) => self.define(decl),
            Part::Text(text) => self.line(&format!("{label} {text}")),
        });
    }

    // -------------------------------------------------------------------------------------------------------------
    // Expressions

    fn expr(&mut self, root: ExprId) {
        let mut stack = vec![Item::Expr(root)];
        while let Some(item) = stack.pop() {
            match item {
                Item::Text(text) => self.out.push_str(&text),
                Item::Expr(id) => {
                    let expr = &self.exprs[id];
                    for annotation in &expr.annotations {
                        let _ = write!(self.out, "{} ", annotation_text(annotation));
                    }
                    let first = stack.len();
                    form(&expr.kind, &mut stack);
                    stack[first..].reverse();
                }
            }
        }
    }
}

/// `(head part part)`.
fn form(kind: &ExprKind, items: &mut Vec<Item>) {
    use ExprKind::*;
    if let Bool(_) | Null | Int(_) | Perm(_) | Result | Ident(_) = kind {
        return items.push(Item::Text(head(kind)));
    }
    items.push(Item::Text(format!("({}", head(kind))));
    if let Forall(quantifier) | Exists(quantifier) = kind {
        for trigger in &quantifier.triggers {
            items.push(Item::Text(" {".into()));
            trigger.terms.iter().for_each(|term| items.extend([Item::Text(" ".into()), Item::Expr(*term)]));
            items.push(Item::Text(" }".into()));
        }
        items.extend([Item::Text(" ".into()), Item::Expr(quantifier.body)]);
    } else {
        kind.for_each_child(|child| items.extend([Item::Text(" ".into()), Item::Expr(child)]));
    }
    items.push(Item::Text(")".into()));
}

/// The text of a node without its subexpressions.
fn head(kind: &ExprKind) -> String {
    use ExprKind::*;
    match kind {
        Call(call) | PredicateInstance(call) => {
            let ascription = call.ascription.as_ref().map_or(String::new(), |ty| format!(" : {}", type_text(ty)));
            format!("{} {}{ascription}", kind.row(), call.callee.name)
        }
        Field { field, .. } => format!(".{}", field.name),
        Old { label: OldLabel::Lhs, .. } => "old[lhs]".into(),
        Old { label: OldLabel::Label(label), .. } => format!("old[{}]", label.name),
        Forall(quantifier) | Exists(quantifier) => format!("{} {} ::", kind.row(), formals(&quantifier.vars)),
        Forperm(forperm) => format!("forperm {} ::", formals(&forperm.vars)),
        Collection(collection) => {
            let element = collection.element.as_ref().map_or(String::new(), |ty| format!("[{}]", type_text(ty)));
            format!("{}{element}", collection.kind.text())
        }
        Map(map) => match &map.types {
            Some((key, value)) => format!("Map[{}, {}]", type_text(key), type_text(value)),
            None => "Map".into(),
        },
        New(NewFields::Fields(fields)) => format!("new {}", names(fields)),
        _ => {
            let mut words: Vec<String> =
                [kind.row()].into_iter().filter(|word| !word.is_empty()).map(Into::into).collect();
            kind.for_each_part(|part| match part {
                Part::Text(text) => words.push(text.into()),
                Part::Declared(name) | Part::Named(name) => words.push(name.name.to_string()),
                Part::Type(ty) => words.push(type_text(ty)),
                Part::Expr(_) | Part::Block(_) | Part::Decreases(_) | Part::Define(_) => {}
            });
            words.join(" ")
        }
    }
}

// -----------------------------------------------------------------------------------------------------------------
// Small parts, shared with the printer

pub(crate) fn annotation_text(annotation: &Annotation) -> String {
    let args: Vec<String> = annotation.args.iter().map(|arg| format!("\"{arg}\"")).collect();
    format!("@{}({})", annotation.name, args.join(", "))
}

pub(crate) fn formals(formals: &[Formal]) -> String {
    let texts: Vec<String> =
        formals.iter().map(|formal| format!("{}: {}", formal.name.name, type_text(&formal.ty))).collect();
    texts.join(", ")
}

pub(crate) fn names(names: &[Ident]) -> String {
    let names: Vec<&str> = names.iter().map(|name| &*name.name).collect();
    names.join(", ")
}

pub(crate) fn type_text(ty: &Type) -> String {
    match &ty.kind {
        TypeKind::Int => "Int".into(),
        TypeKind::Bool => "Bool".into(),
        TypeKind::Perm => "Perm".into(),
        TypeKind::Ref => "Ref".into(),
        TypeKind::Rational => "Rational".into(),
        TypeKind::Seq(element) => format!("Seq[{}]", type_text(element)),
        TypeKind::Set(element) => format!("Set[{}]", type_text(element)),
        TypeKind::Multiset(element) => format!("Multiset[{}]", type_text(element)),
        TypeKind::Map(key, value) => format!("Map[{}, {}]", type_text(key), type_text(value)),
        TypeKind::Named(name, args) if args.is_empty() => name.name.to_string(),
        TypeKind::Named(name, args) => {
            let args: Vec<String> = args.iter().map(type_text).collect();
            format!("{}[{}]", name.name, args.join(", "))
        }
    }
}
