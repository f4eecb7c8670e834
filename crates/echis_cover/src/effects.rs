//! Removes the effect of a statement while keeping its demands: its checks remain, but what it establishes is
//! forgotten.

use echis_base::{Edit, SourceMap, Span, fresh};
use echis_program::program::{ExprKind, LocalId, MethodId, Program, Stmt, StmtKind, Type};

/// The edits that remove the effect of a statement.
pub fn havoc(program: &Program, sources: &SourceMap, source: &str, stmt: &Stmt) -> Option<Vec<Edit>> {
    let span = program.syntax.span(stmt.id);
    let (start, end) = (span.start as usize, span.end as usize);
    let text = sources.text(span);
    let any = fresh(source, "any_value");
    match &stmt.kind {
        StmtKind::Assign { target, value } => {
            let value = program.syntax.span(program.expr(*value).id);
            if text.starts_with("var") {
                return undefined(text, span, value);
            }
            Some(vec![Edit::replace(start, end, assign(program, *target, &any)?)])
        }
        StmtKind::AssignField { field, .. } => {
            let (location, _) = text.split_once(":=")?;
            let ty = type_text(program, &program.fields[*field].ty)?;
            let text = format!("{{ var {any}: {ty} {} := {any} }}", location.trim());
            Some(vec![Edit::replace(start, end, text)])
        }
        StmtKind::New { .. } if text.starts_with("var") => {
            let at = text.find(":=")?;
            Some(vec![Edit::replace(start + at, end, "")])
        }
        StmtKind::New { target, .. } => Some(vec![Edit::replace(start, end, assign(program, *target, &any)?)]),
        StmtKind::Call { method, .. } => call(program, sources, source, *method, text, start),
        StmtKind::Fold(_) => {
            let what = text.strip_prefix("fold")?.trim();
            Some(vec![Edit::replace(start, end, format!("{{ {text} exhale {what} }}"))])
        }
        StmtKind::Unfold(_) => {
            let what = text.strip_prefix("unfold")?.trim();
            Some(vec![Edit::replace(start, end, format!("exhale {what}"))])
        }
        StmtKind::Package { wand, .. } if text.starts_with("package") => {
            let wand = sources.text(program.syntax.span(program.expr(*wand).id));
            Some(vec![Edit::replace(start, end, format!("{{ {text} exhale {wand} }}"))])
        }
        StmtKind::Apply { wand } if text.starts_with("apply") => {
            let ExprKind::Wand { left, .. } = program.kind(*wand) else { return None };
            let left = sources.text(program.syntax.span(program.expr(*left).id));
            let wand = sources.text(program.syntax.span(program.expr(*wand).id));
            Some(vec![Edit::replace(start, end, format!("exhale ({left}) && ({wand})"))])
        }
        _ => None,
    }
}

/// `var x: T := e` without the value.
fn undefined(text: &str, span: Span, value: Span) -> Option<Vec<Edit>> {
    if !span.contains(value) {
        return None;
    }
    let arrow = text.get(..(value.start - span.start) as usize)?.rfind(":=")?;
    Some(vec![Edit::replace(span.start as usize + arrow, span.end as usize, "")])
}

fn assign(program: &Program, target: LocalId, any: &str) -> Option<String> {
    let local = &program.locals[target];
    let ty = type_text(program, &local.ty)?;
    Some(format!("{{ var {any}: {ty} {} := {any} }}", local.name))
}

/// A call of a method with the same preconditions and no postconditions, which is added at the end of the file.
fn call(
    program: &Program,
    sources: &SourceMap,
    source: &str,
    method: MethodId,
    text: &str,
    start: usize,
) -> Option<Vec<Edit>> {
    let method = &program.methods[method];
    let name: &str = &method.name;
    let from = text.find(":=").map_or(0, |at| at + 2);
    let at = from + text.get(from..)?.find(name)?;
    let follows = text.get(at + name.len()..)?.trim_start();
    if !follows.starts_with('(') || !text[from..at].trim().is_empty() {
        return None;
    }
    let silent = fresh(source, &format!("{name}_without_promise"));
    let header = header(sources.text(program.syntax.span(method.id)), name)?;
    let mut declared = format!("\nmethod {silent}{header}\n");
    for clause in &method.pre {
        declared += &format!("  requires {}\n", sources.text(program.syntax.span(program.expr(*clause).id)));
    }
    let called = Edit::replace(start + at, start + at + name.len(), silent);
    Some(vec![called, Edit::insert(source.len(), declared)])
}

/// The parameters and results of a method, as written.
fn header<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let keyword = text.find("method")?;
    let start = keyword + text[keyword..].find(name)? + name.len();
    let mut end = start + closing(&text[start..])?;
    let rest = text[end..].trim_start();
    if rest.starts_with("returns") {
        end += text[end..].len() - rest.len() + closing(rest)?;
    }
    Some(&text[start..end])
}

/// The end of the first group in parentheses.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' if depth == 1 => return Some(at + 1),
            ')' => depth = depth.checked_sub(1)?,
            _ => {}
        }
    }
    None
}

/// A type as written in a method.
pub fn type_text(program: &Program, ty: &Type) -> Option<String> {
    let one = |ty: &Type| type_text(program, ty);
    Some(match ty {
        Type::Int => "Int".into(),
        Type::Bool => "Bool".into(),
        Type::Perm => "Perm".into(),
        Type::Ref => "Ref".into(),
        Type::Seq(of) => format!("Seq[{}]", one(of)?),
        Type::Set(of) => format!("Set[{}]", one(of)?),
        Type::Multiset(of) => format!("Multiset[{}]", one(of)?),
        Type::Map(from, to) => format!("Map[{}, {}]", one(from)?, one(to)?),
        Type::Domain(id, args) if args.is_empty() => program.domains[*id].name.to_string(),
        Type::Domain(id, args) => {
            let args: Option<Vec<String>> = args.iter().map(one).collect();
            format!("{}[{}]", program.domains[*id].name, args?.join(", "))
        }
        Type::Parameter(_) | Type::PredicateInstance => return None,
    })
}
