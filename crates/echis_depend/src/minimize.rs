//! Searches for a small core of one question. A solver's core may be larger than needed, and may not even suffice;
//! the results here are proved again, and with enough effort they are minimal.
//!
//! A search returns its next questions and receives the answers, so that many searches can share one round.

use crate::policy::Policy;
use echis_derive::Preference;
use echis_proof::Core;

/// How far cores are minimized.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Minimization {
    /// The solver's core, checked.
    Off,
    /// Smaller, within limits.
    Fast,
    /// Until no node can be dropped.
    Full,
}

/// Data about groups for the search. A group's cost is how much it assumes or depends on.
pub trait GroupWeights: Preference {
    /// Whether it is worth looking for a proof without the group.
    fn is_heavy(&self, group: usize, minimization: Minimization) -> bool;
}

pub struct Minimizer {
    allowed: Vec<usize>,
    /// A core that proved the same goal elsewhere.
    hint: Option<Vec<usize>>,
    minimization: Minimization,
    policy: Policy,
    state: State,
    rounds: usize,
    /// The best core so far that was minimized and proved.
    best: Option<Core>,
    /// Groups that better cores avoid.
    avoided: Vec<usize>,
    /// Groups that no better core was found without.
    tried: Vec<usize>,
}

enum State {
    First,
    /// Determines which parts of a core can be dropped.
    Shrink(Shrinking),
    /// Determines which groups can be replaced by others.
    Replace(Vec<usize>),
    Done,
}

struct Shrinking {
    core: Core,
    /// Parts that cannot be dropped.
    needed: Vec<usize>,
    /// The smallest set proved sufficient.
    sufficient: Vec<usize>,
}

impl Minimizer {
    pub fn new(allowed: Vec<usize>, hint: Option<Vec<usize>>, minimization: Minimization, policy: &Policy) -> Self {
        let hint = hint.filter(|hint| hint.iter().all(|group| allowed.contains(group)));
        let (avoided, tried) = (Vec::new(), Vec::new());
        Minimizer {
            allowed,
            hint,
            minimization,
            policy: *policy,
            state: State::First,
            rounds: 0,
            best: None,
            avoided,
            tried,
        }
    }
    /// Searches for something better than a proved core.
    pub fn better(
        allowed: Vec<usize>,
        core: Core,
        minimization: Minimization,
        preference: &dyn GroupWeights,
        policy: &Policy,
    ) -> Self {
        let mut minimizer = Minimizer::new(allowed, None, minimization, policy);
        minimizer.state = State::Done;
        minimizer.accept(core, preference);
        minimizer
    }
    /// Whether a proof exists and a better one is sought.
    pub fn is_improving(&self) -> bool {
        self.best.is_some() || matches!(self.state, State::Replace(_) | State::Shrink(_))
    }
    /// Whether the next questions look for proofs without parts of the known one.
    pub fn is_looking_for_others(&self) -> bool {
        matches!(self.state, State::Replace(_))
    }
    /// A core that is not confirmed yet.
    pub fn proposed(&self) -> Option<&Core> {
        match &self.state {
            State::Shrink(Shrinking { core, .. }) => Some(core),
            _ => None,
        }
    }
    /// Accepts a minimal core within the proposed one that was proved in another way.
    pub fn confirm(&mut self, core: Core, preference: &dyn GroupWeights) {
        self.state = State::Done;
        self.accept(core, preference);
    }
    /// Stops looking for better proofs, because the budget is spent.
    pub fn stop_improving(&mut self) {
        self.minimization = Minimization::Off;
        if self.best.is_some() {
            self.state = State::Done;
        }
    }
    pub fn is_done(&self) -> bool {
        matches!(self.state, State::Done)
    }
    /// The core found, if there is a proof.
    pub fn core(&self) -> Option<&Core> {
        self.best.as_ref()
    }
    /// The next questions. Empty exactly when the search is done.
    pub fn asks(&self, preference: &dyn GroupWeights) -> Vec<Vec<usize>> {
        match &self.state {
            State::First => self.hint.iter().cloned().chain([self.allowed.clone()]).collect(),
            State::Shrink(Shrinking { core, needed, .. }) => {
                let parts = self.removable(core, needed, preference).into_iter();
                [core.groups.clone()].into_iter().chain(parts.map(|part| without(&core.groups, part))).collect()
            }
            State::Replace(groups) => groups.iter().map(|group| self.all_but(*group)).collect(),
            State::Done => Vec::new(),
        }
    }
    /// Whether the groups used by a proof matter, not just whether there is one.
    pub fn wants_names(&self, preference: &dyn GroupWeights) -> bool {
        match &self.state {
            State::Shrink(Shrinking { core, needed, .. }) => !self.removable(core, needed, preference).is_empty(),
            _ => true,
        }
    }
    pub fn answer(&mut self, answers: Vec<Option<Core>>, preference: &dyn GroupWeights) {
        match std::mem::replace(&mut self.state, State::Done) {
            State::First => self.first(answers, preference),
            State::Shrink(shrinking) => self.shrunk(shrinking, answers, preference),
            State::Replace(groups) => self.replaced(&groups, answers, preference),
            State::Done => {}
        }
        self.rounds += 1;
    }
    fn first(&mut self, mut answers: Vec<Option<Core>>, preference: &dyn GroupWeights) {
        let all = answers.pop().flatten();
        let hinted = answers.pop().flatten().filter(|core| core.uses_goal);
        match (hinted, all, self.hint.clone()) {
            (Some(core), _, Some(hint)) => self.shrink(core, hint, preference),
            (_, Some(core), _) => self.shrink(core, self.allowed.clone(), preference),
            _ => {}
        }
    }
    /// Starts shrinking a core of a sufficient set.
    fn shrink(&mut self, core: Core, sufficient: Vec<usize>, preference: &dyn GroupWeights) {
        if core.groups.len() == sufficient.len() && self.removable(&core, &[], preference).is_empty() {
            return self.accept(core, preference);
        }
        self.state = State::Shrink(Shrinking { core, needed: Vec::new(), sufficient });
    }
    fn removable(&self, core: &Core, needed: &[usize], preference: &dyn GroupWeights) -> Vec<usize> {
        // Solvers already drop what they can; each part of a large core is tried only if the options ask for it.
        let asks = match self.minimization {
            Minimization::Off => false,
            Minimization::Fast => {
                self.rounds < self.policy.fast_rounds && (2..=self.policy.fast_parts).contains(&core.groups.len())
            }
            Minimization::Full => true,
        };
        if !asks {
            return Vec::new();
        }
        preference.order(&core.groups).into_iter().filter(|group| !needed.contains(group)).collect()
    }
    fn shrunk(&mut self, shrinking: Shrinking, answers: Vec<Option<Core>>, preference: &dyn GroupWeights) {
        let Shrinking { core, mut needed, mut sufficient } = shrinking;
        let removable = self.removable(&core, &needed, preference);
        let mut answers = answers.into_iter();
        let confirmed = answers.next().flatten();
        let parts: Vec<(usize, Option<Core>)> = removable.into_iter().zip(answers).collect();
        if let Some((part, smaller)) = parts.iter().find_map(|(part, answer)| Some((*part, answer.clone()?))) {
            // Parts needed in the larger core are needed in the smaller one too.
            needed.extend(parts.iter().filter(|(_, answer)| answer.is_none()).map(|(part, _)| *part));
            sufficient = without(&core.groups, part);
            self.state = State::Shrink(Shrinking { core: smaller, needed, sufficient });
            return;
        }
        match confirmed {
            Some(confirmed) => {
                self.accept(Core { uses_goal: core.uses_goal && confirmed.uses_goal, ..core }, preference)
            }
            // The solver's core did not suffice: go back to the known sufficient set.
            None if core.groups != sufficient => {
                let core = Core { groups: sufficient.clone(), ..core };
                self.state = State::Shrink(Shrinking { core, needed: Vec::new(), sufficient });
            }
            None => self.accept(core, preference),
        }
    }
    /// Accepts a minimal core.
    fn accept(&mut self, core: Core, preference: &dyn GroupWeights) {
        let better = match &self.best {
            None => true,
            Some(best) => {
                let worth = |core: &Core| (!core.uses_goal, preference.cost(&core.groups));
                worth(&core) < worth(best)
            }
        };
        if better {
            let before = self.best.replace(core);
            let kept = self.best.as_ref().map(|best| best.groups.clone()).unwrap_or_default();
            let gone = before.into_iter().flat_map(|before| before.groups).filter(|group| !kept.contains(group));
            self.avoided.extend(gone);
            // Parts that could not be dropped before may be droppable now.
            self.tried.clear();
        }
        self.improve(preference);
    }
    /// A solver names the first proof it finds. Looks for one that avoids assumptions and groups with many
    /// dependencies, and for one that is not vacuous.
    fn improve(&mut self, preference: &dyn GroupWeights) {
        let Some(best) = &self.best else { return };
        if self.minimization == Minimization::Off
            || self.minimization == Minimization::Fast && self.rounds >= self.policy.fast_rounds
        {
            return;
        }
        let worth = |group: &usize| preference.is_heavy(*group, self.minimization) || !best.uses_goal;
        let candidates: Vec<usize> = preference
            .order(&best.groups)
            .into_iter()
            .filter(|group| worth(group) && !self.tried.contains(group))
            .collect();
        if !candidates.is_empty() {
            self.state = State::Replace(candidates);
        }
    }
    fn replaced(&mut self, groups: &[usize], answers: Vec<Option<Core>>, preference: &dyn GroupWeights) {
        self.tried.extend(groups);
        let best_uses_goal = self.best.as_ref().is_some_and(|best| best.uses_goal);
        let others = groups.iter().zip(answers).filter_map(|(group, answer)| Some((*group, answer?)));
        let others = others.filter(|(_, core)| core.uses_goal >= best_uses_goal);
        let other = others.min_by_key(|(_, core)| (!core.uses_goal, preference.cost(&core.groups)));
        match other {
            Some((without, core)) => self.shrink(core, self.all_but(without), preference),
            None => self.improve(preference),
        }
    }
    fn all_but(&self, group: usize) -> Vec<usize> {
        self.allowed.iter().copied().filter(|kept| *kept != group && !self.avoided.contains(kept)).collect()
    }
}

fn without(groups: &[usize], group: usize) -> Vec<usize> {
    groups.iter().copied().filter(|kept| *kept != group).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Later groups are preferred; all are heavy.
    struct Later;
    impl GroupWeights for Later {
        fn is_heavy(&self, _: usize, _: Minimization) -> bool {
            true
        }
    }
    impl Preference for Later {
        fn order(&self, groups: &[usize]) -> Vec<usize> {
            groups.to_vec()
        }
        fn cost(&self, groups: &[usize]) -> (usize, usize) {
            (groups.iter().map(|group| 10 - group).sum(), 0)
        }
        fn avoidable(&self, _: &[usize]) -> Vec<Vec<usize>> {
            Vec::new()
        }
    }
    fn run(
        allowed: &[usize],
        minimization: Minimization,
        prove: impl Fn(&[usize]) -> Option<Core>,
    ) -> Option<Vec<usize>> {
        let mut minimizer = Minimizer::new(allowed.to_vec(), None, minimization, &Policy::USUAL);
        let mut rounds = 0;
        while !minimizer.is_done() {
            let answers = minimizer.asks(&Later).iter().map(|groups| prove(groups)).collect();
            minimizer.answer(answers, &Later);
            rounds += 1;
            assert!(rounds < 100);
        }
        minimizer.core().map(|core| core.groups.clone())
    }
    fn core(groups: Vec<usize>) -> Core {
        Core { groups, uses_goal: true, effort: 1 }
    }

    #[test]
    fn nothing_superfluous_remains_and_the_cheaper_proof_wins() {
        let sets = [vec![0, 2], vec![1, 2]];
        // Names the first available set, and more than it needs.
        let prove = |groups: &[usize]| {
            sets.iter().find(|set| set.iter().all(|group| groups.contains(group)))?;
            Some(core(groups.to_vec()))
        };
        assert_eq!(run(&[0, 1, 2, 3], Minimization::Full, prove), Some(vec![1, 2]));
        assert_eq!(run(&[0, 2, 3], Minimization::Full, prove), Some(vec![0, 2]));
        assert_eq!(run(&[0, 1], Minimization::Full, prove), None);
        // Names only the first set: the other one is found by looking for it.
        let exact = |groups: &[usize]| {
            let set = sets.iter().find(|set| set.iter().all(|group| groups.contains(group)))?;
            Some(core(set.clone()))
        };
        assert_eq!(run(&[0, 1, 2, 3], Minimization::Full, exact), Some(vec![1, 2]));
        assert_eq!(run(&[0, 1, 2, 3], Minimization::Off, exact), Some(vec![0, 2]));
    }

    #[test]
    fn a_core_that_does_not_suffice_is_not_believed() {
        let liar = |groups: &[usize]| (groups.len() > 1).then(|| core(vec![0]));
        for minimization in [Minimization::Off, Minimization::Fast, Minimization::Full] {
            assert!(run(&[0, 1, 2], minimization, liar).is_some_and(|core| core.len() > 1));
        }
    }

    #[test]
    fn a_proof_that_uses_the_goal_is_preferred() {
        // 0 and 1 contradict each other, 0 and 2 prove the goal.
        let prove = |groups: &[usize]| {
            if [0, 1].iter().all(|group| groups.contains(group)) {
                Some(Core { groups: vec![0, 1], uses_goal: false, effort: 1 })
            } else {
                [0, 2].iter().all(|group| groups.contains(group)).then(|| core(vec![0, 2]))
            }
        };
        assert_eq!(run(&[0, 1, 2], Minimization::Fast, prove), Some(vec![0, 2]));
    }
}
