//! Two solvers for the questions about one tree: explaining a long member may take longer than verifying it, and
//! would otherwise leave one of two processors idle. The choice depends only on the questions, not on timing, so two
//! runs agree.

use crate::backend::Backend;
use crate::explain::{Replay, ReplayStatistics};
use crate::limits::{OPEN_QUESTIONS, SECOND_PROCESS};
use echis_proof::{Explainer, Replayed, Replies};
use echis_term::{TermId, Terms};
use std::collections::VecDeque;

pub struct Pair<B> {
    replays: [Replay<B>; 2],
    /// The solver that each open question was sent to, oldest first.
    asked: VecDeque<usize>,
    spent: u64,
}

impl<B: Backend> Pair<B> {
    pub fn new(replays: [Replay<B>; 2]) -> Self {
        Pair { replays, asked: VecDeque::new(), spent: 0 }
    }
    /// Resets for a new tree.
    pub fn begin(&mut self) {
        self.asked.clear();
        self.spent = 0;
        self.replays.iter_mut().for_each(Replay::begin);
    }
    /// Instantiates quantifiers of this tree more eagerly than usual.
    pub fn instantiate_eagerly(&mut self) {
        self.replays.iter_mut().for_each(Replay::instantiate_eagerly);
    }
    /// Releases the solvers while nothing is asked.
    pub fn rest(&mut self) {
        self.replays.iter_mut().for_each(Replay::rest);
    }
    pub fn statistics(&self) -> ReplayStatistics {
        let [first, second] = self.replays.each_ref().map(Replay::statistics);
        first + second
    }
    fn next(&self, bound: u64) -> usize {
        let open = |who| self.asked.iter().filter(|asked| **asked == who).count();
        usize::from(self.spent.saturating_add(bound) > SECOND_PROCESS && open(0) >= open(1) + OPEN_QUESTIONS)
    }
}

impl<B: Backend> Explainer for Pair<B> {
    fn given(&mut self, terms: &Terms, facts: &[TermId]) {
        self.replays.iter_mut().for_each(|replay| replay.given(terms, facts));
    }
    fn send(&mut self, terms: &Terms, question: &Replayed<'_>) {
        let who = self.next(question.bound);
        self.asked.push_back(who);
        self.replays[who].send(terms, question);
    }
    fn receive(&mut self) -> Replies {
        let Some(who) = self.asked.pop_front() else { return Replies::default() };
        let replies = self.replays[who].receive();
        self.spent += replies.effort;
        replies
    }
}
