//! Asks the solver for models until a replay confirms one. Each refuted model yields lemmas for the next question.

use super::FailedObligation;
use super::learning::{name_elements, proposition};
use super::lemma::Lemma;
use super::replay::{Replay, ReplayInput, ReplayVerdict};
use super::tables::Tables;
use super::unfolding::{Unfolded, unfold};
use super::watched_terms::{SMALL, wanted, within};
use super::witnesses::{at_witnesses, members};
use crate::limits::LIMITS;
use echis_program::program::Program;
use echis_proof::{Completion, Head, Model, Modeler, Needed, NoModel, ProofTree, Raw, Wanted};
use echis_term::{Integer, Sort, TermId, Terms};

/// The model of a confirmed counterexample, or else the best one found.
pub fn search(
    program: &Program,
    tree: &mut ProofTree,
    failing: FailedObligation<'_>,
    solver: &mut impl Modeler,
    head: Head<'_>,
) -> Result<Model, NoModel> {
    let mut witnesses = Vec::new();
    let goal = at_witnesses(&mut tree.terms, failing.goal, &mut witnesses);
    let (mut wanted, small) = wanted(program, tree, FailedObligation { goal, ..failing }, &witnesses);
    let mut best = solver.model(tree, failing.at, goal, &wanted)?;
    let mut model = best.clone();
    let mut doubting = None;
    let nothing = tree.terms.bool(false);
    // Lemmas that follow from the facts.
    let mut following: Vec<(TermId, Needed)> = Vec::new();
    let mut unrolled = Vec::new();
    for round in 0..LIMITS.rounds {
        let (verdict, completion, learned) = learned(program, tree, failing, &model, head);
        model.completion = Some(completion);
        if round == 0 {
            best.completion.clone_from(&model.completion);
        }
        match verdict {
            Verdict::Confirmed => {
                let large = large_elements(program, tree, failing, &model, head);
                if large.is_empty() {
                    return Ok(model);
                }
                let bounded = bounded(&mut tree.terms, &wanted, &small, large);
                let Ok(mut smaller) = solver.model(tree, failing.at, goal, &bounded) else { return Ok(model) };
                let (verdict, completion, _) = self::learned(program, tree, failing, &smaller, head);
                smaller.completion = Some(completion);
                return Ok(if matches!(verdict, Verdict::Confirmed) { smaller } else { model });
            }
            Verdict::Sampled if doubting.is_none() => {
                best = model.clone();
                doubting = Some(LIMITS.doubting_rounds);
            }
            _ => {}
        }
        if let Some(rounds) = &mut doubting {
            let Some(left) = rounds.checked_sub(1) else { break };
            *rounds = left;
        }
        let known = wanted.learned.len();
        if round == 0 {
            let Unfolded { definitions, ends } = unfold(tree, failing);
            unrolled = definitions;
            if matches!(verdict, Verdict::Doubtful) {
                name_members(&mut tree.terms, &model, &mut wanted);
            }
            if !unrolled.is_empty() {
                let first = wanted.wishes.iter().take(LIMITS.search_ended).chain([&small]);
                let ended = first.map(|wish| [wish.as_slice(), &ends].concat());
                wanted.wishes = ended.chain([ends.clone()]).chain(wanted.wishes.iter().cloned()).collect();
                wanted.wishes.dedup();
            }
        }
        for (lemma, proposition) in learned.into_iter().chain(std::mem::take(&mut unrolled)) {
            if !wanted.learned.contains(&proposition) && !tree.terms.is_true(proposition) {
                wanted.learned.push(proposition);
                following.extend(lemma.needed(tree, failing.at).map(|needed| (proposition, needed)));
            }
        }
        if wanted.learned.len() == known {
            break;
        }
        match solver.model(tree, failing.at, goal, &wanted) {
            Ok(next) => model = next,
            Err(NoModel::Proved) => {
                let mut follows = |goal: TermId, learned: &[(TermId, Needed)]| {
                    let learned = learned.iter().map(|(proposition, _)| *proposition).collect();
                    let wanted = Wanted { learned, ..Wanted::default() };
                    matches!(solver.model(tree, failing.at, goal, &wanted), Err(NoModel::Proved))
                };
                // Contradictory axioms imply everything, which explains nothing.
                if follows(nothing, &following) || !follows(failing.goal, &following) {
                    return Ok(best);
                }
                // The last lemmas are often unnecessary.
                if let Some(first) = following.get(..LIMITS.explained)
                    && follows(failing.goal, first)
                {
                    following.truncate(LIMITS.explained);
                }
                let mut position = following.len().min(2 * LIMITS.explained);
                while let Some(last) = position.checked_sub(1) {
                    position = last;
                    let mut fewer = following.clone();
                    fewer.remove(position);
                    if follows(failing.goal, &fewer) {
                        following = fewer;
                    }
                }
                return Err(NoModel::Follows(following.into_iter().map(|(_, needed)| needed).collect()));
            }
            Err(_) => break,
        }
    }
    Ok(best)
}

/// Names members of collections, so that facts about all members are used for them.
fn name_members(terms: &mut Terms, model: &Model, wanted: &mut Wanted) {
    let collections = wanted.watched.iter().copied().filter(|term| {
        matches!(terms.sort_data(terms.sort_of(*term)), Sort::Set(_) | Sort::Map(..))
            && model.watched.contains_key(term)
    });
    let collections: Vec<TermId> = collections.take(LIMITS.named_collections).collect();
    for collection in collections {
        wanted.learned.extend(members(terms, collection, &mut wanted.watched));
    }
}

/// Terms for elements of sequences that are large numbers.
fn large_elements(
    program: &Program,
    tree: &mut ProofTree,
    failing: FailedObligation<'_>,
    model: &Model,
    head: Head<'_>,
) -> Vec<TermId> {
    let is_large = |value: &Raw| matches!(value, Raw::Int(value) if is_beyond(value));
    let mut indexed = model.tables.iter().filter(|(name, _)| name.starts_with("Seq.index"));
    if !indexed.any(|(_, table)| table.values().any(is_large)) {
        return Vec::new();
    }
    let elements = {
        let tables = Tables::new(&tree.terms, model, head);
        let replay = Replay::new(ReplayInput { program, tree, failing, tables: &tables });
        let facts = tree.path(failing.at).filter_map(|node| tree.fact(node)).chain([failing.goal]);
        replay.structure.denoted(facts).1
    };
    elements.iter().filter_map(|element| element.beyond(&mut tree.terms, SMALL)).take(LIMITS.lemmas).collect()
}

fn is_beyond(value: &Integer) -> bool {
    *value > Integer::from(SMALL) || *value < Integer::from(-SMALL)
}

/// The wanted model, with small elements.
fn bounded(terms: &mut Terms, wanted: &Wanted, small: &[TermId], large: Vec<TermId>) -> Wanted {
    let bounds = within(terms, large, SMALL);
    let wishes = wanted.wishes.first().map(Vec::as_slice).into_iter().chain([small, &[]]);
    Wanted { wishes: wishes.map(|wish| [wish, &bounds].concat()).collect(), ..wanted.clone() }
}

enum Verdict {
    /// Confirmed, or as good as possible: too many axioms range over values that do not occur.
    Confirmed,
    /// Confirmed, provided that the axioms hold for values that do not occur.
    Sampled,
    Doubtful,
}

fn learned(
    program: &Program,
    tree: &mut ProofTree,
    failing: FailedObligation<'_>,
    model: &Model,
    head: Head<'_>,
) -> (Verdict, Completion, Vec<(Lemma, TermId)>) {
    let (verdict, completion);
    let (lemmas, (mut denoted, elements)) = {
        let tables = Tables::new(&tree.terms, model, head);
        let mut replay = Replay::new(ReplayInput { program, tree, failing, tables: &tables });
        completion = replay.completion();
        verdict = match (replay.outcome, replay.sampled) {
            (ReplayVerdict::Confirmed, 0) => return (Verdict::Confirmed, completion, Vec::new()),
            (ReplayVerdict::Confirmed, sampled) if sampled > LIMITS.doubted => {
                return (Verdict::Confirmed, completion, Vec::new());
            }
            (ReplayVerdict::Confirmed, _) => Verdict::Sampled,
            _ => Verdict::Doubtful,
        };
        if !replay.is_cheap() {
            return (verdict, completion, Vec::new());
        }
        let facts = tree.path(failing.at).filter_map(|node| tree.fact(node)).chain([failing.goal]);
        (replay.lemmas(), replay.structure.denoted(facts))
    };
    name_elements(&mut tree.terms, &mut denoted, elements, model.value("null", &[]));
    let terms = &mut tree.terms;
    let named: Vec<Lemma> = lemmas.iter().filter_map(|lemma| lemma.by_terms(terms, &denoted)).collect();
    let proposed = |lemma: Lemma| proposition(terms, &denoted, &lemma).map(|proposition| (lemma, proposition));
    (verdict, completion, named.into_iter().chain(lemmas).filter_map(proposed).collect())
}
