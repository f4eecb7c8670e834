//! Prunes a program to the part that a proof needs. The result is verified before it is shown.

mod demanded;
mod necessary;
mod predicate_bodies;
mod tidy;

pub use necessary::Necessity;

use crate::ask::dependencies::Dependencies;
use crate::language::pruned_program::{Pruned, Repair, fails_as_before};
use crate::limits::PRUNED_PROGRAMS;
use crate::verification::Verification;
use crate::verify::settings::Settings;
use echis_base::{Edit, FileId, SourceFile, Span, SyntaxId, apply};
use echis_depend::{Construct, EdgeFilter, Owner, UserId, UserNode, owner_name};
use echis_findings::{FileResult, FileVerdict, Finding};
use echis_program::program::{ExprKind, LocalId, StmtKind};
use echis_syntax::{Pieces, cut};
use predicate_bodies::{opened, staying};
use std::collections::BTreeSet;
use tidy::{local_imports, tidied};

/// Prunes a Viper program to what some nodes need.
pub(crate) fn prune(
    verification: &Verification,
    found: &Dependencies,
    keep: &BTreeSet<UserId>,
    repair: Repair,
) -> Pruned {
    let settings = verification.settings().for_variation();
    let pruning = Pruning { verification, found, settings, measures: false };
    let pruned = pruning.attempt(pruning.closed(keep.clone()), BTreeSet::new());
    if !may_lack_something(&pruned) {
        return pruning.tidied(pruned);
    }
    let measured = Pruning { measures: true, ..pruning };
    let text = measured.text(&pruned.kept);
    let pruned = if text == pruned.text { pruned } else { measured.attempt(pruned.kept, BTreeSet::new()) };
    measured.tidied(measured.completed(pruned, repair))
}

/// Whether more of the program may help.
fn may_lack_something(pruned: &Pruned) -> bool {
    matches!(pruned.verdict, FileVerdict::Failed | FileVerdict::Undecided) && pruned.result.stopped.is_empty()
}

impl Pruning<'_> {
    /// Adds what the program lacks, if it does not verify.
    fn completed(&self, pruned: Pruned, repair: Repair) -> Pruned {
        if !may_lack_something(&pruned) {
            return pruned;
        }
        let named = pruned.kept.clone();
        match self.hinted(&pruned) {
            Some(hinted) if hinted.verdict == FileVerdict::Verified => {
                let lean = self.lean(&named, hinted);
                match self.adds_hints(&named, &lean) {
                    true => Pruned { only_hints: true, ..lean },
                    false if repair == Repair::Add => lean,
                    false => pruned,
                }
            }
            // It is unknown whether hints would have been enough.
            Some(undecided) => undecided,
            None if repair == Repair::Add => self.repaired(pruned),
            None => pruned,
        }
    }
    /// Removes remnants of cutting, if the program verifies without them.
    fn tidied(&self, pruned: Pruned) -> Pruned {
        if pruned.verdict != FileVerdict::Verified {
            return pruned;
        }
        let (nodes, sources) = (&self.found.nodes.all, &self.found.result.sources);
        let shown = pruned.kept.iter().map(|user| &nodes[*user]);
        let written = shown.filter(|node| node.is_shown() && !sources.file(node.span.file).is_provided());
        let roots = written.map(|node| owner_name(&self.found.program, node.owner)).collect();
        let Some(text) = tidied(&pruned.text, &roots).filter(|text| *text != pruned.text) else { return pruned };
        let result = self.verify(text.clone());
        let fails_as_before = self.fails_as_before(&result);
        if result.verdict != FileVerdict::Verified && !fails_as_before {
            return pruned;
        }
        Pruned { text, result, ..pruned }
    }
}

/// The proved goals of a program: postconditions of members with a body, `assert`, `exhale`.
pub(crate) fn assertions(found: &Dependencies) -> Vec<UserId> {
    let main = found.result.sources.files().next().map(|(main, _)| main);
    let abstract_posts: BTreeSet<UserId> =
        found.nodes.abstract_contracts.iter().flat_map(|(posts, _)| posts.iter().copied()).collect();
    let is_proved = |user: &UserId| found.graph.is_asserted(*user) && !found.graph.failed.contains(user);
    let all = found.nodes.all.iter().filter(|(id, node)| {
        let written = matches!(node.construct, Construct::Postcondition | Construct::Assert);
        written && !abstract_posts.contains(id) && Some(node.span.file) == main
    });
    all.map(|(id, _)| id).filter(is_proved).collect()
}

struct Pruning<'a> {
    verification: &'a Verification,
    found: &'a Dependencies,
    settings: Settings,
    /// Whether measures of functions stay, which guide how far definitions are unrolled.
    measures: bool,
}

impl Pruning<'_> {
    fn verify(&self, text: String) -> FileResult {
        self.verification.variation(text, &self.settings, self.verification.verifier())
    }
    /// Adds everything that the kept nodes require. Statements marked to introduce terms for quantifiers are not
    /// dependencies, and are kept if anything else of their member is. The parts of a macro are one text where it is
    /// used, and a statement of a macro is one text for all uses: if one node stays, those of the same text stay too.
    /// A function without its body would be trusted, so the body stays where a postcondition does.
    fn closed(&self, mut keep: BTreeSet<UserId>) -> BTreeSet<UserId> {
        let nodes = &self.found.nodes.all;
        loop {
            keep.extend(self.found.graph.dependencies(keep.iter().copied(), EdgeFilter::All));
            let owners: BTreeSet<Owner> = keep.iter().map(|user| nodes[*user].owner).collect();
            let texts: BTreeSet<Span> = keep.iter().map(|user| self.span(&nodes[*user])).collect();
            let promises = keep.iter().map(|user| &nodes[*user]);
            let promises = promises.filter(|node| node.construct == Construct::Postcondition);
            let promising: BTreeSet<Owner> = promises.map(|node| node.owner).collect();
            let stays = |node: &UserNode| {
                let triggers = node.annotation("trigger").is_some() && owners.contains(&node.owner);
                let shows = node.construct == Construct::FunctionBody && promising.contains(&node.owner);
                triggers || shows || (node.is_shown() && texts.contains(&self.span(node)))
            };
            let new = nodes.iter().filter(|(user, node)| !keep.contains(user) && stays(node));
            let more: Vec<UserId> = new.map(|(user, _)| user).collect();
            if more.is_empty() {
                return keep;
            }
            keep.extend(more);
        }
    }

    fn attempt(&self, kept: BTreeSet<UserId>, added: BTreeSet<UserId>) -> Pruned {
        let text = self.text(&kept);
        let result = self.verify(text.clone());
        let verdict = if self.fails_as_before(&result) { FileVerdict::Verified } else { result.verdict };
        Pruned { text, kept, added, only_hints: false, measures: self.measures, result, verdict }
    }

    /// The remaining text.
    fn text(&self, kept: &BTreeSet<UserId>) -> String {
        let main = self.found.result.sources.files().next();
        main.and_then(|(_, file)| apply(&self.edits(kept), &file.text)).unwrap_or_default()
    }

    /// The edits of the main file that leave what is kept.
    fn edits(&self, kept: &BTreeSet<UserId>) -> Vec<Edit> {
        let sources = &self.found.result.sources;
        let mut pieces = Pieces::default();
        if self.measures {
            pieces.keep_measures();
        }
        for (id, node) in self.found.nodes.all.iter() {
            pieces.add(self.span(node), kept.contains(&id) || !node.is_shown());
        }
        let opened = opened(self.found, kept);
        for (id, predicate) in self.found.program.predicates.iter() {
            let body = predicate.body.map(|body| self.found.program.expr(body).id);
            body.into_iter().for_each(|body| pieces.add(self.found.program.syntax.span(body), opened.contains(&id)));
        }
        let texts: Vec<&str> = sources.files().map(|(_, file)| &*file.text).collect();
        let cut =
            |(id, file): (FileId, &SourceFile)| [cut(id, file, &pieces, &texts), local_imports(id, file)].concat();
        let mut files = sources.files();
        let Some((main, own)) = files.next() else { return Vec::new() };
        let mut edits = cut((main, own));
        // Imported files are appended, so that the program is self-contained.
        let imported = files.filter(|(_, file)| !file.is_provided());
        let rest: Option<String> =
            imported.map(|found| Some(format!("\n{}", apply(&cut(found), &found.1.text)?))).collect();
        edits.extend(rest.map(|rest| Edit::insert(own.text.len(), rest)));
        edits
    }

    /// The text range of a node.
    fn span(&self, node: &UserNode) -> Span {
        let program = &self.found.program;
        match node.expr {
            Some(expr) if node.construct != Construct::Axiom => program.syntax.span(program.expr(expr).id),
            _ => node.span,
        }
    }

    /// Whether the member has each failure in the whole program too: the message is the same, or the reason is, if
    /// the message quotes text that was cut.
    fn fails_as_before(&self, result: &FileResult) -> bool {
        let same = |error: &Finding, before: &Finding| {
            let reason = error.reason.is_some() && error.reason == before.reason;
            error.diagnostic.id == before.diagnostic.id
                && error.member == before.member
                && (error.diagnostic.message == before.diagnostic.message || reason)
        };
        fails_as_before(result, &self.found.result, same)
    }

    /// The program with the hints of failing members, if that suffices or was not decided in time.
    fn hinted(&self, pruned: &Pruned) -> Option<Pruned> {
        let hints = self.hints(&pruned.kept);
        let dropped = pruned.dropped_where_it_fails(&self.found.view);
        let hints = dropped.into_iter().filter(|user| self.is_one_of(*user, &hints));
        let kept = self.closed(pruned.kept.iter().copied().chain(hints).collect());
        let added: BTreeSet<UserId> = kept.difference(&pruned.kept).copied().collect();
        if added.is_empty() {
            return None;
        }
        let hinted = self.attempt(kept, added);
        (hinted.verdict == FileVerdict::Verified || !hinted.result.stopped.is_empty()).then_some(hinted)
    }

    /// Whether all that was added to the named nodes is hints and what these need.
    fn adds_hints(&self, named: &BTreeSet<UserId>, pruned: &Pruned) -> bool {
        let hints = self.hints(named);
        let added = pruned.added.iter().copied().filter(|user| self.is_one_of(*user, &hints));
        pruned.added.is_subset(&self.closed(named.iter().copied().chain(added).collect()))
    }

    fn is_one_of(&self, user: UserId, statements: &BTreeSet<SyntaxId>) -> bool {
        self.found.nodes.all[user].statement.is_some_and(|id| statements.contains(&id))
    }

    /// Statements that prove nothing: assertions, and assignments of `unfolding` expressions whose targets no
    /// remaining expression reads.
    fn hints(&self, kept: &BTreeSet<UserId>) -> BTreeSet<SyntaxId> {
        let program = &self.found.program;
        let exprs = staying(self.found, kept).0;
        let is_read = |local: LocalId| {
            exprs.iter().any(|expr| program.any(*expr, |kind| matches!(kind, ExprKind::Local(read) if *read == local)))
        };
        let mut found = BTreeSet::new();
        for body in program.methods.values().filter_map(|method| method.body.as_ref()) {
            body.visit_stmts(&mut |stmt| {
                let hints = match &stmt.kind {
                    StmtKind::Assert(_) => true,
                    StmtKind::Assign { target, value } => {
                        program.any(*value, |kind| matches!(kind, ExprKind::Unfolding { .. })) && !is_read(*target)
                    }
                    _ => false,
                };
                if hints {
                    found.insert(stmt.id);
                }
            });
        }
        found
    }

    /// Adds dropped nodes of failing members until the program verifies, then drops those that it does not need.
    fn repaired(&self, first: Pruned) -> Pruned {
        let named = first.kept.clone();
        let mut pruned = first;
        while pruned.verdict != FileVerdict::Verified {
            let more = pruned.missing(&self.found.view);
            if more.is_empty() {
                return pruned;
            }
            let kept = self.closed(pruned.kept.iter().copied().chain(more).collect());
            let added = kept.difference(&named).copied().collect();
            pruned = self.attempt(kept, added);
        }
        self.lean(&named, pruned)
    }

    /// Tries to drop parts of what was added: halves first, then smaller parts.
    fn lean(&self, named: &BTreeSet<UserId>, mut pruned: Pruned) -> Pruned {
        let mut size = pruned.added.len() / 2;
        let mut tries = PRUNED_PROGRAMS;
        while size > 0 && tries > 0 {
            let added: Vec<UserId> = pruned.added.iter().copied().collect();
            let mut shrunk = false;
            for part in added.chunks(size) {
                if tries == 0 {
                    break;
                }
                tries -= 1;
                let kept: BTreeSet<UserId> = pruned.kept.iter().filter(|user| !part.contains(user)).copied().collect();
                let rest = kept.difference(named).copied().collect();
                let candidate = self.attempt(kept, rest);
                if candidate.verdict == FileVerdict::Verified {
                    pruned = candidate;
                    shrunk = true;
                }
            }
            size = if shrunk { size.min(pruned.added.len() / 2) } else { size / 2 };
        }
        pruned
    }
}
