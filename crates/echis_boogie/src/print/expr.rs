//! Expressions, with parentheses where they would be read otherwise.

use super::Printer;
use crate::ast::{Binary, ExprId, ExprKind, Let, Quantified, Quantifier, Unary, Variable};
use dashu::base::BitTest;
use dashu::{Integer, Rational};

/// How tightly an expression holds together, in the order of the parser's functions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    /// What takes all that follows: conditionals, coercions, bounds.
    Open,
    Iff,
    Implies,
    /// `&&` and `||` do not mix.
    Logical,
    Relation,
    Concat,
    Sum,
    Product,
    Power,
    Is,
    Unary,
    Postfix,
    Atom,
}

impl Printer<'_> {
    /// Where nothing follows that could belong to it.
    pub(super) fn expr(&mut self, expr: ExprId) {
        self.at(Level::Open, expr);
    }
    pub(super) fn exprs(&mut self, exprs: &[ExprId]) {
        self.separated(exprs, |printer, expr| printer.expr(*expr));
    }
    /// In parentheses if it does not hold together tightly enough.
    fn at(&mut self, least: Level, expr: ExprId) {
        stacker::maybe_grow(256 * 1024, 4 * 1024 * 1024, || {
            let is_loose = level(&self.tree.exprs[expr].kind) < least;
            self.put(if is_loose { "(" } else { "" });
            self.kind(expr);
            self.put(if is_loose { ")" } else { "" });
        });
    }
    fn kind(&mut self, expr: ExprId) {
        let tree = self.tree;
        match &tree.exprs[expr].kind {
            ExprKind::Bool(value) => self.put(if *value { "true" } else { "false" }),
            ExprKind::Int(value) => self.put(&value.to_string()),
            ExprKind::Real(value) => self.put(&decimal(value)),
            ExprKind::Bitvector(value, width) => self.put(&format!("{value}bv{width}")),
            ExprKind::Float(value) => self.put(&value.text()),
            ExprKind::RoundingMode(mode) => self.put(mode),
            ExprKind::Text(text) => self.quoted(text),
            ExprKind::Name(name) => self.name(name),
            ExprKind::Call(name, args) => {
                self.name(name);
                self.put("(");
                self.exprs(args);
                self.put(")");
            }
            ExprKind::Old(operand) => self.applied("old", *operand),
            ExprKind::ToInt(operand) => self.applied("int", *operand),
            ExprKind::ToReal(operand) => self.applied("real", *operand),
            ExprKind::Unary(op, operand) => self.unary(*op, *operand),
            ExprKind::Binary(op, left, right) => self.binary(*op, *left, *right),
            ExprKind::Coerce(value, ty) => {
                self.at(Level::Postfix, *value);
                self.put(": ");
                self.ty(ty);
            }
            ExprKind::Bounds { high, low } => self.put(&format!("{high}:{low}")),
            ExprKind::Extract { base, high, low } => {
                self.at(Level::Postfix, *base);
                self.put(&format!("[{high}:{low}]"));
            }
            ExprKind::Select(base, args) => {
                self.at(Level::Postfix, *base);
                self.put("[");
                self.exprs(args);
                self.put("]");
            }
            ExprKind::Store(base, args, value) => {
                self.at(Level::Postfix, *base);
                self.put("[");
                self.exprs(args);
                self.put(" := ");
                self.expr(*value);
                self.put("]");
            }
            ExprKind::Is(value, constructor) => {
                self.at(Level::Unary, *value);
                self.put(" is ");
                self.name(&constructor.name);
            }
            ExprKind::Field(value, field) => {
                self.at(Level::Postfix, *value);
                self.put("->");
                self.name(&field.name);
            }
            ExprKind::Update(value, field, new) => {
                self.at(Level::Postfix, *value);
                self.put("->(");
                self.name(&field.name);
                self.put(" := ");
                self.expr(*new);
                self.put(")");
            }
            ExprKind::If(condition, then, otherwise) => {
                self.put("if ");
                self.expr(*condition);
                self.put(" then ");
                self.expr(*then);
                self.put(" else ");
                self.expr(*otherwise);
            }
            ExprKind::Quantified(quantified) => self.quantified(quantified),
            ExprKind::Let(parts) => self.let_expression(parts),
            ExprKind::Code(body) => self.code(body),
        }
    }
    fn applied(&mut self, word: &str, operand: ExprId) {
        self.put(word);
        self.put("(");
        self.expr(operand);
        self.put(")");
    }
    fn unary(&mut self, op: Unary, operand: ExprId) {
        // A minus belongs to the literal of a floating-point number behind it.
        let is_float = matches!(self.tree.exprs[operand].kind, ExprKind::Float(_));
        match op {
            Unary::Not => self.put("!"),
            Unary::Neg => self.put(if is_float { "- " } else { "-" }),
        }
        self.at(Level::Unary, operand);
    }
    fn binary(&mut self, op: Binary, left: ExprId, right: ExprId) {
        let own = binary_level(op);
        let (left_level, right_level) = match op {
            Binary::Implies => (Level::Logical, Level::Implies),
            Binary::Iff => (Level::Iff, Level::Implies),
            Binary::And | Binary::Or if self.is(left, op) => (Level::Logical, Level::Relation),
            Binary::And | Binary::Or => (Level::Relation, Level::Relation),
            Binary::Eq | Binary::Ne | Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge => {
                (Level::Concat, Level::Concat)
            }
            Binary::Concat => (own, Level::Sum),
            Binary::Add | Binary::Sub => (own, Level::Product),
            Binary::Mul | Binary::Div | Binary::Mod | Binary::RealDiv => (own, Level::Power),
            Binary::Pow => (Level::Is, own),
        };
        self.at(left_level, left);
        self.put(" ");
        self.put(op.text());
        self.put(" ");
        self.at(right_level, right);
    }
    fn is(&self, expr: ExprId, op: Binary) -> bool {
        matches!(&self.tree.exprs[expr].kind, ExprKind::Binary(found, ..) if *found == op)
    }
    fn quantified(&mut self, quantified: &Quantified) {
        self.put(match quantified.quantifier {
            Quantifier::Forall => "(forall",
            Quantifier::Exists => "(exists",
            Quantifier::Lambda => "(lambda",
        });
        self.type_params(&quantified.type_params);
        if !quantified.vars.is_empty() {
            self.put(" ");
        }
        self.variables(&quantified.vars);
        self.put(" :: ");
        self.attributes(&quantified.attributes);
        for trigger in &quantified.triggers {
            self.put("{");
            self.exprs(trigger);
            self.put("} ");
        }
        for term in &quantified.excluded {
            self.put("{:nopats ");
            self.expr(*term);
            self.put("} ");
        }
        self.expr(quantified.body);
        self.put(")");
    }
    fn let_expression(&mut self, parts: &Let) {
        self.put("(var ");
        self.idents(&parts.vars);
        self.put(" := ");
        self.exprs(&parts.values);
        self.put("; ");
        self.attributes(&parts.attributes);
        self.expr(parts.body);
        self.put(")");
    }
    pub(super) fn variables(&mut self, vars: &[Variable]) {
        self.separated(vars, |printer, var| {
            printer.attributes(&var.attributes);
            printer.variable(var);
        });
    }
    pub(super) fn variable(&mut self, var: &Variable) {
        self.name(&var.name.name);
        self.put(": ");
        self.ty(&var.ty);
        if let Some(constraint) = var.constraint {
            self.put(" where ");
            self.expr(constraint);
        }
    }
}

fn level(kind: &ExprKind) -> Level {
    match kind {
        ExprKind::If(..) | ExprKind::Coerce(..) | ExprKind::Bounds { .. } => Level::Open,
        ExprKind::Binary(op, ..) => binary_level(*op),
        ExprKind::Is(..) => Level::Is,
        ExprKind::Unary(..) => Level::Unary,
        ExprKind::Extract { .. }
        | ExprKind::Select(..)
        | ExprKind::Store(..)
        | ExprKind::Field(..)
        | ExprKind::Update(..) => Level::Postfix,
        ExprKind::Bool(_)
        | ExprKind::Int(_)
        | ExprKind::Real(_)
        | ExprKind::Bitvector(..)
        | ExprKind::Float(_)
        | ExprKind::RoundingMode(_)
        | ExprKind::Text(_)
        | ExprKind::Name(_)
        | ExprKind::Call(..)
        | ExprKind::Old(_)
        | ExprKind::ToInt(_)
        | ExprKind::ToReal(_)
        | ExprKind::Quantified(_)
        | ExprKind::Let(_)
        | ExprKind::Code(_) => Level::Atom,
    }
}

fn binary_level(op: Binary) -> Level {
    match op {
        Binary::Iff => Level::Iff,
        Binary::Implies => Level::Implies,
        Binary::And | Binary::Or => Level::Logical,
        Binary::Eq | Binary::Ne | Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge => Level::Relation,
        Binary::Concat => Level::Concat,
        Binary::Add | Binary::Sub => Level::Sum,
        Binary::Mul | Binary::Div | Binary::Mod | Binary::RealDiv => Level::Product,
        Binary::Pow => Level::Power,
    }
}

/// Literals are decimals, so a power of ten clears the denominator, and one with as many digits as it has bits always does.
fn decimal(value: &Rational) -> String {
    let (numerator, denominator) = value.clone().into_parts();
    let places = denominator.bit_len();
    let digits = (numerator * Integer::from(10).pow(places) / Integer::from(denominator)).to_string();
    let digits = format!("{digits:0>width$}", width = places + 1);
    let (whole, fraction) = digits.split_at(digits.len() - places);
    let fraction = fraction.trim_end_matches('0');
    format!("{whole}.{}", if fraction.is_empty() { "0" } else { fraction })
}
