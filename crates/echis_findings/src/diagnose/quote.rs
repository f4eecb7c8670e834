//! Quotes source text in messages. A contract or predicate is quoted from the user's perspective: with arguments
//! substituted for parameters.

use super::Place;
use super::source::{is_atom, one_line};
use echis_base::{Span, SyntaxId};
use echis_program::program::{Block, ExprId, ExprKind, LocalId, PredicateAccess, Program, StmtKind};
use std::collections::{BTreeMap, BTreeSet};

/// The arguments for the parameters of a method, function or predicate at a use.
pub(super) struct Arguments {
    texts: BTreeMap<LocalId, String>,
}

impl Arguments {
    /// The arguments of the call, application, fold, unfold or unfolding at a node, if it is one.
    pub fn at(place: Place<'_>, site: SyntaxId) -> Option<Arguments> {
        let program = place.program;
        let (params, args) = used_by_expr(program, site).or_else(|| used_by_stmt(program, site))?;
        let text = |arg: Argument| match arg {
            Argument::Expr(expr) => place.inner_text(program.expr(expr).id),
            Argument::Variable(local) => program.locals[local].name.to_string(),
        };
        let texts: BTreeMap<LocalId, String> = params.into_iter().zip(args.into_iter().map(text)).collect();
        // An argument without text was generated, and cannot be named.
        texts.values().all(|text| !text.is_empty()).then_some(Arguments { texts })
    }

    /// The text of a node with the arguments substituted.
    pub fn put_into(&self, place: Place<'_>, node: SyntaxId) -> String {
        let span = place.program.syntax.span(node);
        let uses = self.uses(place, span);
        if uses.is_empty() {
            return place.inner_text(node);
        }
        if self.is_captured(place, span) {
            return format!(
                "{} (where {})",
                place.inner_text(node),
                self.meanings(place, uses.values().copied().collect())
            );
        }
        let whole = place.sources.text(span);
        // The text may start before the range, with the parentheses that the range closes.
        let start = span.end as usize - whole.len();
        let mut text = String::new();
        let mut done = 0;
        for (used, local) in uses {
            let (from, to) = (used.start as usize - start, used.end as usize - start);
            text.push_str(&whole[done..from]);
            let arg = &self.texts[&local];
            match is_atom(arg) || stands_alone(arg, &whole[..from], &whole[to..]) {
                true => text.push_str(arg),
                false => text.push_str(&format!("({arg})")),
            }
            done = to;
        }
        text.push_str(&whole[done..]);
        one_line(&text)
    }

    /// "i is k + 1 and n is 3"
    fn meanings(&self, place: Place<'_>, locals: BTreeSet<LocalId>) -> String {
        let meaning = |local: LocalId| format!("{} is {}", place.program.locals[local].name, self.texts[&local]);
        locals.into_iter().map(meaning).collect::<Vec<_>>().join(" and ")
    }

    /// The occurrences of the parameters in a range of the source, in order.
    fn uses(&self, place: Place<'_>, span: Span) -> BTreeMap<Span, LocalId> {
        let mut uses = BTreeMap::new();
        for expr in place.program.exprs.values() {
            let ExprKind::Local(local) = expr.kind else { continue };
            let used = place.program.syntax.span(expr.id);
            let is_name = || place.sources.text(used) == &*place.program.locals[local].name;
            if span.contains(used) && self.texts.contains_key(&local) && is_name() {
                uses.insert(used, local);
            }
        }
        uses
    }

    /// Whether a name in an argument is bound differently there.
    fn is_captured(&self, place: Place<'_>, span: Span) -> bool {
        let program = place.program;
        let inside = program.exprs.values().filter(|expr| span.contains(program.syntax.span(expr.id)));
        let mut bound = inside.flat_map(|expr| expr.kind.bound()).map(|local| &*program.locals[*local].name);
        bound.any(|name| self.texts.values().any(|text| mentions(text, name)))
    }
}

/// Whether an argument needs no parentheses between the given texts: it is a whole argument or operand, or arithmetic
/// in a comparison.
fn stands_alone(arg: &str, before: &str, behind: &str) -> bool {
    let (before, behind) = (before.trim_end(), behind.trim_start());
    let enclosed =
        (before.is_empty() || before.ends_with(['(', ','])) && (behind.is_empty() || behind.starts_with([')', ',']));
    let arithmetic = arg.chars().all(|c| c.is_alphanumeric() || "_$.+-* ()[]".contains(c)) && !mentions(arg, "in");
    let comparisons = ["<", ">", "<=", ">=", "==", "!=", "&&", "||", "==>"];
    let compared = (before.is_empty() || before.ends_with('(') || comparisons.iter().any(|op| before.ends_with(op)))
        && (behind.is_empty() || behind.starts_with(')') || comparisons.iter().any(|op| behind.starts_with(op)));
    enclosed || arithmetic && compared
}

fn mentions(text: &str, name: &str) -> bool {
    text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '$'))).any(|word| word == name)
}

enum Argument {
    Expr(ExprId),
    Variable(LocalId),
}

type Used = (Vec<LocalId>, Vec<Argument>);

fn used(params: &[LocalId], args: &[ExprId]) -> Used {
    (params.to_vec(), args.iter().copied().map(Argument::Expr).collect())
}

fn used_by_access(program: &Program, access: &PredicateAccess) -> Used {
    used(&program.predicates[access.predicate].params, &access.args)
}

fn used_by_expr(program: &Program, site: SyntaxId) -> Option<Used> {
    program.exprs.values().find_map(|expr| match &expr.kind {
        ExprKind::FunctionApp { function, args, .. } if expr.id == site => {
            Some(used(&program.functions[*function].params, args))
        }
        ExprKind::Unfolding { access, .. } if expr.id == site || access.id == site => {
            Some(used_by_access(program, access))
        }
        _ => None,
    })
}

fn used_by_stmt(program: &Program, site: SyntaxId) -> Option<Used> {
    let mut blocks: Vec<&Block> = program.methods.values().filter_map(|method| method.body.as_ref()).collect();
    while let Some(block) = blocks.pop() {
        for stmt in &block.stmts {
            match &stmt.kind {
                StmtKind::Call { method, args, targets } if stmt.id == site => {
                    let method = &program.methods[*method];
                    let (mut params, mut all) = used(&method.params, args);
                    params.extend(&method.returns);
                    all.extend(targets.iter().copied().map(Argument::Variable));
                    return Some((params, all));
                }
                StmtKind::Fold(access) | StmtKind::Unfold(access) if stmt.id == site || access.id == site => {
                    return Some(used_by_access(program, access));
                }
                kind => blocks.extend(kind.blocks()),
            }
        }
    }
    None
}

/// The fold that a condition in a predicate body belongs to, if the member has only one fold of that predicate.
pub(super) fn only_fold(place: Place<'_>, condition: SyntaxId) -> Option<SyntaxId> {
    let program = place.program;
    let span = program.syntax.span(condition);
    let mut predicates = program.predicates.iter();
    let (folded, _) = predicates.find(|(_, predicate)| program.syntax.span(predicate.id).contains(span))?;
    let method = program.methods.values().find(|method| method.name == *place.member)?;
    let mut folds = Vec::new();
    method.body.as_ref()?.visit_stmts(&mut |stmt| {
        folds.extend(matches!(&stmt.kind, StmtKind::Fold(access) if access.predicate == folded).then_some(stmt.id));
    });
    if let [only] = folds[..] { Some(only) } else { None }
}

/// The target of an assignment to a field, if the node is one: `x.f` for `x.f := 1`.
pub(super) fn assigned_field(place: Place<'_>, node: SyntaxId) -> Option<Span> {
    let program = place.program;
    let mut blocks: Vec<&Block> = program.methods.values().filter_map(|method| method.body.as_ref()).collect();
    while let Some(block) = blocks.pop() {
        for stmt in &block.stmts {
            match &stmt.kind {
                StmtKind::AssignField { receiver, .. } if stmt.id == node => {
                    let (span, receiver) = (program.syntax.span(node), program.syntax.span(program.expr(*receiver).id));
                    if !span.contains(receiver) {
                        return None;
                    }
                    let behind = Span::new(span.file, receiver.end, span.end);
                    let text = &place.sources.file(span.file).text;
                    let at = text.get(behind.start as usize..behind.end as usize)?.find(":=")?;
                    // Annotations of the statement do not belong to the target.
                    let is_annotated = text.get(span.start as usize..)?.starts_with('@');
                    let start = if is_annotated { receiver.start } else { span.start };
                    let target = text.get(start as usize..behind.start as usize + at)?.trim_end();
                    return Some(Span::new(span.file, start, start + target.len() as u32));
                }
                kind => blocks.extend(kind.blocks()),
            }
        }
    }
    None
}
