//! How much is spent on explanations: every budget, with its unit and its reason. `cargo xtask ablate` measures what halving
//! and doubling each of them does.
//!
//! None of them decides whether an answer is true, only how small it is and what it costs.

use echis_derive::Limits;

/// A budget, for listing and changing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    pub name: &'static str,
    pub unit: &'static str,
    pub usual: u64,
}

macro_rules! policy {
    ($($(#[$why:meta])+ $name:ident: $ty:ty = $usual:expr, $unit:literal;)+) => {
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct Policy {
            $($(#[$why])+ pub $name: $ty,)+
        }

        impl Policy {
            pub const USUAL: Policy = Policy { $($name: $usual,)+ };
            pub const BUDGETS: &'static [Budget] =
                &[$(Budget { name: stringify!($name), unit: $unit, usual: $usual as u64 },)+];

            /// Sets a budget by its name; whether there is one.
            pub fn set(&mut self, name: &str, value: u64) -> bool {
                match name {
                    $(stringify!($name) => self.$name = <$ty>::try_from(value).unwrap_or(<$ty>::MAX),)+
                    _ => return false,
                }
                true
            }
        }
    };
}

policy! {
    /// A first answer of a solver within a circle of facts: most proofs are short.
    first_answer: u64 = 10_000, "solver units";
    /// More for each axiom that the question has, since solvers look at all of them.
    answer_per_axiom: u64 = 300, "solver units";
    /// The least for later answers, when it is known what a proof takes.
    least_answer: u64 = 2_000, "solver units";
    /// The bound of an answer, as a multiple of what the proof took in verification or of what the first answer took.
    answer_factor: u64 = 2, "times";
    /// What `fast` may take in a member to find better proofs than the first ones, besides a share.
    improving: u64 = 8_000, "solver units";
    /// The share: verification's own effort divided by this.
    improving_share: u64 = 10, "part";
    /// Each answer counts for something, however little it took.
    answer_cost: u64 = 1_000, "solver units";
    /// What may be taken altogether in a member, besides a multiple of what verification took; beyond that everything on a
    /// path is blamed.
    replaying: u64 = 200_000, "solver units";
    /// The multiple.
    replaying_factor: u64 = 10, "times";
    /// What took a solver more than this is not easy, and is replayed in a thread of its own.
    hard: u64 = 2_000, "solver units";
    /// How often in a row other proofs are looked for in vain.
    patience: usize = 8, "searches";
    /// How many questions are in line before the first answer is awaited.
    queue: usize = 24, "questions";
    /// What may be taken in a member on paths that are closed, besides a share of what verification took.
    closed: u64 = 400_000, "solver units";
    /// The share: verification's own effort divided by this.
    closed_share: u64 = 2, "part";
    /// What may be taken in a member to find assumptions that proofs cannot do without, besides a share of what verification
    /// took.
    doubting: u64 = 60_000, "solver units";
    /// The share: verification's own effort divided by this.
    doubting_share: u64 = 1, "part";
    /// In how many obligations one assumption is doubted.
    doubts: usize = 2, "obligations";
    /// How often another proof is looked for in vain where there is one of anything.
    nonvacuous: usize = 2, "searches";
    /// The rounds in which `fast` looks for smaller and for better cores.
    fast_rounds: usize = 3, "rounds";
    /// The parts that a core may have for `fast` to ask about each.
    fast_parts: usize = 2, "parts";
    /// What a derivation may take before its question is left to a solver.
    fuel: usize = 5_000, "terms";
    /// Fuel when most earlier attempts failed, or when little is at stake.
    little_fuel: usize = 1_000, "terms";
    /// What failed derivations may take in a member before there is little fuel left.
    failures: usize = 80_000, "terms";
    /// What a derivation that succeeds gives back.
    gain: usize = 2_500, "terms";
    /// Terms of one question.
    terms: usize = 900, "terms";
    /// Goals that one goal is split into, and hypotheses of each.
    goals: usize = 20, "goals";
    /// Rounds in which a derivation propagates.
    rounds: usize = 24, "rounds";
    /// How often triggers are matched again with what came of the last time.
    generations: usize = 3, "rounds";
    /// Cases within cases; a set of facts has room for seven.
    depth: usize = 3, "cases";
    /// Cases all in all for one goal.
    branches: usize = 8, "cases";
    /// Comparisons that arithmetic decides at once.
    decided: usize = 24, "comparisons";
    /// What each of them takes.
    deciding: usize = 10, "terms";
    /// Choices within a number of which bounds are known without deciding them.
    choices: usize = 20, "choices";
    /// Instances of quantifiers in one question.
    instances: usize = 80, "instances";
    /// Ways to match one trigger at once.
    matches: usize = 40, "matches";
    /// The steps to find them.
    match_steps: usize = 2_000, "steps";
    /// What is left of the fuel at least, as a part of all, to see whether one more group can be left out of a proof.
    refuel: usize = 2, "part";
    /// Patterns of a trigger; larger ones match nothing.
    pattern: usize = 60, "steps";
    /// Inequalities that the elimination of a variable may leave.
    inequalities: usize = 150, "inequalities";
    /// Circles of facts around a goal that is derived while a member is verified.
    circles: usize = 2, "circles";
    /// Circles of facts around a goal in which a proof is looked for first: most proofs need few and near ones.
    near: usize = 2, "circles";
    /// Circles for other proofs, and when the near facts do not suffice.
    wide: usize = 6, "circles";
    /// What more facts than this speak of, and more than a share of all, is common and leads nowhere.
    common: usize = 24, "facts";
    /// The share, as the n of 1/n.
    common_share: usize = 3, "part";
    /// With fewer facts than this what is common leads on all the same.
    few: usize = 6, "facts";
    /// What a group counts when cores are compared: more for what drags much along or has to be believed. An invariant
    /// brings a whole loop.
    weight_invariant: usize = 30, "weight";
    /// A call brings its preconditions, a `fold` the body of its predicate.
    weight_call: usize = 25, "weight";
    /// Permission from an invariant brings the loop along.
    weight_loop_grant: usize = 25, "weight";
    /// What has to be believed.
    weight_believed: usize = 20, "weight";
    /// What the engine derived from much.
    weight_lemma: usize = 18, "weight";
    /// Other facts of the engine's own, which come down to others.
    weight_own: usize = 15, "weight";
    /// Other permission.
    weight_grant: usize = 12, "weight";
    /// Conditions and assignments, which rest on little.
    weight_code: usize = 2, "weight";
    /// All else, such as what is promised or an axiom.
    weight_other: usize = 1, "weight";
}

impl Policy {
    /// What a derivation may take, with so much fuel.
    pub fn limits(&self, fuel: usize) -> Limits {
        Limits {
            fuel,
            terms: self.terms,
            goals: self.goals,
            rounds: self.rounds,
            generations: self.generations,
            depth: self.depth,
            branches: self.branches,
            decided: self.decided,
            deciding: self.deciding,
            choices: self.choices,
            instances: self.instances,
            matches: self.matches,
            match_steps: self.match_steps,
            refuel: self.refuel,
            pattern: self.pattern,
            inequalities: self.inequalities,
        }
    }
}

impl Default for Policy {
    fn default() -> Self {
        Policy::USUAL
    }
}

#[cfg(test)]
mod tests {
    use super::Policy;

    #[test]
    fn budgets_are_set_by_their_names() {
        let mut policy = Policy::default();
        for budget in Policy::BUDGETS {
            assert!(policy.set(budget.name, budget.usual + 1), "{}", budget.name);
        }
        assert_eq!((policy.first_answer, policy.few), (10_001, 7));
        assert!(!policy.set("patient", 1));
        for budget in Policy::BUDGETS {
            policy.set(budget.name, budget.usual);
        }
        assert_eq!(policy, Policy::USUAL);
    }
}
