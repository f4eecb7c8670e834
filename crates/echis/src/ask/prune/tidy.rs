//! Removes remnants of cutting: unreferenced members, branches without statements, unused variables. The resulting
//! text is verified again before it is shown.

use crate::limits::TIDYING_PASSES;
use echis_base::{Edit, FileId, Key, Name, SourceFile, Span};
use echis_syntax::ast::{BinaryOp, Block, ExprId, ExprKind, Exprs, Member, MemberKind, Stmt, StmtKind};
use echis_syntax::{for_each_stmt, format_source, parse_file};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Blanks the imports of local files, which are appended to the text.
pub fn local_imports(file: FileId, source: &SourceFile) -> Vec<Edit> {
    let members = parse_file(file, source, &mut Exprs::default()).members;
    let is_local = |member: &Member| matches!(&member.kind, MemberKind::Import(import) if !import.library);
    let spans = members.iter().filter(|member| is_local(member)).map(|member| range(member.span));
    spans.map(|span| Edit::replace(span.start, span.end, " ".repeat(span.len()))).collect()
}

/// The formatted text without unneeded parts. Members with these names stay, with everything they mention.
pub fn tidied(text: &str, roots: &BTreeSet<Name>) -> Option<String> {
    let mut text = text.to_string();
    for _ in 0..TIDYING_PASSES {
        let idle = idle_statements(&text);
        if idle.is_empty() {
            break;
        }
        text = without(&text, idle);
    }
    text = without(&text, unmentioned_members(&text, roots));
    let file = SourceFile::new("", text);
    format_source(FileId::new(0), &file).ok()
}

struct Parsed {
    exprs: Exprs,
    members: Vec<Member>,
}

impl Parsed {
    fn new(text: &str) -> Self {
        let mut exprs = Exprs::default();
        let members = parse_file(FileId::new(0), &SourceFile::new("", text), &mut exprs).members;
        Parsed { exprs, members }
    }
}

fn range(span: Span) -> Range<usize> {
    span.start as usize..span.end as usize
}

fn idle_statements(text: &str) -> Vec<Range<usize>> {
    let Parsed { exprs, members } = Parsed::new(text);
    let macros = macros(&members);
    let mut found = Vec::new();
    for member in &members {
        if let MemberKind::Method(method) = &member.kind
            && let Some(body) = &method.body
        {
            let words = words(&text[range(member.span)]);
            Idle { exprs: &exprs, words: &words, macros: &macros, found: &mut found }.block(body);
        }
    }
    found
}

struct Idle<'a> {
    exprs: &'a Exprs,
    /// The words of the method, with their number of occurrences.
    words: &'a BTreeMap<&'a str, usize>,
    macros: &'a BTreeSet<Name>,
    found: &'a mut Vec<Range<usize>>,
}

impl Idle<'_> {
    fn block(&mut self, block: &Block) {
        block.stmts.iter().for_each(|stmt| self.stmt(stmt));
    }
    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            _ if !stmt.annotations.is_empty() => {}
            _ if self.is_idle(stmt) => self.found.push(range(stmt.span)),
            StmtKind::If { arms, otherwise } => {
                arms.iter().for_each(|arm| self.block(&arm.body));
                match (otherwise, arms.last()) {
                    (Some(block), Some(last)) if block.stmts.is_empty() => {
                        self.found.push(range(last.body.span).end..range(block.span).end);
                    }
                    (Some(block), _) => self.block(block),
                    (None, _) => {}
                }
            }
            StmtKind::While { body, .. } => self.block(body),
            StmtKind::Block(block) => self.block(block),
            _ => {}
        }
    }
    /// Whether a statement has no effect and no demands.
    fn is_idle(&self, stmt: &Stmt) -> bool {
        match &stmt.kind {
            StmtKind::Var { vars, init: None } => vars.iter().all(|var| self.is_unused(&var.name.name)),
            StmtKind::Label { name, invariants } => {
                self.is_unused(&name.0.name) && invariants.exprs.is_empty() && invariants.decreases.is_empty()
            }
            StmtKind::Block(block) => block.stmts.is_empty(),
            StmtKind::If { arms, otherwise } => {
                arms.iter().all(|arm| self.is_total(arm.condition) && self.only_declares(&arm.body))
                    && otherwise.iter().all(|block| self.only_declares(block))
            }
            StmtKind::While { condition, invariants, body } => {
                let again = |stmt: &Stmt| match &stmt.kind {
                    StmtKind::Var { init, .. } => init.is_none(),
                    StmtKind::Assign { targets, value } => {
                        self.is_variable(*value)
                            && targets.iter().all(|target| self.variable(*target) == self.variable(*condition))
                    }
                    _ => false,
                };
                self.is_variable(*condition)
                    && invariants.exprs.is_empty()
                    && invariants.decreases.is_empty()
                    && body.stmts.iter().all(again)
            }
            _ => false,
        }
    }
    fn only_declares(&self, block: &Block) -> bool {
        block.stmts.iter().all(|stmt| matches!(stmt.kind, StmtKind::Var { init: None, .. }) || self.is_idle(stmt))
    }
    fn variable(&self, expr: ExprId) -> Option<&Name> {
        match &self.exprs[expr].kind {
            ExprKind::Ident(name) => Some(name).filter(|name| !self.macros.contains(*name)),
            _ => None,
        }
    }
    fn is_unused(&self, name: &str) -> bool {
        self.words.get(name) == Some(&1)
    }
    /// Whether evaluating an expression demands nothing.
    fn is_total(&self, expr: ExprId) -> bool {
        let mut pending = vec![expr];
        while let Some(expr) = pending.pop() {
            match &self.exprs[expr].kind {
                ExprKind::Bool(_) | ExprKind::Null | ExprKind::Int(_) | ExprKind::Perm(_) => {}
                ExprKind::Ident(_) if self.is_variable(expr) => {}
                ExprKind::Cardinality(of) => pending.push(*of),
                ExprKind::Unary { operand, .. } => pending.push(*operand),
                ExprKind::Binary { op, left, right } if is_total(*op) => pending.extend([*left, *right]),
                ExprKind::Chain { first, links } => {
                    pending.push(*first);
                    pending.extend(links.iter().map(|(_, right)| *right));
                }
                _ => return false,
            }
        }
        true
    }
    fn is_variable(&self, expr: ExprId) -> bool {
        self.variable(expr).is_some()
    }
}

fn is_total(op: BinaryOp) -> bool {
    !matches!(op, BinaryOp::Div | BinaryOp::IntDiv | BinaryOp::Mod | BinaryOp::Wand)
}

/// The names of macros, which may stand for anything.
fn macros(members: &[Member]) -> BTreeSet<Name> {
    let mut names = BTreeSet::new();
    for member in members {
        match &member.kind {
            MemberKind::Define(define) => drop(names.insert(define.name.name.clone())),
            MemberKind::Method(method) => method.body.iter().for_each(|body| {
                for_each_stmt(body, |stmt| {
                    if let StmtKind::Define(define) = &stmt.kind {
                        names.insert(define.name.name.clone());
                    }
                });
            }),
            _ => {}
        }
    }
    names
}

fn unmentioned_members(text: &str, roots: &BTreeSet<Name>) -> Vec<Range<usize>> {
    let members = Parsed::new(text).members;
    let declared: Vec<Vec<String>> = members.iter().map(declared).collect();
    let mut reached: BTreeSet<usize> = BTreeSet::new();
    let is_root = |names: &[String]| names.iter().any(|name| roots.contains(&**name));
    let mut pending: Vec<usize> = (0..members.len()).filter(|index| is_root(&declared[*index])).collect();
    if pending.is_empty() {
        return Vec::new();
    }
    while let Some(index) = pending.pop() {
        if !reached.insert(index) {
            continue;
        }
        let own = &text[range(members[index].span)];
        let words = words(own);
        // `new(*)` uses all fields.
        let all_fields = own.split_whitespace().collect::<String>().contains("new(*)");
        for (other, names) in declared.iter().enumerate() {
            let fields = all_fields && matches!(members[other].kind, MemberKind::Fields(_));
            if fields || names.iter().any(|name| words.contains_key(&**name)) {
                pending.push(other);
            }
        }
    }
    let measured = reached.iter().any(|index| words(&text[range(members[*index].span)]).contains_key("decreases"));
    let stays = |index: &usize| match &members[*index].kind {
        MemberKind::Import(import) => measured || !import.path.starts_with("decreases/"),
        _ => reached.contains(index),
    };
    let gone = (0..members.len()).filter(|index| !stays(index));
    gone.map(|index| with_comment(text, range(members[index].span))).collect()
}

/// The names by which a member is referenced.
fn declared(member: &Member) -> Vec<String> {
    match &member.kind {
        MemberKind::Import(_) => Vec::new(),
        MemberKind::Define(define) => vec![define.name.name.to_string()],
        MemberKind::Fields(fields) => fields.iter().map(|field| field.name.name.to_string()).collect(),
        MemberKind::Method(method) => vec![method.name.name.to_string()],
        MemberKind::Function(function) => vec![function.name.name.to_string()],
        MemberKind::Predicate(predicate) => vec![predicate.name.name.to_string()],
        MemberKind::Domain(domain) => {
            let functions = domain.functions.iter().map(|function| function.name.name.to_string());
            functions.chain([domain.name.name.to_string()]).collect()
        }
        MemberKind::Adt(adt) => {
            let mut names = vec![adt.name.name.to_string()];
            for constructor in &adt.constructors {
                names.extend([constructor.name.name.to_string(), format!("is{}", constructor.name.name)]);
                names.extend(constructor.args.iter().map(|arg| arg.name.name.to_string()));
            }
            names
        }
    }
}

/// The words of a text outside comments, with their number of occurrences.
fn words(text: &str) -> BTreeMap<&str, usize> {
    let mut found = BTreeMap::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if is_part_of_word(first) {
            let length = rest.find(|c| !is_part_of_word(c)).unwrap_or(rest.len());
            *found.entry(&rest[..length]).or_default() += 1;
            length
        } else {
            first.len_utf8()
        };
        rest = &rest[length..];
    }
    found
}

fn is_part_of_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$' | '\'')
}

/// Extends a range by the comment lines directly before it.
fn with_comment(text: &str, range: Range<usize>) -> Range<usize> {
    let mut start = text[..range.start].rfind('\n').map_or(0, |at| at + 1);
    if !text[start..range.start].trim().is_empty() {
        return range;
    }
    while let Some(end) = start.checked_sub(1) {
        let line = text[..end].rfind('\n').map_or(0, |at| at + 1);
        if !text[line..end].trim_start().starts_with("//") {
            break;
        }
        start = line;
    }
    start..range.end
}

/// The text without some ranges, and without lines that would become empty.
fn without(text: &str, mut ranges: Vec<Range<usize>>) -> String {
    ranges.sort_by_key(|range| (range.start, range.end));
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for Range { mut start, mut end } in ranges {
        if start < done {
            continue;
        }
        end += text[end..].len() - text[end..].trim_start_matches([' ', '\t', ';', '\r']).len();
        let line = text[..start].rfind('\n').map_or(0, |at| at + 1).max(done);
        if text[line..start].trim().is_empty() && text[end..].starts_with('\n') {
            (start, end) = (line, end + 1);
        }
        out.push_str(&text[done..start]);
        done = end;
    }
    out.push_str(&text[done..]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tidy(text: &str, roots: &[&str]) -> String {
        tidied(text, &roots.iter().map(|root| Name::from(*root)).collect()).expect("the text parses")
    }

    #[test]
    fn members_that_nothing_mentions_go() {
        let text = "\
import <decreases/int.vpr>
field f: Int
field g: Int

// Speaks of m.
method shell() { m(null) }
function one(): Int { 1 }
method m(x: Ref)
  requires acc(x.f)
{ assert x.f >= x.f + one() - 1 }
";
        let expected = "\
field f: Int

function one(): Int { 1 }
method m(x: Ref)
  requires acc(x.f)
{ assert x.f >= x.f + one() - 1 }
";
        assert_eq!(tidy(text, &["m"]), expected);
        assert!(tidy(&text.replace("assert", "var o: Ref := new(*) assert"), &["m"]).contains("field g"));
    }

    #[test]
    fn branches_and_variables_without_use_go() {
        let text = "\
method m(n: Int)
{
  var choice_1: Bool
  if (choice_1) {
  } else {
    var rest: Ref
  }
  var choice_2: Bool
  while (choice_2) {
    var choice_3: Bool; choice_2 := choice_3
  }
  if (n > 0) {
    assert n != 0
  } else {
  }
}
";
        assert_eq!(tidy(text, &["m"]), "method m(n: Int)\n{\n  if (n > 0) {\n    assert n != 0\n  }\n}\n");
    }

    #[test]
    fn labels_without_use_and_branches_on_total_conditions_go() {
        let text = "\
define positive n > 0
method m(n: Int, s: Set[Int])
{
  label before
  label after
  if (n in s && !(n + 1 <= |s|)) {
  } elseif (n == 0) {
  }
  assert old[after](n) == n
  if (positive) {
  }
}
";
        let expected = "\
define positive n > 0
method m(n: Int, s: Set[Int])
{
  label after
  assert old[after](n) == n
  if (positive) {
  }
}
";
        assert_eq!(tidy(text, &["m"]), expected);
    }

    /// Evaluating a condition may have demands.
    #[test]
    fn conditions_other_than_variables_stay() {
        let text = "method m(n: Int)\n{\n  if (1 / n > 0) {\n  }\n}\n";
        assert_eq!(tidy(text, &["m"]), text);
    }
}
