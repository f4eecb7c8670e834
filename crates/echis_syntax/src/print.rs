//! The tree as Viper text. Reading the text back gives the same tree up to ranges. Parentheses stand only where they
//! are needed; expressions are printed with an explicit stack, because they are deep.

use crate::ast::*;
use crate::dump::{annotation_text, formals, names, type_text};
use crate::op::{Grouping, Level};

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

/// What is still to be printed of an expression.
enum Item {
    Text(&'static str),
    Owned(String),
    /// An expression where only what binds at least this tightly may stand without parentheses.
    Expr(ExprId, Level),
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
            // Functions and axioms in the order they were written in.
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
            StmtKind::Fold(expr) => self.clause("fold", *expr),
            StmtKind::Unfold(expr) => self.clause("unfold", *expr),
            StmtKind::Inhale(expr) => self.clause("inhale", *expr),
            StmtKind::Exhale(expr) => self.clause("exhale", *expr),
            StmtKind::Assert(expr) => self.clause("assert", *expr),
            StmtKind::Assume(expr) => self.clause("assume", *expr),
            StmtKind::Refute(expr) => self.clause("refute", *expr),
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
        // An implication would read as a condition.
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
        // Two bars in a row would be a disjunction.
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

/// Whether the text behind the statement could be read as part of it even on a new line.
fn ends_openly(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Label { invariants, .. } => !invariants.decreases.is_empty(),
        _ => false,
    }
}

fn type_params(params: &[Ident]) -> String {
    if params.is_empty() { String::new() } else { format!("[{}]", names(params)) }
}

fn needs_parentheses(kind: &ExprKind, level: Level) -> bool {
    match own_level(kind) {
        // What follows `--*` or a binder extends as far as possible, so it may only stand last.
        Level::Conditional => level > Level::Conditional,
        Level::Wand => level != Level::Wand && level != Level::Conditional,
        own => own < level,
    }
}

fn own_level(kind: &ExprKind) -> Level {
    use ExprKind::*;
    match kind {
        Conditional { .. } | Let { .. } | Forall(_) | Exists(_) | Forperm(_) => Level::Conditional,
        Unfolding { .. } | Applying { .. } | Asserting { .. } => Level::Conditional,
        Binary { op, .. } => op.level(),
        Chain { .. } => Level::Comparison,
        Unary { .. } => Level::Prefix,
        Field { .. } | Index { .. } | Update { .. } | Take { .. } | Drop { .. } | Slice { .. } => Level::Suffix,
        _ => Level::Atom,
    }
}

fn form(kind: &ExprKind, items: &mut Vec<Item>) {
    use ExprKind::*;
    let full = |id: &ExprId| Item::Expr(*id, Level::Conditional);
    match kind {
        Bool(true) => items.push(Item::Text("true")),
        Bool(false) => items.push(Item::Text("false")),
        Null => items.push(Item::Text("null")),
        Int(digits) => items.push(Item::Owned(digits.to_string())),
        Perm(PermLiteral::Write) => items.push(Item::Text("write")),
        Perm(PermLiteral::None) => items.push(Item::Text("none")),
        Perm(PermLiteral::Wildcard) => items.push(Item::Text("wildcard")),
        Perm(PermLiteral::Epsilon) => items.push(Item::Text("epsilon")),
        Result => items.push(Item::Text("result")),
        Ident(name) => items.push(Item::Owned(name.to_string())),
        Call(call) if call.ascription.is_some() => {
            items.push(Item::Text("("));
            call_form(call, items);
            let ascription = call.ascription.as_ref().map_or(String::new(), type_text);
            items.push(Item::Owned(format!(": {ascription})")));
        }
        Call(call) => call_form(call, items),
        PredicateInstance(call) => {
            items.push(Item::Text("#"));
            call_form(call, items);
        }
        Field { receiver, field } => {
            items.extend([Item::Expr(*receiver, Level::Suffix), Item::Owned(format!(".{}", field.name))]);
        }
        Unary { op, operand } => items.extend([Item::Text(op.text()), Item::Expr(*operand, Level::Prefix)]),
        Binary { op, left, right } => {
            let (left_level, right_level) = operand_levels(*op);
            items.push(Item::Expr(*left, left_level));
            items.extend([Item::Text(" "), Item::Text(op.text()), Item::Text(" ")]);
            items.push(Item::Expr(*right, right_level));
        }
        Chain { first, links } => {
            items.push(Item::Expr(*first, Level::Sum));
            for (op, operand) in links {
                items.extend([Item::Text(" "), Item::Text(op.text()), Item::Text(" ")]);
                items.push(Item::Expr(*operand, Level::Sum));
            }
        }
        Conditional { condition, then, otherwise } => {
            items.push(Item::Expr(*condition, Level::Iff));
            items.extend([Item::Text(" ? "), full(then), Item::Text(" : "), full(otherwise)]);
        }
        Old { label, body } => {
            let head = match label {
                OldLabel::Start => "old(".to_string(),
                OldLabel::Lhs => "old[lhs](".to_string(),
                OldLabel::Label(label) => format!("old[{}](", label.name),
            };
            items.extend([Item::Owned(head), full(body), Item::Text(")")]);
        }
        Acc { location, amount } => {
            items.extend([Item::Text("acc("), Item::Expr(*location, Level::Suffix)]);
            amount.iter().for_each(|amount| items.extend([Item::Text(", "), full(amount)]));
            items.push(Item::Text(")"));
        }
        CurrentPerm(resource) => {
            items.extend([Item::Text("perm("), Item::Expr(*resource, Level::Wand), Item::Text(")")]);
        }
        Let { var, value, body } => {
            items.extend([Item::Owned(format!("let {} == (", var.name)), full(value)]);
            items.extend([Item::Text(") in "), full(body)]);
        }
        Forall(quantifier) => quantifier_form("forall", quantifier, items),
        Exists(quantifier) => quantifier_form("exists", quantifier, items),
        Forperm(forperm) => {
            items.push(Item::Owned(format!("forperm {} [", formals(&forperm.vars))));
            items.push(Item::Expr(forperm.resource, Level::Wand));
            items.extend([Item::Text("] :: "), full(&forperm.body)]);
        }
        Unfolding { access, body } => {
            items.extend([Item::Text("unfolding "), full(access), Item::Text(" in "), full(body)]);
        }
        Applying { wand, body } => {
            items.extend([Item::Text("applying ("), Item::Expr(*wand, Level::Wand)]);
            items.extend([Item::Text(") in "), full(body)]);
        }
        Asserting { assertion, body } => {
            items.extend([Item::Text("asserting ("), full(assertion), Item::Text(") in "), full(body)]);
        }
        Collection(collection) => {
            let element = collection.element.as_ref().map_or(String::new(), |ty| format!("[{}]", type_text(ty)));
            items.push(Item::Owned(format!("{:?}{element}(", collection.kind)));
            list_form(&collection.elements, items);
            items.push(Item::Text(")"));
        }
        Map(map) => {
            items.push(match &map.types {
                Some((key, value)) => Item::Owned(format!("Map[{}, {}](", type_text(key), type_text(value))),
                None => Item::Text("Map("),
            });
            for (index, (key, value)) in map.entries.iter().enumerate() {
                items.push(Item::Text(if index > 0 { ", " } else { "" }));
                items.extend([full(key), Item::Text(" := "), full(value)]);
            }
            items.push(Item::Text(")"));
        }
        MapDomain(map) => items.extend([Item::Text("domain("), full(map), Item::Text(")")]),
        MapRange(map) => items.extend([Item::Text("range("), full(map), Item::Text(")")]),
        New(NewFields::All) => items.push(Item::Text("new(*)")),
        New(NewFields::Fields(fields)) => items.push(Item::Owned(format!("new({})", names(fields)))),
        Cardinality(inner) => items.extend([Item::Text("|"), full(inner), Item::Text("|")]),
        InhaleExhale { inhale, exhale } => {
            items.extend([Item::Text("["), full(inhale), Item::Text(", "), full(exhale), Item::Text("]")]);
        }
        Range { low, high } => {
            items.extend([Item::Text("["), full(low), Item::Text(".."), full(high), Item::Text(")")]);
        }
        Index { base, index } => suffix_form(*base, [full(index)], items),
        Update { base, index, value } => suffix_form(*base, [full(index), Item::Text(" := "), full(value)], items),
        Take { base, end } => suffix_form(*base, [Item::Text(".."), full(end)], items),
        Drop { base, start } => suffix_form(*base, [full(start), Item::Text("..")], items),
        Slice { base, start, end } => suffix_form(*base, [full(start), Item::Text(".."), full(end)], items),
    }
}

fn operand_levels(op: BinaryOp) -> (Level, Level) {
    let level = op.level();
    let tighter = match level {
        Level::Iff => Level::Implies,
        Level::Implies => Level::Wand,
        Level::Wand => Level::Or,
        Level::Or => Level::And,
        Level::And => Level::Equality,
        Level::Equality => Level::Comparison,
        Level::Comparison => Level::Sum,
        Level::Sum => Level::Product,
        _ => Level::Prefix,
    };
    match op.grouping() {
        _ if op == BinaryOp::Wand => (tighter, Level::Conditional),
        // A wand would take what follows, so it never stands to the left of anything without parentheses.
        _ if op == BinaryOp::Implies => (Level::Or, level),
        Grouping::Right => (tighter, level),
        Grouping::Left => (level, tighter),
        Grouping::Chain => (tighter, tighter),
    }
}

fn call_form(call: &Call, items: &mut Vec<Item>) {
    items.push(Item::Owned(format!("{}(", call.callee.name)));
    list_form(&call.args, items);
    items.push(Item::Text(")"));
}

fn list_form(list: &[ExprId], items: &mut Vec<Item>) {
    for (index, id) in list.iter().enumerate() {
        items.push(Item::Text(if index > 0 { ", " } else { "" }));
        items.push(Item::Expr(*id, Level::Conditional));
    }
}

fn quantifier_form(word: &str, quantifier: &Quantifier, items: &mut Vec<Item>) {
    items.push(Item::Owned(format!("{word} {} ::", formals(&quantifier.vars))));
    for trigger in &quantifier.triggers {
        items.push(Item::Text(" {"));
        list_form(&trigger.terms, items);
        items.push(Item::Text("}"));
    }
    items.extend([Item::Text(" "), Item::Expr(quantifier.body, Level::Conditional)]);
}

fn suffix_form<const N: usize>(base: ExprId, inside: [Item; N], items: &mut Vec<Item>) {
    items.extend([Item::Expr(base, Level::Suffix), Item::Text("[")]);
    items.extend(inside);
    items.push(Item::Text("]"));
}
