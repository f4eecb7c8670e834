//! The options of `echis deps`.

use super::{Common, Explore, LineSpec, Minimize, Prune, Solving, VERIFICATION};
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

#[derive(Args, Debug)]
#[command(
    group = clap::ArgGroup::new("query").multiple(false),
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true
)]
pub struct Deps {
    #[command(subcommand)]
    pub command: Option<DepsCommand>,
    /// Programs, or folders with programs. Without a query, a summary is printed; queries about lines need one program
    #[arg(value_name = "FILE", required_unless_present_any = ["load", "diff"])]
    pub files: Vec<PathBuf>,
    /// What the assertions in these lines need. In generated programs, lines of the original source can be given:
    /// `--of main.go:14`
    #[arg(long, value_name = "[FILE:]LINE[:COL]", value_delimiter = ',', group = "query", help_heading = QUERIES)]
    pub of: Vec<LineSpec>,
    /// What depends on the assumptions in these lines
    #[arg(long, value_name = "[FILE:]LINE[:COL]", value_delimiter = ',', group = "query", help_heading = QUERIES)]
    pub from: Vec<LineSpec>,
    /// What fails, by member, if the assumptions in these lines do not hold
    #[arg(long, value_name = "[FILE:]LINE[:COL]", value_delimiter = ',', group = "query", help_heading = QUERIES)]
    pub impact: Vec<LineSpec>,
    /// Whether any of these lines depend on each other
    #[arg(long, value_name = "[FILE:]LINE[:COL]", value_delimiter = ',', group = "query", help_heading = QUERIES)]
    pub between: Vec<LineSpec>,
    /// Why the first line needs the second: the shortest chain, with the reason of each step (value, permission,
    /// well-definedness, definition, infeasibility)
    #[arg(
        long, value_names = ["[FILE:]LINE[:COL]", "[FILE:]LINE[:COL]"], num_args = 2, group = "query",
        help_heading = QUERIES
    )]
    pub why: Vec<LineSpec>,
    /// Where the permission used in these lines comes from and where it goes; without a line, all permission
    #[arg(
        long, value_name = "[FILE:]LINE[:COL]", value_delimiter = ',', num_args = 0.., group = "query",
        help_heading = QUERIES
    )]
    pub flow: Option<Vec<LineSpec>>,
    /// What all proofs rely on and none proves. Preconditions that callers prove are not included
    #[arg(long, group = "query", help_heading = QUERIES)]
    pub trusted: bool,
    /// How far the project is: the share of code that goals need, times the share of dependencies that are proved; and
    /// what to prove next
    #[arg(long, group = "query", help_heading = QUERIES)]
    pub progress: bool,
    /// How much of each member is covered, as `echis cover` counts
    #[arg(long, group = "query", help_heading = QUERIES)]
    pub coverage: bool,
    /// The share of their members' assumptions that the assertions in these lines need
    #[arg(long, value_name = "[FILE:]LINE[:COL]", value_delimiter = ',', group = "query", help_heading = QUERIES)]
    pub coverage_of: Vec<LineSpec>,
    /// The whole graph, with the dependencies of every assertion
    #[arg(long, group = "query", help_heading = QUERIES)]
    pub all: bool,
    /// Compare two saved graphs: what a change did to the proofs
    #[arg(
        long, value_names = ["OLD", "NEW"], num_args = 2, group = "query", conflicts_with_all = ["files", "load"],
        help_heading = QUERIES
    )]
    pub diff: Vec<PathBuf>,
    /// Check the annotations @testAssertion, @dependency and @irrelevant
    #[arg(long, group = "query", conflicts_with = "load", help_heading = QUERIES)]
    pub test: bool,
    #[command(flatten)]
    pub common: Common,
    #[command(flatten)]
    pub solving: Solving,
    /// Show only nodes of these types
    #[arg(long = "type", value_name = "TYPE", value_enum, value_delimiter = ',', help_heading = ANSWERS)]
    pub types: Vec<Type>,
    /// Show only nodes in members whose name matches; `*` matches any text. May be given several times
    #[arg(long = "in", value_name = "PATTERN", help_heading = ANSWERS)]
    pub within: Vec<String>,
    /// Group long answers
    #[arg(long, value_enum, help_heading = ANSWERS)]
    pub group: Option<Group>,
    /// Treat these nodes, and what only they need, as irrelevant
    #[arg(long, value_name = "[FILE:]LINE[:COL]", value_delimiter = ',', help_heading = ANSWERS)]
    pub ignore: Vec<LineSpec>,
    /// How much effort to spend on small answers
    #[arg(long, value_enum, default_value_t = Minimize::Fast, help_heading = ANSWERS)]
    pub minimize: Minimize,
    /// What counts as a dependency [default: verification, or that of the loaded graph]
    #[arg(long, value_enum, help_heading = ANSWERS)]
    pub definition: Option<Definition>,
    /// With `callers`, preconditions depend on what the callers of their member prove
    #[arg(long, value_enum, conflicts_with_all = ["load", "diff", "member"], help_heading = ANSWERS)]
    pub join: Option<Join>,
    /// Save the graph to a file, for --load and --diff
    #[arg(long, value_name = "GRAPH", help_heading = GRAPHS)]
    pub save: Option<PathBuf>,
    /// Query a saved graph, without verifying anything
    #[arg(long, value_name = "GRAPH", conflicts_with = "files", help_heading = GRAPHS)]
    pub load: Option<PathBuf>,
    /// Export the graph into a folder
    #[arg(long, value_name = "FOLDER", help_heading = GRAPHS)]
    pub export: Option<PathBuf>,
    /// The format of the export
    #[arg(long = "as", value_enum, default_value_t = Export::Csv, help_heading = GRAPHS)]
    pub export_as: Export,
    /// Leave the engine's own nodes out of the export, and connect their neighbours
    #[arg(long, requires = "export", help_heading = GRAPHS)]
    pub no_internal: bool,
    /// Treat the files as one program, as `boogie A.bpl B.bpl` does (Boogie programs only)
    #[arg(long, help_heading = VERIFICATION)]
    pub together: bool,
    /// Override budgets of explanations, for measurements; `list` prints them
    #[arg(long, value_name = "NAME=N", value_delimiter = ',', hide = true)]
    pub policy: Vec<String>,
}

/// Commands that use the dependency graph.
#[derive(Subcommand, Debug)]
pub enum DepsCommand {
    /// Write the part of a program that some proofs need, as a program that verifies
    Prune(Prune),
    /// Query the graph interactively
    Explore(Explore),
}

const QUERIES: &str = "Queries";
const ANSWERS: &str = "Answers";
const GRAPHS: &str = "Graphs";

/// The type of an assumption.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum Type {
    Explicit,
    Implicit,
    PathCondition,
    Invariant,
    Rewrite,
    Axiom,
}

impl From<Type> for echis::depend::Assumption {
    fn from(ty: Type) -> Self {
        match ty {
            Type::Explicit => Self::Explicit,
            Type::Implicit => Self::Implicit,
            Type::PathCondition => Self::PathCondition,
            Type::Invariant => Self::Invariant,
            Type::Rewrite => Self::Rewrite,
            Type::Axiom => Self::Axiom,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum Group {
    /// By member, then by kind of node: preconditions, assignments, …
    Member,
    /// By type of assumption
    Type,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum Join {
    /// Join preconditions with the calls that establish them
    Callers,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum Definition {
    /// What verification needs
    Verification,
    /// Only what concrete executions need: paths are kept apart, and calls and unfolds depend only on what the callee and
    /// the fold needed
    Execution,
}

impl From<Definition> for echis::depend::Definition {
    fn from(definition: Definition) -> Self {
        match definition {
            Definition::Verification => Self::Verification,
            Definition::Execution => Self::Execution,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum Export {
    /// CSV tables of nodes and edges
    Csv,
    /// GraphML
    Graphml,
    /// DOT, for Graphviz
    Dot,
    /// A Cypher script, and tables for neo4j-admin
    Neo4j,
}
