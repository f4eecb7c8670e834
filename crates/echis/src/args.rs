//! The command line's options, and nothing else.

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
}

#[derive(Args, Debug)]
pub struct Check {
    /// Programs, and folders with programs; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub common: Common,
}

#[derive(Args, Debug)]
pub struct Verify {
    /// Programs, and folders with programs; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub common: Common,
    #[command(flatten)]
    pub solving: Solving,
    /// Stop a member after this many errors; 0 finds all
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub errors: usize,
    /// Errors that rest on what an earlier failure left unknown; by default people see their number, programs see them all
    #[arg(long, value_enum)]
    pub cascade: Option<Cascade>,
    /// Show for each error a state in which the obligation fails, and whether replaying it confirms that
    #[arg(long, value_enum, default_value_t = Counterexample::Off)]
    pub counterexample: Counterexample,
    /// Warnings besides those that verification finds; `coverage` tells what no proof needs in files that verify
    #[arg(long, value_enum, value_delimiter = ',')]
    pub warn: Vec<Warn>,
    /// Tell what the solver did: the effort of each obligation, and how often each quantifier was instantiated, with the
    /// line that it comes from
    #[arg(long)]
    pub profile: bool,
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
#[command(group = clap::ArgGroup::new("query").multiple(false))]
pub struct Deps {
    /// Programs, and folders with programs. Without a question there is a summary; questions about places are for one
    /// program
    #[arg(value_name = "FILE", required_unless_present = "load")]
    pub files: Vec<PathBuf>,
    /// The dependencies of what is asserted there
    #[arg(long, value_name = "LINE[:COL]", value_delimiter = ',', group = "query")]
    pub of: Vec<Place>,
    /// The dependents of what is assumed there
    #[arg(long, value_name = "LINE[:COL]", value_delimiter = ',', group = "query")]
    pub from: Vec<Place>,
    /// Whether there is any dependency among these
    #[arg(long, value_name = "LINE[:COL]", value_delimiter = ',', group = "query")]
    pub between: Vec<Place>,
    /// What falls, member by member, if what is assumed there is false
    #[arg(long, value_name = "LINE[:COL]", value_delimiter = ',', group = "query")]
    pub impact: Vec<Place>,
    /// The share of their members' assumptions that the assertions there need, and the uncovered ones
    #[arg(long, value_name = "LINE[:COL]", value_delimiter = ',', group = "query")]
    pub coverage_of: Vec<Place>,
    /// The same for all assertions of each member, and for the whole program
    #[arg(long, group = "query")]
    pub coverage: bool,
    /// The whole graph with the dependencies of every assertion
    #[arg(long, group = "query")]
    pub all: bool,
    /// Check the annotations @testAssertion, @dependency and @irrelevant
    #[arg(long, group = "query", conflicts_with = "load")]
    pub test: bool,
    /// Write the graph to a file, for `--load` and `echis explore --load`
    #[arg(long, value_name = "GRAPH")]
    pub save: Option<PathBuf>,
    /// Ask a graph that was saved: nothing is verified
    #[arg(long, value_name = "GRAPH", conflicts_with = "files")]
    pub load: Option<PathBuf>,
    /// Write the graph into a folder, in the form of `--as`
    #[arg(long, value_name = "FOLDER")]
    pub export: Option<PathBuf>,
    /// The form of an export
    #[arg(long = "as", value_enum, default_value_t = Export::Csv)]
    pub export_as: Export,
    /// Nodes that count as irrelevant, with what only they need
    #[arg(long, value_name = "LINE[:COL]", value_delimiter = ',')]
    pub ignore: Vec<Place>,
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

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum Definition {
    /// What verifying takes
    Verification,
    /// Only what concrete executions need: paths are kept apart, a call's result rests on the preconditions that it
    /// rests on in the callee, and what an unfold gives on the same part of the fold
    Execution,
}

impl From<Definition> for echis_driver::depend::Definition {
    fn from(definition: Definition) -> Self {
        match definition {
            Definition::Verification => Self::Verification,
            Definition::Execution => Self::Execution,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum Export {
    /// Tables of nodes and edges
    Csv,
    Graphml,
    /// A picture for Graphviz
    Dot,
    /// A Cypher script, and tables for neo4j-admin
    Neo4j,
}

#[derive(Args, Debug)]
#[command(group = clap::ArgGroup::new("goal").required(true))]
pub struct Prune {
    /// Programs, and folders with programs; several only with `--each`
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// What shall still be proved
    #[arg(long, value_name = "LINE[:COL]", value_delimiter = ',', num_args = 1.., group = "goal")]
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
    /// Exit with 1 if less than this percentage is covered
    #[arg(long, value_name = "PERCENT")]
    pub min_coverage: Option<f64>,
    /// Exit with 1 if there is such a warning
    #[arg(long, value_name = "WARNING", value_delimiter = ',')]
    pub deny: Vec<String>,
    /// Take away from the file what is assumed without need, as far as the whole still verifies; promises, axioms and
    /// assertions stay
    #[arg(long)]
    pub fix: bool,
    /// Only count what is covered: no warnings, and no edited programs verified to confirm them
    #[arg(long, conflicts_with_all = ["fix", "deny", "evidence"])]
    pub no_confirm: bool,
    /// Write for each warning the edited program that confirms it: it verifies
    #[arg(long, value_name = "FOLDER")]
    pub evidence: Option<PathBuf>,
    /// Write a report for browsers: one file that needs no other. It shows what each node needs, which takes longer to
    /// find out, and of two assumptions that would do it may count both
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    #[command(flatten)]
    pub common: Common,
    #[command(flatten)]
    pub solving: Solving,
}

/// A line, or a point in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    pub line: u32,
    pub column: Option<u32>,
}

impl std::str::FromStr for Place {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let number = |text: &str| text.trim().parse::<u32>().map_err(|_| format!("`{text}` is no line or column"));
        match text.split_once(':') {
            Some((line, column)) => Ok(Place { line: number(line)?, column: Some(number(column)?) }),
            None => Ok(Place { line: number(text)?, column: None }),
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

#[derive(Args, Debug)]
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
}
