//! Random programs as Boogie text.

use super::{Condition, Expr, Field, GLOBALS, Op, Procedure, Program, Stmt, Type};
use std::fmt::Write;

const PRELUDE: &str = "\
type Field _;
type Record = <a>[Field a]a;
const unique size: Field int;
const unique rank: Field int;
const unique flag: Field bool;
datatype List { Nil(), Cons(head: int, tail: List) }
function twice(x: int) returns (int) { x + x }
";

pub fn program(program: &Program) -> String {
    let mut text = PRELUDE.to_string();
    for (name, ty) in GLOBALS {
        let _ = writeln!(text, "var {name}: {};", type_name(ty));
    }
    for procedure in &program.procedures {
        Printer { program, procedure, text: &mut text, labels: 0 }.procedure();
    }
    text
}

fn type_name(ty: Type) -> &'static str {
    match ty {
        Type::Int => "int",
        Type::Bool => "bool",
        Type::Ints => "[int]int",
        Type::List => "List",
        Type::Record => "Record",
    }
}

pub fn field_name(field: Field) -> &'static str {
    match field {
        Field::Size => "size",
        Field::Rank => "rank",
        Field::Flag => "flag",
    }
}

struct Printer<'a> {
    program: &'a Program,
    procedure: &'a Procedure,
    text: &'a mut String,
    labels: usize,
}

impl Printer<'_> {
    fn procedure(&mut self) {
        let procedure = self.procedure;
        let declared = |(name, ty): &(String, Type)| format!("{name}: {}", type_name(*ty));
        let own = &procedure.vars[GLOBALS.len()..];
        let params: Vec<String> = own[..procedure.params].iter().map(declared).collect();
        let result = declared(&own[procedure.params]);
        let _ = writeln!(self.text, "procedure {}({}) returns ({result})", procedure.name, params.join(", "));
        let globals: Vec<&str> = GLOBALS.iter().map(|(name, _)| *name).collect();
        let _ = writeln!(self.text, "  modifies {};", globals.join(", "));
        for (word, conditions) in [("requires", &procedure.requires), ("ensures", &procedure.ensures)] {
            for condition in conditions {
                let _ = writeln!(self.text, "  {word} {};", self.expr(&condition.expr));
            }
        }
        self.text.push_str("{\n");
        for local in &own[procedure.params + 1..] {
            let _ = writeln!(self.text, "  var {};", declared(local));
        }
        self.block(&procedure.body);
        self.text.push_str("}\n");
    }

    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "  {line}");
    }
    fn label(&mut self) -> String {
        self.labels += 1;
        format!("l{}", self.labels)
    }
    fn block(&mut self, stmts: &[Stmt]) {
        stmts.iter().for_each(|stmt| self.stmt(stmt));
    }
    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Assign(var, value) => self.line(&format!("{} := {};", self.name(*var), self.expr(value))),
            Stmt::Havoc(var) => self.line(&format!("havoc {};", self.name(*var))),
            Stmt::Assume(condition) => self.line(&format!("assume {};", self.expr(condition))),
            Stmt::Assert(condition) => self.line(&format!("assert {};", self.expr(&condition.expr))),
            Stmt::If { condition, then, otherwise, as_jumps } => {
                let condition = condition.as_ref().map(|condition| self.expr(condition));
                match as_jumps {
                    true => self.jumps(condition, then, otherwise),
                    false => {
                        self.line(&format!("if ({}) {{", condition.as_deref().unwrap_or("*")));
                        self.block(then);
                        self.line("} else {");
                        self.block(otherwise);
                        self.line("}");
                    }
                }
            }
            Stmt::While { condition, invariants, free, body, as_jumps } => {
                let condition = self.expr(condition);
                match as_jumps {
                    true => self.loop_of_jumps(&condition, invariants, free, body),
                    false => {
                        self.line(&format!("while ({condition})"));
                        for invariant in invariants {
                            self.line(&format!("  invariant {};", self.expr(&invariant.expr)));
                        }
                        for believed in free {
                            self.line(&format!("  free invariant {};", self.expr(believed)));
                        }
                        self.line("{");
                        self.block(body);
                        self.line("}");
                    }
                }
            }
            Stmt::Call { procedure, args, result } => {
                let args: Vec<String> = args.iter().map(|arg| self.expr(arg)).collect();
                let callee = &self.program.procedures[*procedure].name;
                self.line(&format!("call {} := {callee}({});", self.name(*result), args.join(", ")));
            }
        }
    }
    fn jumps(&mut self, condition: Option<String>, then: &[Stmt], otherwise: &[Stmt]) {
        let (first, second, end) = (self.label(), self.label(), self.label());
        self.line(&format!("goto {first}, {second};"));
        for (label, block, negation) in [(&first, then, ""), (&second, otherwise, "!")] {
            self.line(&format!("{label}:"));
            if let Some(condition) = &condition {
                self.line(&format!("assume {negation}({condition});"));
            }
            self.block(block);
            self.line(&format!("goto {end};"));
        }
        self.line(&format!("{end}:"));
    }
    fn loop_of_jumps(&mut self, condition: &str, invariants: &[Condition], free: &[Expr], body: &[Stmt]) {
        let (head, inside, end) = (self.label(), self.label(), self.label());
        self.line(&format!("goto {head};"));
        self.line(&format!("{head}:"));
        for invariant in invariants {
            self.line(&format!("assert {};", self.expr(&invariant.expr)));
        }
        for believed in free {
            self.line(&format!("assume {};", self.expr(believed)));
        }
        self.line(&format!("goto {inside}, {end};"));
        self.line(&format!("{inside}:"));
        self.line(&format!("assume {condition};"));
        self.block(body);
        self.line(&format!("goto {head};"));
        self.line(&format!("{end}:"));
        self.line(&format!("assume !({condition});"));
    }

    fn name(&self, var: usize) -> &str {
        &self.procedure.vars[var].0
    }
    fn expr(&self, expr: &Expr) -> String {
        let show = |expr: &Expr| self.expr(expr);
        match expr {
            Expr::Int(value) if *value < 0 => format!("({value})"),
            Expr::Int(value) => value.to_string(),
            Expr::Bool(value) => value.to_string(),
            Expr::Var(var) => self.name(*var).to_string(),
            Expr::Old(var) => format!("old({})", self.name(*var)),
            Expr::Not(inner) => format!("!({})", show(inner)),
            Expr::Negate(inner) => format!("(-({}))", show(inner)),
            Expr::Binary(op, left, right) => format!("({} {} {})", show(left), operator(*op), show(right)),
            Expr::If(condition, then, otherwise) => {
                format!("(if {} then {} else {})", show(condition), show(then), show(otherwise))
            }
            Expr::Select(map, index) => format!("{}[{}]", show(map), show(index)),
            Expr::Store(map, index, value) => format!("{}[{} := {}]", show(map), show(index), show(value)),
            Expr::Read(record, field) => format!("{}[{}]", show(record), field_name(*field)),
            Expr::Write(record, field, value) => format!("{}[{} := {}]", show(record), field_name(*field), show(value)),
            Expr::Nil => "Nil()".to_string(),
            Expr::Cons(head, tail) => format!("Cons({}, {})", show(head), show(tail)),
            Expr::IsCons(list) => format!("({} is Cons)", show(list)),
            Expr::Head(list) => format!("{}->head", show(list)),
            Expr::Tail(list) => format!("{}->tail", show(list)),
            Expr::Twice(value) => format!("twice({})", show(value)),
            Expr::Quantified { all, bound, from, to, body } => {
                let (word, then) = if *all { ("forall", "==>") } else { ("exists", "&&") };
                format!("({word} i{bound}: int :: {from} <= i{bound} && i{bound} < {to} {then} {})", show(body))
            }
            Expr::Bound(bound) => format!("i{bound}"),
        }
    }
}

fn operator(op: Op) -> &'static str {
    match op {
        Op::Add => "+",
        Op::Sub => "-",
        Op::Mul => "*",
        Op::Div => "div",
        Op::Mod => "mod",
        Op::Less => "<",
        Op::AtMost => "<=",
        Op::Equal => "==",
        Op::Differ => "!=",
        Op::And => "&&",
        Op::Or => "||",
        Op::Implies => "==>",
        Op::Iff => "<==>",
    }
}
