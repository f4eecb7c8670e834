//! Statements.

use super::{Parsed, Parser};
use crate::ast::{Block, Body, Call, Clause, Ident, Step, Stmt, StmtKind, Target};
use crate::labels;
use echis_base::Span;

impl Parser<'_> {
    pub(super) fn body(&mut self) -> Parsed<Body> {
        self.expect("{")?;
        let mut locals = Vec::new();
        while self.sees("var") {
            locals.extend(self.variable_declaration()?);
        }
        let Block { stmts, end } = self.statements()?;
        labels::check(&stmts, &mut self.errors);
        Ok(Body { locals, stmts, end })
    }

    /// `|{ … }|`
    pub(super) fn code(&mut self) -> Parsed<Body> {
        self.expect("|{")?;
        let mut locals = Vec::new();
        while self.sees("var") {
            locals.extend(self.variable_declaration()?);
        }
        let mut stmts = Vec::new();
        while self.sees_statement() {
            if self.sees("return") {
                let span = self.take().span;
                let attributes = self.attributes()?;
                let value = self.expression()?;
                self.expect(";")?;
                stmts.push(Stmt { span, whole: span, attributes, kind: StmtKind::Yield(value), mark: None });
            } else {
                stmts.push(self.whole_statement()?);
            }
        }
        let end = self.expect("}|")?;
        labels::check(&stmts, &mut self.errors);
        Ok(Body { locals, stmts, end })
    }

    /// Up to and including the closing brace.
    fn statements(&mut self) -> Parsed<Block> {
        stacker::maybe_grow(128 * 1024, 2 * 1024 * 1024, || {
            let mut stmts = Vec::new();
            while self.sees_statement() {
                stmts.push(self.whole_statement()?);
            }
            let end = self.expect("}")?;
            Ok(Block { stmts, end })
        })
    }

    fn sees_statement(&self) -> bool {
        const STARTS: &[&str] = &[
            "assert", "assume", "measure", "goto", "return", "if", "while", "break", "havoc", "call", "free", "async",
            "par", "yield",
        ];
        self.sees_ident() || self.sees_any(STARTS)
    }
    fn whole_statement(&mut self) -> Parsed<Stmt> {
        let start = self.peek().span;
        let mut stmt = self.statement()?;
        if !matches!(stmt.kind, StmtKind::If { .. } | StmtKind::While { .. }) {
            stmt.whole = start.to(self.last().span);
        }
        Ok(stmt)
    }
    fn statement(&mut self) -> Parsed<Stmt> {
        let token = self.peek();
        let span = token.span;
        // Words such as `reveal` are names if an assignment or a label follows.
        if self.sees_ident() && !(self.sees_any(&["reveal", "hide"]) && self.names_function()) && !self.is_scope() {
            return self.label_or_assignment();
        }
        let attributes = match token.text {
            "assert" | "assume" | "measure" | "goto" | "return" | "if" => {
                self.take();
                self.attributes()?
            }
            _ => Vec::new(),
        };
        let kind = match token.text {
            "assert" => StmtKind::Assert(self.expression()?),
            "assume" => StmtKind::Assume(self.expression()?),
            "measure" => StmtKind::Measure(self.separated(Self::expression)?),
            "goto" => StmtKind::Goto(self.idents()?),
            "return" => StmtKind::Return,
            "if" => return self.if_statement(span, attributes),
            "while" => return self.while_statement(),
            "break" => {
                self.take();
                StmtKind::Break(if self.sees(";") { None } else { Some(self.ident()?) })
            }
            "havoc" => {
                self.take();
                StmtKind::Havoc(self.idents()?)
            }
            "reveal" | "hide" => {
                self.take();
                let of = if self.skip("*") { None } else { Some(self.ident()?) };
                if token.text == "hide" { StmtKind::Hide(of) } else { StmtKind::Reveal(of) }
            }
            "push" => {
                self.take();
                StmtKind::Push
            }
            "pop" => {
                self.take();
                StmtKind::Pop
            }
            "call" | "free" => return self.call(),
            "async" => return self.refuse(span, "asynchronous calls are"),
            "par" => return self.refuse(span, "parallel calls are"),
            "yield" => return self.refuse(span, "concurrent programs (CIVL) are"),
            _ => return self.stop("invalid LabelOrCmd"),
        };
        self.expect(";")?;
        Ok(Stmt { span, whole: span, attributes, kind, mark: None })
    }
    fn names_function(&self) -> bool {
        let next = self.peek_second();
        next.kind == crate::lex::Kind::Ident || next.text == "*"
    }
    fn is_scope(&self) -> bool {
        self.sees_any(&["push", "pop"]) && self.peek_second().text == ";"
    }

    fn label_or_assignment(&mut self) -> Parsed<Stmt> {
        let name = self.ident()?;
        if self.skip(":") {
            return Ok(Stmt {
                span: name.span,
                whole: name.span,
                attributes: Vec::new(),
                kind: StmtKind::Label(name.name),
                mark: None,
            });
        }
        if self.skip("(") {
            let vars = if self.sees(")") { Vec::new() } else { self.idents()? };
            self.expect(")")?;
            let span = self.expect(":=")?;
            let attributes = self.attributes()?;
            let value = self.expression()?;
            self.expect(";")?;
            return Ok(Stmt {
                span,
                whole: span,
                attributes,
                kind: StmtKind::Unpack { constructor: name, vars, value },
                mark: None,
            });
        }
        let mut targets = vec![self.target(name)?];
        while self.skip(",") {
            let name = self.ident()?;
            targets.push(self.target(name)?);
        }
        let span = self.expect(":=")?;
        let attributes = self.attributes()?;
        let values = self.separated(Self::expression)?;
        self.expect(";")?;
        Ok(Stmt { span, whole: span, attributes, kind: StmtKind::Assign { targets, values }, mark: None })
    }
    fn target(&mut self, name: Ident) -> Parsed<Target> {
        let mut steps = Vec::new();
        loop {
            let span = self.peek().span;
            if self.skip("[") {
                let indices = if self.sees("]") { Vec::new() } else { self.separated(Self::expression)? };
                self.expect("]")?;
                steps.push((span, Step::Index(indices)));
            } else if self.skip("->") {
                steps.push((span, Step::Field(self.ident()?)));
            } else {
                return Ok(Target { name, steps });
            }
        }
    }

    fn guard(&mut self) -> Parsed<Option<crate::ast::ExprId>> {
        self.expect("(")?;
        let condition = if self.skip("*") { None } else { Some(self.expression()?) };
        self.expect(")")?;
        Ok(condition)
    }
    fn if_statement(&mut self, span: Span, attributes: Vec<crate::ast::Attribute>) -> Parsed<Stmt> {
        let condition = self.guard()?;
        let whole = span.to(self.last().span);
        self.expect("{")?;
        let then = self.statements()?;
        let mut otherwise = None;
        if self.skip("else") {
            let start = self.peek().span;
            if self.skip("if") {
                let attributes = self.attributes()?;
                let inner = stacker::maybe_grow(128 * 1024, 2 * 1024 * 1024, || self.if_statement(start, attributes))?;
                otherwise = Some(Block { stmts: vec![inner], end: self.last().span });
            } else {
                self.expect("{")?;
                otherwise = Some(self.statements()?);
            }
        }
        Ok(Stmt { span, whole, attributes, kind: StmtKind::If { condition, then, otherwise }, mark: None })
    }
    fn while_statement(&mut self) -> Parsed<Stmt> {
        let span = self.expect("while")?;
        let condition = self.guard()?;
        let whole = span.to(self.last().span);
        let (mut invariants, mut measures) = (Vec::new(), Vec::new());
        while self.sees_any(&["free", "invariant", "measure"]) {
            if self.sees("measure") {
                measures.push(self.measure()?);
                continue;
            }
            let span = self.peek().span;
            let free = self.skip("free");
            self.expect("invariant")?;
            let attributes = self.attributes()?;
            if self.sees("call") {
                let span = self.peek().span;
                return self.refuse(span, "yield invariants are");
            }
            let condition = self.expression()?;
            self.expect(";")?;
            let whole = span.to(self.last().span);
            invariants.push(Clause { span, whole, free, condition, attributes });
        }
        self.expect("{")?;
        let body = self.statements()?;
        let kind = StmtKind::While { condition, invariants, measures, body };
        Ok(Stmt { span, whole, attributes: Vec::new(), kind, mark: None })
    }

    fn call(&mut self) -> Parsed<Stmt> {
        let free = self.skip("free");
        let span = self.expect("call")?;
        let attributes = self.attributes()?;
        let mut procedure = self.ident()?;
        let mut outs = Vec::new();
        if !self.sees("(") {
            outs.push(procedure);
            while self.skip(",") {
                outs.push(self.ident()?);
            }
            self.expect(":=")?;
            procedure = self.ident()?;
        }
        self.expect("(")?;
        let args = if self.sees(")") { Vec::new() } else { self.separated(Self::expression)? };
        self.expect(")")?;
        self.expect(";")?;
        Ok(Stmt {
            span,
            whole: span,
            attributes,
            kind: StmtKind::Call(Call { free, procedure, args, outs }),
            mark: None,
        })
    }
}
