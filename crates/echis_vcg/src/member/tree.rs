//! The tree of a member: its facts and goals in program order, behind the global facts.

use super::{Entry, Round};
use crate::graph::{Cmd, Frame};
use crate::{Notes, Outcome, axioms};
use echis_boogie::program::{FunctionId, StmtKind};
use echis_proof::{Because, Check, NodeId, Origin, Part, ProofTree, Role, Rule};
use echis_term::{SymbolRole, TermId};
use std::collections::BTreeMap;

impl Round<'_> {
    /// Adds global facts at the front. If the body alone leads to another round, that round adds them.
    pub(super) fn finish(&mut self) {
        if self.encoder.sorts.grown().size() > self.encoder.sorts.known.size() {
            return;
        }
        let spoken_of: Vec<TermId> = self
            .entries
            .iter()
            .flat_map(|entry| match entry {
                Entry::Fact { term, .. } => vec![*term],
                Entry::Goal { hypothesis, bare, .. } => vec![*hypothesis, *bare],
            })
            .collect();
        let facts = axioms::facts(&mut self.encoder, self.candidates, &spoken_of);
        let mut front = Vec::new();
        for fact in facts {
            let mut term = fact.term;
            for function in fact.hideable.into_iter().flatten() {
                if let Some(visible) = self.visible.get(&function).copied() {
                    term = self.encoder.terms.implies(visible, term);
                }
            }
            let clause = fact.id.unwrap_or(self.member);
            let because = if fact.id.is_some() { Because::Written } else { Because::Rule(Rule::Definition) };
            let origin = Origin { clause, site: None, part: Part::Definition };
            front.push(Entry::Fact { term, because, origin, label: fact.label });
        }
        self.globals = front.len();
        front.append(&mut self.entries);
        self.entries = front;
    }
    pub(super) fn hides_anything(&self) -> bool {
        let hides = |(_, cmd): &(Frame, Cmd<'_>)| matches!(cmd, Cmd::Stmt(stmt) if matches!(stmt.kind, StmtKind::Hide(_) | StmtKind::Reveal(_)));
        self.graph.blocks.iter().any(|block| block.cmds.iter().any(hides))
    }
    pub(super) fn visible_symbol(&mut self, function: FunctionId) -> TermId {
        let role = SymbolRole::Revealed(self.program.functions[function].name.clone());
        let bool = self.encoder.terms.bool_sort();
        let symbol = self.encoder.terms.declare(role, [], bool);
        self.encoder.terms.constant(symbol)
    }

    pub(super) fn outcome(self) -> Outcome {
        let Round { encoder, entries, globals, member, unsupported, mut history, .. } = self;
        let origin = Origin { clause: member, site: None, part: Part::Value };
        let mut tree = ProofTree::new(encoder.terms, origin);
        let mut at: NodeId = tree.root();
        let (mut fact_labels, mut goal_labels) = (BTreeMap::new(), BTreeMap::new());
        let mut parts = BTreeMap::new();
        let mut start = at;
        for (index, entry) in entries.into_iter().enumerate() {
            if index == globals {
                start = at;
            }
            match entry {
                Entry::Fact { term, because, origin, label } => {
                    at = tree.assume(at, term, because, &[], origin);
                    label.into_iter().for_each(|label| drop(fact_labels.insert(at, label)));
                }
                Entry::Goal { hypothesis, bare, property, origin, label, seen } => {
                    let origin = tree.origin(origin);
                    let role = Role::Obligation(property);
                    let goal = tree.terms.implies(hypothesis, bare);
                    let check = tree.add_check(Check { at, goal, role, origin, premises: Box::from([]) });
                    parts.insert(check, (hypothesis, bare));
                    history.place(check, seen);
                    label.into_iter().for_each(|label| drop(goal_labels.insert(check, label)));
                }
            }
        }
        let start = Some(start);
        Notes { fact_labels, goal_labels, parts, history, start }.outcome(tree, unsupported)
    }
}
