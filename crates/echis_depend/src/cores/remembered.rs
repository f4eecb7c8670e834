//! Reuses cores: facts that proved a goal once prove it wherever they hold.

use super::{CheckCore, CoreSearch, Task};
use crate::blame::Facts;
use crate::question::CoreQuestion;
use crate::rank::GroupKey;
use crate::via::Via;
use echis_base::FastSet;
use echis_derive::Answer;
use echis_proof::{Core, NodeId};
use echis_term::TermId;
use std::rc::Rc;

pub(super) struct CachedCore {
    at: NodeId,
    always: Vec<TermId>,
    parts: Vec<(GroupKey, Vec<TermId>)>,
    found: Rc<CheckCore>,
}

impl CoreSearch {
    /// A core that proved the goal elsewhere, if everything in it holds here.
    pub(super) fn remembered(&mut self, _: &Facts, task: &mut Task) -> Answer<Rc<CheckCore>> {
        self.cached_core(&task.question).map_or(Answer::NoProof, Answer::Proved)
    }
    fn cached_core(&self, question: &CoreQuestion) -> Option<Rc<CheckCore>> {
        let known = self.cached.get(&question.goal)?;
        let always: FastSet<TermId> = question.always.iter().copied().collect();
        let holds = |(key, facts): &(GroupKey, Vec<TermId>)| {
            let group = question.groups.iter().find(|group| group.key == *key);
            group.is_some_and(|group| facts.iter().all(|fact| group.facts.contains(fact)))
        };
        let mut fitting = known
            .iter()
            .filter(|known| known.parts.iter().all(holds) && known.always.iter().all(|fact| always.contains(fact)));
        fitting.next().map(|known| known.found.clone())
    }
    /// The groups of a core that proved the same goal elsewhere.
    pub(super) fn hint(&self, question: &CoreQuestion) -> Option<Vec<usize>> {
        let position = |key: &GroupKey| question.groups.iter().position(|group| group.key == *key);
        let known = self.cached.get(&question.goal)?.iter();
        known.filter_map(|known| known.parts.iter().map(|(key, _)| position(key)).collect()).next()
    }
    pub(super) fn remember(
        &mut self,
        facts: &Facts,
        at: NodeId,
        question: &CoreQuestion,
        core: &Core,
    ) -> Rc<CheckCore> {
        let found = Rc::new(check_core(facts, question, core));
        let parts = core.groups.iter().map(|group| {
            let group = &question.groups[*group];
            (group.key.clone(), group.facts.clone())
        });
        let known = CachedCore { at, always: question.always.clone(), parts: parts.collect(), found: found.clone() };
        self.cached.entry(question.goal).or_default().push(known);
        found
    }
    /// Where goals were proved, each with facts that suffice.
    pub fn proofs(&self) -> Vec<(NodeId, TermId, Vec<TermId>)> {
        let facts = |core: &CachedCore| {
            core.parts.iter().flat_map(|(_, facts)| facts).chain(&core.always).copied().collect::<Vec<TermId>>()
        };
        let mut goals: Vec<(&TermId, &Vec<CachedCore>)> = self.cached.iter().collect();
        goals.sort_by_key(|(goal, _)| **goal);
        goals
            .into_iter()
            .flat_map(|(goal, cores)| cores.iter().map(move |core| (core.at, *goal, facts(core))))
            .collect()
    }
}

pub(super) fn check_core(facts: &Facts, question: &CoreQuestion, core: &Core) -> CheckCore {
    let has_goal = !facts.tree.terms.is_false(question.goal);
    let vacuous = has_goal && !core.uses_goal;
    let dead = core.groups.iter().any(|group| question.groups[*group].dead);
    let via = if vacuous || dead && !has_goal { Via::Infeasibility } else { Via::Value };
    let keys = core.groups.iter().map(|group| question.groups[*group].key.clone()).collect();
    CheckCore { keys, via, vacuous, coarse: false }
}
