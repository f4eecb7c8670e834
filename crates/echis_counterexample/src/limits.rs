//! Limits on the search for counterexamples. They affect whether one is found, never whether it is correct.

pub struct Limits {
    /// Maximum number of set members that are invented.
    pub invented: usize,
    /// Maximum depth of an ADT value: a model may be cyclic.
    pub adt_depth: usize,
    /// Maximum number of steps that definitions are unfolded.
    pub unfolding_depth: usize,
    /// Maximum number of unfolded definitions.
    pub unfolded_definitions: usize,
    /// Maximum number of argument tuples at which quantified permission is evaluated.
    pub heap_choices: usize,
    /// Maximum number of lemmas learned from one fact.
    pub lemmas: usize,
    /// Maximum depth at which values are printed.
    pub name_depth: usize,
    /// Maximum number of combinations of values that are tried.
    pub combined: usize,
    /// Maximum number of false instances learned from at once.
    pub wrong: usize,
    /// Maximum length of an integer range that is enumerated.
    pub range: usize,
    /// Maximum number of times an integer interval is split.
    pub splits: usize,
    /// Maximum depth of case splits on how two integers compare.
    pub quantifier_depth: usize,
    /// Maximum number of variables that a bound is propagated through.
    pub quantifier_rounds: usize,
    /// Maximum number of function applications that are checked.
    pub applications: usize,
    /// Maximum number of applications matched against triggers of axioms.
    pub steps: usize,
    /// Cost of evaluating an instance, in matched applications.
    pub instance_steps: usize,
    /// Maximum number of model completions that are tried.
    pub tries: usize,
    /// Maximum number of completions where axioms are sampled.
    pub sampled_tries: usize,
    /// Maximum number of violated facts in a completion that is improved, if axioms can be sampled instead.
    pub mended: usize,
    /// Maximum number of sampled axioms for which a model is sought in which they hold everywhere.
    pub doubted: usize,
    /// Number of violated facts whose functions are completed differently.
    pub suspected: usize,
    /// Number of evaluated instances below which a replay is cheap.
    pub cheap: usize,
    /// Maximum number of instances evaluated over all completions.
    pub replaying: usize,
    /// Maximum number of models requested from the solver.
    pub rounds: usize,
    /// Maximum number of further models if only unsampled values are in doubt.
    pub doubting_rounds: usize,
    /// Number of soft-constraint sets, the most important first, that are also tried with an end of the unfolding.
    pub search_ended: usize,
    /// Maximum number of lemmas that an explanation is minimised over.
    pub explained: usize,
    /// Maximum number of instances of quantifiers and definitions evaluated in one replay.
    pub evaluation: usize,
    /// Maximum number of interval end points per variable.
    pub marks: usize,
    /// Maximum number of definitions learned at once.
    pub calls: usize,
    /// Maximum unrolling depth at arguments that represent several values.
    pub call_depth: usize,
    /// Maximum number of elements that represent values constructed by a function.
    pub made: usize,
    /// Maximum number of rules per function.
    pub rules: usize,
    /// Maximum number of pieces of one heap.
    pub unrolled: usize,
    /// Maximum number of levels at which predicate instances should contain others.
    pub shallow: usize,
    /// Maximum length of a sequence that is evaluated.
    pub elements: usize,
    /// Maximum number of references at which quantified permission is requested.
    pub watched_references: usize,
    /// Maximum number of fields in predicate instances that are kept apart.
    pub watched_fields: usize,
    /// Number of destructor levels that are requested of ADT values.
    pub watched_depth: usize,
    /// Maximum number of set memberships that are requested.
    pub watched_members: usize,
    /// Maximum number of members of a collection that get names.
    pub named_members: usize,
    /// Maximum number of collections whose members get names.
    pub named_collections: usize,
    /// Maximum number of members counted against a size.
    pub counted: usize,
    /// Maximum number of values of one kind that are wished to differ.
    pub distinct: usize,
}

pub const LIMITS: Limits = Limits {
    invented: 40,
    adt_depth: 12,
    unfolding_depth: 4,
    unfolded_definitions: 60,
    heap_choices: 400,
    lemmas: 6,
    name_depth: 12,
    combined: 1000,
    wrong: 12,
    range: 2000,
    splits: 8,
    quantifier_depth: 4,
    quantifier_rounds: 3,
    applications: 500,
    steps: 600_000,
    instance_steps: 4,
    tries: 16,
    sampled_tries: 4,
    mended: 4,
    doubted: 6,
    suspected: 3,
    cheap: 10_000,
    replaying: 60_000,
    rounds: 8,
    doubting_rounds: 2,
    search_ended: 4,
    explained: 24,
    evaluation: 20_000,
    marks: 60,
    calls: 16,
    call_depth: 3,
    made: 200,
    rules: 40,
    unrolled: 250,
    shallow: 3,
    elements: 2000,
    watched_references: 12,
    watched_fields: 24,
    watched_depth: 2,
    watched_members: 40,
    named_members: 4,
    named_collections: 4,
    counted: 5,
    distinct: 5,
};
