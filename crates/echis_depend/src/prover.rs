//! Derives questions without a solver, within a budget: failed derivations use it up, successful ones restore part of
//! it.

use crate::minimize::{GroupWeights, Minimization};
use crate::policy::Policy;
use crate::question::{CoreQuestion, Group};
use crate::rank::GroupKey;
use echis_derive::{Answer, Derivation, Engine, Preference, Problem};
use echis_term::{TermId, Terms};

pub struct Prover {
    policy: Policy,
    /// Remaining fuel for questions that may not be derivable.
    fuel: usize,
    engine: Engine,
}

impl Default for Prover {
    fn default() -> Self {
        Prover::new(Policy::USUAL)
    }
}

impl Prover {
    pub fn new(policy: Policy) -> Self {
        Prover { policy, fuel: policy.failures, engine: Engine::default() }
    }
    /// Derives the goal of a question.
    pub fn prove(&mut self, terms: &Terms, question: &CoreQuestion) -> Answer<Derivation> {
        let Policy { fuel, little_fuel, failures, gain, .. } = self.policy;
        let fuel = if self.fuel >= fuel { fuel } else { little_fuel };
        let answer = self.engine.prove(terms, &question.problem(terms), question, &self.policy.limits(fuel));
        match answer {
            Answer::Proved(_) => self.fuel = (self.fuel + gain).min(failures),
            Answer::NoProof | Answer::GaveUp => self.fuel = self.fuel.saturating_sub(fuel),
        }
        answer
    }
    /// Proves a question with few facts, with a small budget.
    pub fn prove_small(&mut self, terms: &Terms, question: &CoreQuestion) -> Option<Derivation> {
        self.prove_cheaply(terms, question, &question.problem(terms))
    }
    /// Proves a question in which facts that close the path may be used like any other.
    pub fn prove_with_closing_facts(&mut self, terms: &Terms, question: &CoreQuestion) -> Option<Derivation> {
        self.prove_cheaply(terms, question, &question.with_all_groups(question.goal))
    }
    /// Derives a contradiction from the groups, including those that close the path.
    pub fn refute(&mut self, terms: &Terms, question: &CoreQuestion) -> Option<Derivation> {
        let proof = self.prove_cheaply(terms, question, &question.with_all_groups(terms.literal(false)))?;
        Some(Derivation { uses_goal: terms.is_false(question.goal), ..proof })
    }
    /// Looks for a second contradiction besides the known one.
    pub fn refute_again(&mut self, terms: &Terms, question: &CoreQuestion) -> Option<Derivation> {
        let (always, groups) = (question.always.clone(), question.groups.clone());
        let contradiction = CoreQuestion { always, groups, goal: terms.literal(false) };
        let proof = self.prove(terms, &contradiction).proof()?;
        Some(Derivation { uses_goal: terms.is_false(question.goal), ..proof })
    }
    fn prove_cheaply(&mut self, terms: &Terms, question: &CoreQuestion, problem: &Problem) -> Option<Derivation> {
        let limits = self.policy.limits(self.policy.little_fuel);
        self.engine.prove(terms, problem, question, &limits).proof()
    }
}

impl CoreQuestion {
    /// Facts that close a path prove only that it is closed.
    fn problem(&self, terms: &Terms) -> Problem<'_> {
        let closed = terms.is_false(self.goal);
        let usable = |group: &Group| closed || !group.dead;
        let facts = self.groups.iter().map(|group| if usable(group) { &group.facts[..] } else { &[] });
        Problem { always: &self.always, groups: facts.collect(), goal: self.goal }
    }
    fn with_all_groups(&self, goal: TermId) -> Problem<'_> {
        let groups = self.groups.iter().map(|group| &group.facts[..]).collect();
        Problem { always: &self.always, groups, goal }
    }
}

impl Preference for CoreQuestion {
    fn order(&self, groups: &[usize]) -> Vec<usize> {
        let mut order = groups.to_vec();
        order.sort_by_key(|group| (self.groups[*group].rank, self.age(*group)));
        order
    }
    /// Of cores with the same weight, the one with older facts is preferred.
    fn cost(&self, groups: &[usize]) -> (usize, usize) {
        (groups.iter().map(|group| self.groups[*group].weight).sum(), groups.iter().sum())
    }
    /// A proof through many engine facts may be a detour; other groups have many dependencies.
    fn avoidable(&self, core: &[usize]) -> Vec<Vec<usize>> {
        let among = |which: &dyn Fn(usize) -> bool| core.iter().copied().filter(|group| which(*group)).collect();
        let own: Vec<usize> = among(&|group| matches!(self.groups[group].key, GroupKey::Fact(_)));
        let heavy: Vec<usize> = among(&|group| self.is_heavy(group, Minimization::Fast));
        [Some(own).filter(|own| own.len() > 1), Some(heavy).filter(|heavy| !heavy.is_empty())]
            .into_iter()
            .flatten()
            .collect()
    }
}
