//! The solver's answers while a member was verified, by question.

use echis_base::Key;
use echis_proof::{Bound, GaveUp, NodeId, ProofTree, Prover, Verdict};
use echis_term::TermId;
use serde::{Deserialize, Serialize};

/// Answers in the order of the questions.
#[derive(Clone, Default, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Answers {
    /// One letter for each answer.
    letters: String,
    /// A digest of the questions, which are the same whenever the member is executed.
    asked: u64,
    /// Whether some answer cannot be stored.
    #[serde(skip)]
    lost: bool,
}

impl Answers {
    pub fn note(&mut self, at: NodeId, goal: TermId, bound: Bound, verdict: &Verdict) {
        self.asked = mix(self.asked, at, goal, bound);
        match verdict {
            Verdict::Proved => self.letters.push('p'),
            Verdict::Refuted => self.letters.push('r'),
            Verdict::Unknown(GaveUp::Incomplete) => self.letters.push('i'),
            Verdict::Unknown(GaveUp::Resources) => self.letters.push('b'),
            Verdict::Unknown(GaveUp::Solver(_)) => self.lost = true,
        }
    }
    pub fn complete(self) -> Option<Self> {
        (!self.lost).then_some(self)
    }
}

fn mix(before: u64, at: NodeId, goal: TermId, bound: Bound) -> u64 {
    let words = [at.index() as u64, goal.index() as u64, bound as u64];
    words.into_iter().fold(before, |sum, word| (sum ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23))
}

/// Replays stored answers.
pub(crate) struct Remembering<'a> {
    answers: &'a Answers,
    asked: u64,
    next: usize,
}

impl<'a> Remembering<'a> {
    pub fn new(answers: &'a Answers) -> Self {
        Remembering { answers, asked: 0, next: 0 }
    }
    /// Whether the questions are the stored ones.
    pub fn agrees(&self) -> bool {
        self.next == self.answers.letters.len() && self.asked == self.answers.asked
    }
}

impl Prover for Remembering<'_> {
    fn check(&mut self, _: &ProofTree, at: NodeId, goal: TermId, bound: Bound) -> Verdict {
        self.asked = mix(self.asked, at, goal, bound);
        let letter = self.answers.letters.as_bytes().get(self.next);
        self.next += 1;
        match letter {
            Some(b'p') => Verdict::Proved,
            Some(b'r') => Verdict::Refuted,
            Some(b'b') => Verdict::Unknown(GaveUp::Resources),
            _ => Verdict::Unknown(GaveUp::Incomplete),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use echis_base::SyntaxId;
    use echis_proof::{Origin, Part};
    use echis_term::Terms;

    #[test]
    fn other_questions_are_noticed() {
        let mut answers = Answers::default();
        let question = |goal| (NodeId::new(0), TermId::new(goal), Bound::Full);
        for (goal, verdict) in [(1, Verdict::Proved), (2, Verdict::Refuted)] {
            let (at, goal, bound) = question(goal);
            answers.note(at, goal, bound, &verdict);
        }
        let tree =
            ProofTree::new(Terms::new(), Origin { clause: SyntaxId::new(0), site: None, part: Part::Definition });
        let agrees = |goals: &[usize]| {
            let mut remembering = Remembering::new(&answers);
            for goal in goals {
                let (at, goal, bound) = question(*goal);
                remembering.check(&tree, at, goal, bound);
            }
            remembering.agrees()
        };
        assert!(agrees(&[1, 2]));
        assert!(!agrees(&[1]) && !agrees(&[2, 1]) && !agrees(&[1, 2, 3]) && !agrees(&[1, 3]));
    }
}
