//! The command line's options, and nothing else.

mod caching;
mod deps;
mod editor;

pub use caching::Caching;
pub use deps::{Definition, Deps, Export, Group};
pub use editor::{Lsp, Merge, Watch};

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Echis verifies Viper programs and explains the proofs.
#[derive(Parser, Debug)]
#[command(name = "echis", version, max_term_width = 100, subcommand_required = true, arg_required_else_help = true)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Read and check programs (syntax, names, types, well-formedness) without a solver
    Check(Check),
    /// Verify programs
    Verify(Verify),
    /// Format programs, keeping comments
    Fmt(Fmt),
    /// Print a stage of the pipeline as text
    Dump(Dump),
    /// Proof dependencies: why assertions hold
    Deps(Deps),
    /// Proof coverage: what no proof needs
    Cover(Cover),
    /// The part of a program that some proofs need, as a program that verifies
    Prune(Prune),
    /// Ask a dependency graph, line by line
    Explore(Explore),
    /// Join the reports of parts of a run (`verify --shard`)
    Merge(Merge),
    /// Verify programs whenever they change; only what changed is verified again
    Watch(Watch),
    /// Serve an editor on standard input and output (language server protocol)
    Lsp(Lsp),
    /// Verify many programs in one process, for front ends: requests and answers are lines of JSON
    Serve(Serve),
    /// Print the completions of a shell, or write the pages of the manual
    Generate(Generate),
}

#[derive(Args, Debug)]
#[command(group = clap::ArgGroup::new("what").required(true))]
pub struct Generate {
    /// Completions, for standard output: `echis generate --completions bash > echis.bash`
    #[arg(long, value_name = "SHELL", group = "what")]
    pub completions: Option<clap_complete::Shell>,
    /// Pages of the manual, one for each command, written into a folder
    #[arg(long, value_name = "FOLDER", group = "what")]
    pub man: Option<PathBuf>,
}

/// Each line of standard input is a request, each line of standard output an answer or part of one; `docs/front-ends.md`
/// describes them.
#[derive(Args, Debug)]
pub struct Serve {
    #[command(flatten)]
    pub solving: Solving,
    /// How many programs are verified at the same time; each has as many workers as --jobs says
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=64))]
    pub programs: u32,
    #[command(flatten)]
    pub caching: Caching,
}

#[derive(Args, Debug)]
pub struct Check {
    /// Programs, and folders with programs; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The files are one program, as `boogie A.bpl B.bpl` reads them; only for Boogie programs
    #[arg(long)]
    pub together: bool,
    #[command(flatten)]
    pub common: Common,
}

#[derive(Args, Debug)]
pub struct Verify {
    /// Programs, and folders with programs; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The files are one program, as `boogie A.bpl B.bpl` reads them; only for Boogie programs
    #[arg(long)]
    pub together: bool,
    #[command(flatten)]
    pub common: Common,
    #[command(flatten)]
    pub solving: Solving,
    /// Stop a member after this many errors; 0 finds all
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub errors: usize,
    /// What verifies Viper programs; whatever explains proofs uses symbolic execution
    #[arg(long, value_enum, default_value_t = Engine::Symbolic)]
    pub engine: Engine,
    /// Errors that rest on what an earlier failure left unknown; by default people see their number, programs see them all
    #[arg(long, value_enum)]
    pub cascade: Option<Cascade>,
    /// Show for each error a state in which the obligation fails, and whether replaying it confirms that
    #[arg(long, value_enum, default_value_t = Counterexample::Off)]
    pub counterexample: Counterexample,
    /// Write for each confirmed counterexample a program into this folder that assumes its values and fails the same way
    #[arg(long, value_name = "FOLDER")]
    pub export_test: Option<PathBuf>,
    /// Draw the heap of each counterexample into this folder, as DOT and as SVG
    #[arg(long, value_name = "FOLDER")]
    pub draw: Option<PathBuf>,
    /// Warnings besides those that verification finds; `coverage` tells what no proof needs in files that verify
    #[arg(long, value_enum, value_delimiter = ',')]
    pub warn: Vec<Warn>,
    /// Tell what the solver did: the effort of each obligation, and how often each quantifier was instantiated, with the
    /// line that it comes from
    #[arg(long)]
    pub profile: bool,
    #[command(flatten)]
    pub caching: Caching,
    /// A cache that machines and people share besides: a folder (`file:///…` or its path) that all of them can reach, or
    /// an object store (`s3://…`, `gs://…`, `az://…`) where Echis was built with the feature `object-store`
    #[arg(long, value_name = "URL", conflicts_with = "no_cache")]
    pub cache_url: Option<String>,
    /// Believe what anybody wrote into the shared cache. Without it only entries count that are signed with ECHIS_CACHE_KEY
    #[arg(long, requires = "cache_url")]
    pub trust_cache: bool,
    /// Verify one of N parts of the members of each program; `echis merge` joins the reports
    #[arg(long, value_name = "K/N", conflicts_with_all = ["stability", "warn"])]
    pub shard: Option<echis::Shard>,
    /// A report (`--format json`) whose times say what members cost, so that parts take equally long. All parts must be
    /// given the same
    #[arg(long, value_name = "REPORT", requires = "shard")]
    pub shard_by: Option<PathBuf>,
    /// Verify N times, each time with other random choices of the solver and other names, and tell which obligations
    /// sometimes fail and how the effort varies. The verdict is that of the usual run, which is the first
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..))]
    pub stability: Option<u32>,
}

#[derive(Args, Debug)]
pub struct Fmt {
    /// Programs, and folders with programs; `-` is standard input
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
    #[arg(value_enum)]
    pub stage: Stage,
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
    /// Programs, and folders with programs; several only with `--each`
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// What shall still be proved
    #[arg(long, value_name = "[FILE:]LINE[:COL]", value_delimiter = ',', num_args = 1.., group = "goal")]
    pub keep: Vec<Place>,
    /// One program for each postcondition, `assert` and `exhale`, written into the folder of `-o`
    #[arg(long, group = "goal")]
    pub each: bool,
    /// Where to write [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Fail where the nodes that the graph names do not suffice, even with hints (`assert` statements, and looks into
    /// predicates), instead of adding others until the program verifies
    #[arg(long)]
    pub strict: bool,
    /// Verify the pruned program without each of its nodes, and tell which of them it can do without
    #[arg(long)]
    pub necessary: bool,
    /// How much effort to spend on a small program
    #[arg(long, value_enum, default_value_t = Minimize::Fast)]
    pub minimize: Minimize,
    #[command(flatten)]
    pub common: Common,
    #[command(flatten)]
    pub solving: Solving,
}

#[derive(Args, Debug)]
pub struct Explore {
    #[arg(value_name = "FILE", required_unless_present = "load")]
    pub file: Option<PathBuf>,
    /// Explore a graph that was saved: nothing is verified
    #[arg(long, value_name = "GRAPH", conflicts_with = "file")]
    pub load: Option<PathBuf>,
    /// How much effort to spend on small answers
    #[arg(long, value_enum, default_value_t = Minimize::Fast)]
    pub minimize: Minimize,
    /// What counts as a dependency [default: verification; with --load what the graph was made with]
    #[arg(long, value_enum)]
    pub definition: Option<Definition>,
    #[command(flatten)]
    pub common: Common,
    #[command(flatten)]
    pub solving: Solving,
}

#[derive(Args, Debug)]
pub struct Cover {
    /// Programs, and folders with programs
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The files are one program, as `boogie A.bpl B.bpl` reads them; only for Boogie programs
    #[arg(long)]
    pub together: bool,
    /// Exit with 1 if less than this percentage is covered
    #[arg(long, value_name = "PERCENT")]
    pub min_coverage: Option<f64>,
    /// Exit with 1 if less than this percentage of some member is covered
    #[arg(long, value_name = "PERCENT")]
    pub min_member_coverage: Option<f64>,
    /// Exit with 1 if there is such a warning; `all` stands for any
    #[arg(long, value_name = "WARNING", value_delimiter = ',')]
    pub deny: Vec<String>,
    /// Exit with 1 if something is not covered that this file, written by --write-baseline, does not name
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// Write down what is not covered now, for --baseline
    #[arg(long, value_name = "FILE")]
    pub write_baseline: Option<PathBuf>,
    /// Write coverage line by line, of all programs together, as LCOV's tracefile. What a front end generated counts for the
    /// places that @position names
    #[arg(long, value_name = "FILE")]
    pub lcov: Option<PathBuf>,
    /// The same as Cobertura's XML
    #[arg(long, value_name = "FILE")]
    pub cobertura: Option<PathBuf>,
    /// Take away from the file what is assumed without need, as far as the whole still verifies; promises, axioms and
    /// assertions stay
    #[arg(long)]
    pub fix: bool,
    /// With --fix: change nothing, and print what would change as a patch
    #[arg(long, requires = "fix")]
    pub diff: bool,
    /// Only count what is covered: no warnings, and no edited programs verified to confirm them
    #[arg(long, conflicts_with_all = ["fix", "deny", "evidence"])]
    pub no_confirm: bool,
    /// Try the program without each assumption that proofs use, whatever that takes
    #[arg(long, conflicts_with = "no_confirm")]
    pub thorough: bool,
    /// Smoke detection: of all warnings look only for places that nothing reaches, where `false` can be proved
    #[arg(long, conflicts_with_all = ["no_confirm", "thorough", "fix"])]
    pub smoke: bool,
    /// Write for each warning the edited program that confirms it: it verifies
    #[arg(long, value_name = "FOLDER")]
    pub evidence: Option<PathBuf>,
    /// Write a report for browsers: one file that needs no other. It shows what each node needs, which takes longer to
    /// find out, and of two assumptions that would do it may count both. Of several programs a folder with a page for each
    /// and an index
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    #[command(flatten)]
    pub common: Common,
    #[command(flatten)]
    pub solving: Solving,
}

/// A line, or a point in it, of a file where that is said.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    pub file: Option<String>,
    pub line: u32,
    pub column: Option<u32>,
}

/// A text that names no place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NoPlace(String);

impl std::fmt::Display for NoPlace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let hint = "give LINE, LINE:COLUMN or FILE:LINE[:COLUMN], and the program before the option";
        write!(f, "`{}` is no place; {hint}", self.0)
    }
}

impl std::error::Error for NoPlace {}

impl std::str::FromStr for Place {
    type Err = NoPlace;
    fn from_str(text: &str) -> Result<Self, NoPlace> {
        let wrong = || NoPlace(text.to_string());
        let number = |text: &str| text.trim().parse::<u32>().ok();
        let (before, last) = text.rsplit_once(':').map_or((None, text), |(before, last)| (Some(before), last));
        let last = number(last).ok_or_else(wrong)?;
        let Some(before) = before else { return Ok(Place { file: None, line: last, column: None }) };
        if let Some(line) = number(before) {
            return Ok(Place { file: None, line, column: Some(last) });
        }
        let named = |file: &str| if file.is_empty() { Err(wrong()) } else { Ok(Some(file.to_string())) };
        match before.rsplit_once(':').and_then(|(file, line)| Some((file, number(line)?))) {
            Some((file, line)) => Ok(Place { file: named(file)?, line, column: Some(last) }),
            None => Ok(Place { file: named(before)?, line: last, column: None }),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum Minimize {
    /// What the solver names, checked again
    Off,
    /// Smaller, within a bound
    Fast,
    /// Until nothing can be left out
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
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub format: Format,
    /// Colours; NO_COLOR is honoured by `auto`
    #[arg(long, value_enum, default_value_t = Color::Auto)]
    pub color: Color,
    /// Print findings only: no progress, no summaries
    #[arg(short, long)]
    pub quiet: bool,
}

#[derive(Args, Clone, Debug)]
pub struct Solving {
    /// Worker threads, each with its own solver [default: the number of processors]
    #[arg(long, value_name = "N")]
    pub jobs: Option<usize>,
    /// The Z3 to use [default: the one that Echis brings]
    #[arg(long, value_name = "PATH")]
    pub solver: Option<PathBuf>,
    /// Stop the whole run after this time; what is not done by then is undecided. 0: no limit, as without the option
    #[arg(long, value_name = "SECONDS")]
    pub timeout: Option<f64>,
    /// The solver's effort for each obligation, in its own deterministic count; what it does not decide within that is
    /// undecided. 0: no bound, only `--timeout` ends a check [default: 40000000, about 10 s]
    #[arg(long, value_name = "N")]
    pub rlimit: Option<u32>,
    /// Only members whose name matches; `*` stands for any text. May be given several times
    #[arg(long, value_name = "PATTERN")]
    pub member: Vec<String>,
    /// Where quantified permissions are inhaled, assume that no location is covered twice instead of checking it. Whoever
    /// exhales them has to prove it in any case. Front ends that were written for this meaning need it
    #[arg(long)]
    pub assume_injectivity_on_inhale: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum Format {
    /// Text for people
    Human,
    /// One document; `schemas/` in the repository describes it
    Json,
    /// The same line by line: members as they are done, then their file
    Jsonl,
    /// For code hosts and editors
    Sarif,
    /// Annotations of GitHub's workflows
    Github,
    /// XML for build servers: a suite for each file, a case for each member
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
    Show,
    Hide,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum Counterexample {
    Off,
    /// Local variables only
    Variables,
    /// Everything, with the solver's own names
    Intermediate,
    /// Everything, with the program's names
    Extended,
    /// The same, with the branches taken and the values assigned on the way
    Trace,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum Warn {
    Coverage,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum Stage {
    Ast,
    Program,
    Tree,
    Smt,
    /// A Viper program as a Boogie program
    Boogie,
}

/// What verifies Viper programs
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum Engine {
    /// Symbolic execution
    Symbolic,
    /// Verification conditions, by a translation to Boogie
    Vcg,
    /// Both; where they disagree there is a warning
    Both,
}
