//! Permission that is held but folded, or predicates whose parts are held but not folded.

use crate::defined::matched;
use crate::site::Site;
use crate::terms::goal_text;
use crate::text::{bare, one_line, unwrapped, words};
use crate::{Candidate, Kind};
use echis::coverage::Edit;
use echis_base::opened_at;
use echis_program::program::{ExprId, ExprKind, Location, PredicateId, StmtKind, Type};

/// Candidates for missing permission.
pub(crate) fn candidates(site: &Site<'_>) -> Vec<Candidate> {
    if site.reason == "assertion.false" {
        return [packaged(site), looked_into(site)].concat();
    }
    if site.reason != "insufficient.permission" {
        return Vec::new();
    }
    let Some(location) = site.subject() else { return Vec::new() };
    let mut found = packaged(site);
    if site.instance(location).is_some() {
        found.extend(fold(site, location));
    }
    let holders = holders(site, location);
    if holders.is_empty() {
        found.extend(lacking(site, location));
    }
    for instance in holders {
        found.extend(open(site, &instance));
    }
    found
}

/// Maximum number of instances unfolded for the facts in their bodies.
const LOOKED_INTO: usize = 3;
/// Maximum number of statements before the error, before each of which an instance may be folded.
const NEAR: usize = 3;

/// Unfolds instances for the facts in their bodies: those that share a name with what is to be shown come first.
fn looked_into(site: &Site<'_>) -> Vec<Candidate> {
    let Some(at) = site.before().filter(|_| site.method().is_some()) else { return Vec::new() };
    let goal = goal_text(site).unwrap_or_default();
    let has_body = |(predicate, _): &(PredicateId, String)| site.program.predicates[*predicate].body.is_some();
    let mut instances: Vec<(PredicateId, String)> = site.instances().into_iter().filter(has_body).collect();
    let shared = |(predicate, text): &(PredicateId, String)| {
        let is_field = |word: &str| site.gives_field(*predicate, word);
        let args = arguments(bare(text)).unwrap_or_default();
        words(&goal).filter(|word| is_field(word) || args.contains(word)).count()
    };
    instances.sort_by_key(|instance| usize::MAX - shared(instance));
    let candidate = |statements: &[String], explanation: String| {
        Candidate::new(Kind::GhostBlock, explanation, vec![site.insert_statements(at, statements)])
    };
    let each = instances.into_iter().take(LOOKED_INTO).flat_map(|(_, instance)| {
        let statements = [format!("unfold {instance}"), format!("fold {instance}")];
        let open = candidate(&statements[..1], format!("unfold {instance} first"));
        [candidate(&statements, format!("unfold and fold {instance} first")), open]
    });
    each.collect()
}

/// Folds, at the end of the script of a `package`, the instances that the wand promises, and unfolds what it is given.
fn packaged(site: &Site<'_>) -> Vec<Candidate> {
    let Some(stmt) = site.statement().filter(|stmt| site.is_own(stmt.id)) else { return Vec::new() };
    let StmtKind::Package { wand, .. } = &stmt.kind else { return Vec::new() };
    let program = site.program;
    let ExprKind::Wand { left, right } = program.kind(*wand) else { return Vec::new() };
    let instances = |side: ExprId, word: &str| -> Vec<String> {
        let instance = |(conjunct, _): (ExprId, _)| match program.kind(conjunct) {
            ExprKind::Acc { location: Location::Predicate { .. }, .. } => site.said(conjunct).map(one_line),
            _ => None,
        };
        program.conjuncts(side).into_iter().filter_map(instance).map(|text| format!("{word} {text}")).collect()
    };
    let candidate = |statement: String| {
        let (edit, explanation) = site.in_package(&statement)?;
        Some(Candidate::new(Kind::Ghost, explanation, vec![edit]))
    };
    [instances(*right, "fold"), instances(*left, "unfold")].concat().into_iter().filter_map(candidate).collect()
}

impl Site<'_> {
    /// An edit that adds a statement to the end of the script of the failing `package`.
    pub fn in_package(&self, statement: &str) -> Option<(Edit, String)> {
        let stmt = self.statement().filter(|stmt| self.is_own(stmt.id))?;
        let StmtKind::Package { script, .. } = &stmt.kind else { return None };
        let span = self.span(stmt.id);
        let has_script = !script.stmts.is_empty() || self.text_of(stmt.id).ends_with('}');
        let edit = match self.end_of(span).filter(|_| has_script) {
            Some(end) => self.insert_statement(end, statement),
            None => Edit::insert(span.end as usize, format!(" {{ {statement} }}")),
        };
        Some((edit, format!("{statement} at the end of the package")))
    }
}

/// Instances that may contain the location, likely ones first.
fn holders(site: &Site<'_>, location: &str) -> Vec<String> {
    let field = Site::field(location);
    let wanted = site.instance(location);
    let gives = |predicate: PredicateId| match (wanted, field) {
        (Some(wanted), _) => site.gives_predicate(predicate, wanted),
        (None, Some((_, field))) => site.gives_field(predicate, field),
        (None, None) => false,
    };
    let mut known: Vec<String> =
        site.instances().into_iter().filter(|(predicate, _)| gives(*predicate)).map(|(_, text)| text).collect();
    // An instance for the receiver, shaped like the known ones.
    let receiver = field.map(|(receiver, _)| receiver).filter(|_| wanted.is_none());
    let mut made = Vec::new();
    for (id, predicate) in site.program.predicates.iter().filter(|(id, _)| gives(*id)) {
        let Some(receiver) = receiver else { continue };
        let is_ref = |index: usize| site.program.locals[predicate.params[index]].ty == Type::Ref;
        if predicate.params.len() == 1 && is_ref(0) {
            made.push(format!("{}({receiver})", predicate.name));
        }
        for (_, text) in site.instances().into_iter().filter(|(known, _)| *known == id && predicate.params.len() > 1) {
            made.extend(with_receiver(&text, receiver).filter(|_| is_ref(0)));
        }
    }
    made.extend(containing(site, location));
    let mentions =
        |text: &String| receiver.is_some_and(|receiver| arguments(text).is_some_and(|args| args[0] == receiver));
    known.extend(made);
    known.sort_by_key(|text| !mentions(text));
    let mut seen = std::collections::BTreeSet::new();
    known.retain(|text| seen.insert(text.clone()) && bare(text) != bare(location));
    known
}

/// Instances of predicates with one parameter whose bodies give exactly this location: `Q(f(x))` for `P(f(f(x)))`, if
/// the body of `Q(y)` is `P(f(y))`.
fn containing(site: &Site<'_>, location: &str) -> Vec<String> {
    let program = site.program;
    let mut found = Vec::new();
    for predicate in program.predicates.values() {
        let (Some(body), [param]) = (predicate.body, &predicate.params[..]) else { continue };
        program.visit(body, |expr| {
            if let ExprKind::Acc { location_id, .. } = program.kind(expr) {
                let pattern = one_line(site.text_of(*location_id));
                let value = matched(&pattern, &program.locals[*param].name, bare(location));
                found.extend(value.map(|value| format!("{}({})", predicate.name, unwrapped(&value))));
            }
            true
        });
    }
    found
}

/// Predicates of the receiver that give permission to its other fields: the body lacks one.
fn lacking(site: &Site<'_>, location: &str) -> Vec<Candidate> {
    let program = site.program;
    let Some((receiver, field)) = Site::field(location).filter(|_| site.instance(location).is_none()) else {
        return Vec::new();
    };
    let mut found: Vec<Candidate> = Vec::new();
    for (id, instance) in site.instances() {
        let predicate = &program.predicates[id];
        let own = arguments(bare(&instance)).and_then(|args| args.iter().position(|arg| *arg == receiver));
        let (Some(index), Some(body)) = (own, predicate.body) else { continue };
        let Some(param) = predicate.params.get(index).map(|param| &*program.locals[*param].name) else { continue };
        let mut first = None;
        program.visit(body, |expr| {
            if let ExprKind::Acc { location: Location::Field { .. }, location_id, .. } = program.kind(expr)
                && site.text_of(*location_id).starts_with(&format!("{param}."))
            {
                first = first.or(Some(site.span(program.expr(expr).id).start as usize));
            }
            true
        });
        let Some(at) = first.filter(|_| site.span(predicate.id).file == site.main) else { continue };
        let given = format!("acc({param}.{field})");
        let explanation = format!("add {given} to the body of {}", predicate.name);
        let candidate = Candidate::new(Kind::Predicate, explanation, vec![Edit::insert(at, format!("{given} && "))]);
        if !found.contains(&candidate) {
            found.push(candidate);
        }
    }
    found
}

/// The arguments of an instance, in the simple case that commas separate them.
fn arguments(instance: &str) -> Option<Vec<&str>> {
    let inner = instance.strip_prefix("acc(").unwrap_or(instance);
    let (_, args) = inner.split_once('(')?;
    let end = args.find(')')?;
    Some(args[..end].split(',').map(str::trim).collect())
}

/// The instance with another first argument.
fn with_receiver(instance: &str, receiver: &str) -> Option<String> {
    let first = *arguments(instance)?.first()?;
    let at = instance.find('(').filter(|_| !instance.starts_with("acc("))?;
    let rest = instance[at + 1..].trim_start().strip_prefix(first)?;
    Some(format!("{}({receiver}{rest}", &instance[..at]))
}

fn fold(site: &Site<'_>, location: &str) -> Vec<Candidate> {
    let Some(at) = site.before() else { return Vec::new() };
    let statement = format!("fold {location}");
    let mut found = vec![Candidate::new(
        Kind::Ghost,
        format!("{statement} {}", site.place()),
        vec![site.insert_statement(at, &statement)],
    )];
    // An earlier place may be the right one: the end of a branch, or before what changes the parts.
    for (line, edit) in site.at_ends_of_branches(&statement) {
        found.push(Candidate::new(Kind::Ghost, format!("{statement} after line {line}"), vec![edit]));
    }
    for stmt in site.stmts_before().iter().rev().take(NEAR).filter(|stmt| site.is_own(stmt.id)) {
        let line = site.sources.position(site.span(stmt.id)).start.line;
        let edit = site.insert_statement(site.statement_start(stmt), &statement);
        found.push(Candidate::new(Kind::GhostBlock, format!("{statement} before line {line}"), vec![edit]));
    }
    for opened in opened(site, location) {
        let statement = format!("fold {opened}");
        let edit = site.insert_statement(at, &statement);
        found.push(Candidate::new(Kind::Ghost, format!("{statement} {}", site.place()), vec![edit]));
    }
    found
}

/// Instances of the same predicate that the method opens before: `P(x)` where `P(r)` is needed for all `r` of a set, or a part
/// of it.
fn opened(site: &Site<'_>, location: &str) -> Vec<String> {
    let mut found = Vec::new();
    let Some(body) = site.method().and_then(|method| method.body.as_ref()) else { return found };
    let wanted = site.instance(location);
    let end = if site.is_at_end() { u32::MAX } else { site.at.start };
    body.visit_stmts(&mut |stmt| {
        if let StmtKind::Unfold(access) = &stmt.kind
            && Some(access.predicate) == wanted
            && site.is_own(stmt.id)
            && site.span(stmt.id).end <= end
        {
            let instance = one_line(site.text_of(access.id));
            if instance != location && !found.contains(&instance) {
                found.push(instance);
            }
        }
    });
    found
}

/// The ways to open an instance for the failing expression.
fn open(site: &Site<'_>, instance: &str) -> Vec<Candidate> {
    let mut found = Vec::new();
    if let Some(at) = site.before().filter(|_| site.method().is_some()) {
        let unfold = site.insert_statement(at, &format!("unfold {instance}"));
        found.push(Candidate::new(Kind::Ghost, format!("unfold {instance} first"), vec![unfold.clone()]));
        let branch = site.around.iter().find(|stmt| matches!(stmt.kind, StmtKind::If { .. }) && site.is_own(stmt.id));
        found.extend(branch.map(|stmt| {
            let line = site.sources.position(site.span(stmt.id)).start.line;
            let edit = site.insert_statement(site.statement_start(stmt), &format!("unfold {instance}"));
            Candidate::new(Kind::GhostBlock, format!("unfold {instance} before the branch on line {line}"), vec![edit])
        }));
        if let Some(stmt) = site.statement().filter(|_| !site.is_at_end())
            && stmt.kind.blocks().is_empty()
        {
            let fold = site.insert_behind(stmt, &format!("fold {instance}"));
            let explanation = format!("unfold {instance} first, and fold it again afterwards");
            found.push(Candidate::new(Kind::GhostBlock, explanation, vec![unfold, fold]));
        }
    }
    for expr in wrapped(site) {
        let Some(edit) = around(site, expr, instance) else { continue };
        let inside = one_line(site.said(expr).unwrap_or_default());
        let kind = if site.is_in_contract() { Kind::Postcondition } else { Kind::Ghost };
        let explanation = format!("write unfolding {instance} in {inside}");
        found.push(Candidate::new(kind, explanation, vec![edit]));
    }
    found
}

/// Expressions around the failure that can be wrapped in an `unfolding`: conjuncts, branches, and whole values.
fn wrapped(site: &Site<'_>) -> Vec<ExprId> {
    let program = site.program;
    let place = if site.span(site.id()).contains(site.about) { site.about } else { site.at };
    let is_around =
        |expr: ExprId| site.span(program.expr(expr).id).contains(place) && site.is_own(program.expr(expr).id);
    let Some(root) = roots(site).into_iter().find(|root| is_around(*root)) else { return Vec::new() };
    // The path from the root to what fails, cut where an `unfolding` would do no more.
    let (mut path, mut here) = (vec![root], root);
    loop {
        let next = program.kind(here).children().into_iter().find(|child| is_around(*child));
        let Some(next) = next else { break };
        let is_step = matches!(
            program.kind(here),
            ExprKind::Conditional(..)
                | ExprKind::Binary(..)
                | ExprKind::Unary(..)
                | ExprKind::Unfolding { .. }
                | ExprKind::Let { .. }
                | ExprKind::Quantified { .. }
        );
        let shortcut = matches!(
            program.kind(here),
            ExprKind::Conditional(..)
                | ExprKind::Binary(
                    echis_program::program::BinaryOp::And | echis_program::program::BinaryOp::Implies,
                    ..
                )
        );
        if !is_step {
            break;
        }
        let opens = matches!(
            program.kind(here),
            ExprKind::Unfolding { .. } | ExprKind::Let { .. } | ExprKind::Quantified { .. }
        );
        if shortcut || opens {
            path.push(next);
        }
        here = next;
    }
    path.retain(|expr| program.is_pure(*expr));
    path.reverse();
    path.dedup();
    path.truncate(3);
    path
}

fn around(site: &Site<'_>, expr: ExprId, instance: &str) -> Option<Edit> {
    let span = site.span(site.program.expr(expr).id);
    let start = opened_at(site.text, span.start as usize, span.end as usize);
    let inside = site.text.get(start..span.end as usize)?;
    // `unfolding` extends as far as it can: where nothing follows that it could take in, it needs no parentheses.
    let is_followed = site.text[span.end as usize..].trim_start().starts_with(['.', '[', ':']);
    let text = format!("unfolding {instance} in {inside}");
    let text = if roots(site).contains(&expr) && !is_followed { text } else { format!("({text})") };
    Some(Edit::replace(start, span.end as usize, text))
}

/// The expressions of the statement or of the member that stand on their own.
fn roots(site: &Site<'_>) -> Vec<ExprId> {
    let mut roots: Vec<ExprId> = match site.statement() {
        Some(stmt) => stmt.kind.roots(),
        None => site.clauses().into_iter().flatten().collect(),
    };
    roots.extend(site.function().and_then(|function| function.body));
    roots.extend(site.predicate().and_then(|predicate| predicate.body));
    roots
}
