//! Solver dialects: every difference between solvers that read SMT-LIB, as one value. Supporting another solver means
//! adding a table.

use echis_proof::{GaveUp, Verdict};

/// The dialect of a solver. Everything else is SMT-LIB 2.6, except `push` and `pop` without a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Dialect {
    /// The solver's name in reports.
    pub name: &'static str,
    /// The output of `--version` before the version.
    pub version: &'static str,
    /// The arguments for reading commands from standard input, and the option that limits memory, in megabytes.
    pub args: &'static [&'static str],
    pub memory: &'static str,
    /// The exit code when out of memory.
    pub out_of_memory: Option<i32>,
    /// Sent to every new solver. Solvers skip options that they do not know.
    pub options: &'static str,
    /// Added if quantifiers are instantiated as by Boogie, for which its users write axioms and triggers.
    pub eager: &'static str,
    /// Added for solvers that report cores.
    pub cores: &'static str,
    /// Added for solvers of replays, where declarations go with their scope.
    pub scoped: &'static str,
    /// The command that asks which assumptions a proof used. Empty: it cannot be asked before it is known that there is a
    /// proof, and cores are all that a question may use.
    pub ask_core: &'static str,
    /// Added for solvers that count quantifier instances.
    pub profile: &'static str,
    /// Whether Echis can parse its models.
    pub models: bool,
    /// Options that set random seeds.
    pub seeds: &'static [&'static str],
    /// Alternative options for arithmetic and for case splits. Empty if there are none.
    pub other_arithmetic: &'static str,
    pub other_choices: &'static str,
    /// The option that limits the effort of an answer, in the solver's units; 0 means no limit.
    pub limit: &'static str,
    /// The approximate value of one of its units in Echis's units, which are those of Z3.
    pub unit: u64,
    /// The `get-info` flag for the effort spent, and the text before the number.
    pub info: &'static str,
    pub count: &'static str,
    /// Substrings of the reason for `unknown`: the search was exhausted, or arithmetic is incomplete.
    pub incomplete: &'static str,
    pub arithmetic: &'static str,
}

/// All dialects.
pub const DIALECTS: [&Dialect; 2] = [&Z3, &CVC5];

/// Only instances within five rounds of instantiation are created eagerly. The rest, up to a hundred rounds, is
/// delayed until nothing else is left to do: if axioms unroll forever, short proofs are found first.
///
/// Incremental queries never use the tactic; building the default one takes longer than many queries.
///
/// Z3's own core minimisation is not bounded by its resource count, and may not terminate.
///
/// A reset keeps options, so those that other dialects set are given the values of a new process.
///
/// It has no time limit of its own: that would start a thread for every query, which takes as long as a short answer.
pub const Z3: Dialect = Dialect {
    name: "Z3",
    version: "Z3 version ",
    args: &["-smt2", "-in"],
    memory: "-memory:",
    out_of_memory: Some(101),
    options: "\
(set-option :print-success false)
(set-option :global-decls true)
(set-option :auto_config false)
(set-option :tactic.default_tactic smt)
(set-option :smt.case_split 3)
(set-option :smt.delay_units true)
(set-option :type_check true)
(set-option :smt.mbqi false)
(set-option :pp.bv_literals false)
(set-option :smt.qi.eager_threshold 5)
(set-option :smt.qi.lazy_threshold 100)
(set-option :smt.arith.solver 2)
(set-option :smt.arith.propagate_eqs true)
(set-option :model.v2 true)
(set-option :model.partial true)
(set-option :smt.qi.max_multi_patterns 1000)
(set-option :smt.random_seed 0)
(set-option :sat.random_seed 0)
(set-option :produce-unsat-cores false)
",
    eager: "(set-option :smt.qi.eager_threshold 100)\n",
    cores: "\
(set-option :produce-unsat-cores true)
(set-option :smt.core.minimize false)
",
    scoped: "(set-option :global-decls false)\n",
    ask_core: "(get-unsat-core)\n",
    profile: "(set-option :diagnostic-output-channel \"stdout\")\n(set-option :smt.qi.profile true)\n",
    models: true,
    seeds: &[":smt.random_seed", ":sat.random_seed"],
    // Its equality propagation is unsound in Z3 4.8.7.
    other_arithmetic: "(set-option :smt.arith.solver 6)\n(set-option :smt.arith.propagate_eqs false)\n",
    other_choices: "(set-option :smt.random_seed 7)\n(set-option :sat.random_seed 7)\n(set-option :smt.case_split 0)\n",
    limit: ":rlimit",
    unit: 1,
    info: ":rlimit",
    count: "(:rlimit ",
    incomplete: "incomplete",
    arithmetic: "arithmetic",
};

/// cvc5 from 1.0.3 on. Triggers determine instantiation, as with Z3. It continues after errors, counts its resources,
/// and accepts a new limit between answers. But it exits when asked for a core without having one.
pub const CVC5: Dialect = Dialect {
    name: "cvc5",
    version: "This is cvc5 version ",
    args: &["--lang=smt2", "--incremental"],
    memory: "",
    out_of_memory: None,
    options: "\
(set-option :print-success false)
(set-option :global-declarations true)
(set-option :user-pat strict)
(set-option :cegqi false)
(set-logic ALL)
",
    eager: "",
    cores: "",
    scoped: "(set-option :global-declarations false)\n",
    ask_core: "",
    profile: "",
    models: false,
    seeds: &[":seed", ":sat-random-seed"],
    other_arithmetic: "",
    other_choices: "(set-option :full-saturate-quant true)\n",
    limit: ":reproducible-resource-limit",
    unit: 50,
    info: ":all-statistics",
    count: "\"resource::resourceUnitsUsed\" ",
    incomplete: "incomplete",
    arithmetic: "arithmetic",
};

/// Commands.
impl Dialect {
    /// The command that limits the effort of later answers.
    pub fn bound(&self, effort: u64) -> String {
        format!("(set-option {} {})\n", self.limit, effort.div_ceil(self.unit))
    }
    /// The command that requests the effort spent so far.
    pub fn ask_count(&self) -> String {
        format!("(get-info {})\n", self.info)
    }
    /// Forgets everything. A reset does not change the limit.
    pub fn reset(&self) -> String {
        self.bound(0) + "(reset)\n"
    }
    pub fn seeded(&self, seed: u32) -> String {
        self.seeds.iter().map(|option| format!("(set-option {option} {seed})\n")).collect()
    }
    /// The arguments of a process.
    pub fn arguments(&self, megabytes: u32) -> Vec<String> {
        let memory = (!self.memory.is_empty()).then(|| format!("{}{megabytes}", self.memory));
        self.args.iter().map(|arg| arg.to_string()).chain(memory).collect()
    }
}

/// Answers.
impl Dialect {
    /// The effort spent so far, in Echis's units, from the solver's answer.
    pub fn count(&self, line: &str) -> Option<u64> {
        line.strip_prefix('(')?.strip_prefix(self.info)?;
        let (_, number) = line.split_once(self.count)?;
        let digits = number.find(|c: char| !c.is_ascii_digit()).map_or(number, |end| &number[..end]);
        Some(digits.parse::<u64>().ok()?.saturating_mul(self.unit))
    }
    /// The effort between the first and the last count.
    pub fn effort(&self, lines: &[String]) -> u64 {
        let counts: Vec<u64> = lines.iter().filter_map(|line| self.count(line)).collect();
        counts.last().zip(counts.first()).map_or(0, |(last, first)| last.saturating_sub(*first))
    }
    /// The dialect and version of a solver, from its `--version` output.
    pub fn told(said: &str) -> Option<(&'static Dialect, &str)> {
        let line = said.lines().next()?.trim();
        let speaks = |dialect: &&'static Dialect| {
            let version = line.strip_prefix(dialect.version)?.split_whitespace().next()?;
            Some((*dialect, version))
        };
        DIALECTS.iter().find_map(speaks)
    }
    /// Whether the search ended because arithmetic is incomplete.
    pub fn lacks_arithmetic(&self, lines: &[String]) -> bool {
        lines.iter().any(|line| line.starts_with("(:reason-unknown") && line.contains(self.arithmetic))
    }
    /// Solvers report incompleteness with the same word in all versions when a search is exhausted. When a limit ends
    /// it, the reason is arbitrary: "canceled", "unknown", "max. resource limit exceeded".
    pub fn unknown(&self, reason: &str) -> Verdict {
        let incomplete = reason.contains(self.incomplete);
        Verdict::Unknown(if incomplete { GaveUp::Incomplete } else { GaveUp::Resources })
    }
}
