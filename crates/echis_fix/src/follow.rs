//! Changes that require another one: what is unfolded has to be folded again.

use crate::judge::{Effect, Judge, Success};
use crate::limits::{FOLLOWING, STEPS};
use crate::site::Site;
use crate::{Candidate, Kind, permission, predicates};
use echis_base::{Edit, moved_back};

/// Tries a candidate, followed by further changes if necessary.
pub(crate) fn tried(judge: &Judge<'_, '_>, candidate: Candidate) -> Option<(Candidate, Success)> {
    let steps = if candidate.kind == Kind::Ghost { STEPS } else { 0 };
    with_steps(judge, candidate, steps)
}

fn with_steps(judge: &Judge<'_, '_>, candidate: Candidate, steps: usize) -> Option<(Candidate, Success)> {
    let moved = match judge.outcome(&candidate) {
        Effect::Gone(success) => return Some((candidate, success)),
        Effect::Moved(moved) => moved,
        Effect::Useless => return None,
    };
    let is_ghost = matches!(candidate.kind, Kind::Ghost | Kind::GhostBlock | Kind::Invariant);
    if steps == 0 || !is_ghost || moved.member != judge.target.member {
        return None;
    }
    let edited = judge.trials.checked().edited(&candidate.edits)?;
    let site = Site::new(&edited, &moved)?;
    let next = predicates::candidates(&site).into_iter().filter(|next| next.kind == Kind::Ghost);
    // What a loop opens it has to be given.
    let kept = permission::candidates(&site).into_iter().filter(|next| next.kind == Kind::Invariant);
    let kept = kept.take(usize::from(site.enclosing_loop().is_some()));
    for next in next.take(FOLLOWING).chain(kept) {
        if judge.is_over() {
            return None;
        }
        let Some(edits) = composed(&candidate.edits, &next.edits) else { continue };
        let explanation = format!("{}, and {}", candidate.explanation, next.explanation);
        let both = Candidate::new(next.kind.max(Kind::GhostBlock), explanation, edits);
        if let Some(found) = with_steps(judge, both, steps - 1) {
            return Some(found);
        }
    }
    None
}

/// Composes edits of an edited text with the edits before them. `None` if they change what was added.
fn composed(first: &[Edit], second: &[Edit]) -> Option<Vec<Edit>> {
    let mut edits = first.to_vec();
    for edit in second {
        let (start, end) = (moved_back(first, edit.start)?, moved_back(first, edit.end)?);
        if first.iter().any(|known| known.start <= end && start <= known.end) {
            return None;
        }
        edits.push(Edit { start, end, text: edit.text.clone() });
    }
    Some(edits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use echis_base::apply;

    #[test]
    fn edits_of_edited_texts_are_moved_back() {
        let (text, first) = ("abcdef", [Edit::insert(1, "XY")]);
        let edited = apply(&first, text).expect("one edit");
        let second = [Edit::insert(edited.find('e').expect("it is there"), "Z")];
        let both = composed(&first, &second).expect("they are apart");
        assert_eq!(apply(&both, text).as_deref(), Some("aXYbcdZef"));
        assert_eq!(composed(&first, &[Edit::insert(2, "Z")]), None);
    }
}
