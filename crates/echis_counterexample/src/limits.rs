//! How much is spent on counterexamples: every bound, with its reason. None of them decides whether a counterexample is one, only
//! whether it is found.

pub struct Limits {
    /// So many members of a set are made up, not more.
    pub invented: usize,
    /// Terms are read to this depth: a model may be cyclic.
    pub adt_depth: usize,
    /// So many steps.
    pub deeper_deepest: usize,
    /// So many definitions in all.
    pub deeper_most: usize,
    /// Quantified permission is looked at for so many choices of arguments.
    pub heap_choices: usize,
    /// So many lessons of one fact are learned.
    pub lessons: usize,
    /// Terms of constructors are printed to this depth.
    pub name_depth: usize,
    /// Longer multisets are not written out.
    pub name_length: usize,
    /// So many combinations of values are tried.
    pub combined: usize,
    /// So many instances that are false are learned from at once.
    pub wrong: usize,
    /// Longer ranges are not gone through.
    pub range: usize,
    /// How often ranges of integers are split.
    pub splits: usize,
    /// So many comparisons of two integers are decided both ways.
    pub quantifier_depth: usize,
    /// How many variables a bound may come by.
    pub quantifier_rounds: usize,
    /// So many applications of functions are checked.
    pub applications: usize,
    /// So many applications are looked at to find what axioms say of them.
    pub steps: usize,
    /// An instance takes as long as so many applications that are looked at.
    pub instance_steps: usize,
    /// So many ways to complete a model are tried.
    pub tries: usize,
    /// The same where axioms are looked at for what occurs.
    pub sampled_tries: usize,
    /// Another choice is looked for in so many facts that do not hold.
    pub suspected: usize,
    /// A replay with fewer instances than this is cheap.
    pub cheap: usize,
    /// Instances that are evaluated for all of them.
    pub replaying: usize,
    /// So often the solver is asked again.
    pub rounds: usize,
    /// The same where axioms are in doubt only for values that do not occur.
    pub doubting_rounds: usize,
    /// What is wished for most is wished for once more with an end of what functions look at.
    pub search_ended: usize,
    /// Of so many lessons it is found out whether what is explained needs them.
    pub explained: usize,
    /// Instances of quantifiers and definitions that are evaluated in one replay.
    pub evaluation: usize,
    /// Ranges between so many integers are tried.
    pub marks: usize,
    /// So many definitions are learned at once.
    pub calls: usize,
    /// At several values at once definitions are unrolled to this depth.
    pub call_depth: usize,
    /// Elements that stand for all that functions make are no more than this.
    pub made: usize,
    /// So many rules of one function are looked at.
    pub rules: usize,
    /// So many pieces there are of one heap, not more.
    pub unrolled: usize,
    /// Instances at this depth had better hold no further ones.
    pub shallow: usize,
    /// Longer sequences are not evaluated.
    pub elements: usize,
    /// Quantified permission is asked about at no more references than this.
    pub watched_references: usize,
    /// So many fields are kept apart that are in predicate instances.
    pub watched_fields: usize,
    /// Values of ADTs are taken apart so often.
    pub watched_depth: usize,
    /// So many questions about members of sets are asked.
    pub watched_members: usize,
    /// So many members are counted against a size.
    pub counted: usize,
}

pub const LIMITS: Limits = Limits {
    invented: 40,
    adt_depth: 12,
    deeper_deepest: 4,
    deeper_most: 60,
    heap_choices: 400,
    lessons: 6,
    name_depth: 12,
    name_length: 100,
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
    suspected: 3,
    cheap: 10_000,
    replaying: 60_000,
    rounds: 8,
    doubting_rounds: 2,
    search_ended: 2,
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
    counted: 5,
};
