//! Copies of a proof tree that grow with it, for readers in other threads.

use crate::check::{Check, Verdict};
use crate::origin::Origin;
use crate::premise::{CheckId, NodeId};
use crate::tree::{Labelled, Moved, Node, ProofTree};
use echis_base::{Key, SideTable};
use echis_term::{TermCount, TermGrowth, Terms};

/// The part that a copy lacks.
pub struct Growth {
    terms: TermGrowth,
    nodes: Vec<(Node, Option<Labelled>)>,
    checks: Vec<(Check, Option<Labelled>, Option<Verdict>)>,
    origins: Vec<Origin>,
}

/// Labels of nodes and checks, and data known only at the end.
pub struct Ending {
    labelled_facts: SideTable<NodeId, Labelled>,
    labelled_goals: SideTable<CheckId, Labelled>,
    verdicts: SideTable<CheckId, Verdict>,
    closed: Vec<NodeId>,
    moves: Vec<Moved>,
    proved_elsewhere: bool,
}

/// The size of the copied part of a tree.
#[derive(Clone, Copy, Default, Debug)]
pub struct Copied {
    terms: TermCount,
    nodes: usize,
    pub checks: usize,
    origins: usize,
}

impl ProofTree {
    pub fn growth(&self, copied: &mut Copied) -> Growth {
        let new_nodes = self.nodes.since(copied.nodes).iter().enumerate();
        let new_checks = self.checks.since(copied.checks).iter().enumerate();
        let nodes = new_nodes.map(|(index, node)| {
            let id = NodeId::new(copied.nodes + index);
            (node.clone(), self.labelled_facts.get(id).cloned())
        });
        let checks = new_checks.map(|(index, check)| {
            let id = CheckId::new(copied.checks + index);
            (check.clone(), self.labelled_goals.get(id).cloned(), self.verdicts.get(id).cloned())
        });
        let (nodes, checks) = (nodes.collect(), checks.collect());
        let growth = Growth {
            terms: self.terms.growth(&mut copied.terms),
            nodes,
            checks,
            origins: self.origins.since(copied.origins).to_vec(),
        };
        let terms = copied.terms;
        *copied = Copied { terms, nodes: self.nodes.len(), checks: self.checks.len(), origins: self.origins.len() };
        growth
    }
    pub fn ending(&self) -> Ending {
        Ending {
            labelled_facts: self.labelled_facts.clone(),
            labelled_goals: self.labelled_goals.clone(),
            verdicts: self.verdicts.clone(),
            closed: self.closed.clone(),
            moves: self.moves.clone(),
            proved_elsewhere: self.proved_elsewhere,
        }
    }
    /// Adds the growth. All keys are those of the original. A copy is for reading only.
    pub fn grow(&mut self, growth: Growth) {
        self.terms.grow(growth.terms);
        self.origins.extend(growth.origins);
        for (node, labelled) in growth.nodes {
            let id = self.nodes.push(node);
            labelled.into_iter().for_each(|labelled| self.labelled_facts.replace(id, labelled));
        }
        for (check, labelled, verdict) in growth.checks {
            let id = self.checks.push(check);
            labelled.into_iter().for_each(|labelled| self.labelled_goals.replace(id, labelled));
            verdict.into_iter().for_each(|verdict| self.verdicts.replace(id, verdict));
        }
    }
    pub fn end(&mut self, ending: Ending) {
        let Ending { labelled_facts, labelled_goals, verdicts, closed, moves, proved_elsewhere } = ending;
        self.labelled_facts = labelled_facts;
        self.labelled_goals = labelled_goals;
        self.verdicts = verdicts;
        self.closed = closed;
        self.moves = moves;
        self.proved_elsewhere = proved_elsewhere;
    }
    /// An empty copy.
    pub fn blank() -> Self {
        ProofTree {
            terms: Terms::blank(),
            nodes: Default::default(),
            checks: Default::default(),
            verdicts: Default::default(),
            origins: Default::default(),
            labelled_facts: Default::default(),
            labelled_goals: Default::default(),
            closed: Vec::new(),
            moves: Vec::new(),
            proved_elsewhere: false,
            origin_keys: Default::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{Question, Role};
    use crate::origin::Part;
    use crate::tree::Because;
    use echis_base::SyntaxId;

    #[test]
    fn a_copy_that_grew_in_steps_is_the_tree() {
        let origin = |clause| Origin { clause: SyntaxId::new(clause), site: None, part: Part::Value };
        let mut tree = ProofTree::new(Terms::new(), origin(0));
        let (mut copy, mut copied) = (ProofTree::blank(), Copied::default());
        let mut at = tree.root();
        for step in 0..4 {
            let number = tree.terms.int(step);
            let fact = tree.terms.le(number, number);
            let fact = if step == 2 { tree.terms.falsity() } else { fact };
            at = tree.assume(at, fact, Because::Written, &[], origin(step as usize));
            let role = Role::Probe(Question::Other);
            let id = tree.origin(origin(9));
            let check = tree.add_check(Check { at, goal: fact, role, origin: id, premises: Box::from([]) });
            tree.verdicts.set(check, Verdict::Proved);
            copy.grow(tree.growth(&mut copied));
        }
        // Recorded late.
        let labels = Box::from([(tree.terms.truth(), at)]);
        tree.labelled_facts.set(at, Labelled { term: tree.terms.truth(), labels });
        tree.closed.push(at);
        copy.grow(tree.growth(&mut copied));
        copy.end(tree.ending());
        let told = |tree: &ProofTree| {
            let terms: Vec<_> = (0..tree.terms.len()).map(|term| tree.terms.term(Key::new(term)).clone()).collect();
            let rest = (&tree.nodes, &tree.checks, &tree.origins, &tree.verdicts, &tree.labelled_facts, &tree.closed);
            format!("{terms:?} {rest:?}")
        };
        assert_eq!(told(&copy), told(&tree));
    }
}
