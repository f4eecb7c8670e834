//! Expressions, one function for each level of precedence.

use super::{Braced, Parsed, Parser};
use crate::ast::{Binary, ExprId, ExprKind, Let, Quantified, Quantifier, Unary};
use crate::float::Float;
use crate::lex::Kind;
use dashu::{Integer, Rational};

const RELATIONS: &[(&str, Binary)] = &[
    ("==", Binary::Eq),
    ("<", Binary::Lt),
    (">", Binary::Gt),
    ("<=", Binary::Le),
    (">=", Binary::Ge),
    ("!=", Binary::Ne),
];
const SUMS: &[(&str, Binary)] = &[("+", Binary::Add), ("-", Binary::Sub)];
const PRODUCTS: &[(&str, Binary)] =
    &[("*", Binary::Mul), ("div", Binary::Div), ("mod", Binary::Mod), ("/", Binary::RealDiv)];

const ROUNDING_MODES: &[(&str, &str)] = &[
    ("roundNearestTiesToEven", "RNE"),
    ("roundNearestTiesToAway", "RNA"),
    ("roundTowardPositive", "RTP"),
    ("roundTowardNegative", "RTN"),
    ("roundTowardZero", "RTZ"),
];

impl Parser<'_> {
    pub(super) fn expression(&mut self) -> Parsed<ExprId> {
        stacker::maybe_grow(256 * 1024, 4 * 1024 * 1024, || {
            let mut left = self.implication(false)?;
            while self.sees("<==>") {
                let span = self.take().span;
                let right = self.implication(false)?;
                left = self.add(span, ExprKind::Binary(Binary::Iff, left, right));
            }
            Ok(left)
        })
    }

    fn implication(&mut self, behind_arrow: bool) -> Parsed<ExprId> {
        let mut left = self.logical()?;
        if self.sees("==>") {
            let span = self.take().span;
            let right = stacker::maybe_grow(256 * 1024, 4 * 1024 * 1024, || self.implication(true))?;
            return Ok(self.add(span, ExprKind::Binary(Binary::Implies, left, right)));
        }
        while self.sees("<==") {
            let span = self.take().span;
            if behind_arrow {
                self.complain("illegal mixture of ==> and <==, use parentheses to disambiguate");
            }
            let right = self.logical()?;
            left = self.add(span, ExprKind::Binary(Binary::Implies, right, left));
        }
        Ok(left)
    }

    /// `&&` and `||` must not be mixed without parentheses.
    fn logical(&mut self) -> Parsed<ExprId> {
        let left = self.relation()?;
        let op = if self.sees("||") { ("||", Binary::Or) } else { ("&&", Binary::And) };
        self.chain(left, &[op], Self::relation)
    }

    fn relation(&mut self) -> Parsed<ExprId> {
        let left = self.concatenation()?;
        let Some((span, op)) = self.operator(RELATIONS) else { return Ok(left) };
        let right = self.concatenation()?;
        Ok(self.add(span, ExprKind::Binary(op, left, right)))
    }
    fn concatenation(&mut self) -> Parsed<ExprId> {
        let left = self.sum()?;
        self.chain(left, &[("++", Binary::Concat)], Self::sum)
    }
    fn sum(&mut self) -> Parsed<ExprId> {
        let left = self.product()?;
        self.chain(left, SUMS, Self::product)
    }
    fn product(&mut self) -> Parsed<ExprId> {
        let left = self.power()?;
        self.chain(left, PRODUCTS, Self::power)
    }
    fn power(&mut self) -> Parsed<ExprId> {
        let base = self.tested()?;
        let Some((span, op)) = self.operator(&[("**", Binary::Pow)]) else { return Ok(base) };
        let exponent = stacker::maybe_grow(256 * 1024, 4 * 1024 * 1024, || self.power())?;
        Ok(self.add(span, ExprKind::Binary(op, base, exponent)))
    }
    fn tested(&mut self) -> Parsed<ExprId> {
        let value = self.unary()?;
        if !self.sees("is") {
            return Ok(value);
        }
        let span = self.take().span;
        let constructor = self.ident()?;
        Ok(self.add(span, ExprKind::Is(value, constructor)))
    }

    fn operator(&mut self, table: &[(&str, Binary)]) -> Option<(echis_base::Span, Binary)> {
        let op = table.iter().find(|(text, _)| self.sees(text)).map(|(_, op)| *op)?;
        Some((self.take().span, op))
    }
    fn chain(
        &mut self,
        mut left: ExprId,
        table: &[(&str, Binary)],
        operand: impl Fn(&mut Self) -> Parsed<ExprId>,
    ) -> Parsed<ExprId> {
        while let Some((span, op)) = self.operator(table) {
            let right = operand(self)?;
            left = self.add(span, ExprKind::Binary(op, left, right));
        }
        Ok(left)
    }

    fn unary(&mut self) -> Parsed<ExprId> {
        let op = match self.peek().text {
            "-" if self.sees("-") => Unary::Neg,
            "!" if self.sees("!") => Unary::Not,
            _ => return self.coercion(),
        };
        let span = self.take().span;
        let operand = stacker::maybe_grow(256 * 1024, 4 * 1024 * 1024, || self.unary())?;
        Ok(self.add(span, ExprKind::Unary(op, operand)))
    }

    fn coercion(&mut self) -> Parsed<ExprId> {
        let mut value = self.postfix()?;
        while self.sees(":") {
            let span = self.take().span;
            if self.peek().kind == Kind::Digits {
                let low = self.number();
                let high = match &self.tree.exprs[value].kind {
                    ExprKind::Int(high) => high.clone(),
                    _ => {
                        self.complain("arguments of extract need to be integer literals");
                        Integer::ZERO
                    }
                };
                value = self.add(span, ExprKind::Bounds { high, low });
            } else {
                let ty = self.ty()?;
                value = self.add(span, ExprKind::Coerce(value, ty));
            }
        }
        Ok(value)
    }

    fn postfix(&mut self) -> Parsed<ExprId> {
        let mut value = self.atom()?;
        loop {
            if self.sees("[") {
                value = self.index(value)?;
            } else if self.sees("->") {
                let span = self.take().span;
                value = self.field(value, span)?;
            } else {
                return Ok(value);
            }
        }
    }

    fn field(&mut self, value: ExprId, span: echis_base::Span) -> Parsed<ExprId> {
        if !self.skip("(") {
            let field = self.ident()?;
            return Ok(self.add(span, ExprKind::Field(value, field)));
        }
        let field = self.ident()?;
        let span = self.expect(":=")?;
        let new = self.expression()?;
        self.expect(")")?;
        Ok(self.add(span, ExprKind::Update(value, field, new)))
    }

    /// `m[i, j]`, `m[i := v]` or `b[8:0]`.
    fn index(&mut self, base: ExprId) -> Parsed<ExprId> {
        let span = self.expect("[")?;
        let args = if self.sees_any(&["]", ":="]) { Vec::new() } else { self.separated(Self::expression)? };
        let bounds = |parser: &Self, arg: &ExprId| matches!(parser.tree.exprs[*arg].kind, ExprKind::Bounds { .. });
        let has_bounds = args.iter().any(|arg| bounds(self, arg));
        if has_bounds && args.len() > 1 {
            self.complain("bitvectors only have one dimension");
        }
        if self.skip(":=") {
            let value = self.expression()?;
            if has_bounds || bounds(self, &value) {
                self.complain("assignment to bitvectors is not possible");
            }
            self.expect("]")?;
            return Ok(self.add(span, ExprKind::Store(base, args, value)));
        }
        self.expect("]")?;
        match (&args[..], args.first().map(|arg| self.tree.exprs[*arg].kind.clone())) {
            ([_], Some(ExprKind::Bounds { high, low })) => {
                let narrow = |bound: Integer| u32::try_from(bound).unwrap_or(u32::MAX);
                Ok(self.add(span, ExprKind::Extract { base, high: narrow(high), low: narrow(low) }))
            }
            _ => Ok(self.add(span, ExprKind::Select(base, args))),
        }
    }

    fn number(&mut self) -> Integer {
        let text = self.take().text;
        text.parse().unwrap_or(Integer::ZERO)
    }

    fn atom(&mut self) -> Parsed<ExprId> {
        let token = self.peek();
        let span = token.span;
        match token.kind {
            Kind::Digits => {
                let value = self.number();
                return Ok(self.add(span, ExprKind::Int(value)));
            }
            Kind::Bitvector => {
                self.take();
                let (value, width) = token.text.split_once("bv").unwrap_or((token.text, "0"));
                let (value, width) = (value.parse().unwrap_or(Integer::ZERO), width.parse().unwrap_or(0));
                return Ok(self.add(span, ExprKind::Bitvector(value, width)));
            }
            Kind::Decimal => {
                self.take();
                let value = decimal(token.text);
                return Ok(self.add(span, ExprKind::Real(value)));
            }
            Kind::Float => {
                self.take();
                let kind = match Float::parse(token.text) {
                    Some(float) => ExprKind::Float(float),
                    None => {
                        let reason = format!("Unable to parse '{}' as BigFloat in strict mode", token.text);
                        self.complain(format!("incorrectly formatted floating point, {reason}"));
                        ExprKind::Bool(false)
                    }
                };
                return Ok(self.add(span, kind));
            }
            Kind::String => {
                self.take();
                return Ok(self.add(span, ExprKind::Text(token.text.into())));
            }
            _ if self.sees_ident() => {
                let name = self.ident()?;
                if !self.skip("(") {
                    return Ok(self.add(span, ExprKind::Name(name.name)));
                }
                let args = if self.sees(")") { Vec::new() } else { self.separated(Self::expression)? };
                self.expect(")")?;
                return Ok(self.add(span, ExprKind::Call(name.name, args)));
            }
            Kind::Fixed => {}
            _ => return Ok(self.missing_expression()),
        }
        if let Some((_, mode)) = ROUNDING_MODES.iter().find(|(long, short)| [*long, *short].contains(&token.text)) {
            self.take();
            return Ok(self.add(span, ExprKind::RoundingMode(mode)));
        }
        match token.text {
            "false" | "true" => {
                self.take();
                Ok(self.add(span, ExprKind::Bool(token.text == "true")))
            }
            "old" => self.applied(ExprKind::Old),
            "int" => self.applied(ExprKind::ToInt),
            "real" => self.applied(ExprKind::ToReal),
            "(" => {
                self.take();
                let inner = self.parenthesised()?;
                self.expect(")")?;
                Ok(inner)
            }
            "if" => self.conditional(),
            "|{" => {
                let body = self.code()?;
                Ok(self.add(span, ExprKind::Code(Box::new(body))))
            }
            _ => Ok(self.missing_expression()),
        }
    }

    fn missing_expression(&mut self) -> ExprId {
        self.miss("invalid AtomExpression");
        let span = self.peek().span;
        self.add(span, ExprKind::Bool(false))
    }
    fn applied(&mut self, kind: impl FnOnce(ExprId) -> ExprKind) -> Parsed<ExprId> {
        let span = self.take().span;
        self.expect("(")?;
        let operand = self.expression()?;
        self.expect(")")?;
        Ok(self.add(span, kind(operand)))
    }

    fn conditional(&mut self) -> Parsed<ExprId> {
        let span = self.expect("if")?;
        let condition = self.expression()?;
        self.expect("then")?;
        let then = self.expression()?;
        self.expect("else")?;
        let otherwise = self.expression()?;
        Ok(self.add(span, ExprKind::If(condition, then, otherwise)))
    }

    fn parenthesised(&mut self) -> Parsed<ExprId> {
        let quantifier = match self.peek().text {
            "forall" if self.sees("forall") => Quantifier::Forall,
            "exists" if self.sees("exists") => Quantifier::Exists,
            "lambda" if self.sees("lambda") => Quantifier::Lambda,
            "var" if self.sees("var") => return self.let_expression(),
            _ => {
                let inner = self.expression()?;
                if matches!(self.tree.exprs[inner].kind, ExprKind::Bounds { .. }) {
                    self.complain("parentheses around bitvector bounds are not allowed");
                }
                return Ok(inner);
            }
        };
        self.quantified(quantifier)
    }

    fn quantified(&mut self, quantifier: Quantifier) -> Parsed<ExprId> {
        let span = self.take().span;
        if !self.sees("<") && !self.sees_ident() && !self.sees("{") {
            self.miss("invalid QuantifierBody");
        }
        let type_params = self.type_params()?;
        let has_vars = self.sees_ident() || self.sees("{");
        let vars = if has_vars { self.variables(Err("bound variables"))? } else { Vec::new() };
        self.expect("::")?;
        let (mut attributes, mut triggers, mut excluded) = (Vec::new(), Vec::new(), Vec::new());
        let mut trigger_spans = Vec::new();
        while self.sees("{") {
            let start = self.peek().span;
            match self.attribute_or_trigger()? {
                Braced::Attribute(attribute) => attributes.push(attribute),
                Braced::Trigger(terms) => {
                    triggers.push(terms);
                    trigger_spans.push(start);
                }
                Braced::Excluded(term) => excluded.extend(term),
            }
        }
        let body = self.expression()?;
        if quantifier == Quantifier::Lambda && !triggers.is_empty() {
            self.complain("triggers not allowed in lambda expressions");
        }
        if type_params.is_empty() && vars.is_empty() {
            return Ok(body);
        }
        let quantified =
            Quantified { quantifier, type_params, vars, attributes, triggers, trigger_spans, excluded, body };
        Ok(self.add(span, ExprKind::Quantified(Box::new(quantified))))
    }

    fn let_expression(&mut self) -> Parsed<ExprId> {
        let span = self.expect("var")?;
        let vars = self.separated(|parser| {
            parser.attributes()?;
            parser.ident()
        })?;
        self.expect(":=")?;
        let values = self.separated(Self::expression)?;
        self.expect(";")?;
        let attributes = self.attributes()?;
        let body = self.expression()?;
        Ok(self.add(span, ExprKind::Let(Box::new(Let { vars, values, attributes, body }))))
    }
}

/// `12.5e-3`
fn decimal(text: &str) -> Rational {
    let (digits, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let value: Integer = format!("{whole}{fraction}").parse().unwrap_or(Integer::ZERO);
    let exponent = exponent.parse::<i64>().unwrap_or(0).clamp(-100_000, 100_000) - fraction.len() as i64;
    let scale = Integer::from(10).pow(exponent.unsigned_abs() as usize);
    if exponent < 0 { Rational::from_parts_signed(value, scale) } else { Rational::from(value * scale) }
}
