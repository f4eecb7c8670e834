//! What a solver is asked to tell of a state, and to keep small.

use echis_proof::{ChunkView, Extent, NodeId, ProofTree, StateView, Target, Wanted};
use echis_term::{Op, Sort, SortId, SymbolId, TermId, TermKind, Terms};
use std::collections::{BTreeMap, BTreeSet};

/// Quantified permission is asked about at no more references than this.
const MOST_REFERENCES: usize = 12;
/// Lengths that are wished for.
const SHORT: i32 = 4;
/// Numbers that are wished for lie between this and its negation.
const SMALL: i32 = 20;
/// So many questions about members of sets are asked.
const MOST_MEMBERS: usize = 40;

/// All of a state that is ground: variables, receivers, amounts, values; amounts and values of quantified permission
/// at the references among them; elements of sequences and members of sets, so that short ones are known in full.
pub fn wanted(tree: &mut ProofTree, state: &StateView, at: NodeId, goal: TermId) -> Wanted {
    let mut watched: BTreeSet<TermId> = state.store.iter().map(|(_, term)| *term).chain(state.result).collect();
    let constants = constants(tree, at, goal);
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
    let numbers = wish_small(terms, &watched);
    let lengths = wish_short(terms, &mut watched);
    members(terms, &mut watched);
    watched.retain(|term| terms.term(*term).free.is_empty());
    let apart = wish_apart(terms, state);
    let small: Vec<TermId> = numbers.iter().chain(&lengths).copied().collect();
    let mut wishes = vec![apart.into_iter().chain(small.iter().copied()).collect(), small, lengths];
    wishes.dedup();
    Wanted { watched: watched.into_iter().collect(), wishes }
}

/// The constants that the path speaks of.
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

fn is_collection(terms: &Terms, term: TermId) -> bool {
    matches!(terms.sort_data(terms.sort_of(term)), Sort::Seq(_) | Sort::Set(_) | Sort::Multiset(_) | Sort::Map(..))
}

/// Amounts and values of quantified permission at the references that are watched.
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

/// Choices of watched terms for each sort, not too many.
fn tuples(terms: &mut Terms, watched: &BTreeSet<TermId>, sorts: &[SortId]) -> Vec<Vec<TermId>> {
    let mut tuples: Vec<Vec<TermId>> = vec![Vec::new()];
    for sort in sorts {
        let of_sort: Vec<TermId> =
            watched.iter().copied().filter(|term| terms.sort_of(*term) == *sort).take(MOST_REFERENCES).collect();
        let longer = tuples.iter().flat_map(|tuple| of_sort.iter().map(|term| [tuple.as_slice(), &[*term]].concat()));
        tuples = longer.take(MOST_REFERENCES * 2).collect();
    }
    tuples
}

/// References that are not null and not the same have names of their own; where a failure needs one that is, the reader
/// shall see that.
fn wish_apart(terms: &mut Terms, state: &StateView) -> Vec<TermId> {
    let reference = terms.ref_sort();
    let of_sort = state.store.iter().map(|(_, term)| *term).filter(|term| terms.sort_of(*term) == reference);
    let references: BTreeSet<TermId> = of_sort.take(MOST_REFERENCES / 2).collect();
    let mut wishes = Vec::new();
    let mut others = vec![terms.null()];
    for reference in references {
        wishes.extend(others.iter().map(|other| terms.ne(reference, *other)).collect::<Vec<_>>());
        others.push(reference);
    }
    wishes
}

fn wish_small(terms: &mut Terms, watched: &BTreeSet<TermId>) -> Vec<TermId> {
    let int = terms.int_sort();
    let (least, most) = (terms.int(-SMALL), terms.int(SMALL));
    let is_number = |term: &&TermId| terms.sort_of(**term) == int && terms.as_int(**term).is_none();
    let numbers: Vec<TermId> = watched.iter().filter(is_number).copied().collect();
    numbers.into_iter().flat_map(|number| [terms.le(least, number), terms.le(number, most)]).collect()
}

/// Collections shall be small; of short sequences all elements are watched.
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
        for index in 0..SHORT {
            let index = terms.int(index);
            watched.insert(terms.op(Op::SeqIndex, [sequence, index]));
        }
    }
    wishes
}

/// Whether what is known of the right sort is in a set.
fn members(terms: &mut Terms, watched: &mut BTreeSet<TermId>) {
    let all: Vec<TermId> = watched.iter().copied().collect();
    let mut asked = 0;
    for set in &all {
        let (element, op) = match *terms.sort_data(terms.sort_of(*set)) {
            Sort::Set(element) => (element, Op::SetContains),
            Sort::Multiset(element) => (element, Op::MultisetCount),
            Sort::Map(key, _) => (key, Op::MapContains),
            _ => continue,
        };
        for item in all.iter().filter(|item| terms.sort_of(**item) == element).copied().collect::<Vec<_>>() {
            asked += 1;
            if asked <= MOST_MEMBERS {
                watched.insert(terms.op(op, [*set, item]));
            }
        }
    }
}
