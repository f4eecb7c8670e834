//! The symbolic state of one path: a store, heaps, and a node of the proof tree that is its path condition.
//! States are small and cheap to copy; forking a path copies one.

mod modes;
mod trace;

pub(crate) use modes::{Again, Cases, Induction, OnFailure};
pub(crate) use trace::{Noted, Trace, WrittenId};

use echis_base::SyntaxId;
use echis_program::program::{FieldId, LocalId, OldState, PredicateId};
use echis_proof::{ErrorKind, NodeId, Origin, Part, Property, Reason};
use echis_term::{Scope, TermId};
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The values of variables.
pub(crate) type Store = BTreeMap<LocalId, TermId>;

#[derive(Clone)]
pub(crate) struct State {
    pub store: Rc<Store>,
    /// The variables of the member itself, while those of a callee or a predicate are in the store.
    pub home: Option<Rc<Store>>,
    /// `result` of the function whose postcondition is being evaluated.
    pub result: Option<TermId>,
    /// The heap that expressions read.
    pub heap: Heap,
    /// While an assertion is being consumed: what is left of the heap. `perm` and `forperm` see it.
    pub rest: Option<Heap>,
    pub old: Rc<BTreeMap<OldState, Heap>>,
    /// The path condition.
    pub at: NodeId,
    /// Whether the path is one of the member's own, as opposed to one that is joined or thrown away.
    pub explores: bool,
    /// Where no execution takes the path, which is followed to explain proofs: the state where it left the others.
    pub parted: Option<Rc<State>>,
    /// The bound variables in scope; every fresh symbol is a function of them.
    pub scope: Scope,
    /// What each entered loop left outside, innermost last.
    pub frames: Rc<Vec<Heap>>,
    /// While a wand is packaged: the heaps around, outermost first, that missing permission is taken from.
    pub levels: Rc<Vec<Level>>,
    /// While the body of an unfolded predicate is being produced for an `unfolding`: the predicates that `unfolding`s
    /// in such bodies have opened, to stop bodies that unfold themselves.
    pub unfolding: Option<Rc<Vec<PredicateId>>>,
    /// While the body of a predicate is being produced or consumed: how much of it.
    pub in_predicate: Option<Share>,
    /// The version of the heap about which pairwise facts were last stated.
    pub consolidated: Option<u64>,
    /// The measures of loops at the start of the iteration in progress.
    pub iterations: Rc<BTreeMap<SyntaxId, Start>>,
    /// Pairs of receivers that were stated to differ because of their permissions.
    pub separated: Rc<BTreeSet<(TermId, TermId)>>,
    /// The `assume` whose conjuncts are being assumed, and where it began.
    pub assuming: Option<(SyntaxId, NodeId)>,
    /// The latest assignment.
    pub written: Option<WrittenId>,
    /// Goals that failed on this path and were not assumed, because they cannot hold.
    pub unmet: Rc<Vec<TermId>>,
    /// While a clause is being consumed: how many of them there were before.
    pub unmet_before: Option<usize>,
    /// Quantifiers that were evaluated here, with what was learned of their bodies for arbitrary values of their variables
    /// where no trigger would find it: a premise in goals. It holds on this path, behind the guards it was learned behind.
    pub learned: Rc<BTreeMap<TermId, TermId>>,
    pub again: Option<Again>,
}

impl State {
    pub fn new(at: NodeId) -> Self {
        State {
            store: Rc::default(),
            home: None,
            result: None,
            heap: Heap::default(),
            rest: None,
            old: Rc::default(),
            at,
            explores: false,
            parted: None,
            scope: Scope::default(),
            frames: Rc::default(),
            levels: Rc::default(),
            unfolding: None,
            in_predicate: None,
            consolidated: None,
            iterations: Rc::default(),
            separated: Rc::default(),
            assuming: None,
            written: None,
            unmet: Rc::default(),
            unmet_before: None,
            learned: Rc::default(),
            again: None,
        }
    }
    /// Whether an earlier conjunct of the clause being consumed cannot hold: no execution evaluates the rest here.
    pub fn is_past_unmet_conjunct(&self) -> bool {
        self.unmet_before.is_some_and(|before| self.unmet.len() > before)
    }
    /// Whether no execution takes the path.
    pub fn is_dead(&self) -> bool {
        self.parted.is_some()
    }
    pub fn set(&mut self, local: LocalId, term: TermId) {
        Rc::make_mut(&mut self.store).insert(local, term);
    }
    /// The heap that permission introspection sees, and that consume removes from.
    pub fn running_heap(&self) -> &Heap {
        self.rest.as_ref().unwrap_or(&self.heap)
    }
    pub fn running_heap_mut(&mut self) -> &mut Heap {
        self.rest.as_mut().unwrap_or(&mut self.heap)
    }
}

/// How much of a predicate is folded or unfolded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Share {
    Whole,
    Part,
}

/// The chunks of a heap in order of creation. Order decides which chunk is tried first, so it is kept stable.
#[derive(Clone, Default)]
pub(crate) struct Heap {
    pub chunks: Rc<Vec<Chunk>>,
    /// Shadows of chunks that were given away, for explaining permission introspection.
    pub gone: Rc<Vec<Chunk>>,
    /// Differs between heaps that were changed differently.
    pub version: u64,
    /// Whether it is a copy of which nothing is left: what moves there moves in no execution.
    pub aside: bool,
}

thread_local! {
    static VERSIONS: Cell<u64> = const { Cell::new(0) };
}

impl Heap {
    /// An empty one of which nothing will be left.
    pub fn aside() -> Self {
        Heap { aside: true, ..Heap::default() }
    }
    pub fn of(&self, resource: Resource) -> impl Iterator<Item = (usize, &Chunk)> {
        self.chunks.iter().enumerate().filter(move |(_, chunk)| chunk.resource == resource)
    }
    pub fn gone_of(&self, resource: Resource) -> impl Iterator<Item = &Chunk> {
        self.gone.iter().filter(move |chunk| chunk.resource == resource)
    }
    pub fn push(&mut self, chunk: Chunk) {
        self.chunks_mut().push(chunk);
    }
    pub fn chunks_mut(&mut self) -> &mut Vec<Chunk> {
        self.version = VERSIONS.with(|versions| {
            versions.set(versions.get() + 1);
            versions.get()
        });
        Rc::make_mut(&mut self.chunks)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Resource {
    Field(FieldId),
    Predicate(PredicateId),
    /// The index of the wand's shape among those met in this member.
    Wand(u32),
}

/// A field of a receiver, or an instance of a predicate or wand by its arguments.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Location {
    pub resource: Resource,
    pub args: Rc<[TermId]>,
}

impl Location {
    pub fn new(resource: Resource, args: &[TermId]) -> Self {
        Location { resource, args: args.into() }
    }
}

/// Permission to one location ([`Shape::Single`]) or to many ([`Shape::Many`]) of one resource.
#[derive(Clone, Debug)]
pub(crate) struct Chunk {
    pub resource: Resource,
    pub shape: Shape,
    /// Single: the amount. Many: the amount at the resource's canonical variables, which are free in it.
    pub perm: TermId,
    /// Single: the value (fields), snapshot (predicates) or wand map. Many: the snapshot map.
    pub value: TermId,
    /// The fact that grants the permission; every use of the permission depends on it.
    pub grant: NodeId,
    /// What remains of it for introspection, if a part was taken that `perm` or `forperm` may ask about.
    pub left: Option<Left>,
}

#[derive(Clone, Debug)]
pub(crate) enum Shape {
    /// The receiver or the arguments.
    Single(Rc<[TermId]>),
    Many(Rc<Quantified>),
}

/// What is known about a quantified chunk beyond its permission function.
#[derive(Clone, Debug, Default)]
pub(crate) struct Quantified {
    /// A singleton in quantified form: its arguments.
    pub singleton: Option<Rc<[TermId]>>,
    /// For a chunk that was produced: what it was then.
    pub produced: Option<Produced>,
    /// What the ordering heuristic compares: sequences, sets, function symbols of the receiver.
    pub hints: Vec<TermId>,
}

/// A quantified access as it was produced.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Produced {
    /// Its map, which its triggers speak of.
    pub map: TermId,
    /// The condition on the canonical variables that a location was covered. As long as assignments are all that
    /// happened to the values, the keys of the chunk's map are these locations.
    pub image: TermId,
    pub perm: TermId,
    pub keyed: bool,
}

impl Chunk {
    /// Permission to one location.
    pub fn at(location: Location, perm: TermId, value: TermId, grant: NodeId) -> Self {
        let Location { resource, args } = location;
        Chunk { resource, shape: Shape::Single(args), perm, value, grant, left: None }
    }
    /// The location of a chunk of one.
    pub fn location(&self) -> Location {
        Location::new(self.resource, self.args())
    }
    /// The arguments of a chunk of one location.
    pub fn args(&self) -> &[TermId] {
        match &self.shape {
            Shape::Single(args) => args,
            Shape::Many(many) => many.singleton.as_deref().unwrap_or_default(),
        }
    }
}

/// What is left of a chunk.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Left {
    pub amount: TermId,
    /// The amount, if its grants and removals count.
    pub known: TermId,
    /// The amount, if its removals count: where a grant that was given away is left out, so is the removal.
    pub granted: TermId,
}

/// A heap around a package in progress.
#[derive(Clone)]
pub(crate) struct Level {
    /// As it was when the package began.
    pub heap: Heap,
    /// For each chunk, what was taken since. For a quantified chunk a function of its canonical variables, like its
    /// amount.
    pub taken: Vec<TermId>,
}

/// A point on a path of a package where something was taken. What follows may rest on what was taken, also where the
/// path then turns out to be impossible: that it is impossible may be because of what was taken.
pub(crate) struct Taking {
    pub at: NodeId,
    pub levels: Rc<Vec<Level>>,
}

/// The measures of a loop at the start of an iteration, where the tuple's condition holds.
#[derive(Clone)]
pub(crate) struct Start {
    pub condition: TermId,
    pub measures: Rc<[TermId]>,
}

/// On whose behalf something is evaluated: the error that its failure is, and the origin of its facts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cx {
    pub error: ErrorKind,
    /// Where the error is reported.
    pub at: SyntaxId,
    /// The clause that facts and checks speak for.
    pub clause: SyntaxId,
    /// Where the clause is used, if not where it stands.
    pub site: Option<SyntaxId>,
    /// Which half of `[a, b]` is meant.
    pub side: Side,
    pub purpose: Purpose,
    pub mode: Mode,
}

/// How something is evaluated. A mode is passed on with the context, so it ends where the evaluation does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Mode {
    pub failing: OnFailure,
    pub text: Text,
    pub amounts: Amounts,
    pub pairs: Pairs,
    pub aim: Aim,
    pub induction: Induction,
}

/// Whose text is evaluated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Text {
    #[default]
    Own,
    /// Preconditions of callees, whose applications are not those of the member.
    Foreign,
    /// Measures and their conditions, whose failures are reported only here.
    Measure,
}

/// How much permission an assertion demands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Amounts {
    #[default]
    Written,
    /// Any will do, as in preconditions of functions that are applied.
    Any,
}

/// Where facts about pairs of chunks are stated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Pairs {
    #[default]
    Outside,
    /// Inside `unfolding` too: an expression is evaluated again because its first value could not be proved.
    Everywhere,
}

/// What an assertion is consumed for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Purpose {
    /// Its snapshot is the value of something else.
    #[default]
    Exchange,
    /// It is checked or given away. The snapshot is not used, and not worth its facts.
    GiveAway,
    /// The statement folds a predicate: it takes what the body takes, and the snapshot is the instance's.
    Fold(SyntaxId),
}

impl Purpose {
    /// The purpose of something consumed on the way whose snapshot is looked at.
    pub fn keeping_snapshots(self) -> Self {
        match self {
            Purpose::GiveAway => Purpose::Exchange,
            Purpose::Exchange | Purpose::Fold(_) => self,
        }
    }
}

/// What is at stake.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Aim {
    #[default]
    Everything,
    /// In the proof that a function terminates whatever else fails was reported before.
    Termination,
}

impl OnFailure {
    /// Where failures are no errors, they end what is being tried.
    pub fn stop(self) -> Step<()> {
        match self {
            OnFailure::Reported => Ok(()),
            OnFailure::Attempted => Err(Stop::Enough),
            OnFailure::Silent => Err(Stop::Undefined),
        }
    }
}

impl Mode {
    /// A context in this mode.
    pub fn cx(self, error: ErrorKind, at: SyntaxId) -> Cx {
        Cx { error, at, clause: at, site: None, side: Side::Neither, purpose: Purpose::Exchange, mode: self }
    }
    /// In the proof of termination only termination is at stake, and what measures need.
    pub fn ignores(self, property: &Property) -> bool {
        self.aim == Aim::Termination && self.text != Text::Measure && property.error != ErrorKind::Termination
    }
    pub fn is_silent(self) -> bool {
        self.failing == OnFailure::Silent
    }
    /// Whether failures are errors and the paths are those of the member.
    pub fn is_reporting(self) -> bool {
        self.failing == OnFailure::Reported
    }
    /// The first failure ends the attempt. Within what raises no errors nothing changes.
    pub fn attempting(self) -> Mode {
        let failing = if self.is_silent() { OnFailure::Silent } else { OnFailure::Attempted };
        Mode { failing, ..self }
    }
    pub fn silent(self) -> Mode {
        Mode { failing: OnFailure::Silent, induction: Induction::Unavailable, ..self }
    }
    /// For text that is not the member's own.
    pub fn foreign(self) -> Mode {
        let text = if self.text == Text::Measure { Text::Measure } else { Text::Foreign };
        Mode { text, induction: Induction::Unavailable, ..self }
    }
    pub fn measuring(self) -> Mode {
        Mode { text: Text::Measure, induction: Induction::Unavailable, ..self }
    }
    /// For text that is part of the member but that its evaluation does not reach: what is asserted or opened.
    pub fn unevaluated(self) -> Mode {
        match self.induction {
            Induction::Measured => self,
            Induction::Unavailable | Induction::Calls => Mode { induction: Induction::Unavailable, ..self },
        }
    }
    /// For what a predicate or a wand holds.
    pub fn held(self) -> Mode {
        Mode { induction: Induction::Unavailable, ..self }
    }
}

/// Whether an assertion is assumed, checked, or just evaluated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Side {
    Neither,
    Assumed,
    Checked,
}

impl Cx {
    pub fn new(error: ErrorKind, at: SyntaxId) -> Self {
        Mode::default().cx(error, at)
    }
    pub fn within(self, mode: Mode) -> Self {
        Cx { mode, ..self }
    }
    /// For what is checked or given away.
    pub fn giving_away(self) -> Self {
        Cx { purpose: Purpose::GiveAway, ..self }
    }
    pub fn clause(self, clause: SyntaxId) -> Self {
        Cx { clause, ..self }
    }
    pub fn property(&self, reason: Reason, offending: SyntaxId) -> Property {
        Property { error: self.error, at: self.at, reason, offending }
    }
    pub fn origin(&self, part: Part) -> Origin {
        Origin { clause: self.clause, site: self.site, part }
    }
}

/// Why a path does not go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stop {
    /// No execution reaches this point.
    Infeasible,
    /// As many errors as the caller wants were found.
    Enough,
    /// While evaluating a trigger, which raises no errors: it is not defined here.
    Undefined,
}

pub(crate) type Step<T> = Result<T, Stop>;

/// Swapping parts of a state for a while.
impl State {
    pub fn with_heap<T>(&mut self, heap: Heap, f: impl FnOnce(&mut State) -> T) -> T {
        let saved = std::mem::replace(&mut self.heap, heap);
        let rest = self.rest.take();
        let consolidated = self.consolidated.take();
        let result = f(self);
        self.heap = saved;
        self.rest = rest;
        self.consolidated = consolidated;
        result
    }
    pub fn with_store<T>(&mut self, store: Rc<Store>, f: impl FnOnce(&mut State) -> T) -> T {
        let home = self.home.clone();
        let saved = self.enter(store);
        let result = f(self);
        self.store = saved;
        self.home = home;
        result
    }
    /// Puts the variables of a callee or a predicate into the store, and returns those that were there.
    pub fn enter(&mut self, store: Rc<Store>) -> Rc<Store> {
        let saved = std::mem::replace(&mut self.store, store);
        self.home.get_or_insert_with(|| saved.clone());
        saved
    }
}
