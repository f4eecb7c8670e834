//! A concrete state in which an obligation fails, from a solver's model.
//!
//! [`search`] asks the solver for values of a symbolic state, and [`build`] turns its model into a readable state.
//! Values that the model leaves open are shown as `#unspecified`. Every counterexample is replayed with Echis's own
//! evaluator; it is confirmed only if all facts on the path evaluate to true, and the goal to false.
//!
//! The solver is asked for the values of everything in the failure's symbolic state, first with soft constraints
//! (small numbers, short collections, distinct references), then without. The model is decoded, completed by fixed
//! choices, and replayed: an evaluator that implements collections, ADTs and definitions computes every fact on the
//! path, and the goal. A completed model needs no justification: any interpretation in which the facts hold and the
//! goal does not refutes the goal. It only has to be the same interpretation everywhere.
//!
//! A model that fails the replay yields lemmas (`lemmas`): quantified facts at the values where they were false,
//! definitions at the points where they were computed. The solver is asked again with these (`search`). If it then
//! finds a proof from consequences of the facts alone, there is no counterexample, and the needed lemmas are
//! reported.
//!
//! Functions of domains are completed by rules where axioms have the form `forall x :: g(x) ==> f(x) == t`, and
//! otherwise by one of several choices. Axioms over more values than can be enumerated are evaluated at the values
//! that occur (`occurring`); the report says for how many axioms. Definitions are given to the solver several steps
//! deep (`deeper`).
//!
//! The heaps that are shown must be able to exist: at most full permission to a field, one value per location, bodies
//! of predicates that hold, and no instance that contains itself. Otherwise the counterexample is not confirmed.
//! `account` tells whether the state is that of an actual execution, or only allowed by an invariant, a contract or a
//! function without a body.

mod collections;
mod datum;
mod decode;
mod definitions;
mod functions;
mod heap;
mod insertion;
mod interval;
mod learning;
mod lemma;
mod limits;
mod quantified;
mod reachability;
mod relevance;
mod replay;
mod sampling;
mod search;
mod structure;
mod tables;
mod trace;
mod types;
mod unfolding;
mod unrelated;
mod unroll;
mod value;
mod value_text;
mod wands;
mod watched_terms;
mod witnesses;

pub use datum::datum;
pub use relevance::Relevant;
pub use replay::is_quantified;
pub use search::search;

use echis_base::SyntaxId;
use echis_findings::Condition;
use echis_findings::counterexample::{
    Account, Allowance, By, Case, Collection, CollectionKind, Counterexample, DomainPart, Entry, Event, FunctionPart,
    HeapPart, Insertion, Shown, Status, TraceStep, UNSPECIFIED, Variable, View,
};
use echis_findings::diagnose::Place;
use echis_program::program::Program;
use echis_proof::{ErrorKind, Head, HeapState, HeapView, Model, NodeId, ProofTree, StateView};
use echis_term::TermId;
use heap::Heaps;
use replay::{Replay, ReplayInput};
use tables::Tables;
use value_text::ValueText;

/// A failed obligation.
#[derive(Clone, Copy)]
pub struct FailedObligation<'a> {
    pub state: &'a StateView,
    pub at: NodeId,
    pub goal: TermId,
}

/// The failure as reported.
pub struct Failed<'a> {
    pub at: SyntaxId,
    pub offending: SyntaxId,
    pub error: ErrorKind,
    pub id: &'a str,
    pub path: Vec<Condition>,
}

/// Builds the counterexample of a model. This adds terms for the contents of predicate instances to the tree.
pub fn build(
    place: Place<'_>,
    tree: &mut ProofTree,
    failing: FailedObligation<'_>,
    model: &Model,
    head: Head<'_>,
    view: View,
    finding: Failed<'_>,
) -> Counterexample {
    let program = place.program;
    let pieces = unroll::heaps(program, &mut tree.terms, failing.state);
    let tree = &*tree;
    let tables = Tables::new(&tree.terms, model, head);
    let replay = Replay::new(ReplayInput { program, tree, failing, tables: &tables });
    let evaluated = replay.structure.evaluated();
    let store = types::variables(program, failing.state);
    let names = ValueText::new(&replay.structure, &store, view);
    let relevant = Relevant::new(tree, failing);
    let insertion = insertion::insertion(place, &finding);
    let nameable = insertion.map(|insertion| insertion::in_scope(place, insertion.at())).unwrap_or_default();
    let variables = store.iter().map(|local| Variable {
        name: local.name.clone(),
        ty: local.ty.clone(),
        value: names.shown(local.term),
        irrelevant: !relevant.matters(tree, local.term),
        nameable: local.id.is_some_and(|id| nameable.contains(&id)),
        span: local.span,
    });
    let store: Vec<Variable> = variables.collect();
    let full = view != View::Variables;
    let (wands, inventory) = (&failing.state.wands, Default::default());
    let heaps = Heaps { place, program, wands, names: &names, inventory, sampled: replay.sampled };
    let states: Vec<(String, &HeapView)> =
        failing.state.heaps.iter().map(|heap| (state_name(program, heap.state), heap)).collect();
    let shown: Vec<HeapPart> =
        states.iter().zip(&pieces).map(|((state, heap), pieces)| heaps.part(state.clone(), heap, pieces)).collect();
    let facts = tree.path(failing.at).filter_map(|node| tree.fact(node)).chain([failing.goal]);
    let (functions, domains) =
        if full { functions::tables(&heaps, &states, facts, &evaluated) } else { Default::default() };
    let mut status = replay.status(place, tree);
    if let (Status::Confirmed, Some(why)) = (&status, heaps.impossible()) {
        status = Status::PossiblySpurious(why);
    }
    Counterexample {
        quantified: is_quantified(tree, failing),
        sampled: replay.sampled,
        status,
        store,
        collections: if view == View::Intermediate { names.collections() } else { Vec::new() },
        heaps: if full { shown } else { Vec::new() },
        functions,
        domains,
        account: reachability::account(place, tree, failing, &finding),
        insertion,
        path: trace::conditions(place, tree, failing, &names, finding.path.clone()),
        trace: if view == View::Trace { trace::steps(place, tree, failing, &names, finding.at) } else { Vec::new() },
        ran: Vec::new(),
        in_source: None,
    }
}

fn state_name(program: &Program, state: HeapState) -> String {
    match state {
        HeapState::Current => "current".to_string(),
        HeapState::Old => "old".to_string(),
        HeapState::Lhs => "lhs".to_string(),
        HeapState::Label(id) => {
            let label = program.labels.iter().find(|(_, label)| label.id == id);
            label.map_or_else(|| "label".to_string(), |(_, label)| label.name.to_string())
        }
    }
}
