//! The proof tree. Append-only.
//!
//! Invariants, checked by [`ProofTree::validate`]: parents are older than children; a check's hypotheses are exactly
//! the facts on the path from its node to the root; premises are older than what rests on them; every node and check
//! has an origin. Symbols need no nodes: a declaration has no meaning that a path could depend on, so sessions
//! declare symbols on first use.

use crate::check::{Check, Verdict};
use crate::origin::{Origin, OriginId};
use crate::premise::{CheckId, NodeId, Premise};
use echis_base::{FastMap, IndexVec, Name, SideTable};
use echis_term::{TermId, Terms};

#[derive(Clone, Debug)]
pub struct Node {
    pub parent: Option<NodeId>,
    pub step: Step,
    pub origin: OriginId,
    /// The distance to the root.
    pub depth: u32,
}

/// The content of a node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    Root,
    Assume {
        fact: TermId,
        because: Because,
        /// Other premises of the fact: heap reads made to build it, chunks it used.
        premises: Box<[Premise]>,
    },
    /// One side of a case distinction. `negated`: the guard is the negation of the origin's expression.
    Split {
        guard: TermId,
        negated: bool,
    },
    /// An infeasible side of a case distinction, or a fact that cannot hold. What follows is explored only to explain
    /// proofs. Sessions do not see the fact, since it would prove anything: what they prove below it holds without
    /// it. Replays do.
    Dead {
        fact: TermId,
        because: Because,
        premises: Box<[Premise]>,
    },
}

/// Why a fact may be assumed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Because {
    /// It is written in the program: precondition, assume, assignment.
    Written,
    /// The engine's own bookkeeping.
    Rule(Rule),
    /// It follows from checks made for it (a fold, a call's postcondition, an invariant), which are its premises.
    Checked,
    /// It was learned at another node, in a branch that was joined or a quantifier's body, and holds here behind its
    /// guard. The premise is that node.
    Lifted,
    /// It is a failed check, assumed so that execution could continue. The premise is that check.
    Recovered,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Rule {
    /// The shape of a snapshot.
    Snapshot,
    /// Permission bounds, and non-nullness of receivers with permission.
    PermissionBound,
    NonAliasing,
    /// Merging chunks, summaries of several chunks.
    Merge,
    /// A proved goal that is known from then on; the premise is its check.
    Lemma,
    /// Permission that a write keeps.
    Kept,
    /// A constant introduced for a term.
    Definition,
    /// `new` returns a reference distinct from all others.
    Freshness,
    /// Inverse functions of quantified permissions.
    Inverse,
    /// The precondition of a function application was established.
    FunctionPrecondition,
    /// An application of a function with a postcondition, which is known from then on.
    Application,
    /// A wildcard amount was chosen small enough.
    Wildcard,
    /// The definition of a packaged wand's value.
    Wand,
    /// A fact that is true in every state, such as a mark for triggers.
    Mark,
}

/// A proposition in which permission counts only if the label of its grant is true.
#[derive(Clone, Debug)]
pub struct Labelled {
    pub term: TermId,
    /// Each label that occurs, with the node that grants the permission. These grants are not premises of the whole.
    pub labels: Box<[(TermId, NodeId)]>,
}

/// A movement of permission. Nothing rests on these: they describe grants.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Moved {
    pub what: Move,
    /// The fact that grants it.
    pub grant: NodeId,
    pub at: NodeId,
    pub origin: OriginId,
    /// The field or predicate, `--*` for wands.
    pub resource: Name,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Move {
    Granted,
    /// A part of the granted permission is removed.
    Taken,
    /// All of the remaining permission is removed.
    TakenAll,
}

#[derive(Clone)]
pub struct ProofTree {
    pub terms: Terms,
    pub nodes: IndexVec<NodeId, Node>,
    pub checks: IndexVec<CheckId, Check>,
    pub verdicts: SideTable<CheckId, Verdict>,
    pub origins: IndexVec<OriginId, Origin>,
    /// Facts and goals that sum permission of several grants, with each grant behind a label.
    pub labelled_facts: SideTable<NodeId, Labelled>,
    pub labelled_goals: SideTable<CheckId, Labelled>,
    /// Dead paths that were not followed further: anything in the member may be proved only because they are
    /// infeasible.
    pub closed: Vec<NodeId>,
    pub moves: Vec<Moved>,
    /// Whether some verdicts are those of another engine, which may have used anything that the member rests on.
    pub proved_elsewhere: bool,
    pub(crate) origin_keys: FastMap<Origin, OriginId>,
}

impl ProofTree {
    pub fn new(terms: Terms, origin: Origin) -> Self {
        let mut tree = ProofTree {
            terms,
            nodes: IndexVec::new(),
            checks: IndexVec::new(),
            verdicts: SideTable::new(),
            origins: IndexVec::new(),
            labelled_facts: SideTable::new(),
            labelled_goals: SideTable::new(),
            closed: Vec::new(),
            moves: Vec::new(),
            proved_elsewhere: false,
            origin_keys: FastMap::default(),
        };
        let origin = tree.origin(origin);
        tree.nodes.push(Node { parent: None, step: Step::Root, origin, depth: 0 });
        tree
    }
    pub fn root(&self) -> NodeId {
        self.nodes.keys().next().expect("a tree has a root from the start")
    }
    pub fn origin(&mut self, origin: Origin) -> OriginId {
        if let Some(&id) = self.origin_keys.get(&origin) {
            return id;
        }
        let id = self.origins.push(origin);
        self.origin_keys.insert(origin, id);
        id
    }
    pub fn add(&mut self, parent: NodeId, step: Step, origin: Origin) -> NodeId {
        let origin = self.origin(origin);
        let depth = self.nodes[parent].depth + 1;
        self.nodes.push(Node { parent: Some(parent), step, origin, depth })
    }
    pub fn assume(
        &mut self,
        parent: NodeId,
        fact: TermId,
        because: Because,
        premises: &[Premise],
        origin: Origin,
    ) -> NodeId {
        self.add(parent, Step::Assume { fact, because, premises: premises.into() }, origin)
    }
    pub fn split(&mut self, parent: NodeId, guard: TermId, negated: bool, origin: Origin) -> NodeId {
        self.add(parent, Step::Split { guard, negated }, origin)
    }
    pub fn add_check(&mut self, check: Check) -> CheckId {
        self.checks.push(check)
    }
    /// The proposition that a node adds to the facts for verdicts, if any.
    pub fn fact(&self, node: NodeId) -> Option<TermId> {
        match &self.nodes[node].step {
            Step::Root | Step::Dead { .. } => None,
            Step::Assume { fact, .. } => Some(*fact),
            Step::Split { guard, .. } => Some(*guard),
        }
    }
    pub fn origin_of(&self, node: NodeId) -> Origin {
        self.origins[self.nodes[node].origin]
    }
    /// The nodes from `node` to the root, starting with `node`.
    pub fn path(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(Some(node), |node| self.nodes[*node].parent)
    }
    /// The nodes after `ancestor` down to `node`, oldest first.
    pub fn path_since(&self, ancestor: NodeId, node: NodeId) -> Vec<NodeId> {
        let mut path: Vec<_> = self.path(node).take_while(|step| *step != ancestor).collect();
        path.reverse();
        path
    }
    pub fn common_ancestor(&self, mut a: NodeId, mut b: NodeId) -> NodeId {
        let parent = |node: NodeId| self.nodes[node].parent.expect("the root is an ancestor of every node");
        while a != b {
            if self.nodes[a].depth >= self.nodes[b].depth {
                a = parent(a);
            } else {
                b = parent(b);
            }
        }
        a
    }
}
