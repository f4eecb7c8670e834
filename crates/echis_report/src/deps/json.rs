//! Dependencies for programs.

use super::Answers;
use crate::json::{File, Found, Member, Node, Piece, file, node, verified};
use echis_analysis::FileResult;
use echis_analysis::depend::{Dependents, Misreport, Queries, Share, UserId, ViewDependencies};
use echis_base::Key;
use serde::Serialize;

/// What was asked about: a program that was verified, or a graph that was saved.
#[derive(Clone, Copy)]
pub struct Subject<'a> {
    pub path: &'a str,
    pub queries: Queries<'a>,
    /// What a saved graph does not have.
    pub verified: Option<Verified<'a>>,
}

#[derive(Clone, Copy)]
pub struct Verified<'a> {
    pub result: &'a FileResult,
    pub times: Times,
    pub work: Work,
}

/// In milliseconds.
#[derive(Clone, Copy, Serialize)]
pub struct Times {
    pub verify: f64,
    pub analyse: f64,
    /// Of the analysis: waiting for the solver.
    pub waiting: f64,
}

/// What explaining took, in counts.
#[derive(Clone, Copy, Serialize)]
pub struct Work {
    pub checks: usize,
    /// Those that needed no solver.
    pub easy: usize,
    /// Proofs that could not be found again.
    pub lost: usize,
    /// The solver's effort in verification, and in explaining.
    pub verified: u64,
    pub replayed: u64,
    pub questions: u64,
    pub answers: u64,
    pub bytes: u64,
}

/// The graph with the answer.
#[derive(Serialize)]
struct Graph<'a> {
    definition: &'static str,
    nodes: Vec<Node<'a>>,
    #[serde(flatten)]
    answer: Answer,
    /// None for a graph that was saved.
    work: Option<Work>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Answer {
    Dependencies { dependencies: Vec<Sets> },
    Dependents { dependents: Vec<Sets> },
    Pairs { dependency: bool, pairs: Vec<(usize, usize)> },
    Impact { of: Vec<usize> },
    Coverage { program: Option<Program> },
    Members {},
}

#[derive(Serialize)]
struct Sets {
    of: usize,
    all: Vec<usize>,
    explicit: Vec<usize>,
    direct: Vec<usize>,
    without_infeasibility: Vec<usize>,
}

#[derive(Serialize)]
struct Program {
    name: Option<&'static str>,
    covered: usize,
    total: usize,
    coverage: f64,
    uncovered: Vec<usize>,
}

#[derive(Serialize)]
struct Entry<'a> {
    #[serde(flatten)]
    file: File<'a>,
    /// None for a graph that was saved.
    times_ms: Option<Times>,
    #[serde(flatten)]
    graph: &'a Graph<'a>,
}

#[derive(Serialize)]
struct Alone<'a> {
    path: &'a str,
    #[serde(flatten)]
    graph: &'a Graph<'a>,
    members: Vec<Member<'a>>,
    time_ms: Option<Times>,
}

pub fn piece(subject: Subject<'_>, answers: &Answers<'_>) -> Piece {
    let Subject { path, queries, verified } = subject;
    let graph = Graph {
        definition: queries.graph.definition.name(),
        nodes: queries.view.nodes.iter().map(node).collect(),
        answer: answer(answers),
        work: verified.map(|verified| verified.work),
    };
    let members = members(subject, answers);
    let entry = match verified {
        Some(verified) => File { members: members.clone(), ..file(verified.result) },
        None => File { members: members.clone(), ..File::unverified(path) },
    };
    let times_ms = verified.map(|verified| verified.times);
    let alone = Alone { path, graph: &graph, members, time_ms: times_ms };
    Piece::new(&Entry { file: entry, times_ms, graph: &graph }, &alone)
}

fn answer(answers: &Answers<'_>) -> Answer {
    match answers {
        Answers::Dependencies(found) => Answer::Dependencies { dependencies: found.iter().map(needed).collect() },
        Answers::Dependents(found) => Answer::Dependents { dependents: found.iter().map(resting).collect() },
        Answers::Pairs(pairs) => Answer::Pairs {
            dependency: !pairs.is_empty(),
            pairs: pairs.iter().map(|(of, on)| (of.index(), on.index())).collect(),
        },
        Answers::Impact { of, .. } => Answer::Impact { of: indices(of) },
        Answers::Coverage { program, .. } => Answer::Coverage { program: program.map(whole) },
        Answers::Tests { .. } | Answers::Summary(_) | Answers::Nothing => Answer::Members {},
    }
}

/// Those that the answer speaks of, or all that were verified.
fn members<'a>(subject: Subject<'a>, answers: &Answers<'a>) -> Vec<Member<'a>> {
    let known = subject.verified.map_or(&[][..], |verified| &verified.result.members);
    let about = |name: &'a str, found: Found<'a>| {
        let verified = known.iter().find(|member| &*member.name == name).map(verified);
        Member { name, verified, found: Some(found) }
    };
    match answers {
        Answers::Impact { fallen, .. } => fallen
            .iter()
            .map(|found| {
                let (explicit, implicit) = (indices(&found.explicit), indices(&found.implicit));
                about(&found.member, Found::Impact { explicit, implicit })
            })
            .collect(),
        Answers::Coverage { members, .. } => {
            let share = |share: &'a Share| {
                let (covered, total) = (share.covered, share.total);
                let (coverage, uncovered) = (share.ratio(), indices(&share.uncovered));
                Some(about(share.member.as_deref()?, Found::Share { covered, total, coverage, uncovered }))
            };
            members.iter().filter_map(share).collect()
        }
        Answers::Tests { tests, names } => tests
            .iter()
            .zip(*names)
            .map(|(test, name)| {
                let nodes = |reports: &[Misreport]| {
                    let found = reports.iter().filter_map(|report| subject.queries.view.node(report.node));
                    found.map(node).collect()
                };
                let found = Found::Test {
                    missing: nodes(&test.missing),
                    superfluous: nodes(&test.superfluous),
                    expected: test.expected,
                    reported: test.reported,
                    precision: test.precision(),
                };
                about(name, found)
            })
            .collect(),
        Answers::Summary(members) => members
            .iter()
            .map(|member| {
                let found = Found::Summary {
                    proved: indices(&member.proved),
                    failed: indices(&member.failed),
                    vacuous: indices(&member.vacuous),
                    trusted: indices(&member.trusted),
                    unneeded: indices(&member.share.uncovered),
                };
                about(&member.name, found)
            })
            .collect(),
        _ => known.iter().map(crate::json::member).collect(),
    }
}

fn needed(found: &ViewDependencies) -> Sets {
    let ViewDependencies { of, all, explicit, direct, without_infeasibility } = found;
    Sets {
        of: of.index(),
        all: indices(all),
        explicit: indices(explicit),
        direct: indices(direct),
        without_infeasibility: indices(without_infeasibility),
    }
}

fn resting(found: &Dependents) -> Sets {
    let Dependents { of, all, explicit, direct, without_infeasibility } = found;
    Sets {
        of: of.index(),
        all: indices(all),
        explicit: indices(explicit),
        direct: indices(direct),
        without_infeasibility: indices(without_infeasibility),
    }
}

fn whole(share: &Share) -> Program {
    let (covered, total, uncovered) = (share.covered, share.total, indices(&share.uncovered));
    Program { name: None, covered, total, coverage: share.ratio(), uncovered }
}

fn indices(users: &[UserId]) -> Vec<usize> {
    users.iter().map(|user| user.index()).collect()
}
