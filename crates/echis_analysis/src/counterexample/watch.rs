//! The terms that a solver shall give values to.

use echis_proof::{ChunkView, Extent, StateView};
use echis_term::{Op, Sort, TermId, Terms};
use std::collections::{BTreeMap, BTreeSet};

/// Quantified permission is asked about at no more references than this.
const MOST_REFERENCES: usize = 12;

/// All of a state that is ground: variables, receivers, amounts, values; and amounts and values of quantified
/// permission at the references among them.
pub fn watch(terms: &mut Terms, state: &StateView) -> Vec<TermId> {
    let mut watched: BTreeSet<TermId> = state.store.iter().map(|(_, term)| *term).chain(state.result).collect();
    let mut many: Vec<&ChunkView> = Vec::new();
    for chunk in state.heaps.iter().flat_map(|heap| &heap.chunks) {
        match &chunk.extent {
            Extent::One(args) => watched.extend(args.iter().copied().chain([chunk.perm, chunk.value])),
            Extent::Many(_) => many.push(chunk),
        }
    }
    let ref_sort = terms.ref_sort();
    let references: Vec<TermId> =
        watched.iter().copied().filter(|term| terms.sort_of(*term) == ref_sort).take(MOST_REFERENCES).collect();
    for chunk in many {
        let Extent::Many(variables) = &chunk.extent else { continue };
        let [variable] = variables.as_slice() else { continue };
        if terms.symbol(*variable).result != ref_sort {
            continue;
        }
        for reference in &references {
            let at = BTreeMap::from([(*variable, *reference)]);
            watched.insert(terms.substitute(chunk.perm, &at));
            let key_is_reference = matches!(
                terms.sort_data(terms.sort_of(chunk.value)),
                Sort::SnapMap { key, .. } if *key == ref_sort
            );
            if key_is_reference {
                watched.insert(terms.op(Op::Lookup, [chunk.value, *reference]));
            }
        }
    }
    let sequences: Vec<TermId> =
        watched.iter().copied().filter(|term| matches!(terms.sort_data(terms.sort_of(*term)), Sort::Seq(_))).collect();
    watched.extend(sequences.into_iter().map(|sequence| terms.op(Op::SeqLength, [sequence])));
    watched.retain(|term| terms.term(*term).free.is_empty());
    watched.into_iter().collect()
}
