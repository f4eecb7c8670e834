//! Cuts pieces out of a program's text. The structure stays: branches and loops with a removed condition become
//! nondeterministic, declarations remain, and comments and layout elsewhere are unchanged.
//!
//! The text is edited instead of printed again, so that it remains familiar to the reader.

mod edits;
mod pieces;

pub use pieces::Pieces;

use crate::ast::{
    BinaryOp, Block, Contract, Decreases, DecreasesKind, ExprId, ExprKind, Exprs, Invariants, MacroBody, Member,
    MemberKind, Removal, Stmt, StmtKind,
};
use crate::fmt::element::{Element, elements};
use crate::parser::parse_file;
use crate::token::{Keyword, TokenKind};
use echis_base::{Edit, FileId, Name, SourceFile, Span, fresh, opened_at};
use edits::Edits;
use std::collections::BTreeSet;

/// The edits that remove the dropped pieces from a file. `decreases` clauses are dropped too: no assertion rests on
/// them, and what they demand may rest on dropped pieces. If a postcondition requires one, it is replaced by one without
/// demands. New names differ from every word in `texts`.
pub fn cut(file: FileId, source: &SourceFile, pieces: &Pieces, texts: &[&str]) -> Vec<Edit> {
    let mut exprs = Exprs::default();
    let members = parse_file(file, source, &mut exprs).members;
    let mut cutter = Cutter {
        text: &source.text,
        exprs: &exprs,
        tokens: elements(&source.text).into_iter().filter(|element| !element.is_comment()).collect(),
        macros: BTreeSet::new(),
        pieces,
        edits: Edits::default(),
        prefix: fresh(&texts.join("\n"), "choice"),
        choices: 0,
    };
    cutter.collect_macros(&members);
    for member in &members {
        cutter.member(member);
    }
    cutter.edits.apart(&source.text)
}

struct Cutter<'a> {
    text: &'a str,
    exprs: &'a Exprs,
    tokens: Vec<Element>,
    /// Names of statement macros.
    macros: BTreeSet<Name>,
    pieces: &'a Pieces,
    edits: Edits,
    prefix: String,
    choices: usize,
}

/// The member that a contract belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ContractOf {
    Method,
    Function,
    /// A function that keeps its body.
    Definition,
}

impl<'a> Cutter<'a> {
    fn collect_macros(&mut self, members: &[Member]) {
        for member in members {
            match &member.kind {
                MemberKind::Define(define) => drop(self.macros.insert(define.name.name.clone())),
                MemberKind::Method(method) => {
                    let body = method.body.iter();
                    body.for_each(|body| {
                        crate::visit::for_each_stmt(body, |stmt| {
                            if let StmtKind::Define(define) = &stmt.kind {
                                self.macros.insert(define.name.name.clone());
                            }
                        });
                    });
                }
                _ => {}
            }
        }
    }

    fn member(&mut self, member: &'a Member) {
        match &member.kind {
            MemberKind::Method(method) => {
                self.contract(&method.contract, ContractOf::Method);
                method.body.iter().for_each(|body| self.block(body));
            }
            MemberKind::Function(function) => {
                let defined = function.body.is_some_and(|body| !self.pieces.drops_part(self.exprs[body].span));
                self.contract(&function.contract, if defined { ContractOf::Definition } else { ContractOf::Function });
                function.body.iter().for_each(|body| self.definition(*body));
            }
            MemberKind::Predicate(predicate) => predicate.body.iter().for_each(|body| self.definition(*body)),
            MemberKind::Domain(domain) => {
                let dropped = domain.axioms.iter().filter(|axiom| self.pieces.drops_whole(axiom.span));
                let spans: Vec<Span> = dropped.map(|axiom| axiom.span).collect();
                spans.into_iter().for_each(|span| self.remove(span.start, span.end));
            }
            MemberKind::Define(define) => {
                if let MacroBody::Stmt(block) = &define.body {
                    self.block(block);
                }
            }
            MemberKind::Import(_) | MemberKind::Fields(_) | MemberKind::Adt(_) => {}
        }
    }

    /// Removes a body. A function without its body is known only by its contract; a predicate without its body is
    /// never opened.
    fn definition(&mut self, body: ExprId) {
        let span = self.exprs[body].span;
        if !self.pieces.drops_part(span) {
            return;
        }
        let (start, end) = self.with_parentheses(span);
        let (before, after) = (self.token_before(start), self.token_behind(end));
        if let (Some(open), Some(close)) = (before, after)
            && open.is(TokenKind::LBrace)
            && close.is(TokenKind::RBrace)
        {
            self.remove(open.start, close.end);
        }
    }

    fn contract(&mut self, contract: &Contract, of: ContractOf) {
        contract.requires.iter().for_each(|clause| self.clause(*clause, Keyword::Requires));
        contract.ensures.iter().for_each(|clause| self.clause(*clause, Keyword::Ensures));
        let trusts = of != ContractOf::Method && contract.ensures.iter().any(|clause| self.keeps_application(*clause));
        for (position, clause) in contract.decreases.iter().enumerate() {
            let guides = of == ContractOf::Definition && self.pieces.keeps_measures();
            self.decreases(clause, guides, trusts && position == 0);
        }
    }

    /// Whether an application of the function itself is kept. A postcondition may mention its own function only if
    /// the function terminates.
    fn keeps_application(&self, clause: ExprId) -> bool {
        let span = self.exprs[clause].span;
        let inside = |token: &Element| span.start <= token.start && token.end <= span.end;
        let mut pairs = self.tokens.windows(2).filter(|pair| pair.iter().all(inside));
        !self.pieces.drops_part(span) && pairs.any(|pair| pair[0].is(TokenKind::Ident) && pair[1].is(TokenKind::LParen))
    }

    fn invariants(&mut self, invariants: &Invariants) {
        invariants.exprs.iter().for_each(|clause| self.clause(*clause, Keyword::Invariant));
        invariants.decreases.iter().for_each(|clause| self.decreases(clause, false, false));
    }

    fn clause(&mut self, clause: ExprId, keyword: Keyword) {
        if self.keep_conjuncts(clause) {
            return;
        }
        let (start, end) = self.with_parentheses(self.exprs[clause].span);
        if let Some(word) = self.token_before(start).filter(|token| token.is_keyword(keyword)) {
            self.remove(word.start, end);
        }
    }

    /// Removes a measure. If it guides how far a definition is unrolled, it stays as one that demands nothing; if the
    /// function must terminate, that is trusted.
    fn decreases(&mut self, clause: &Decreases, guides: bool, trusts: bool) {
        let word = self.token_before(clause.span.start).filter(|token| token.is_keyword(Keyword::Decreases));
        let Some(word) = word else { return };
        // A clause without a measure ends with the keyword, wherever the next one starts.
        let end = self.token_before(clause.span.end).map_or(word.end, |last| last.end.max(word.end));
        let mut left = Vec::new();
        if let DecreasesKind::Tuple(measures) = &clause.kind
            && let [measure] = measures[..]
            && guides
            && self.is_total(measure)
        {
            let (start, end) = self.with_parentheses(self.exprs[measure].span);
            let written = self.text.get(start as usize..end as usize).unwrap_or_default();
            left.push(format!("decreases {written} if false"));
        }
        if trusts {
            left.push("decreases _".to_string());
        }
        match left.is_empty() {
            true => self.remove(word.start, end),
            false => self.edits.replace(word.start, end, left.join("\n  ")),
        }
    }

    /// Whether an expression is defined without any precondition: a sum of variables, numbers and lengths.
    fn is_total(&self, expr: ExprId) -> bool {
        let mut pending = vec![expr];
        while let Some(expr) = pending.pop() {
            match &self.exprs[expr].kind {
                ExprKind::Ident(_) | ExprKind::Int(_) => {}
                ExprKind::Cardinality(of) => pending.push(*of),
                ExprKind::Unary { operand, .. } => pending.push(*operand),
                ExprKind::Binary { op: BinaryOp::Add | BinaryOp::Sub, left, right } => pending.extend([*left, *right]),
                _ => return false,
            }
        }
        true
    }

    /// Removes dropped conjuncts from an assertion. Returns false if nothing would be left, in which case it is
    /// unchanged.
    fn keep_conjuncts(&mut self, root: ExprId) -> bool {
        let mut order = vec![root];
        let mut next = 0;
        while let Some(id) = order.get(next) {
            let operands = self.conjunction(*id);
            order.extend(operands.into_iter().flat_map(|(left, right)| [left, right]));
            next += 1;
        }
        let mut dropped = BTreeSet::new();
        for id in order.iter().rev() {
            let drops = match self.conjunction(*id) {
                Some((left, right)) => dropped.contains(&left) && dropped.contains(&right),
                None => self.pieces.drops_part(self.exprs[*id].span),
            };
            if drops {
                dropped.insert(*id);
            }
        }
        if dropped.contains(&root) {
            return false;
        }
        let mut pending = vec![root];
        while let Some(id) = pending.pop() {
            let Some((left, right)) = self.conjunction(id) else { continue };
            let whole = self.exprs[id].span;
            let Some((before, after)) = self.around_operator(self.exprs[left].span.end) else { continue };
            match (dropped.contains(&left), dropped.contains(&right)) {
                (true, _) => {
                    self.edits.delete(self.start(whole), after);
                    pending.push(right);
                }
                (false, true) => {
                    self.edits.delete(before, whole.end);
                    pending.push(left);
                }
                (false, false) => pending.extend([left, right]),
            }
        }
        true
    }

    /// The operands of a conjunction. One with annotations is not split.
    fn conjunction(&self, id: ExprId) -> Option<(ExprId, ExprId)> {
        let expr = &self.exprs[id];
        match expr.kind {
            ExprKind::Binary { op: BinaryOp::And, left, right } if expr.annotations.is_empty() => Some((left, right)),
            _ => None,
        }
    }

    /// The end of the left operand of the next `&&`, and the start of the right one.
    fn around_operator(&self, from: u32) -> Option<(u32, u32)> {
        let mut index = self.tokens.partition_point(|token| token.start < from);
        while !self.tokens.get(index)?.is(TokenKind::AndAnd) {
            index += 1;
        }
        Some((self.tokens.get(index.checked_sub(1)?)?.end, self.tokens.get(index + 1)?.start))
    }
}

/// Statements.
impl<'a> Cutter<'a> {
    fn block(&mut self, block: &'a Block) {
        let mut pending: Vec<&'a Stmt> = block.stmts.iter().rev().collect();
        while let Some(stmt) = pending.pop() {
            if self.stmt(stmt) {
                let first = pending.len();
                stmt.for_each_block(|block| pending.extend(&block.stmts));
                pending[first..].reverse();
            }
        }
    }

    /// Processes a statement. Returns whether it is kept.
    fn stmt(&mut self, stmt: &'a Stmt) -> bool {
        match &stmt.kind {
            StmtKind::If { arms, .. } => {
                for arm in arms {
                    self.choose(stmt, arm.condition);
                }
                true
            }
            StmtKind::While { condition, invariants, body } => {
                self.invariants(invariants);
                if let Some(choice) = self.choose(stmt, *condition) {
                    self.choose_again(&choice, body.span.end.saturating_sub(1));
                }
                true
            }
            StmtKind::Label { invariants, .. } => {
                self.invariants(invariants);
                true
            }
            StmtKind::Var { vars, init: Some(_) } => {
                if let Some(last) = vars.last().filter(|_| self.pieces.drops_whole(stmt.span)) {
                    self.edits.delete(last.span.end, stmt.span.end);
                }
                true
            }
            StmtKind::Define(define) => {
                if let MacroBody::Stmt(block) = &define.body {
                    self.block(block);
                }
                true
            }
            StmtKind::Call(call) if self.is_macro_use(*call) => true,
            kind => {
                let keeps = match kind.removal() {
                    Removal::Conjuncts => {
                        let mut keeps = true;
                        stmt.for_each_expr(|expr| keeps &= self.keep_conjuncts(expr));
                        keeps
                    }
                    Removal::Whole => !self.pieces.drops_whole(stmt.span),
                    Removal::Never => true,
                };
                if !keeps {
                    self.remove(stmt.span.start, stmt.span.end);
                }
                keeps
            }
        }
    }

    fn is_macro_use(&self, call: ExprId) -> bool {
        match &self.exprs[call].kind {
            ExprKind::Call(call) => self.macros.contains(&call.callee.name),
            ExprKind::Ident(name) => self.macros.contains(name),
            _ => false,
        }
    }

    /// Replaces a dropped condition by a fresh variable.
    fn choose(&mut self, stmt: &Stmt, condition: ExprId) -> Option<String> {
        let span = self.exprs[condition].span;
        if !self.pieces.drops_part(span) {
            return None;
        }
        let choice = self.fresh();
        let line = self.text.get(..stmt.span.start as usize)?.rsplit('\n').next()?;
        let separator = if line.trim().is_empty() { format!("\n{line}") } else { "; ".into() };
        self.edits.insert(stmt.span.start, format!("var {choice}: Bool{separator}"));
        self.edits.replace(self.start(span), span.end, choice.clone());
        Some(choice)
    }

    /// Havocs the choice at the end of a loop's body, before its closing brace.
    fn choose_again(&mut self, choice: &str, brace: u32) {
        let again = self.fresh();
        let text = format!("var {again}: Bool; {choice} := {again}");
        let line_start = self.text[..brace as usize].rfind('\n').map_or(0, |at| at + 1);
        let indent = &self.text[line_start..brace as usize];
        match indent.trim().is_empty() {
            true => self.edits.insert(line_start as u32, format!("{indent}  {text}\n")),
            false => self.edits.insert(brace, format!("{text} ")),
        }
    }

    fn fresh(&mut self) -> String {
        self.choices += 1;
        format!("{}_{}", self.prefix, self.choices)
    }
}

/// Handles the text around pieces.
impl Cutter<'_> {
    fn remove(&mut self, start: u32, end: u32) {
        let semicolon = self.token_behind(end).filter(|token| token.is(TokenKind::Semicolon));
        let end = semicolon.map_or(end, |semicolon| semicolon.end);
        self.edits.remove_lines(self.text, start, end);
    }

    fn token_before(&self, at: u32) -> Option<Element> {
        let index = self.tokens.partition_point(|token| token.end <= at);
        self.tokens.get(index.checked_sub(1)?).copied()
    }

    fn token_behind(&self, at: u32) -> Option<Element> {
        self.tokens.get(self.tokens.partition_point(|token| token.start < at)).copied()
    }

    fn start(&self, span: Span) -> u32 {
        opened_at(self.text, span.start as usize, span.end as usize) as u32
    }

    /// The range of an expression, including grouping parentheses.
    fn with_parentheses(&self, span: Span) -> (u32, u32) {
        let (mut start, mut end) = (self.start(span), span.end);
        while let (Some(open), Some(close)) = (self.token_before(start), self.token_behind(end))
            && open.is(TokenKind::LParen)
            && close.is(TokenKind::RParen)
        {
            (start, end) = (open.start, close.end);
        }
        (start, end)
    }
}
