//! The terms whose values are requested from the solver, and those that should be small.

use super::FailedObligation;
use super::decode::adt::Adts;
use super::unroll;
use crate::limits::LIMITS;
use echis_program::program::Program;
use echis_proof::{ChunkView, Extent, NodeId, ProofTree, ResourceView, StateView, Target, Wanted};
use echis_term::{Op, Sort, SortId, SymbolId, TermId, TermKind, Terms};
use std::collections::{BTreeMap, BTreeSet};

/// Preferred maximum length.
const SHORT: i32 = 4;
/// Preferred numbers are between this and its negation.
pub const SMALL: i32 = 20;
/// The most preferred numbers are between this and its negation.
const SMALLEST: i32 = 4;

/// All ground terms of a state: variables, receivers, amounts, values; amounts and values of quantified permission at
/// the references among them and at the witnesses of the goal; elements of sequences and members of sets, so that
/// short ones are completely known.
///
/// Also returns the soft constraints that numbers and collections are small.
pub fn wanted(
    program: &Program,
    tree: &mut ProofTree,
    failing: FailedObligation<'_>,
    witnesses: &[TermId],
) -> (Wanted, Vec<TermId>) {
    let FailedObligation { state, at, goal } = failing;
    let mut watched: BTreeSet<TermId> = state.store.iter().map(|(_, term)| *term).chain(state.result).collect();
    watched.extend(witnesses);
    let constants = constants(tree, at, goal);
    let linear = wish_linear(tree, at, goal);
    let facts: Vec<TermId> = tree.path(at).filter_map(|node| tree.fact(node)).chain([goal]).collect();
    let terms = &mut tree.terms;
    let mut many: Vec<&ChunkView> = Vec::new();
    for chunk in state.heaps.iter().flat_map(|heap| &heap.chunks) {
        match &chunk.extent {
            Extent::One(args) => watched.extend(args.iter().copied().chain([chunk.perm, chunk.value])),
            Extent::Many(_) => many.push(chunk),
        }
    }
    for written in &state.trace {
        watched.insert(written.value);
        if let Target::Field { receiver, .. } = written.target {
            watched.insert(receiver);
        }
    }
    quantified(terms, &many, &mut watched);
    watched.extend(constants.iter().filter(|term| is_collection(terms, **term)));
    watched.retain(|term| terms.term(*term).free.is_empty());
    take_apart(program, terms, &constants, &mut watched);
    let mut levels = instances(program, terms, state, &mut watched);
    let possible = levels.pop().unwrap_or_default();
    let of_functions = applications(terms, &facts);
    let all_numbers: BTreeSet<TermId> = watched.union(&of_functions).copied().collect();
    let (smallest, numbers) = (wish_small(terms, &all_numbers, SMALLEST), wish_small(terms, &watched, SMALL));
    let distinct = wish_distinct(terms, state);
    let lengths = wish_short(terms, &mut watched);
    let counted = members(terms, &mut watched);
    // Earlier heaps on the path are queried, but not constrained.
    for chunk in state.trace.iter().filter_map(|written| written.heap.as_ref()).flat_map(|heap| &heap.chunks) {
        if let Extent::One(args) = &chunk.extent {
            watched.extend(args.iter().copied().chain([chunk.perm, chunk.value]));
        }
    }
    watched.retain(|term| terms.term(*term).free.is_empty());
    let apart = wish_apart(terms, state);
    let small: Vec<TermId> = numbers.iter().chain(&lengths).chain(&counted).copied().collect();
    let lengths: Vec<TermId> = lengths.into_iter().chain(counted).collect();
    let smallest = [apart.as_slice(), &smallest, &lengths].concat();
    let mut wishes: Vec<Vec<TermId>> =
        vec![apart.into_iter().chain(small.iter().copied()).collect(), small.clone(), lengths];
    let mut first: Vec<Vec<TermId>> =
        levels.iter().chain([&possible]).map(|level| [smallest.as_slice(), &distinct, level].concat()).collect();
    first.push([smallest, possible.clone()].concat());
    if !possible.is_empty() {
        first.extend([&wishes[0], &wishes[1], &Vec::new()].map(|wish| [wish.as_slice(), &possible].concat()));
    }
    wishes = first.into_iter().chain(wishes).collect();
    if !linear.is_empty() {
        wishes.insert(0, small.iter().copied().chain(linear).collect());
    }
    wishes.dedup();
    (Wanted { watched: watched.into_iter().collect(), wishes, ..Wanted::default() }, small)
}

/// The constants on the path.
fn constants(tree: &ProofTree, at: NodeId, goal: TermId) -> BTreeSet<TermId> {
    let mut constants = BTreeSet::new();
    for fact in tree.path(at).filter_map(|node| tree.fact(node)).chain([goal]) {
        tree.terms.for_each_subterm(fact, |term| {
            if matches!(tree.terms.kind(term), TermKind::App(_, args) if args.is_empty()) {
                constants.insert(term);
            }
        });
    }
    constants
}

/// Queries the contents of predicate instances. Returns soft constraints that such heaps exist, for each number of
/// levels at which instances may contain others, the least first.
fn instances(
    program: &Program,
    terms: &mut Terms,
    state: &StateView,
    watched: &mut BTreeSet<TermId>,
) -> Vec<Vec<TermId>> {
    let mut wishes = Vec::new();
    let mut levels = vec![Vec::new(); LIMITS.shallow];
    let (mut asked, heaps) = (Vec::new(), unroll::heaps(program, terms, state));
    for (pieces, heap) in heaps.iter().zip(&state.heaps) {
        let mut fields = Vec::new();
        for piece in pieces.values() {
            piece.watched(&mut asked);
            for (levels, wishes) in (1..).zip(&mut levels) {
                piece.wishes(terms, &[], levels, wishes);
            }
            piece.fields(&[], &mut fields);
        }
        // Fields with few conditions first.
        fields.sort_by_key(|(_, _, given)| given.len());
        fields.truncate(LIMITS.watched_fields);
        let direct = heap.chunks.iter().filter_map(|chunk| match (chunk.resource, &chunk.extent) {
            (ResourceView::Field(id), Extent::One(args)) => {
                let field = program.fields.iter().find(|(_, field)| field.id == id)?.0;
                Some((field, *args.first()?, Vec::new()))
            }
            _ => None,
        });
        let inside = fields.len();
        fields.extend(direct.take(LIMITS.watched_fields));
        for (position, (field, receiver, given)) in fields.iter().enumerate().take(inside) {
            for (other, elsewhere, also) in fields.iter().skip(position + 1) {
                if field == other && receiver != elsewhere {
                    let here = terms.and(given.iter().chain(also).copied());
                    let apart = terms.ne(*receiver, *elsewhere);
                    wishes.push(terms.implies(here, apart));
                }
            }
        }
    }
    watched.extend(asked);
    for level in &mut levels {
        level.extend(&wishes);
        level.retain(|wish| !terms.is_true(*wish) && terms.term(*wish).free.is_empty());
        level.sort();
        level.dedup();
    }
    levels.dedup();
    levels
}

/// Queries how values of ADTs are constructed.
fn take_apart(program: &Program, terms: &mut Terms, constants: &BTreeSet<TermId>, watched: &mut BTreeSet<TermId>) {
    let adts = Adts::new(program, terms);
    let mut made: Vec<TermId> = constants.union(watched).copied().collect();
    for _ in 0..LIMITS.watched_depth {
        made.retain(|term| adts.is_adt(terms.sort_of(*term)));
        made.truncate(LIMITS.watched_references);
        watched.extend(&made);
        made = made.into_iter().flat_map(|term| adts.apart(terms, term)).collect();
        watched.extend(&made);
    }
}

fn is_collection(terms: &Terms, term: TermId) -> bool {
    matches!(terms.sort_data(terms.sort_of(term)), Sort::Seq(_) | Sort::Set(_) | Sort::Multiset(_) | Sort::Map(..))
}

/// Queries amounts and values of quantified permission at the watched references.
fn quantified(terms: &mut Terms, many: &[&ChunkView], watched: &mut BTreeSet<TermId>) {
    for chunk in many {
        let Extent::Many(variables) = &chunk.extent else { continue };
        let sorts: Vec<SortId> = variables.iter().map(|variable| terms.symbol(*variable).result).collect();
        for at in tuples(terms, watched, &sorts) {
            let map: BTreeMap<SymbolId, TermId> = variables.iter().copied().zip(at.iter().copied()).collect();
            watched.insert(terms.substitute(chunk.perm, &map));
            let Sort::SnapMap { key, .. } = *terms.sort_data(terms.sort_of(chunk.value)) else { continue };
            let key = if key == terms.ref_sort() { at[0] } else { terms.tuple(&at) };
            watched.insert(terms.op(Op::Lookup, [chunk.value, key]));
        }
    }
}

/// Combinations of watched terms for the sorts, up to a limit.
fn tuples(terms: &mut Terms, watched: &BTreeSet<TermId>, sorts: &[SortId]) -> Vec<Vec<TermId>> {
    let mut tuples: Vec<Vec<TermId>> = vec![Vec::new()];
    for sort in sorts {
        let of_sort: Vec<TermId> = watched
            .iter()
            .copied()
            .filter(|term| terms.sort_of(*term) == *sort)
            .take(LIMITS.watched_references)
            .collect();
        let longer = tuples.iter().flat_map(|tuple| of_sort.iter().map(|term| [tuple.as_slice(), &[*term]].concat()));
        tuples = longer.take(LIMITS.watched_references * 2).collect();
    }
    tuples
}

/// Prefers references that are non-null and distinct, so that a failure that needs null or aliasing shows it.
fn wish_apart(terms: &mut Terms, state: &StateView) -> Vec<TermId> {
    let reference = terms.ref_sort();
    let of_sort = state.store.iter().map(|(_, term)| *term).filter(|term| terms.sort_of(*term) == reference);
    let references: BTreeSet<TermId> = of_sort.take(LIMITS.watched_references / 2).collect();
    let mut wishes = Vec::new();
    let mut others = vec![terms.null()];
    for reference in references {
        wishes.extend(others.iter().map(|other| terms.ne(reference, *other)).collect::<Vec<_>>());
        others.push(reference);
    }
    wishes
}

/// Integer-valued applications on the path.
fn applications(terms: &Terms, facts: &[TermId]) -> BTreeSet<TermId> {
    let mut found = BTreeSet::new();
    for fact in facts {
        terms.for_each_subterm(*fact, |term| {
            let applies = matches!(terms.kind(term), TermKind::App(_, args) if !args.is_empty());
            if applies && terms.term(term).free.is_empty() && matches!(terms.sort_data(terms.sort_of(term)), Sort::Int)
            {
                found.insert(term);
            }
        });
    }
    found.into_iter().take(LIMITS.watched_references).collect()
}

/// Prefers distinct numbers, since equal ones hide the order.
fn wish_distinct(terms: &mut Terms, state: &StateView) -> Vec<TermId> {
    let int = terms.int_sort();
    let is_number = |term: &TermId| terms.sort_of(*term) == int && terms.as_int(*term).is_none();
    let variables: BTreeSet<TermId> =
        state.store.iter().map(|(_, term)| *term).filter(is_number).take(LIMITS.distinct).collect();
    let mut by_field: BTreeMap<ResourceView, BTreeSet<TermId>> = BTreeMap::new();
    for chunk in state.heaps.iter().take(1).flat_map(|heap| &heap.chunks) {
        let values = by_field.entry(chunk.resource).or_default();
        if matches!(chunk.extent, Extent::One(_)) && is_number(&chunk.value) && values.len() < LIMITS.distinct {
            values.insert(chunk.value);
        }
    }
    let mut wishes = Vec::new();
    for numbers in std::iter::once(variables).chain(by_field.into_values()) {
        let numbers: Vec<TermId> = numbers.into_iter().collect();
        for (position, number) in numbers.iter().enumerate() {
            wishes.extend(numbers[..position].iter().map(|other| terms.ne(*number, *other)).collect::<Vec<_>>());
        }
    }
    wishes
}

fn wish_small(terms: &mut Terms, watched: &BTreeSet<TermId>, bound: i32) -> Vec<TermId> {
    let int = terms.int_sort();
    let is_number = |term: &&TermId| terms.sort_of(**term) == int && terms.as_int(**term).is_none();
    let numbers: Vec<TermId> = watched.iter().filter(is_number).copied().collect();
    within(terms, numbers, bound)
}

/// Numbers between a bound and its negation.
pub fn within(terms: &mut Terms, numbers: Vec<TermId>, bound: i32) -> Vec<TermId> {
    let (least, most) = (terms.int(-bound), terms.int(bound));
    numbers.into_iter().flat_map(|number| [terms.le(least, number), terms.le(number, most)]).collect()
}

/// Prefers small collections.
fn wish_short(terms: &mut Terms, watched: &mut BTreeSet<TermId>) -> Vec<TermId> {
    let sequences: Vec<TermId> =
        watched.iter().copied().filter(|term| matches!(terms.sort_data(terms.sort_of(*term)), Sort::Seq(_))).collect();
    let mut wishes = Vec::new();
    let bound = terms.int(SHORT);
    for term in watched.iter().copied().collect::<Vec<_>>() {
        let size = match terms.sort_data(terms.sort_of(term)) {
            Sort::Set(_) => Op::SetCardinality,
            Sort::Multiset(_) => Op::MultisetCardinality,
            Sort::Map(..) => Op::MapCardinality,
            _ => continue,
        };
        let size = terms.op(size, [term]);
        watched.insert(size);
        wishes.push(terms.le(size, bound));
    }
    for sequence in sequences {
        let length = terms.op(Op::SeqLength, [sequence]);
        watched.insert(length);
        wishes.push(terms.le(length, bound));
    }
    wishes
}

/// Prefers fixed values for operands of products and quotients, on which solvers otherwise give up.
fn wish_linear(tree: &mut ProofTree, at: NodeId, goal: TermId) -> Vec<TermId> {
    let facts: Vec<TermId> = tree.path(at).filter_map(|node| tree.fact(node)).chain([goal]).collect();
    let terms = &tree.terms;
    let mut unknown: BTreeSet<TermId> = BTreeSet::new();
    let is_unknown = |term: TermId| terms.as_int(term).is_none() && terms.term(term).free.is_empty();
    for fact in facts {
        terms.for_each_subterm(fact, |term| match terms.as_op(term) {
            Some((Op::Div | Op::Mod, [_, divisor])) if is_unknown(*divisor) => drop(unknown.insert(*divisor)),
            Some((Op::Mul, [left, right])) if is_unknown(*left) && is_unknown(*right) => drop(unknown.insert(*right)),
            _ => {}
        });
    }
    let int = tree.terms.int_sort();
    unknown.retain(|term| tree.terms.sort_of(*term) == int);
    let two = tree.terms.int(2);
    unknown.into_iter().map(|term| tree.terms.eq(term, two)).collect()
}

/// Queries which known values of the right sort are in a set. Returns that sets have at least as many members as are
/// known, which not all axioms imply.
fn members(terms: &mut Terms, watched: &mut BTreeSet<TermId>) -> Vec<TermId> {
    let all: Vec<TermId> = watched.iter().copied().collect();
    let mut asked = 0;
    let mut counted = Vec::new();
    for set in &all {
        let (element, op) = match *terms.sort_data(terms.sort_of(*set)) {
            Sort::Set(element) => (element, Op::SetContains),
            Sort::Multiset(element) => (element, Op::MultisetCount),
            Sort::Map(key, _) => (key, Op::MapContains),
            _ => continue,
        };
        let items: Vec<TermId> = all.iter().filter(|item| terms.sort_of(**item) == element).copied().collect();
        counted.extend(count(terms, *set, op, &items[..items.len().min(LIMITS.counted)]));
        for item in items {
            asked += 1;
            if asked <= LIMITS.watched_members {
                watched.insert(terms.op(op, [*set, item]));
            }
        }
    }
    counted
}

/// The number of distinct items is at most the size.
fn count(terms: &mut Terms, set: TermId, op: Op, items: &[TermId]) -> Option<TermId> {
    let size = match op {
        Op::SetContains => Op::SetCardinality,
        Op::MultisetCount => Op::MultisetCardinality,
        Op::MapContains => Op::MapCardinality,
        _ => return None,
    };
    let sum = super::learning::sum_of(terms, set, op, items);
    let size = terms.op(size, [set]);
    (!items.is_empty()).then(|| terms.le(sum, size))
}
