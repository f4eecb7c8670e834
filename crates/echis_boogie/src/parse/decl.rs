//! Declarations.

use super::{Parsed, Parser};
use crate::ast::{
    Axiom, Clause, Concurrent, Const, Datatype, Decl, Function, Ident, Implementation, Layer, Measure, Param,
    Procedure, TypeDecl, TypeKind, Variable,
};
use crate::attributes::Known;
use crate::lex::Kind;

/// The words that start declarations.
const STARTS: &[&str] = &[
    "const",
    "function",
    "revealed",
    "axiom",
    "hideable",
    "type",
    "datatype",
    "var",
    "procedure",
    "pure",
    "implementation",
    "yield",
    "async",
    "left",
    "right",
    "both",
    "atomic",
    "action",
];

impl Parser<'_> {
    pub(super) fn program(&mut self) -> Parsed<()> {
        while self.peek().kind != Kind::End {
            self.declaration()?;
        }
        Ok(())
    }

    fn declaration(&mut self) -> Parsed<()> {
        let token = self.peek();
        if token.kind != Kind::Fixed {
            return self.stop("EOF expected");
        }
        match token.text {
            "const" => self.constant(),
            "function" | "revealed" => self.function(),
            "axiom" | "hideable" => {
                let axiom = self.axiom()?;
                self.tree.decls.push(Decl::Axiom(axiom));
                Ok(())
            }
            "type" => self.types(),
            "datatype" => self.datatype(),
            "var" => {
                let vars = self.variable_declaration()?;
                self.tree.decls.extend(vars.into_iter().map(Decl::Global));
                Ok(())
            }
            "pure" if self.peek_second().text != "procedure" => self.concurrent(),
            "procedure" | "pure" => self.procedure(),
            "implementation" => self.implementation(),
            "yield" if self.is_yield_procedure() => self.yield_procedure(),
            "yield" | "async" | "left" | "right" | "both" | "atomic" | "action" => self.concurrent(),
            _ => self.stop("EOF expected"),
        }
    }

    /// `var a, b: int where a < b, c: bool;`
    pub(super) fn variable_declaration(&mut self) -> Parsed<Vec<Variable>> {
        self.expect("var")?;
        let attributes = self.attributes()?;
        let mut vars = self.separated_variables(Ok(()), false)?;
        vars.iter_mut().for_each(|var| var.attributes = attributes.clone());
        self.expect(";")?;
        Ok(vars)
    }
    /// Names with types. If `where` is not allowed, `constraints` describes the context.
    pub(super) fn variables(&mut self, constraints: Result<(), &str>) -> Parsed<Vec<Variable>> {
        self.separated_variables(constraints, true)
    }
    fn separated_variables(&mut self, constraints: Result<(), &str>, attributed: bool) -> Parsed<Vec<Variable>> {
        let groups = self.separated(|parser| {
            let attributes = if attributed { parser.attributes()? } else { Vec::new() };
            let names = parser.idents()?;
            parser.expect(":")?;
            let ty = parser.ty()?;
            let mut constraint = None;
            if parser.skip("where") {
                let condition = parser.expression()?;
                match constraints {
                    Ok(()) => constraint = Some(condition),
                    Err(context) => parser.complain(format!("where clause not allowed on {context}")),
                }
            }
            let variable = |name| Variable { name, ty: ty.clone(), constraint, attributes: attributes.clone() };
            Ok(names.into_iter().map(variable).collect::<Vec<_>>())
        })?;
        Ok(groups.into_iter().flatten().collect())
    }

    fn constant(&mut self) -> Parsed<()> {
        self.expect("const")?;
        let attributes = self.attributes()?;
        let unique = self.skip("unique");
        let names = self.idents()?;
        self.expect(":")?;
        let ty = self.ty()?;
        let axioms = if self.skip(";") {
            Vec::new()
        } else if self.sees("uses") {
            self.uses()?
        } else {
            self.miss("invalid Consts");
            Vec::new()
        };
        self.tree.decls.push(Decl::Const(Const { unique, names, ty, attributes, axioms }));
        Ok(())
    }
    fn uses(&mut self) -> Parsed<Vec<Axiom>> {
        self.expect("uses")?;
        self.expect("{")?;
        let mut axioms = Vec::new();
        while self.sees_any(&["axiom", "hideable"]) {
            axioms.push(self.axiom()?);
        }
        self.expect("}")?;
        Ok(axioms)
    }
    fn axiom(&mut self) -> Parsed<Axiom> {
        let hideable = self.skip("hideable");
        let mut span = self.expect("axiom")?;
        let attributes = self.attributes()?;
        if !attributes.is_empty() {
            span = span.to(self.last().span);
        }
        let condition = self.expression()?;
        self.expect(";")?;
        let whole = span.to(self.last().span);
        Ok(Axiom { span, whole, condition, attributes, hideable })
    }

    fn function(&mut self) -> Parsed<()> {
        let revealed = self.skip("revealed");
        self.expect("function")?;
        let attributes = self.attributes()?;
        let name = self.ident()?;
        let type_params = self.type_params()?;
        self.expect("(")?;
        let mut params = if self.sees(")") { Vec::new() } else { self.separated(Self::param)? };
        self.expect(")")?;
        let result = if self.skip("returns") {
            self.expect("(")?;
            let result = self.param()?;
            self.expect(")")?;
            result
        } else if self.skip(":") {
            Param { name: None, ty: self.ty()?, attributes: Vec::new() }
        } else {
            self.miss("invalid Function");
            Param { name: None, ty: self.missing_type(), attributes: Vec::new() }
        };
        let (mut body, mut axioms) = (None, Vec::new());
        if self.skip("{") {
            body = Some(self.expression()?);
            self.expect("}")?;
            if self.sees("uses") {
                axioms = self.uses()?;
            }
        } else if self.sees("uses") {
            axioms = self.uses()?;
        } else if !self.skip(";") {
            self.miss("invalid Function");
        }
        self.name_params(&mut params);
        if body.is_some() {
            let is_on = |name| self.tree.is_on(&attributes, name);
            if is_on(Known::Define) && is_on(Known::Inline) {
                self.complain("function cannot have both :inline and :define attributes");
            } else if is_on(Known::Define) && !type_params.is_empty() {
                self.complain("function with :define attribute has to be monomorphic");
            }
        }
        let function = Function { name, type_params, params, result, body, axioms, attributes, revealed };
        self.tree.decls.push(Decl::Function(function));
        Ok(())
    }
    /// Either `name: type`, or only one of them: which one is determined when all are known.
    fn param(&mut self) -> Parsed<Param> {
        let attributes = self.attributes()?;
        let ty = self.ty()?;
        if !self.skip(":") {
            return Ok(Param { name: None, ty, attributes });
        }
        let name = match &ty.kind {
            TypeKind::Named(name, args) if args.is_empty() => Some(Ident { name: name.clone(), span: ty.span }),
            _ => {
                self.complain("expected identifier before ':'");
                None
            }
        };
        let span = ty.span;
        let mut ty = self.ty()?;
        if name.is_none() {
            ty.span = span;
        }
        Ok(Param { name, ty, attributes })
    }
    /// `f(x, y: int)`: a parameter without a colon is a name if any parameter has a name.
    fn name_params(&mut self, params: &mut [Param]) {
        if params.iter().all(|param| param.name.is_none()) {
            return;
        }
        let mut last = None;
        for param in params.iter_mut().rev() {
            match (&param.name, &param.ty.kind, &last) {
                (Some(_), _, _) => last = Some(param.ty.clone()),
                (None, _, None) => {
                    self.complain_at(param.ty.span, "the type of the last parameter is unspecified");
                    return;
                }
                (None, TypeKind::Named(name, args), Some(ty)) if args.is_empty() => {
                    param.name = Some(Ident { name: name.clone(), span: param.ty.span });
                    param.ty = ty.clone();
                }
                (None, _, Some(_)) => self.complain_at(param.ty.span, "expecting an identifier as parameter name"),
            }
        }
    }

    fn types(&mut self) -> Parsed<()> {
        self.expect("type")?;
        let attributes = self.attributes()?;
        loop {
            let name = self.ident()?;
            let mut params = Vec::new();
            while self.sees_ident() {
                params.push(self.ident()?);
            }
            let synonym = if self.skip("=") { Some(self.ty()?) } else { None };
            self.tree.decls.push(Decl::Type(TypeDecl { name, params, synonym, attributes: attributes.clone() }));
            if !self.skip(",") {
                break;
            }
        }
        self.expect(";")?;
        Ok(())
    }

    fn datatype(&mut self) -> Parsed<()> {
        self.expect("datatype")?;
        let attributes = self.attributes()?;
        let name = self.ident()?;
        let params = self.type_params()?;
        self.expect("{")?;
        let mut constructors: Vec<(Ident, Vec<Variable>)> = Vec::new();
        loop {
            let constructor = self.ident()?;
            let fields = self.formals(Err("datatype constructor"))?;
            if constructors.iter().any(|(known, _)| known.name == constructor.name) {
                self.complain(format!("constructor name {} used more than once in datatype", constructor.name));
            }
            constructors.push((constructor, fields));
            if !self.skip(",") {
                break;
            }
        }
        self.expect("}")?;
        self.tree.decls.push(Decl::Datatype(Datatype { name, params, constructors, attributes }));
        Ok(())
    }
    fn formals(&mut self, constraints: Result<(), &str>) -> Parsed<Vec<Variable>> {
        self.expect("(")?;
        let vars = if self.sees(")") { Vec::new() } else { self.variables(constraints)? };
        self.expect(")")?;
        Ok(vars)
    }

    /// `yield procedure`, possibly with a mover type in between.
    fn is_yield_procedure(&self) -> bool {
        let is_mover = |text: &str| matches!(text, "left" | "right" | "both" | "atomic");
        let behind = |distance: usize| self.tokens[(self.at + distance).min(self.tokens.len() - 1)].text;
        behind(1) == "procedure" || (is_mover(behind(1)) && behind(2) == "procedure")
    }
    fn procedure(&mut self) -> Parsed<()> {
        let start = self.peek().span;
        let is_yield = self.skip("yield");
        if is_yield && !self.sees("procedure") {
            self.take();
        }
        let pure = self.skip("pure");
        self.expect("procedure")?;
        let attributes = self.attributes()?;
        let number = self.tree.number_attribute(&attributes, Known::Layer);
        let number = number.and_then(|number| u32::try_from(number.clone()).ok());
        let layer = is_yield.then_some(Layer { span: start, number });
        let name = self.ident()?;
        let type_params = self.type_params()?;
        let ins = self.formals(Ok(()))?;
        let outs = if self.skip("returns") { self.formals(Ok(()))? } else { Vec::new() };
        let declared = self.skip(";");
        let mut procedure = Procedure {
            name,
            type_params,
            ins,
            outs,
            pure,
            layer,
            requires: Vec::new(),
            ensures: Vec::new(),
            modifies: Vec::new(),
            measures: Vec::new(),
            attributes,
            body: None,
        };
        while self.clause(&mut procedure)? {}
        if !declared {
            procedure.body = Some(self.body()?);
        }
        self.tree.decls.push(Decl::Procedure(procedure));
        Ok(())
    }
    fn clause(&mut self, procedure: &mut Procedure) -> Parsed<bool> {
        if self.skip("modifies") {
            if !self.sees(";") {
                procedure.modifies.extend(self.idents()?);
            }
            self.expect(";")?;
            return Ok(true);
        }
        if self.sees("measure") {
            procedure.measures.push(self.measure()?);
            return Ok(true);
        }
        let free = self.skip("free");
        let into = match self.peek().text {
            "requires" => &mut procedure.requires,
            "ensures" => &mut procedure.ensures,
            _ if free => {
                self.miss("invalid SpecPrePost");
                return Ok(true);
            }
            _ => return Ok(false),
        };
        let span = self.take().span;
        let attributes = self.attributes()?;
        let condition = self.expression()?;
        self.expect(";")?;
        let whole = span.to(self.last().span);
        into.push(Clause { span, whole, free, condition, attributes });
        Ok(true)
    }
    pub(super) fn measure(&mut self) -> Parsed<Measure> {
        let span = self.expect("measure")?;
        let attributes = self.attributes()?;
        let values = self.separated(Self::expression)?;
        self.expect(";")?;
        Ok(Measure { span, values, attributes })
    }

    /// One without clauses about other threads is parsed like any procedure.
    fn yield_procedure(&mut self) -> Parsed<()> {
        let (start, errors, last_error) = (self.at, self.errors.len(), self.last_error);
        let decls = self.tree.decls.len();
        let ended = self.procedure();
        // CIVL clauses would follow the parsed ones.
        let is_whole = self.sees_any(STARTS) || self.peek().kind == Kind::End;
        if ended.is_err() || self.errors.len() > errors || !is_whole {
            (self.at, self.last_error) = (start, last_error);
            self.errors.truncate(errors);
            self.tree.decls.truncate(decls);
            self.concurrent()?;
        }
        Ok(())
    }
    /// Skips a declaration that is not parsed.
    fn concurrent(&mut self) -> Parsed<()> {
        let (start, mut depth, mut name) = (self.peek().span, 0usize, None);
        loop {
            let token = self.take();
            match token.text {
                _ if token.kind == Kind::Ident && depth == 0 && name.is_none() => name = Some(token),
                "{" | "(" | "[" => depth += 1,
                "}" | ")" | "]" => depth = depth.saturating_sub(1),
                _ => {}
            }
            let is_behind = depth == 0 && matches!(token.text, ";" | "}");
            if self.peek().kind == Kind::End || (is_behind && self.sees_any(STARTS)) {
                break;
            }
        }
        let (name, span) = name.map_or(("".into(), start), |token| (token.text.into(), token.span));
        self.tree.decls.push(Decl::Concurrent(Concurrent { name, span }));
        Ok(())
    }

    fn implementation(&mut self) -> Parsed<()> {
        self.expect("implementation")?;
        let attributes = self.attributes()?;
        let name = self.ident()?;
        let type_params = self.type_params()?;
        const COPIES: Result<(), &str> = Err("the 'implementation' copies of formals");
        let ins = self.formals(COPIES)?;
        let outs = if self.skip("returns") { self.formals(COPIES)? } else { Vec::new() };
        let body = self.body()?;
        let implementation = Implementation { name, type_params, ins, outs, attributes, body };
        self.tree.decls.push(Decl::Implementation(implementation));
        Ok(())
    }
}
