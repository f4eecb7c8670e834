//! All budgets for explanations, each with its unit and reason. `cargo xtask ablate` measures the effect of halving
//! and doubling each.
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

            /// Sets a budget by name; returns whether it exists.
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
    /// Limit for a solver's first answer within a scope: most proofs are short.
    first_answer: u64 = 10_000, "solver units";
    /// Added for each axiom in the question, since solvers look at all of them.
    answer_per_axiom: u64 = 300, "solver units";
    /// Minimum limit for later answers, when the cost of the proof is known.
    least_answer: u64 = 2_000, "solver units";
    /// Limit of an answer, as a multiple of the cost of the proof in verification or of the first answer.
    answer_factor: u64 = 2, "times";
    /// Factor of these limits for `full`, unless all facts are asked about, where it has none: proofs from fewer facts
    /// are often longer.
    full_factor: u64 = 4, "times";
    /// Budget of `fast` per member for finding better proofs than the first ones, plus a share.
    improving: u64 = 8_000, "solver units";
    /// The share: the cost of verification divided by this.
    improving_share: u64 = 10, "part";
    /// Minimum cost of an answer.
    answer_cost: u64 = 1_000, "solver units";
    /// Total budget per member, plus a multiple of the cost of verification; beyond it, everything on a path is
    /// blamed.
    replaying: u64 = 200_000, "solver units";
    /// The multiple.
    replaying_factor: u64 = 10, "times";
    /// Cost in the solver beyond which a proof counts as hard and is replayed in a separate thread.
    hard: u64 = 2_000, "solver units";
    /// Maximum number of consecutive failed searches for other proofs.
    patience: usize = 8, "searches";
    /// Maximum number of queued questions before the first answer is awaited.
    queue: usize = 24, "questions";
    /// Budget per member for dead paths, plus a share of the cost of verification.
    closed: u64 = 400_000, "solver units";
    /// The share: the cost of verification divided by this.
    closed_share: u64 = 2, "part";
    /// Maximum number of consecutive failed searches for a non-vacuous proof.
    nonvacuous: usize = 2, "searches";
    /// Number of rounds in which `fast` looks for smaller and for better cores.
    fast_rounds: usize = 3, "rounds";
    /// Maximum size of a core for `fast` to try each part.
    fast_parts: usize = 2, "parts";
    /// Limit of a derivation, after which the question is left to a solver.
    fuel: usize = 5_000, "terms";
    /// Limit when most earlier attempts failed, or little is at stake.
    little_fuel: usize = 1_000, "terms";
    /// Total cost of failed derivations per member after which the limit is lowered.
    failures: usize = 80_000, "terms";
    /// Budget that a successful derivation returns.
    gain: usize = 2_500, "terms";
    /// Maximum number of terms of one question.
    terms: usize = 900, "terms";
    /// Maximum number of goals that one goal is split into, and of hypotheses of each.
    goals: usize = 20, "goals";
    /// Maximum number of propagation rounds of a derivation.
    rounds: usize = 24, "rounds";
    /// Maximum number of rounds of matching triggers with the results of the previous round.
    generations: usize = 3, "rounds";
    /// Maximum nesting of case distinctions; a set of facts has room for seven.
    depth: usize = 3, "cases";
    /// Maximum number of cases for one goal.
    branches: usize = 8, "cases";
    /// Maximum number of comparisons decided by arithmetic at once.
    decided: usize = 24, "comparisons";
    /// Cost of each of them.
    deciding: usize = 10, "terms";
    /// Maximum number of choices within a number whose bounds are known without deciding them.
    choices: usize = 20, "choices";
    /// Maximum number of quantifier instances in one question.
    instances: usize = 80, "instances";
    /// Maximum number of matches of one trigger at once.
    matches: usize = 40, "matches";
    /// Maximum number of steps to find them.
    match_steps: usize = 2_000, "steps";
    /// The minimum fuel left, as a fraction of all, for trying to drop one more group from a proof.
    refuel: usize = 2, "part";
    /// Maximum size of a trigger; larger ones match nothing.
    pattern: usize = 60, "steps";
    /// Maximum number of inequalities left after eliminating a variable.
    inequalities: usize = 150, "inequalities";
    /// Scope, in steps from the goal, for derivations while a member is verified.
    circles: usize = 2, "circles";
    /// Scope in which a proof is sought first: most proofs need only a few, near facts.
    near: usize = 2, "circles";
    /// Scope for other proofs, and when the near facts do not suffice.
    wide: usize = 6, "circles";
    /// A symbol mentioned by more facts than this, and by more than a share of all, is common and not followed.
    common: usize = 24, "facts";
    /// The share, as the n of 1/n.
    common_share: usize = 3, "part";
    /// With fewer relevant facts than this, common symbols are followed.
    few: usize = 6, "facts";
    /// Weight of a group when cores are compared: higher if it has many dependencies or is assumed without proof. An
    /// invariant brings in a whole loop.
    weight_invariant: usize = 30, "weight";
    /// A call brings in its preconditions, a `fold` the body of its predicate.
    weight_call: usize = 25, "weight";
    /// Permission from an invariant brings in the loop.
    weight_loop_grant: usize = 25, "weight";
    /// Explicit assumptions.
    weight_believed: usize = 20, "weight";
    /// Facts that the engine derived from many others.
    weight_lemma: usize = 18, "weight";
    /// Other engine facts, which expand to others.
    weight_own: usize = 15, "weight";
    /// Other permission.
    weight_grant: usize = 12, "weight";
    /// Conditions and assignments, which have few dependencies.
    weight_code: usize = 2, "weight";
    /// Everything else, such as postconditions and axioms.
    weight_other: usize = 1, "weight";
}

impl Policy {
    /// The limits of a derivation with the given fuel.
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
