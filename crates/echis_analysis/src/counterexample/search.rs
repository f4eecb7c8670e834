//! Asks for models until one stands the replay: what one that did not teaches is told to the solver, and it is asked again.

use super::Failing;
use super::lessons::{Lesson, name_elements, proposition};
use super::replay::{Outcome, Replay};
use super::tables::Tables;
use super::watch::wanted;
use echis_program::program::Program;
use echis_proof::{Head, Model, Modeler, Needed, NoModel, ProofTree, Wanted};
use echis_term::TermId;

/// So often the solver is asked again.
const MOST_ROUNDS: usize = 8;
/// The same where axioms are in doubt only for values that do not occur.
const DOUBTING_ROUNDS: usize = 2;

/// The model of a counterexample that is confirmed, or the first one.
pub fn search(
    program: &Program,
    tree: &mut ProofTree,
    failing: Failing<'_>,
    solver: &mut impl Modeler,
    head: Head<'_>,
) -> Result<Model, NoModel> {
    let mut wanted = wanted(program, tree, failing);
    let mut best = solver.model(tree, failing.at, failing.goal, &wanted)?;
    let mut model = best.clone();
    let mut doubting = None;
    // Of what was learned, what follows from the facts.
    let mut following: Vec<(TermId, Needed)> = Vec::new();
    for _ in 0..MOST_ROUNDS {
        let (verdict, learned) = learned(program, tree, failing, &model, head);
        match verdict {
            Verdict::Confirmed => return Ok(model),
            Verdict::Sampled if doubting.is_none() => {
                best = model.clone();
                doubting = Some(DOUBTING_ROUNDS);
            }
            _ => {}
        }
        if let Some(rounds) = &mut doubting {
            let Some(left) = rounds.checked_sub(1) else { break };
            *rounds = left;
        }
        let known = wanted.learned.len();
        for (lesson, proposition) in learned {
            if !wanted.learned.contains(&proposition) && !tree.terms.is_true(proposition) {
                wanted.learned.push(proposition);
                following.extend(lesson.needed(tree, failing.at).map(|needed| (proposition, needed)));
            }
        }
        if wanted.learned.len() == known {
            break;
        }
        match solver.model(tree, failing.at, failing.goal, &wanted) {
            Ok(next) => model = next,
            Err(NoModel::Proved) => {
                let (learned, needed) = following.into_iter().unzip();
                let wanted = Wanted { learned, ..Wanted::default() };
                // From axioms that contradict each other everything follows, which explains nothing.
                let nothing = tree.terms.bool(false);
                if let Err(NoModel::Proved) = solver.model(tree, failing.at, nothing, &wanted) {
                    return Ok(best);
                }
                return match solver.model(tree, failing.at, failing.goal, &wanted) {
                    Err(NoModel::Proved) => Err(NoModel::Follows(needed)),
                    _ => Ok(best),
                };
            }
            Err(_) => break,
        }
    }
    Ok(best)
}

enum Verdict {
    Confirmed,
    /// It is confirmed if the axioms hold for values that do not occur.
    Sampled,
    Doubtful,
}

fn learned(
    program: &Program,
    tree: &mut ProofTree,
    failing: Failing<'_>,
    model: &Model,
    head: Head<'_>,
) -> (Verdict, Vec<(Lesson, TermId)>) {
    let verdict;
    let (lessons, (mut denoted, elements)) = {
        let tables = Tables::new(&tree.terms, model, head);
        let mut replay = Replay::new(program, tree, failing, &tables);
        verdict = match (replay.outcome, replay.sampled) {
            (Outcome::Confirmed, 0) => return (Verdict::Confirmed, Vec::new()),
            (Outcome::Confirmed, _) => Verdict::Sampled,
            _ => Verdict::Doubtful,
        };
        if !replay.is_cheap() {
            return (verdict, Vec::new());
        }
        let facts = tree.path(failing.at).filter_map(|node| tree.fact(node)).chain([failing.goal]);
        (replay.lessons(), replay.structure.denoted(facts))
    };
    name_elements(&mut tree.terms, &mut denoted, elements, model.value("null", &[]));
    let proposed =
        |lesson: Lesson| proposition(&mut tree.terms, &denoted, &lesson).map(|proposition| (lesson, proposition));
    (verdict, lessons.into_iter().filter_map(proposed).collect())
}
