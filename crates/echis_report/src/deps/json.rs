//! Dependencies as JSON.

use super::Answers;
use super::flow::{Moved, moved};
use crate::json::{File, Found, Member, Node, Piece, compact, file, node, verified};
use echis_base::Key;
use echis_depend::{
    Coarse, Dependents, Difference, Misreport, Policy, Quality, Queries, Share, Trusted, UserId, Via, ViewDependencies,
};
use echis_findings::FileResult;
use serde::Serialize;

/// The subject of a query: a verified program, or a saved graph.
#[derive(Clone, Copy)]
pub struct Subject<'a> {
    pub path: &'a str,
    pub queries: Queries<'a>,
    /// `None` for a saved graph.
    pub verified: Option<Verified<'a>>,
}

#[derive(Clone, Copy)]
pub struct Verified<'a> {
    pub result: &'a FileResult,
    pub times: Times,
    pub work: Work,
}

/// In milliseconds.
#[derive(Clone, Copy, Default, Serialize)]
pub struct Times {
    pub verify: f64,
    pub analyse: f64,
    /// The time the analysis waited for the solver.
    pub waiting: f64,
}

/// The cost of explaining, as counts.
#[derive(Clone, Copy, Default, Serialize)]
pub struct Work {
    pub checks: usize,
    /// Number of them solved without a solver.
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
    /// `None` for a saved graph.
    work: Option<Work>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Answer {
    Dependencies {
        dependencies: Vec<Sets>,
        /// The combined dependencies of several nodes.
        #[serde(skip_serializing_if = "Option::is_none")]
        together: Option<Sets>,
    },
    Trusted {
        trusted: Vec<Believed>,
    },
    Progress {
        progress: Progress,
    },
    Dependents {
        dependents: Vec<Sets>,
    },
    Pairs {
        dependency: bool,
        pairs: Vec<(usize, usize)>,
    },
    Chain {
        chain: Option<Vec<Step>>,
    },
    Flow {
        flow: Vec<Moved>,
    },
    Impact {
        of: Vec<usize>,
    },
    Coverage {
        program: Option<Program>,
    },
    Members {},
}

/// An unproved assumption, why it is trusted, and how many assertions depend on it.
#[derive(Serialize)]
struct Believed {
    node: usize,
    why: &'static str,
    assertions: usize,
}

#[derive(Serialize)]
struct Progress {
    progress: f64,
    specification: f64,
    proof: f64,
    covered: usize,
    code: usize,
    assertions: usize,
    grounded: usize,
    failed: usize,
    /// Members by how much of their code no goal needs, largest first.
    to_specify: Vec<Unspecified>,
    /// Assumptions by the number of dependents, largest first.
    to_prove: Vec<Unproved>,
}

#[derive(Serialize)]
struct Unspecified {
    member: String,
    uncovered: usize,
    code: usize,
}

#[derive(Serialize)]
struct Unproved {
    node: usize,
    assertions: usize,
}

/// A node on the path, and how its predecessor needs it.
#[derive(Serialize)]
struct Step {
    node: usize,
    infeasibility: bool,
    /// `None` for the first.
    reason: Option<&'static str>,
}

#[derive(Serialize)]
struct Sets {
    of: usize,
    all: Vec<usize>,
    explicit: Vec<usize>,
    direct: Vec<usize>,
    without_infeasibility: Vec<usize>,
    /// Why it may be over-approximated.
    coarse: Option<&'static str>,
    /// Members whose postconditions are included and whose own proofs were not analysed.
    left_out: Vec<String>,
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
    /// `None` for a saved graph.
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
        Answers::Dependencies { each, together } => Answer::Dependencies {
            dependencies: each.iter().map(needed).collect(),
            together: together.as_ref().map(needed),
        },
        Answers::Trusted(trusted) => Answer::Trusted { trusted: trusted.iter().map(believed).collect() },
        Answers::Quality(quality) => Answer::Progress { progress: progress(quality) },
        Answers::Dependents(found) => Answer::Dependents { dependents: found.iter().map(resting).collect() },
        Answers::Pairs(pairs) => Answer::Pairs {
            dependency: !pairs.is_empty(),
            pairs: pairs.iter().map(|(of, on)| (of.index(), on.index())).collect(),
        },
        Answers::Chain(chain) => {
            let step = |(index, (user, via)): (usize, &(UserId, Via))| Step {
                node: user.index(),
                infeasibility: *via == Via::Infeasibility,
                reason: (index > 0).then(|| via.name()),
            };
            Answer::Chain { chain: chain.as_ref().map(|chain| chain.steps.iter().enumerate().map(step).collect()) }
        }
        Answers::Flow { events, chosen } => Answer::Flow { flow: moved(events, chosen) },
        Answers::Impact { of, .. } => Answer::Impact { of: indices(of) },
        Answers::Coverage { program, .. } => Answer::Coverage { program: program.map(whole) },
        Answers::Tests { .. } | Answers::Summary(_) | Answers::Nothing => Answer::Members {},
    }
}

/// The members that the answer is about, or all verified ones.
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
                    required: indices(&member.required),
                    unneeded: indices(&member.share.uncovered),
                };
                about(&member.name, found)
            })
            .collect(),
        _ => known.iter().map(crate::json::member).collect(),
    }
}

fn needed(found: &ViewDependencies) -> Sets {
    let ViewDependencies { of, all, explicit, direct, without_infeasibility, coarse, left_out } = found;
    Sets {
        of: of.index(),
        all: indices(all),
        explicit: indices(explicit),
        direct: indices(direct),
        without_infeasibility: indices(without_infeasibility),
        coarse: coarse.map(Coarse::name),
        left_out: left_out.iter().map(|name| name.to_string()).collect(),
    }
}

fn resting(found: &Dependents) -> Sets {
    let Dependents { of, all, explicit, direct, without_infeasibility, coarse } = found;
    Sets {
        of: of.index(),
        all: indices(all),
        explicit: indices(explicit),
        direct: indices(direct),
        without_infeasibility: indices(without_infeasibility),
        coarse: coarse.map(Coarse::name),
        left_out: Vec::new(),
    }
}

fn whole(share: &Share) -> Program {
    let (covered, total, uncovered) = (share.covered, share.total, indices(&share.uncovered));
    Program { name: None, covered, total, coverage: share.ratio(), uncovered }
}

fn indices(users: &[UserId]) -> Vec<usize> {
    users.iter().map(|user| user.index()).collect()
}

fn believed(found: &Trusted) -> Believed {
    Believed { node: found.node.index(), why: found.why.name(), assertions: found.assertions }
}

fn progress(quality: &Quality) -> Progress {
    let unspecified = |(member, uncovered, code): &(echis_base::Name, usize, usize)| Unspecified {
        member: member.to_string(),
        uncovered: *uncovered,
        code: *code,
    };
    let unproved = |(user, assertions): &(UserId, usize)| Unproved { node: user.index(), assertions: *assertions };
    Progress {
        progress: quality.progress(),
        specification: quality.specification(),
        proof: quality.proof,
        covered: quality.covered,
        code: quality.code,
        assertions: quality.assertions,
        grounded: quality.grounded,
        failed: quality.failed,
        to_specify: quality.to_specify.iter().map(unspecified).collect(),
        to_prove: quality.to_prove.iter().map(unproved).collect(),
    }
}

/// The effect of a change, as a separate document. Nodes are complete, since they belong to two graphs.
#[derive(Serialize)]
struct Differences<'a> {
    old: &'a str,
    new: &'a str,
    added: Vec<Node<'a>>,
    removed: Vec<Node<'a>>,
    changed: Vec<Changed<'a>>,
}

#[derive(Serialize)]
struct Changed<'a> {
    of: Node<'a>,
    before: &'static str,
    after: &'static str,
    gained: Vec<Node<'a>>,
    lost: Vec<Node<'a>>,
}

fn nodes<'a>(queries: Queries<'a>, users: &[UserId]) -> Vec<Node<'a>> {
    users.iter().filter_map(|user| queries.view.node(*user)).map(node).collect()
}

/// The difference of two graphs as JSON, with the paths of their programs.
pub fn difference(old: (&str, Queries<'_>), new: (&str, Queries<'_>), found: &Difference) -> String {
    let ((old, before), (new, after)) = (old, new);
    let changed = found.changed.iter().filter_map(|change| {
        Some(Changed {
            of: node(after.view.node(change.of)?),
            before: change.before.name(),
            after: change.after.name(),
            gained: nodes(after, &change.gained),
            lost: nodes(before, &change.lost),
        })
    });
    let (added, removed) = (nodes(after, &found.added), nodes(before, &found.removed));
    compact(&Differences { old, new, added, removed, changed: changed.collect() }) + "\n"
}

/// All budgets for explanations, as a list.
pub fn budgets() -> String {
    #[derive(Serialize)]
    struct Budget {
        name: &'static str,
        unit: &'static str,
        usual: u64,
    }
    let budget = |found: &echis_depend::Budget| Budget { name: found.name, unit: found.unit, usual: found.usual };
    compact(&Policy::BUDGETS.iter().map(budget).collect::<Vec<_>>()) + "\n"
}
