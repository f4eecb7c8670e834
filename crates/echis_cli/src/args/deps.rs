//! The options of `echis deps`.

use super::{Common, Minimize, Place, Solving};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

#[derive(Args, Debug)]
#[command(group = clap::ArgGroup::new("query").multiple(false))]
pub struct Deps {
    /// Programs, and folders with programs. Without a question there is a summary; questions about places are for one
    /// program
    #[arg(value_name = "FILE", required_unless_present_any = ["load", "diff"])]
    pub files: Vec<PathBuf>,
    /// The files are one program, as `boogie A.bpl B.bpl` reads them; only for Boogie programs
    #[arg(long)]
    pub together: bool,
    /// The dependencies of what is asserted there. Of a program that a front end generated, its own places are meant:
    /// `--of main.go:14`
    #[arg(long, value_name = "[FILE:]LINE[:COL]", value_delimiter = ',', group = "query")]
    pub of: Vec<Place>,
    /// The dependents of what is assumed there
    #[arg(long, value_name = "[FILE:]LINE[:COL]", value_delimiter = ',', group = "query")]
    pub from: Vec<Place>,
    /// Whether there is any dependency among these
    #[arg(long, value_name = "[FILE:]LINE[:COL]", value_delimiter = ',', group = "query")]
    pub between: Vec<Place>,
    /// Why the first needs the second: the shortest way from one to the other, with the reason of each step (value,
    /// permission, well-definedness, definition, infeasibility)
    #[arg(long, value_names = ["[FILE:]LINE[:COL]", "[FILE:]LINE[:COL]"], num_args = 2, group = "query")]
    pub why: Vec<Place>,
    /// Where the permission that is given, taken or used there was created, split, given away and put together; without a
    /// place, all that moves
    #[arg(long, value_name = "[FILE:]LINE[:COL]", value_delimiter = ',', num_args = 0.., group = "query")]
    pub flow: Option<Vec<Place>>,
    /// What falls, member by member, if what is assumed there is false
    #[arg(long, value_name = "[FILE:]LINE[:COL]", value_delimiter = ',', group = "query")]
    pub impact: Vec<Place>,
    /// The share of their members' assumptions that the assertions there need, and the uncovered ones
    #[arg(long, value_name = "[FILE:]LINE[:COL]", value_delimiter = ',', group = "query")]
    pub coverage_of: Vec<Place>,
    /// How much of each member and of the program is covered, as `echis cover` counts it
    #[arg(long, group = "query")]
    pub coverage: bool,
    /// What the proofs of the program rest on and nobody proved, as one list. Preconditions that callers prove are not in it
    #[arg(long, group = "query")]
    pub trusted: bool,
    /// How far the project is: how much of the code some goal needs, times how much of what proofs rest on is more than
    /// believed; and where to go on
    #[arg(long, group = "query")]
    pub progress: bool,
    /// What a change did to the proofs: two graphs that were saved, compared
    #[arg(long, value_names = ["OLD", "NEW"], num_args = 2, group = "query", conflicts_with_all = ["files", "load"])]
    pub diff: Vec<PathBuf>,
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
    #[arg(long, value_name = "[FILE:]LINE[:COL]", value_delimiter = ',')]
    pub ignore: Vec<Place>,
    /// Show only nodes of these types in answers
    #[arg(long = "type", value_name = "TYPE", value_enum, value_delimiter = ',')]
    pub types: Vec<Type>,
    /// Show only nodes of members whose name matches; `*` stands for any text. May be given several times
    #[arg(long = "in", value_name = "PATTERN")]
    pub within: Vec<String>,
    /// How long answers are laid out for people
    #[arg(long, value_enum)]
    pub group: Option<Group>,
    /// What preconditions rest on: `callers` joins them with what all callers of their members prove
    #[arg(long, value_enum, conflicts_with_all = ["load", "diff", "member"])]
    pub join: Option<Join>,
    /// Other budgets for explanations than the usual ones, for measurements; `list` tells them
    #[arg(long, value_name = "NAME=N", value_delimiter = ',', hide = true)]
    pub policy: Vec<String>,
    /// Leave the engine's own nodes out of an export, and join what they connect
    #[arg(long, requires = "export")]
    pub no_internal: bool,
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

/// As what a node is assumed.
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
    /// By member, and there by what the nodes are: preconditions, assignments, …
    Member,
    /// By the type of assumption
    Type,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum Join {
    Callers,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum Definition {
    /// What verifying takes
    Verification,
    /// Only what concrete executions need: paths are kept apart, a call's result rests on the preconditions that it
    /// rests on in the callee, and what an unfold gives on the same part of the fold
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
    /// Tables of nodes and edges
    Csv,
    Graphml,
    /// A picture for Graphviz
    Dot,
    /// A Cypher script, and tables for neo4j-admin
    Neo4j,
}
