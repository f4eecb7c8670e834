//! Finds seemingly unneeded assumptions, steps and effects, each with the edited program that would confirm it.

use crate::branches::{Branch, branches, refused_body};
use crate::doubt::{Doubt, Saying};
use crate::endless::applies_itself;
use crate::removal::{removal, removals, whole_line};
use crate::{Candidate, Fix, Portion, Removal, WarningId, effects, macros, one_line, parts, predicates};
use echis_base::{Edit, FileId, Name, SourceMap, Span, SyntaxId, fresh};
use echis_depend::{Assumption, Construct, Graph, Nodes, Owner, UserId, UserNode, callers, owner_name};
use echis_program::program::{Block, ExprId, ExprKind, Function, MethodId, Program, Stmt, StmtKind};
use std::collections::{BTreeMap, BTreeSet};

/// The input of the search for candidates.
pub struct Search<'a> {
    pub program: &'a Program,
    pub sources: &'a SourceMap,
    pub main: FileId,
    pub source: &'a str,
    pub nodes: &'a Nodes,
    pub graph: &'a Graph,
    pub covered: &'a BTreeSet<UserId>,
    statements: BTreeMap<SyntaxId, LocatedStmt<'a>>,
}

/// A statement and its position.
struct LocatedStmt<'a> {
    stmt: &'a Stmt,
    method: MethodId,
    within: Within,
}

/// The innermost of these that contains a statement.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Within {
    Body,
    /// A loop with invariants.
    Loop,
    /// The script of a `package`, which proves the wand in a state of its own.
    Script,
}

impl<'a> Search<'a> {
    pub fn new(
        program: &'a Program,
        sources: &'a SourceMap,
        main: FileId,
        nodes: &'a Nodes,
        graph: &'a Graph,
        covered: &'a BTreeSet<UserId>,
    ) -> Self {
        let source = &*sources.file(main).text;
        let mut statements = BTreeMap::new();
        for (method, declared) in program.methods.iter() {
            declared.body.iter().for_each(|body| places(body, method, Within::Body, &mut statements));
        }
        Search { program, sources, main, source, nodes, graph, covered, statements }
    }
    /// All candidates, in node order.
    pub fn candidates(&self) -> Vec<Candidate> {
        // Text shared by several nodes, as in a macro, is removed for all of them.
        let mut needed: BTreeMap<Span, bool> = BTreeMap::new();
        for (id, node) in self.nodes.all.iter() {
            *needed.entry(self.span(node)).or_default() |= self.covered.contains(&id);
        }
        let mut seen = BTreeSet::new();
        let mut found = Vec::new();
        for (id, node) in self.nodes.all.iter() {
            let span = self.span(node);
            if span.file != self.main || !node.is_shown() || !seen.insert(span) {
                continue;
            }
            let start = found.len();
            found.extend(if needed[&span] { self.redundant(node) } else { self.candidate(id, node) });
            found.extend(self.parts(id, node));
            found.extend(self.vacuous(id, node));
            found.extend(self.endless(id, node));
            found.extend(self.branches(node));
            found[start..].iter_mut().for_each(|candidate: &mut Candidate| candidate.node = Some(id));
        }
        found.extend(predicates::parts(self.program, self.sources, self.main));
        found.extend(macros::candidates(self.program, self.sources, self.main, self.nodes, self.covered));
        found
    }
    fn owner(&self, user: &UserNode) -> Name {
        owner_name(self.program, user.owner)
    }
    /// The postcondition of a function that always applies itself: it could be anything.
    fn endless(&self, node: UserId, user: &UserNode) -> Option<Candidate> {
        let Owner::Function(id) = user.owner else { return None };
        let function = &self.program.functions[id];
        let body = function.body.filter(|_| user.construct == Construct::Postcondition)?;
        if self.graph.vacuous.contains(&node) || !applies_itself(self.program, id, body) {
            return None;
        }
        let (promise, _) = self.promise_of_false(function)?;
        let message =
            "The function applies itself whatever its arguments are: it never returns, and could promise anything."
                .to_string();
        let scope = self.program.syntax.span(function.id);
        let span = self.span(user);
        let whole = Candidate::new(self.owner(user), WarningId::ProvedVacuously, message, span, vec![promise]);
        Some(Candidate { scope, member: Some(function.name.clone()), ..whole })
    }
    /// An `ensures false` after a function's last clause, and the position of the `false`.
    fn promise_of_false(&self, function: &Function) -> Option<(Edit, usize)> {
        const PROMISE: &str = "\n  ensures ";
        let clauses = function.pre.iter().chain(&function.post);
        let end = clauses.map(|clause| self.program.syntax.span(self.program.expr(*clause).id).end).max()? as usize;
        Some((Edit::insert(end, format!("{PROMISE}false\n")), end + PROMISE.len()))
    }
    /// The contract or body of a function whose facts may be contradictory. `ensures false` reveals the
    /// contradiction; a recursive function could prove it because it never terminates.
    fn vacuous(&self, node: UserId, user: &UserNode) -> Option<Candidate> {
        let Owner::Function(function) = user.owner else { return None };
        let function = &self.program.functions[function];
        let proved = matches!(user.construct, Construct::Postcondition | Construct::FunctionBody);
        if !proved || !self.graph.vacuous.contains(&node) {
            return None;
        }
        let edits = refused_body(self.program, self.source, function.body?)?;
        let contradiction = self.promise_of_false(function).filter(|_| !function.recursive);
        let message = "This is proved from contradictory assumptions.".to_string();
        let scope = self.program.syntax.span(function.id);
        let whole = Candidate::new(self.owner(user), WarningId::ProvedVacuously, message, user.span, edits);
        let member = Some(function.name.clone());
        Some(Candidate { scope, portion: Portion::Part, contradiction, member, ..whole })
    }
    /// Branches of conditional expressions. An assertion in the body of a function affects no other member.
    fn branches(&self, user: &UserNode) -> Vec<Candidate> {
        let member = match (user.construct, user.owner) {
            (Construct::Axiom, _) => return Vec::new(),
            (Construct::FunctionBody, Owner::Function(function)) => Some(self.program.functions[function].name.clone()),
            _ => None,
        };
        let roots = match (user.expr, self.place(user)) {
            (Some(expr), _) => vec![expr],
            (None, Some(place)) if place.within != Within::Script => place.stmt.kind.roots(),
            (None, _) => Vec::new(),
        };
        let branches = roots.into_iter().flat_map(|root| branches(self.program, self.main, self.source, root));
        let candidate = |branch: Branch| {
            let message = branch.message.to_string();
            let whole =
                Candidate::new(self.owner(user), WarningId::BranchUnreachable, message, branch.condition, branch.edits);
            let doubt = Some(Doubt::Evaluated(branch.place));
            Candidate { portion: Portion::Part, member: member.clone(), doubt, ..whole }
        };
        branches.map(candidate).collect()
    }
    /// The text of a node: its conjunct rather than the whole statement.
    fn span(&self, node: &UserNode) -> Span {
        match node.expr {
            Some(expr) => self.program.syntax.span(self.program.expr(expr).id),
            None => node.span,
        }
    }
    fn place(&self, node: &UserNode) -> Option<&LocatedStmt<'a>> {
        node.statement.and_then(|statement| self.statements.get(&statement))
    }
    fn candidate(&self, id: UserId, node: &UserNode) -> Option<Candidate> {
        let text = one_line(self.sources.text(self.span(node)));
        let body = node.owner.has_body(self.program);
        match node.construct {
            Construct::Precondition if body => {
                self.unused(id, node, format!("No proof needs the precondition {text}."), Removal::Safe)
            }
            Construct::Invariant => {
                self.unused(id, node, format!("No proof needs the invariant {text}."), Removal::Safe)
            }
            Construct::Inhale => self.unused(id, node, format!("No proof needs the assumption {text}."), Removal::Safe),
            Construct::Postcondition if is_called(self.program, node.owner) => {
                let message = format!("No caller in this program needs the postcondition {text}.");
                self.unused(id, node, message, Removal::InThisProgram)
            }
            Construct::Axiom if node.assumption == Some(Assumption::Axiom) => self.axiom(node),
            Construct::Assert => self.step(node),
            Construct::Assignment | Construct::Call | Construct::Rewrite => self.effect(node),
            _ => None,
        }
    }
    fn unused(&self, node: UserId, user: &UserNode, message: String, removal: Removal) -> Option<Candidate> {
        let span = self.span(user);
        let mut spans = vec![(span.start as usize, span.end as usize)];
        // Other unneeded nodes that would not be well-formed without this one are removed with it.
        for other in self.graph.dependents([node]) {
            let leaning = &self.nodes.all[other];
            let believed =
                matches!(leaning.construct, Construct::Precondition | Construct::Inhale | Construct::Invariant);
            if other != node && believed && !self.covered.contains(&other) && leaning.span.file == self.main {
                let span = self.span(leaning);
                spans.push((span.start as usize, span.end as usize));
            }
        }
        let alone = spans.len() == 1;
        let edits = removals(self.source, spans);
        let message =
            if alone { message } else { format!("{message} Only clauses that are not needed either use it.") };
        let fix = Some(Fix { edits: edits.clone(), removal });
        let hollow = self.hollow(user);
        Some(Candidate {
            fix,
            hollow,
            ..Candidate::new(self.owner(user), WarningId::AssumptionUnused, message, span, edits)
        })
    }
    /// A node that a proof uses, although another proof may exist.
    fn redundant(&self, user: &UserNode) -> Option<Candidate> {
        let what = match user.construct {
            Construct::Precondition if user.owner.has_body(self.program) => "precondition",
            Construct::Invariant => "invariant",
            Construct::Inhale => "assumption",
            Construct::Axiom if user.assumption == Some(Assumption::Axiom) => {
                let message = format!("Everything is also proved without {}.", one_line(self.sources.text(user.span)));
                return self.axiom(user).map(|unused| Candidate {
                    id: WarningId::AssumptionRedundant,
                    message,
                    ..unused
                });
            }
            _ => return None,
        };
        let span = self.span(user);
        let message = format!("Everything is also proved without the {what} {}.", one_line(self.sources.text(span)));
        let edits = vec![removal(self.source, span.start as usize, span.end as usize)];
        let fix = Some(Fix { edits: edits.clone(), removal: Removal::Safe });
        Some(Candidate {
            fix,
            ..Candidate::new(self.owner(user), WarningId::AssumptionRedundant, message, span, edits)
        })
    }
    fn axiom(&self, user: &UserNode) -> Option<Candidate> {
        let text = one_line(self.sources.text(user.span));
        let (start, end) = (user.span.start as usize, user.span.end as usize);
        let edits = vec![whole_line(self.source, start, end)];
        let message = format!("No proof needs {text}");
        let fix = Some(Fix { edits: edits.clone(), removal: Removal::InThisProgram });
        Some(Candidate {
            fix,
            ..Candidate::new(self.owner(user), WarningId::AssumptionUnused, message, user.span, edits)
        })
    }
    /// An assertion before a later goal, which the author may have intended as a hint for it.
    fn step(&self, user: &UserNode) -> Option<Candidate> {
        let place = self.place(user)?;
        let goal_follows = place.within != Within::Body || !self.program.methods[place.method].post.is_empty();
        if !matches!(place.stmt.kind, StmtKind::Assert(_)) || !goal_follows {
            return None;
        }
        let span = self.span(user);
        let message = format!(
            "No later proof needs {} as a step. If it is a goal of its own, it should stay.",
            one_line(self.sources.text(span))
        );
        let edits = vec![removal(self.source, span.start as usize, span.end as usize)];
        let fix = Some(Fix { edits: edits.clone(), removal: Removal::UnlessGoal });
        let hollow = self.hollow(user);
        Some(Candidate {
            fix,
            hollow,
            ..Candidate::new(self.owner(user), WarningId::AssertionRedundant, message, span, edits)
        })
    }
    fn effect(&self, user: &UserNode) -> Option<Candidate> {
        let place = self.place(user).filter(|place| place.within != Within::Script)?;
        if self.program.syntax.node(place.stmt.id).macro_use.is_some() {
            return None;
        }
        let edits = effects::havoc(self.program, self.sources, self.source, place.stmt)?;
        let text = one_line(self.sources.text(user.span));
        let message = match place.stmt.kind {
            StmtKind::Call { .. } => format!("No obligation constrains the effect of {text}."),
            StmtKind::Assign { .. } | StmtKind::AssignField { .. } => {
                format!("No obligation constrains what {text} assigns.")
            }
            StmtKind::New { .. } => format!("No obligation needs what {text} creates."),
            _ => format!("No obligation needs what {text} provides."),
        };
        Some(Candidate::new(self.owner(user), WarningId::CodeUnconstrained, message, user.span, edits))
    }
    fn parts(&self, node: UserId, user: &UserNode) -> Vec<Candidate> {
        let Some(expr) = user.expr else { return Vec::new() };
        let body = user.owner.has_body(self.program);
        let assert = || self.place(user).is_some_and(|place| matches!(place.stmt.kind, StmtKind::Assert(_)));
        let believed = match user.construct {
            Construct::Precondition => body,
            Construct::Inhale | Construct::Invariant => true,
            Construct::Postcondition => !body && is_called(self.program, user.owner),
            Construct::Axiom => user.assumption == Some(Assumption::Axiom),
            _ => false,
        };
        let proved = match user.construct {
            Construct::Postcondition => body,
            Construct::Invariant => true,
            Construct::Assert => assert(),
            _ => false,
        };
        let mut found = Vec::new();
        if believed && self.covered.contains(&node) {
            found.extend(match user.construct {
                Construct::Axiom => parts::believed_as_one(self.program, self.source, expr),
                _ => parts::believed(self.program, self.source, expr),
            });
        }
        if proved {
            found.extend(parts::proved(self.program, self.source, expr));
        }
        let cut = |part: parts::Part| {
            let span = self.program.syntax.span(self.program.expr(part.expr).id);
            let text = one_line(self.sources.text(span));
            // Other programs may need what this one does not.
            let safe = if user.construct == Construct::Axiom { Removal::InThisProgram } else { Removal::Safe };
            let fix = part.fix.map(|removal| if removal == Removal::Safe { safe } else { removal });
            let fix = fix.map(|removal| Fix { edits: part.edits.clone(), removal });
            let message = part.message.replace("{}", &text);
            let doubt = self.doubt(expr, &part);
            Candidate {
                portion: Portion::Part,
                fix,
                doubt,
                ..Candidate::new(self.owner(user), part.id, message, span, part.edits)
            }
        };
        found.into_iter().map(cut).collect()
    }
    /// How a part of a clause can be refuted in one program with others.
    fn doubt(&self, clause: ExprId, part: &parts::Part) -> Option<Doubt> {
        let (saying, edit) = (part.saying?, part.edits.first()?);
        let (start, end) = parts::range(self.program, self.source, clause);
        let can_restate = self.program.is_pure(clause) && start <= edit.start && edit.end <= end;
        // Without the condition, permission may be missing, which takes a solver long to find out.
        let takes_long = saying == Saying::AlwaysHolds && self.reads_heap(clause);
        (can_restate && !takes_long).then_some(Doubt::Restated {
            clause: start..end,
            part: edit.start..edit.end,
            saying,
        })
    }
    fn reads_heap(&self, root: ExprId) -> bool {
        let mut reads = false;
        self.program.visit(root, |expr| {
            reads |= matches!(self.program.kind(expr), ExprKind::Field { .. } | ExprKind::Unfolding { .. });
            !reads
        });
        reads
    }
    /// The program in which the expression is mentioned at its place but has no meaning.
    fn hollow(&self, user: &UserNode) -> Option<Vec<Edit>> {
        let expr = user.expr.filter(|expr| self.program.is_pure(*expr))?;
        // Scripts declare no variables.
        if self.place(user).is_some_and(|place| place.within == Within::Script) {
            return None;
        }
        let span = self.program.syntax.span(self.program.expr(expr).id);
        let removal = removal(self.source, span.start as usize, span.end as usize);
        let text = self.sources.text(span);
        let mention = |at: usize, index: usize| {
            let name = fresh(self.source, &format!("mentioned{index}"));
            Edit::insert(at, format!(" var {name}: Bool := ({text}) "))
        };
        match (user.construct, user.owner) {
            (Construct::Inhale | Construct::Assert, _) => {
                let statement = self.program.syntax.span(user.statement?);
                Some(vec![removal, mention(statement.start as usize, 0)])
                    .filter(|edits| edits[0].start > edits[1].start)
                    .or_else(|| {
                        let name = fresh(self.source, "mentioned0");
                        let (start, end) = (statement.start as usize, statement.end as usize);
                        Some(vec![Edit::replace(start, end, format!("var {name}: Bool := ({text})"))])
                    })
            }
            (Construct::Precondition, Owner::Method(method)) => {
                let first = self.program.methods[method].body.as_ref()?.stmts.first()?;
                let at = self.program.syntax.span(first.id).start as usize;
                (at > removal.end).then(|| vec![removal, mention(at, 0)])
            }
            (Construct::Invariant, _) => {
                let in_loop = self.statements.values().find(|place| {
                    matches!(&place.stmt.kind, StmtKind::While { .. })
                        && self.program.syntax.span(place.stmt.id).contains(span)
                        && place
                            .stmt
                            .kind
                            .roots()
                            .iter()
                            .any(|root| self.program.syntax.span(self.program.expr(*root).id).contains(span))
                })?;
                let StmtKind::While { body, .. } = &in_loop.stmt.kind else { return None };
                let first = self.program.syntax.span(body.stmts.first()?.id).start as usize;
                let after = self.program.syntax.span(in_loop.stmt.id).end as usize;
                Some(vec![removal, mention(first, 0), mention(after, 1)])
            }
            _ => None,
        }
    }
}

fn places<'a>(block: &'a Block, method: MethodId, within: Within, found: &mut BTreeMap<SyntaxId, LocatedStmt<'a>>) {
    let mut pending = vec![(block, within)];
    while let Some((block, within)) = pending.pop() {
        for stmt in &block.stmts {
            found.insert(stmt.id, LocatedStmt { stmt, method, within });
            let inside = match &stmt.kind {
                StmtKind::Package { .. } => Within::Script,
                StmtKind::While { invariants, .. } if !invariants.is_empty() && within == Within::Body => Within::Loop,
                _ => within,
            };
            pending.extend(stmt.kind.blocks().into_iter().map(|block| (block, inside)));
        }
    }
}

/// Whether other members use the member's postcondition: one that only recursion needs may still be the member's
/// purpose.
pub fn is_called(program: &Program, owner: Owner) -> bool {
    callers(program, owner).next().is_some()
}
