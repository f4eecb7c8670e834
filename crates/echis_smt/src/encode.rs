//! Prints terms as SMT-LIB text. Shared subterms are bound by `let`, as far out as their variables allow, so the text
//! is about as large as the shared term.

use crate::names::{self, Style};
use crate::theories;
use echis_base::{FastMap, FastSet, Key};
use echis_term::{Op, Quant, Quantifier, Rational, SymbolId, TermId, TermKind, Terms};
use std::fmt::Write;

/// Appends commands that assert a fact.
pub fn write_assertion(terms: &Terms, style: Style, fact: TermId, out: &mut String) {
    out.push_str("(assert ");
    write_term(terms, style, fact, out);
    out.push_str(")\n");
    write_marks(terms, style, fact, out);
}

/// Appends commands that assert a named fact, for use in cores.
pub fn write_named(terms: &Terms, style: Style, name: &str, fact: TermId, out: &mut String) {
    out.push_str("(assert (! ");
    write_term(terms, style, fact, out);
    let _ = writeln!(out, " :named {name}))");
    write_marks(terms, style, fact, out);
}

/// Appends commands that assert a negated goal.
pub fn write_negation(terms: &Terms, style: Style, goal: TermId, out: &mut String) {
    out.push_str("(assert (not ");
    write_goal(terms, style, goal, out);
    out.push_str("))\n");
    write_marks(terms, style, goal, out);
}

/// Appends commands that assert a fact, or a negated goal, under a label.
pub fn write_labelled(terms: &Terms, style: Style, label: &str, negated: bool, fact: TermId, out: &mut String) {
    out.push_str("(assert (=> ");
    out.push_str(label);
    out.push_str(if negated { " (not " } else { " " });
    match negated {
        true => write_goal(terms, style, fact, out),
        false => write_term(terms, style, fact, out),
    }
    out.push_str(if negated { ")))\n" } else { "))\n" });
    write_marks(terms, style, fact, out);
}

/// Appends commands that define a constant as a term.
pub fn write_definition(terms: &Terms, style: Style, name: &str, term: TermId, out: &mut String) {
    let _ = write!(out, "(declare-const {name} ");
    names::write_sort(terms, style, terms.sort_of(term), out);
    let _ = write!(out, ")\n(assert (= {name} ");
    write_term(terms, style, term, out);
    out.push_str("))\n");
}

/// Appends a command that mentions a term without constraining it.
pub fn write_mention(terms: &Terms, style: Style, term: TermId, out: &mut String) {
    out.push_str("(assert ");
    Writer::new(terms, style, out).mention(term);
    out.push_str(")\n");
}

/// Marks maps whose keys a proposition mentions. Inside a quantifier the solver would not notice them.
fn write_marks(terms: &Terms, style: Style, proposition: TermId, out: &mut String) {
    let mut maps: Vec<TermId> = Vec::new();
    let mut inner: FastSet<SymbolId> = FastSet::default();
    terms.for_each_subterm(proposition, |term| match terms.kind(term) {
        TermKind::Op(Op::KeySet, args) => maps.push(args[0]),
        TermKind::Quant(quant) => inner.extend(quant.vars.iter().copied()),
        _ => {}
    });
    maps.sort();
    maps.dedup();
    for map in maps {
        if terms.term(map).free.iter().all(|var| !inner.contains(var)) {
            out.push_str("(assert (");
            names::write_instance(terms, style, "SnapMap.keyed", &[terms.sort_of(map)], out);
            out.push(' ');
            write_term(terms, style, map, out);
            out.push_str("))\n");
        }
    }
}

/// Appends the text of a term.
fn write_term(terms: &Terms, style: Style, term: TermId, out: &mut String) {
    Writer::new(terms, style, out).scope(term);
}

/// Appends the text of a goal. The skolem constants of its quantifiers occur in their triggers: a proof of a
/// quantifier may use others with the same trigger, even if the body does not mention it.
fn write_goal(terms: &Terms, style: Style, goal: TermId, out: &mut String) {
    Writer { proved: proved_quantifiers(terms, goal), ..Writer::new(terms, style, out) }.scope(goal);
}

/// The quantifiers that the goal asserts positively, outermost first.
fn proved_quantifiers(terms: &Terms, goal: TermId) -> FastSet<TermId> {
    let mut found = FastSet::default();
    let mut pending = vec![goal];
    while let Some(term) = pending.pop() {
        match terms.kind(term) {
            TermKind::Op(Op::And | Op::Or, parts) => pending.extend(parts.iter().copied()),
            TermKind::Op(Op::Implies, parts) => pending.push(parts[1]),
            TermKind::Quant(quant) if quant.quantifier == Quantifier::Forall => {
                found.insert(term);
                pending.push(quant.body);
            }
            _ => {}
        }
    }
    found
}

struct Writer<'a> {
    terms: &'a Terms,
    style: Style,
    out: &'a mut String,
    /// Terms bound by an enclosing `let`, to a name made of their key.
    bound: FastSet<TermId>,
    members: Members,
    /// Quantifiers whose bodies mention their triggers.
    proved: FastSet<TermId>,
}

/// The form of membership in a sequence or in the range of a map. Elements that are read by index or looked up are
/// members without a membership term, so triggers on membership have a second form that matches such reads.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Members {
    Asked,
    Read,
}

impl<'a> Writer<'a> {
    fn new(terms: &'a Terms, style: Style, out: &'a mut String) -> Self {
        Writer { terms, style, out, bound: FastSet::default(), members: Members::Asked, proved: FastSet::default() }
    }

    /// A term with the `let`s that can surround it directly.
    fn scope(&mut self, root: TermId) {
        let shared = self.shared(root);
        for &term in &shared {
            let _ = write!(self.out, "(let ((t{} ", term.index());
            self.structure(term);
            self.out.push_str(")) ");
            self.bound.insert(term);
        }
        self.term(root);
        for term in &shared {
            self.out.push(')');
            self.bound.remove(term);
        }
    }

    /// Shared subterms that mention no variable bound further inside, subterms first.
    fn shared(&self, root: TermId) -> Vec<TermId> {
        let mut uses: FastMap<TermId, u32> = FastMap::from_iter([(root, 1)]);
        let mut inner: FastSet<SymbolId> = FastSet::default();
        let mut stack = vec![root];
        while let Some(term) = stack.pop() {
            if let TermKind::Quant(quant) = self.terms.kind(term) {
                inner.extend(quant.vars.iter().copied());
            }
            for part in self.terms.children(term) {
                if self.is_atomic(part) || self.bound.contains(&part) {
                    continue;
                }
                let count = uses.entry(part).or_insert(0);
                *count += 1;
                if *count == 1 {
                    stack.push(part);
                }
            }
        }
        // A subterm is older than the terms that contain it, so key order puts subterms first.
        let is_closed = |term: TermId| self.terms.term(term).free.iter().all(|var| !inner.contains(var));
        let mut shared: Vec<_> =
            uses.into_iter().filter(|(term, count)| *count > 1 && is_closed(*term)).map(|(term, _)| term).collect();
        shared.sort();
        shared
    }

    fn is_atomic(&self, term: TermId) -> bool {
        match self.terms.kind(term) {
            TermKind::Bool(_) | TermKind::Int(_) | TermKind::Perm(_) => true,
            TermKind::App(_, args) | TermKind::Op(_, args) => args.is_empty(),
            TermKind::Quant(_) => false,
        }
    }

    fn term(&mut self, term: TermId) {
        if self.bound.contains(&term) {
            let _ = write!(self.out, "t{}", term.index());
        } else {
            self.structure(term);
        }
    }

    fn structure(&mut self, term: TermId) {
        let (terms, style) = (self.terms, self.style);
        stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || match terms.kind(term) {
            TermKind::Bool(value) => drop(write!(self.out, "{value}")),
            TermKind::Int(value) => write_integer(&value.to_string(), "", self.out),
            TermKind::Perm(value) => write_rational(value, self.out),
            TermKind::App(symbol, args) => {
                self.list(args, |out| names::write_symbol(terms, style, *symbol, out));
            }
            TermKind::Op(op, args) => match theories::read_form(terms, term) {
                Some(read) if self.members == Members::Read => {
                    self.list(&read, |out| theories::write_read_mark(terms, style, read[0], out));
                }
                _ => self.op(*op, args),
            },
            TermKind::Quant(quant) => self.quant(term, quant),
        });
    }

    fn op(&mut self, op: Op, args: &[TermId]) {
        let (terms, style) = (self.terms, self.style);
        match op {
            Op::Distinct if args.len() < 2 => self.out.push_str("true"),
            Op::Distinct if theories::is_collection(terms, terms.sort_of(args[0])) => self.pairwise_distinct(args),
            Op::PermDiv if !matches!(terms.kind(args[1]), TermKind::Perm(_)) => {
                self.out.push_str("(* ");
                self.term(args[0]);
                self.out.push_str(" (Perm.inverse ");
                self.term(args[1]);
                self.out.push_str("))");
            }
            _ => self.list(args, |out| theories::write_operator(terms, style, op, args, out)),
        }
    }

    fn pairwise_distinct(&mut self, args: &[TermId]) {
        let (terms, style) = (self.terms, self.style);
        self.out.push_str("(and");
        for (index, left) in args.iter().enumerate() {
            for right in &args[index + 1..] {
                let pair = [*left, *right];
                self.out.push_str(" (not ");
                self.list(&pair, |out| theories::write_operator(terms, style, Op::Eq, &pair, out));
                self.out.push(')');
            }
        }
        self.out.push_str(" true)");
    }

    fn list(&mut self, args: &[TermId], head: impl FnOnce(&mut String)) {
        if args.is_empty() {
            return head(self.out);
        }
        self.out.push('(');
        head(self.out);
        for arg in args {
            self.out.push(' ');
            self.term(*arg);
        }
        self.out.push(')');
    }

    /// Triggers are written outside the body's `let`s, because the solver requires them directly at the quantifier.
    fn quant(&mut self, term: TermId, quant: &Quant) {
        self.out.push_str(match quant.quantifier {
            Quantifier::Forall => "(forall (",
            Quantifier::Exists => "(exists (",
        });
        for var in &quant.vars {
            self.out.push('(');
            names::write_symbol(self.terms, self.style, *var, self.out);
            self.out.push(' ');
            names::write_sort(self.terms, self.style, self.terms.symbol(*var).result, self.out);
            self.out.push(')');
        }
        self.out.push_str(") (! ");
        let mentions = self.proved.contains(&term) && !quant.triggers.is_empty();
        if mentions {
            self.mentions(quant);
        }
        self.scope(quant.body);
        if mentions {
            self.out.push(')');
        }
        for set in &quant.triggers {
            self.trigger(set);
            if set.iter().any(|trigger| theories::read_form(self.terms, *trigger).is_some()) {
                self.members = Members::Read;
                self.trigger(set);
                self.members = Members::Asked;
            }
        }
        if let Some(weight) = quant.weight {
            let _ = write!(self.out, " :weight {weight}");
        }
        if self.style == Style::Profiled {
            let _ = write!(self.out, " :qid q{}", term.index());
        }
        if self.style == Style::Readable {
            let name: String =
                quant.role.to_string().chars().map(|c| if matches!(c, '|' | '\\') { '_' } else { c }).collect();
            let _ = write!(self.out, " :qid |{name}|");
        }
        self.out.push_str("))");
    }
    /// The start of an implication from marks on all trigger terms. The marks are unconstrained, so they may be true.
    fn mentions(&mut self, quant: &Quant) {
        self.out.push_str("(=> (and");
        for trigger in quant.triggers.iter().flatten() {
            self.out.push(' ');
            self.mention(*trigger);
        }
        self.out.push_str(") ");
    }
    fn mention(&mut self, term: TermId) {
        self.out.push('(');
        names::write_instance(self.terms, self.style, "Goal.mentions", &[self.terms.sort_of(term)], self.out);
        self.out.push(' ');
        self.structure(term);
        self.out.push(')');
    }
    fn trigger(&mut self, set: &[TermId]) {
        self.out.push_str(" :pattern (");
        for (index, trigger) in set.iter().enumerate() {
            if index > 0 {
                self.out.push(' ');
            }
            // Written out even if a `let` binds it: the form of membership matters.
            self.structure(*trigger);
        }
        self.out.push(')');
    }
}

/// A number with an optional sign, which SMT-LIB literals do not have.
fn write_integer(digits: &str, suffix: &str, out: &mut String) {
    let _ = match digits.strip_prefix('-') {
        Some(digits) => write!(out, "(- {digits}{suffix})"),
        None => write!(out, "{digits}{suffix}"),
    };
}

fn write_rational(value: &Rational, out: &mut String) {
    let numerator = value.numerator().to_string();
    let denominator = value.denominator().to_string();
    if denominator == "1" {
        return write_integer(&numerator, ".0", out);
    }
    out.push_str("(/ ");
    write_integer(&numerator, ".0", out);
    let _ = write!(out, " {denominator}.0)");
}
