//! The symbolic state of one path: variables, heaps, and the tree node that is its path condition. States are small
//! and cheap to copy; forking a path copies one. Data that is meaningful only for a while is a variant of an enum:
//! [`Variables`], [`Phase`], [`Body`], [`Course`].

mod heap;
mod modes;
mod path;
mod trace;
mod variables;

pub(crate) use heap::{Chunk, Heap, Left, Level, Location, Produced, Quantified, Resource, Shape, Taking};
pub(crate) use modes::{
    Aim, Amounts, Cases, Claim, Concern, Cx, Induction, Mode, Obligation, Pairs, Purpose, Side, Text,
};
pub(crate) use path::{Again, Course};
pub(crate) use trace::{Noted, Trace, WrittenId};
pub(crate) use variables::{Store, Variable, Variables};

use echis_base::SyntaxId;
use echis_program::program::{LocalId, OldState, PredicateId};
use echis_proof::NodeId;
use echis_term::{Scope, TermId};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

#[derive(Clone)]
pub(crate) struct State {
    pub variables: Variables,
    /// The heap that expressions read.
    pub heap: Heap,
    pub phase: Phase,
    pub old: Rc<BTreeMap<OldState, Heap>>,
    /// The path condition.
    pub at: NodeId,
    pub course: Course,
    /// Whether the path is one of the member's own; false for paths that are joined or discarded.
    pub explores: bool,
    /// The bound variables in scope; every fresh symbol is a function of them.
    pub scope: Scope,
    /// The heap framed around each entered loop, innermost last.
    pub frames: Rc<Vec<Heap>>,
    /// For each loop, its measures at the start of the current iteration.
    pub iterations: Rc<BTreeMap<SyntaxId, Start>>,
    /// The heaps around packages in progress, from which missing permission is taken, outermost first.
    pub levels: Rc<Vec<Level>>,
    /// The body of a predicate that is being produced or consumed.
    pub body: Body,
    /// The predicates opened by enclosing `unfolding`s, outermost first.
    pub opened: Rc<Vec<PredicateId>>,
    pub stated: StatedPairs,
    /// The latest `assume` statement, and the node where it began.
    pub assumed: Option<(SyntaxId, NodeId)>,
    /// The latest assignment.
    pub written: Option<WrittenId>,
    pub unmet: Unmet,
    /// For each quantifier evaluated here, facts about its body for arbitrary values of its variables that no trigger
    /// would instantiate. They become premises in goals, and hold on this path behind the guards under which they
    /// were learned.
    pub learned: Rc<BTreeMap<TermId, TermId>>,
}

/// Whether an assertion is being consumed.
#[derive(Clone)]
pub(crate) enum Phase {
    /// The heap is everything that is held.
    Settled,
    /// Expressions read the heap from before; `perm` and `forperm` see what is left of it.
    Consuming { rest: Heap },
}

impl Phase {
    /// The rest of the heap while an assertion is consumed.
    pub fn rest(&self) -> Option<&Heap> {
        match self {
            Phase::Settled => None,
            Phase::Consuming { rest } => Some(rest),
        }
    }
    pub fn rest_mut(&mut self) -> Option<&mut Heap> {
        match self {
            Phase::Settled => None,
            Phase::Consuming { rest } => Some(rest),
        }
    }
}

/// Whether the body of a predicate is being exchanged for an instance, in either direction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Body {
    Outside,
    /// The body of a whole instance.
    Whole,
    /// The body of a fraction of an instance.
    Part,
}

/// Facts about pairs of chunks stated so far.
#[derive(Clone, Default)]
pub(crate) struct StatedPairs {
    /// The version of the heap for which they were last stated.
    pub version: Option<u64>,
    /// Pairs of receivers stated to differ because of their permissions.
    pub separated: Rc<BTreeSet<(TermId, TermId)>>,
}

/// Goals that failed on this path and were not assumed because they cannot hold.
#[derive(Clone, Default)]
pub(crate) struct Unmet {
    pub goals: Rc<Vec<TermId>>,
    clause: Clause,
}

/// The clause that is being consumed.
#[derive(Clone, Copy, Default)]
enum Clause {
    #[default]
    None,
    /// The number of unmet goals at the start of the clause.
    Since(usize),
}

impl Unmet {
    pub fn push(&mut self, goal: TermId) {
        Rc::make_mut(&mut self.goals).push(goal);
    }
    /// Starts a clause.
    pub fn begin_clause(&mut self) {
        self.clause = Clause::Since(self.goals.len());
    }
    /// Returns to the enclosing clause, after one that was consumed on its behalf.
    pub fn end_clause(&mut self, around: &Unmet) {
        self.clause = around.clause;
    }
    /// Whether an earlier conjunct of the clause cannot hold, so that no execution evaluates the rest.
    pub fn is_past_conjunct(&self) -> bool {
        matches!(self.clause, Clause::Since(before) if self.goals.len() > before)
    }
}

impl State {
    pub fn new(at: NodeId) -> Self {
        State {
            variables: Variables::default(),
            heap: Heap::default(),
            phase: Phase::Settled,
            old: Rc::default(),
            at,
            course: Course::Regular,
            explores: false,
            scope: Scope::default(),
            frames: Rc::default(),
            iterations: Rc::default(),
            levels: Rc::default(),
            body: Body::Outside,
            opened: Rc::default(),
            stated: StatedPairs::default(),
            assumed: None,
            written: None,
            unmet: Unmet::default(),
            learned: Rc::default(),
        }
    }
    /// A copy for trying something that no execution does. It takes nothing from the heaps around a package.
    pub fn aside(&self) -> Self {
        let mut copy = State { phase: Phase::Settled, explores: false, levels: Rc::default(), ..self.clone() };
        copy.heap.aside = true;
        copy
    }
    /// Like [`Self::aside`], with only the given heap.
    pub fn aside_with(&self, heap: Heap) -> Self {
        let stated = StatedPairs { version: None, ..self.stated.clone() };
        State { heap, stated, ..self.aside() }
    }
    /// Whether no execution takes the path.
    pub fn is_dead(&self) -> bool {
        matches!(self.course, Course::Dead { .. })
    }
    /// Whether executions of the member take the path, without re-entering a loop.
    pub fn is_regular(&self) -> bool {
        matches!(self.course, Course::Regular)
    }
    pub fn set(&mut self, local: LocalId, term: TermId) {
        self.variables.store_mut().set(Variable::Local(local), term);
    }
    pub fn set_result(&mut self, term: TermId) {
        self.variables.store_mut().set(Variable::Result, term);
    }
    /// The heap that permission introspection sees, and that consume removes from.
    pub fn running_heap(&self) -> &Heap {
        self.phase.rest().unwrap_or(&self.heap)
    }
    pub fn running_heap_mut(&mut self) -> &mut Heap {
        self.phase.rest_mut().unwrap_or(&mut self.heap)
    }
    /// Starts consuming. Returns the enclosing phase.
    pub fn begin_consuming(&mut self) -> Phase {
        std::mem::replace(&mut self.phase, Phase::Consuming { rest: self.heap.clone() })
    }
    /// Ends consuming: the remainder becomes the heap. Returns the original heap.
    pub fn end_consuming(&mut self, around: Phase) -> Heap {
        match std::mem::replace(&mut self.phase, around) {
            Phase::Consuming { rest } => std::mem::replace(&mut self.heap, rest),
            Phase::Settled => unreachable!("consumption ends once"),
        }
    }
}

/// The measures of a loop at the start of an iteration, and whether the tuple's condition holds.
#[derive(Clone)]
pub(crate) struct Start {
    pub condition: TermId,
    pub measures: Rc<[TermId]>,
}

/// Why a path ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stop {
    /// No execution reaches this point.
    Infeasible,
    /// The caller's limit on errors was reached.
    Enough,
    /// The expression is undefined here; only in triggers, which raise no errors.
    Undefined,
}

pub(crate) type Step<T> = Result<T, Stop>;

/// Temporarily replaces parts of the state.
impl State {
    pub fn with_heap<T>(&mut self, heap: Heap, f: impl FnOnce(&mut State) -> T) -> T {
        let saved = std::mem::replace(&mut self.heap, heap);
        let phase = std::mem::replace(&mut self.phase, Phase::Settled);
        let version = self.stated.version.take();
        let result = f(self);
        self.heap = saved;
        self.phase = phase;
        self.stated.version = version;
        result
    }
    pub fn with_store<T>(&mut self, store: Rc<Store>, f: impl FnOnce(&mut State) -> T) -> T {
        let saved = self.enter(store);
        let result = f(self);
        self.variables = saved;
        result
    }
    /// Replaces the variables by those of a callee or a predicate. Returns the previous ones.
    pub fn enter(&mut self, store: Rc<Store>) -> Variables {
        let inner = self.variables.inner(store);
        std::mem::replace(&mut self.variables, inner)
    }
}
