//! Facts as the leaves of proofs. Conjuncts of a predicate stay separate: what an `unfold` yields is followed, conjunct
//! by conjunct, to the folds of the predicate.

use crate::blame::Facts;
use crate::cores::CoreOracle;
use crate::execution::groups::Groups;
use crate::expansion::Leaves;
use crate::nodes::UserId;
use crate::via::Via;
use echis_base::SyntaxId;
use echis_program::program::{BinaryOp, ExprKind, PredicateId, Program, StmtKind};
use echis_proof::{Because, CheckId, NodeId, Part, Premise, Step};
use echis_term::TermId;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// A fact with a responsible node, as used in a proof.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Used {
    Fact(NodeId),
    /// One conjunct of the predicate's body, of the fact that a fold provides.
    Conjunct(NodeId, SyntaxId),
    /// All demands of the node.
    User(UserId),
}

pub type Uses = BTreeMap<Used, Via>;

/// Positions of the syntax that needs special treatment.
struct Syntax {
    folds: HashMap<SyntaxId, PredicateId>,
    /// The conjuncts of predicates' bodies.
    conjuncts: HashMap<SyntaxId, PredicateId>,
    /// Conditions in these conjuncts, with the conjunct that contains each.
    guards: HashMap<SyntaxId, SyntaxId>,
}

pub struct FactLeaves<'a> {
    facts: Facts<'a>,
    syntax: Syntax,
    groups: Groups,
    /// For each check, the individual facts of its core.
    singled_out: HashMap<CheckId, Option<HashSet<TermId>>>,
}

impl<'a> FactLeaves<'a> {
    pub fn new(facts: Facts<'a>) -> Self {
        let (syntax, groups) = (Syntax::new(facts.program), Groups::new(facts));
        FactLeaves { facts, syntax, groups, singled_out: HashMap::new() }
    }
    /// Discards results after cores have changed.
    pub fn forget(&mut self) {
        self.singled_out.clear();
    }
    pub fn predicate_of_conjunct(&self, clause: SyntaxId) -> Option<PredicateId> {
        self.syntax.conjuncts.get(&clause).copied()
    }
    /// For a fact or case distinction from an `unfold`: the conjunct, and the premises of the predicate instance.
    pub fn unfolded(&self, node: NodeId) -> Option<(SyntaxId, BTreeSet<Premise>)> {
        let tree = self.facts.tree;
        let (conjunct, predicate, site) = self.unfolded_at(node)?;
        // The premises shared by all facts of the same `unfold`. Each may also have premises of its own reads.
        let mut common: Option<BTreeSet<Premise>> = None;
        for other in tree.path(node) {
            let given = matches!(tree.nodes[other].step, Step::Assume { .. });
            let here = self.unfolded_at(other).is_some_and(|(_, of, at)| (of, at) == (predicate, site));
            if given && here {
                let premises = self.facts.premises(other);
                match &mut common {
                    Some(common) => common.retain(|premise| premises.contains(premise)),
                    None => common = Some(premises.iter().copied().collect()),
                }
            }
        }
        Some((conjunct, common.unwrap_or_default()))
    }
    fn unfolded_at(&self, node: NodeId) -> Option<(SyntaxId, PredicateId, SyntaxId)> {
        let origin = self.facts.tree.origin_of(node);
        let site = origin.site?;
        let conjunct = match self.facts.tree.nodes[node].step {
            Step::Assume { because: Because::Checked, .. } => origin.clause,
            Step::Split { .. } => *self.syntax.guards.get(&origin.clause)?,
            _ => return None,
        };
        Some((conjunct, self.predicate_of_conjunct(conjunct)?, site))
    }
    /// Whether a grant comes from a fold of the predicate that contains the conjunct.
    fn is_fold_of(&self, node: NodeId, conjunct: SyntaxId) -> bool {
        let origin = self.facts.tree.origin_of(node);
        let checked = matches!(self.facts.tree.nodes[node].step, Step::Assume { because: Because::Checked, .. });
        let folded = self.syntax.folds.get(&origin.clause);
        checked && origin.part == Part::Permission && folded.is_some() && folded == self.syntax.conjuncts.get(&conjunct)
    }
}

/// Uses the facts themselves as leaves, with those of an `unfold` separated by conjunct.
impl Leaves for FactLeaves<'_> {
    type Leaf = Used;

    fn of_fact(&mut self, node: NodeId, _: &[UserId], conjunct: Option<SyntaxId>) -> Uses {
        let part = conjunct.filter(|conjunct| self.is_fold_of(node, *conjunct));
        let used = part.map_or(Used::Fact(node), |conjunct| Used::Conjunct(node, conjunct));
        let by = self.facts.responsible(self.facts.tree.origin_of(node));
        Uses::from([(used, by.map_or(Via::Value, |user| self.facts.via_of_fact(node, user)))])
    }
    /// The facts of a group that a check used. If an `unfold` provided several, the solver determines which.
    fn of_group(&mut self, oracle: &mut CoreOracle<'_>, check: Option<CheckId>, users: &[UserId]) -> Uses {
        let facts = self.facts;
        let stated = check.map(|check| self.groups.stated_by(facts.tree.checks[check].at, users)).unwrap_or_default();
        let (Some(check), [_, ..]) = (check, &stated[..]) else {
            return users.iter().map(|user| (Used::User(*user), Via::of(facts.nodes, *user))).collect();
        };
        // All facts of a group are of one kind.
        let via = users.iter().map(|user| Via::of(facts.nodes, *user)).max().unwrap_or(Via::Value);
        let unfolded = stated.iter().any(|(_, source)| self.unfolded_at(*source).is_some());
        if !unfolded || stated.len() < 2 {
            return stated.iter().map(|(_, source)| (Used::Fact(*source), via)).collect();
        }
        let needed = self.singled_out.entry(check).or_insert_with(|| oracle.single_out(facts, check));
        let is_needed = |node: &NodeId| match (&*needed, facts.replayed(*node)) {
            (Some(needed), Some(term)) => needed.contains(&term),
            _ => true,
        };
        let kept = stated.iter().filter(|(node, _)| is_needed(node));
        kept.map(|(_, source)| (Used::Fact(*source), via)).collect()
    }
}

impl Syntax {
    fn new(program: &Program) -> Self {
        let mut syntax = Syntax { folds: HashMap::new(), conjuncts: HashMap::new(), guards: HashMap::new() };
        for body in program.methods.values().filter_map(|method| method.body.as_ref()) {
            body.visit_stmts(&mut |stmt| {
                if let StmtKind::Fold(access) = &stmt.kind {
                    syntax.folds.insert(stmt.id, access.predicate);
                }
            });
        }
        for (id, predicate) in program.predicates.iter() {
            for (conjunct, _) in predicate.body.into_iter().flat_map(|body| program.conjuncts(body)) {
                let conjunct_id = program.expr(conjunct).id;
                syntax.conjuncts.insert(conjunct_id, id);
                let mut pending = vec![conjunct];
                while let Some(expr) = pending.pop() {
                    if let ExprKind::Binary(BinaryOp::Implies, condition, _) | ExprKind::Conditional(condition, ..) =
                        program.kind(expr)
                    {
                        syntax.guards.insert(program.expr(*condition).id, conjunct_id);
                    }
                    pending.extend(program.kind(expr).children());
                }
            }
        }
        syntax
    }
}
