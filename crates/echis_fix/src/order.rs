//! Predicate statements at the wrong place, or for the wrong instance.

use crate::site::Site;
use crate::terms::in_scope;
use crate::text::{bare, one_line};
use crate::{Candidate, Kind};
use echis::coverage::Edit;
use echis_program::program::{Block, PredicateAccess, Stmt, StmtKind, Type};

/// Maximum number of nearby statements that may have to be moved past the failure.
const NEAR: usize = 4;
/// Maximum number of other instances tried.
const INSTANCES: usize = 4;

/// Candidates for permission that is missing where it is needed, but held before or afterwards.
pub(crate) fn candidates(site: &Site<'_>) -> Vec<Candidate> {
    if site.reason != "insufficient.permission" {
        return Vec::new();
    }
    [moved(site), other_instances(site), folded_otherwise(site)].concat()
}

/// Moves a `fold` that comes too early, or a `fold` or `unfold` that comes too late.
fn moved(site: &Site<'_>) -> Vec<Candidate> {
    let Some((block, index)) = site.block() else { return Vec::new() };
    let stmts = &block.stmts;
    let is_movable = |stmt: &&Stmt| {
        matches!(stmt.kind, StmtKind::Fold(_) | StmtKind::Unfold(_) | StmtKind::Apply { .. }) && site.is_own(stmt.id)
    };
    let mut found = Vec::new();
    let line = |stmt: &Stmt| site.sources.position(site.span(stmt.id)).start.line;
    let earlier = stmts[..index].iter().rev().take(NEAR).filter(is_movable);
    for stmt in earlier.filter(|stmt| matches!(stmt.kind, StmtKind::Fold(_))) {
        let text = one_line(site.text_of(stmt.id));
        let mut behind = vec![&stmts[index]];
        behind.extend(stmts.last().filter(|last| last.id != stmts[index].id));
        for place in behind.into_iter().filter(|place| site.is_own(place.id)) {
            let edits = vec![removed(site, stmt), site.insert_behind(place, &text)];
            let explanation = format!("move {text} from line {} after line {}", line(stmt), line(place));
            found.push(Candidate::new(Kind::Ghost, explanation, edits));
        }
    }
    let place = &stmts[index];
    for stmt in stmts[index + 1..].iter().take(NEAR).filter(is_movable).filter(|_| site.is_own(place.id)) {
        let text = one_line(site.text_of(stmt.id));
        let edits = vec![site.insert_statement(site.statement_start(place), &text), removed(site, stmt)];
        let explanation = format!("move {text} from line {} before line {}", line(stmt), line(place));
        found.push(Candidate::new(Kind::Ghost, explanation, edits));
    }
    found
}

/// An edit that removes a statement, with its line if it is alone there.
fn removed(site: &Site<'_>, stmt: &Stmt) -> Edit {
    let (start, end) = (site.statement_start(stmt), site.span(stmt.id).end as usize);
    let line = site.text[..start].rfind('\n').map_or(0, |at| at + 1);
    let next = site.text[end..].find('\n').map(|at| end + at + 1);
    match next {
        Some(next) if site.text[line..start].trim().is_empty() && site.text[end..next].trim().is_empty() => {
            Edit::replace(line, next, "")
        }
        _ => Edit::replace(start, end, ""),
    }
}

/// `unfold list(y)` although `list(x)` is held.
fn other_instances(site: &Site<'_>) -> Vec<Candidate> {
    let Some(stmt) = site.statement().filter(|stmt| site.is_own(stmt.id)) else { return Vec::new() };
    let (word, access) = match &stmt.kind {
        StmtKind::Fold(access) => ("fold", access),
        StmtKind::Unfold(access) => ("unfold", access),
        _ => return Vec::new(),
    };
    let (written, span) = (one_line(site.text_of(access.id)), site.span(access.id));
    let known = site.instances().into_iter().filter(|(predicate, _)| *predicate == access.predicate);
    let known = known.map(|(_, text)| text).chain(named(site, access));
    let mut found: Vec<Candidate> = Vec::new();
    for text in known.filter(|text| bare(text) != bare(&written)) {
        let edit = Edit::replace(span.start as usize, span.end as usize, &*text);
        let candidate = Candidate::new(Kind::Ghost, format!("write {word} {text} for {word} {written}"), vec![edit]);
        if !found.contains(&candidate) {
            found.push(candidate);
        }
    }
    found.truncate(INSTANCES);
    found
}

/// `fold cell(x, n)` although `cell(x, n + 1)` is needed later.
fn folded_otherwise(site: &Site<'_>) -> Vec<Candidate> {
    let (Some(location), Some(body)) = (site.subject(), site.method().and_then(|method| method.body.as_ref())) else {
        return Vec::new();
    };
    let wanted = site.instance(location);
    let mut found = Vec::new();
    body.visit_stmts(&mut |stmt| {
        if let StmtKind::Fold(access) = &stmt.kind
            && Some(access.predicate) == wanted
            && site.is_own(stmt.id)
            && (site.is_at_end() || site.span(stmt.id).end <= site.at.start)
        {
            let (written, span) = (one_line(site.text_of(access.id)), site.span(access.id));
            if bare(&written) != bare(location) {
                let edit = Edit::replace(span.start as usize, span.end as usize, location);
                let line = site.sources.position(span).start.line;
                let explanation = format!("write fold {location} for fold {written} on line {line}");
                found.push(Candidate::new(Kind::Ghost, explanation, vec![edit]));
            }
        }
    });
    found.reverse();
    found.truncate(INSTANCES);
    found
}

/// Instances for the references in scope.
fn named(site: &Site<'_>, access: &PredicateAccess) -> Vec<String> {
    let predicate = &site.program.predicates[access.predicate];
    let is_of_one = predicate.params.len() == 1 && site.program.locals[predicate.params[0]].ty == Type::Ref;
    let references = in_scope(site).into_iter().filter(|term| is_of_one && term.ty == Type::Ref);
    references.map(|term| format!("{}({})", predicate.name, term.text)).collect()
}

impl<'a> Site<'a> {
    /// The statements before the failure, in the same block.
    pub fn stmts_before(&self) -> &'a [Stmt] {
        match self.block() {
            Some((block, index)) => &block.stmts[..index],
            None => self.method().and_then(|method| method.body.as_ref()).map_or(&[], |body| &body.stmts),
        }
    }
    /// Edits that add a statement to the ends of the branches of the last branching before the failure, in the same
    /// block, and of those at their ends; with the lines. Branches that end with that statement are left aside.
    pub fn at_ends_of_branches(&self, statement: &str) -> Vec<(usize, Edit)> {
        let last = self.stmts_before().iter().rev().find(|stmt| matches!(stmt.kind, StmtKind::If { .. }));
        let (mut open, mut found) = (Vec::from_iter(last), Vec::new());
        while let Some(stmt) = open.pop() {
            let StmtKind::If { condition, then, otherwise } = &stmt.kind else { continue };
            for block in [then, otherwise] {
                match block.stmts.last() {
                    Some(last) if matches!(last.kind, StmtKind::If { .. }) => open.push(last),
                    Some(last) if self.is_own(last.id) && self.text_of(last.id) != statement => {
                        let line = self.sources.position(self.span(last.id)).end.line;
                        found.push((line as usize, self.insert_behind(last, statement)));
                    }
                    Some(_) => {}
                    None => {
                        let end = self.span(stmt.id).end as usize;
                        let from = match (std::ptr::eq(block, then), then.stmts.last()) {
                            (true, _) => Some(self.span(self.program.expr(*condition).id).end as usize),
                            // Behind the brace of the first branch.
                            (false, Some(last)) => {
                                let last = self.span(last.id).end as usize;
                                self.text.get(last..end).and_then(|rest| rest.find("else")).map(|at| last + at)
                            }
                            (false, None) => None,
                        };
                        let at = from.and_then(|from| self.empty_block(from, end));
                        found.extend(at.map(|at| {
                            let line = self.text[..at].matches('\n').count() + 1;
                            (line, self.insert_statement(at, statement))
                        }));
                    }
                }
            }
        }
        found
    }
    /// The closing brace of an empty block that starts between two positions.
    fn empty_block(&self, from: usize, until: usize) -> Option<usize> {
        let text = self.text.get(from..until)?;
        let open = text.find('{')?;
        let close = text[open..].find('}')? + open;
        let is_empty =
            text[open + 1..close].lines().all(|line| line.trim().is_empty() || line.trim().starts_with("//"));
        is_empty.then_some(from + close)
    }
    /// The block of the innermost statement around the error, and its index in the block.
    pub fn block(&self) -> Option<(&'a Block, usize)> {
        let stmt = self.statement()?;
        let outer = self.around.iter().rev().nth(1).map(|stmt| stmt.kind.blocks());
        let blocks =
            outer.unwrap_or_else(|| self.method().and_then(|method| method.body.as_ref()).into_iter().collect());
        let position = |block: &'a Block| Some((block, block.stmts.iter().position(|other| other.id == stmt.id)?));
        blocks.into_iter().find_map(position)
    }
}
