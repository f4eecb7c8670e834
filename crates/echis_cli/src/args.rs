//! The command line's options, and nothing else.

mod boogie;
mod caching;
mod deps;
mod editor;
mod fix;
mod line_spec;
mod reading;
mod report;
mod web;

pub use boogie::Boogie;
pub use caching::{CacheChore, CacheCommand, Caching, Sharing};
pub use deps::{Definition, Deps, DepsCommand, Export, Group};
pub use editor::{Lsp, Merge, Watch};
pub use fix::{Fix, Hints};
pub use line_spec::LineSpec;
pub use report::Report;
pub use web::Web;

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Verifies Viper and Boogie programs, and explains the proofs.
#[derive(Parser, Debug)]
#[command(
    name = "echis",
    version,
    max_term_width = 100,
    subcommand_required = true,
    arg_required_else_help = true,
    after_help = "Exit codes: 0 verified; 1 something failed or was not decided; 2 invalid program or command line; \
                  3 Echis or its solver failed."
)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
    /// The project's configuration [default: the nearest `echis.toml` above the files]
    #[arg(long, global = true, value_name = "FILE", help_heading = CONFIGURATION)]
    pub config: Option<std::path::PathBuf>,
}

// Only one value is created per run, so its size does not matter.
#[expect(clippy::large_enum_variant)]
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Verify programs
    Verify(Verify),
    /// Check syntax, names, types and well-formedness, without a solver
    Check(Check),
    /// Find changes that remove errors, by trying them
    Fix(Fix),
    /// Explain an error or a warning: what it means, an example, how to fix it
    Explain(Explain),
    /// Show what the proofs do not need, and warn about vacuous proofs and unspecified code
    Cover(Cover),
    /// Show why assertions hold: which statements and clauses their proofs need
    Deps(Deps),
    /// Write a page for browsers: coverage, dependencies, errors and proofs to click through
    Report(Report),
    /// Edit and verify programs in the browser
    Web(Web),
    /// Format programs, keeping comments
    Fmt(Fmt),
    /// Verify programs whenever they change; members that did not change are not verified again
    Watch(Watch),
    /// Run the language server, for editors
    Lsp(Lsp),
    /// Verify many programs in one process, for front ends (JSON lines)
    Serve(Serve),
    /// Verify Boogie programs with Boogie's options and output, in place of Boogie
    Boogie(Boogie),
    /// Merge the reports of `verify --shard`
    Merge(Merge),
    /// Show how large the cache is, or remove entries from it
    Cache(CacheCommand),
    /// Print a stage of the pipeline as text
    Dump(Dump),
    /// Print shell completions, or write manual pages
    Generate(Generate),
    /// Write the part of a program that some proofs need (also `echis deps prune`)
    #[command(hide = true)]
    Prune(Prune),
    /// Query a dependency graph interactively (also `echis deps explore`)
    #[command(hide = true)]
    Explore(Explore),
}

#[derive(Args, Debug)]
pub struct Explain {
    /// The id shown in brackets, such as assert.failed:assertion.false, or either half of it
    #[arg(required_unless_present = "list", value_name = "ID")]
    pub ids: Vec<String>,
    /// List all ids
    #[arg(long, conflicts_with = "ids")]
    pub list: bool,
    /// When to use colours; `auto` honours NO_COLOR
    #[arg(long, value_enum, default_value_t = Color::Auto)]
    pub color: Color,
}

#[derive(Args, Debug)]
#[command(group = clap::ArgGroup::new("what").required(true))]
pub struct Generate {
    /// Print completions for this shell: `echis generate --completions bash > echis.bash`
    #[arg(long, value_name = "SHELL", group = "what")]
    pub completions: Option<clap_complete::Shell>,
    /// Write manual pages, one for each command, into this folder
    #[arg(long, value_name = "FOLDER", group = "what")]
    pub man: Option<PathBuf>,
}

/// Each line of standard input is a request; each line of standard output is an answer or a part of one. The chapter
/// "Front ends" of the guide describes them.
#[derive(Args, Debug)]
pub struct Serve {
    /// Verify this many programs at a time, each with as many workers as --jobs says
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=64))]
    pub programs: u32,
    #[command(flatten)]
    pub solving: Solving,
    #[command(flatten)]
    pub caching: Caching,
    #[command(flatten)]
    pub sharing: Sharing,
}

#[derive(Args, Debug)]
pub struct Check {
    /// Programs, or folders with programs; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub common: Common,
    /// Treat the files as one program, as `boogie A.bpl B.bpl` does (Boogie programs only)
    #[arg(long)]
    pub together: bool,
}

#[derive(Args, Debug)]
pub struct Verify {
    /// Programs, or folders with programs; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub common: Common,
    /// Show for each error a state in which it happens, and whether replaying it confirms that
    #[arg(long, value_enum, default_value_t = Counterexample::Off)]
    pub counterexample: Counterexample,
    /// Stop a member after N errors; 0 finds all
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub errors: usize,
    #[command(flatten)]
    pub solving: Solving,
    /// How to verify Viper programs; explanations always use symbolic execution
    #[arg(long, value_enum, default_value_t = Engine::Symbolic, help_heading = VERIFICATION)]
    pub engine: Engine,
    /// Treat the files as one program, as `boogie A.bpl B.bpl` does (Boogie programs only)
    #[arg(long, help_heading = VERIFICATION)]
    pub together: bool,
    /// Show more warnings; `coverage`: what no proof needs, in files that verify
    #[arg(long, value_enum, value_delimiter = ',', help_heading = OUTPUT)]
    pub warn: Vec<Warn>,
    /// How hard to look for changes that remove errors; each one shown was tried. Verdicts do not depend on it. Off with
    /// --shard
    #[arg(long, value_enum, default_value_t = Hints::Fast, help_heading = OUTPUT)]
    pub hints: Hints,
    /// Whether to list errors that follow from earlier failures [default: hide for people, show for programs]
    #[arg(long, value_enum, help_heading = OUTPUT)]
    pub cascade: Option<Cascade>,
    /// Draw the heap of each counterexample into this folder, as DOT and SVG
    #[arg(long, value_name = "FOLDER", help_heading = OUTPUT)]
    pub draw: Option<PathBuf>,
    /// How counterexamples show values: `auto` (as the front end does that made the program, if it is known), `none`, `nagini`,
    /// `gobra`, `prusti`, `2vyper`, or a file that describes a front end's encoding
    #[arg(long, value_name = "MAPPING", default_value = "auto", help_heading = OUTPUT)]
    pub values: String,
    /// Write for each confirmed counterexample a program that assumes its values and fails in the same way
    #[arg(long, value_name = "FOLDER", help_heading = OUTPUT)]
    pub export_test: Option<PathBuf>,
    /// Show the solver's effort for each obligation, and the instances of each quantifier
    #[arg(long, help_heading = OUTPUT)]
    pub profile: bool,
    /// Verify N times with different solver seeds and names, and report obligations that sometimes fail. The verdict is
    /// that of the first run, which is the usual one
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..), help_heading = OUTPUT)]
    pub stability: Option<u32>,
    #[command(flatten)]
    pub caching: Caching,
    #[command(flatten)]
    pub sharing: Sharing,
    /// Write the files that the programs consist of, imports included, as a rule for Make and ninja. Its target is FILE
    /// without `.d`
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    pub depfile: Option<PathBuf>,
    /// Ask a second solver about obligations that the first leaves undecided [default: cvc5 or z3, whichever is installed]
    #[arg(long, value_name = "SOLVER", num_args = 0..=1, require_equals = true, help_heading = VERIFICATION)]
    pub portfolio: Option<Option<PathBuf>>,
    /// Have a second solver prove again whatever the first proved; exit code 3 if it refutes a proof [default: cvc5 or z3,
    /// whichever is installed]
    #[arg(
        long,
        value_name = "SOLVER",
        num_args = 0..=1,
        require_equals = true,
        conflicts_with = "portfolio",
        help_heading = VERIFICATION
    )]
    pub cross_check: Option<Option<PathBuf>>,
    /// Verify one of N parts of the members; `echis merge` merges the reports
    #[arg(long, value_name = "K/N", conflicts_with_all = ["stability", "warn"], help_heading = SHARDS)]
    pub shard: Option<echis::Shard>,
    /// Balance the parts by the times in an earlier report (`--format json`); give the same report to all parts
    #[arg(long, value_name = "REPORT", requires = "shard", help_heading = SHARDS)]
    pub shard_by: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub struct Fmt {
    /// Programs, or folders with programs; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Change nothing; exit with 1 if a file is not formatted
    #[arg(long)]
    pub check: bool,
    #[command(flatten)]
    pub common: Common,
}

#[derive(Args, Debug)]
pub struct Dump {
    /// The stage to print
    #[arg(value_enum)]
    pub stage: Stage,
    /// The program
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    #[command(flatten)]
    pub common: Common,
    #[command(flatten)]
    pub solving: Solving,
}

#[derive(Args, Debug)]
#[command(group = clap::ArgGroup::new("goal").required(true))]
pub struct Prune {
    /// Programs, or folders with programs; several only with `--each`
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The assertions that the pruned program must still prove
    #[arg(long, value_name = "[FILE:]LINE[:COL]", value_delimiter = ',', num_args = 1.., group = "goal")]
    pub keep: Vec<LineSpec>,
    /// Write one program for each postcondition, `assert` and `exhale`, into the folder given with -o
    #[arg(long, group = "goal")]
    pub each: bool,
    /// Where to write [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// How much effort to spend on a small program
    #[arg(long, value_enum, default_value_t = Minimize::Fast)]
    pub minimize: Minimize,
    #[command(flatten)]
    pub common: Common,
    #[command(flatten)]
    pub solving: Solving,
    /// Fail if the nodes in the dependency graph do not suffice even with hints (`assert`, `unfolding`), instead of adding
    /// other nodes until the program verifies
    #[arg(long, hide = true)]
    pub strict: bool,
    /// Verify the pruned program without each of its nodes, and report the nodes it can do without
    #[arg(long, hide = true)]
    pub necessary: bool,
}

#[derive(Args, Debug)]
pub struct Explore {
    /// The program
    #[arg(value_name = "FILE", required_unless_present = "load")]
    pub file: Option<PathBuf>,
    /// Explore a saved graph, without verifying anything
    #[arg(long, value_name = "GRAPH", conflicts_with = "file")]
    pub load: Option<PathBuf>,
    /// How much effort to spend on small answers
    #[arg(long, value_enum, default_value_t = Minimize::Fast)]
    pub minimize: Minimize,
    /// What counts as a dependency [default: verification, or that of the loaded graph]
    #[arg(long, value_enum)]
    pub definition: Option<Definition>,
    #[command(flatten)]
    pub common: Common,
    #[command(flatten)]
    pub solving: Solving,
}

#[derive(Args, Debug)]
pub struct Cover {
    /// Programs, or folders with programs
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub common: Common,
    /// Remove unneeded assumptions from the file, if everything still verifies; postconditions, axioms and assertions stay
    #[arg(long)]
    pub fix: bool,
    /// With --fix: print the patch instead of changing the file
    #[arg(long, requires = "fix")]
    pub diff: bool,
    #[command(flatten)]
    pub solving: Solving,
    /// Exit with 1 if less than this percentage of the program is covered
    #[arg(long, value_name = "PERCENT", help_heading = GATES)]
    pub min_coverage: Option<f64>,
    /// Exit with 1 if less than this percentage of some member is covered
    #[arg(long, value_name = "PERCENT", help_heading = GATES)]
    pub min_member_coverage: Option<f64>,
    /// Exit with 1 if there is such a warning; `all` means any
    #[arg(long, value_name = "WARNING", value_delimiter = ',', help_heading = GATES)]
    pub deny: Vec<String>,
    /// Exit with 1 if something is not covered that this file, written by --write-baseline, does not list
    #[arg(long, value_name = "FILE", help_heading = GATES)]
    pub baseline: Option<PathBuf>,
    /// Record what is not covered now, for --baseline
    #[arg(long, value_name = "FILE", help_heading = GATES)]
    pub write_baseline: Option<PathBuf>,
    /// Write coverage per line as an LCOV tracefile, for all programs together; generated nodes count for the lines that
    /// @position names
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    pub lcov: Option<PathBuf>,
    /// Write coverage per line as Cobertura XML
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    pub cobertura: Option<PathBuf>,
    /// Write for each warning the edited program that confirms it
    #[arg(long, value_name = "FOLDER", help_heading = OUTPUT)]
    pub evidence: Option<PathBuf>,
    /// Only count what is covered; print no warnings
    #[arg(long, conflicts_with_all = ["fix", "deny", "evidence"], help_heading = VERIFICATION)]
    pub no_confirm: bool,
    /// Try to remove every assumption that proofs use, however long it takes
    #[arg(long, conflicts_with = "no_confirm", help_heading = VERIFICATION)]
    pub thorough: bool,
    /// Smoke detection: report only places that nothing reaches, where `false` can be proved
    #[arg(long, conflicts_with_all = ["no_confirm", "thorough", "fix"], help_heading = VERIFICATION)]
    pub smoke: bool,
    /// Treat the files as one program, as `boogie A.bpl B.bpl` does (Boogie programs only)
    #[arg(long, help_heading = VERIFICATION)]
    pub together: bool,
}

// Headings of the help.
pub(crate) const VERIFICATION: &str = "Verification";
pub(crate) const LIMITS: &str = "Solver and limits";
pub(crate) const OUTPUT: &str = "More output";
pub(crate) const CACHE: &str = "Cache";
pub(crate) const SHARDS: &str = "Several machines";
pub(crate) const CONFIGURATION: &str = "Configuration";
pub(crate) const GATES: &str = "Gates for continuous integration";

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum Minimize {
    /// The solver's answer, checked
    Off,
    /// Smaller, within a limit
    Fast,
    /// Until nothing more can be removed
    Full,
}

impl From<Minimize> for echis::depend::Minimization {
    fn from(minimize: Minimize) -> Self {
        match minimize {
            Minimize::Off => Self::Off,
            Minimize::Fast => Self::Fast,
            Minimize::Full => Self::Full,
        }
    }
}

#[derive(Args, Debug)]
pub struct Common {
    /// The format of the output
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub format: Format,
    /// When to use colours; `auto` honours NO_COLOR
    #[arg(long, value_enum, default_value_t = Color::Auto)]
    pub color: Color,
    /// Print findings only, without progress and summaries
    #[arg(short, long)]
    pub quiet: bool,
}

#[derive(Args, Clone, Default, Debug)]
pub struct Solving {
    /// Only members whose name matches; `*` matches any text. May be given several times
    #[arg(long, value_name = "PATTERN")]
    pub member: Vec<String>,
    /// Number of workers, each with its own solver [default: number of processors]
    #[arg(long, value_name = "N", help_heading = LIMITS)]
    pub jobs: Option<usize>,
    /// Stop the run after this time; what is not done by then is undecided. 0: no limit, as by default
    #[arg(long, value_name = "SECONDS", help_heading = LIMITS)]
    pub timeout: Option<f64>,
    /// Limit for each obligation, in the solver's deterministic units; beyond it the obligation is undecided. 0: no limit
    /// [default: 16000000, 4 to 20 s]
    #[arg(long, value_name = "N", help_heading = LIMITS)]
    pub rlimit: Option<u32>,
    /// Use another solver: Z3 (4.8.7 or later) or cvc5 (1.0.3 or later) [default: the Z3 built into Echis]
    #[arg(long, value_name = "PATH", help_heading = LIMITS)]
    pub solver: Option<PathBuf>,
    /// When quantified permissions are inhaled, assume that no location is covered twice instead of checking it; it is
    /// always checked on exhale. For front ends written for this meaning
    #[arg(long, help_heading = VERIFICATION)]
    pub assume_injectivity_on_inhale: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum Format {
    /// Text for people
    Human,
    /// One JSON document; `schemas/` in the repository describes it
    Json,
    /// JSON lines: errors as they are found, members as they are done, then their file
    Jsonl,
    /// SARIF, for code hosts and editors
    Sarif,
    /// Annotations for GitHub workflows
    Github,
    /// JUnit XML for build servers: a suite per file, a case per member
    Junit,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum Color {
    Auto,
    Always,
    Never,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum Cascade {
    /// List them
    Show,
    /// Count them
    Hide,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum Counterexample {
    /// None
    Off,
    /// Local variables only
    Variables,
    /// The whole state, with the solver's names
    Intermediate,
    /// The whole state, with the program's names
    Extended,
    /// Also the branches taken and the values assigned on the way
    Trace,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum Warn {
    /// The warnings of `echis cover`
    Coverage,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum Stage {
    /// The syntax tree
    Ast,
    /// The typed program
    Program,
    /// The proof tree: facts and checks
    Tree,
    /// The solver's input for each check
    Smt,
    /// The translation to Boogie
    Boogie,
}

/// What verifies Viper programs
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum Engine {
    /// Symbolic execution
    Symbolic,
    /// Verification conditions, through a translation to Boogie
    Vcg,
    /// Both, with a warning where they disagree
    Both,
}
