//! Queries on a finished, hand-made graph.

use crate::graph::Graph;
use crate::kind::{Assertion, Assumption, Construct};
use crate::nodes::UserId;
use crate::read::{ProofStatus, Queries, Trust, View, ViewNode, difference};
use crate::via::Via;
use echis_base::{Key, LineColumn, Name, Position};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A node on the given line.
fn view_node(line: usize, text: &str, construct: Construct) -> ViewNode {
    let place = LineColumn { line: line as u32, column: 1 };
    let (assumption, assertion) = match construct {
        Construct::Precondition | Construct::Inhale => (Some(Assumption::Explicit), None),
        Construct::Assert => (None, Some(Assertion::Explicit)),
        Construct::Postcondition => (Some(Assumption::Implicit), Some(Assertion::Explicit)),
        _ => (Some(Assumption::Implicit), Some(Assertion::Implicit)),
    };
    ViewNode {
        id: UserId::new(line),
        position: Position { file: Name::from("a.vpr"), start: place, end: place },
        text: text.to_string(),
        member: Name::from(if line < 5 { "f" } else { "g" }),
        construct,
        assumption,
        assertion,
        vacuous: false,
        failed: false,
        dead: false,
        goal: assertion == Some(Assertion::Explicit),
        counts: true,
        coarse: None,
        annotations: Vec::new(),
    }
}

/// `f` requires (1) and assumes (2), both of which its postcondition (4) needs through code (3); `g` calls it (5),
/// contains code that nothing needs (6), and asserts (7).
fn view() -> View {
    let nodes = vec![
        view_node(1, "a > 0", Construct::Precondition),
        view_node(2, "assume b", Construct::Inhale),
        view_node(3, "c := a", Construct::Assignment),
        view_node(4, "c > 0", Construct::Postcondition),
        view_node(5, "d := f()", Construct::Call),
        view_node(6, "e := 1", Construct::Assignment),
        view_node(7, "assert d > 0", Construct::Assert),
    ];
    View::of(Name::from("a.vpr"), nodes)
}

fn graph(edges: &[(usize, usize)]) -> Graph {
    let users: BTreeSet<usize> = edges.iter().map(|(user, _)| *user).collect();
    let needs = users.into_iter().map(|user| {
        let needs = edges.iter().filter(|(of, _)| *of == user).map(|(_, on)| (UserId::new(*on), Via::Value));
        (UserId::new(user), Arc::new(needs.collect()))
    });
    Graph::from_parts(needs, BTreeSet::new(), BTreeSet::new())
}

const EDGES: &[(usize, usize)] = &[(3, 1), (4, 2), (4, 3), (7, 4), (7, 5)];

fn numbers(users: &[UserId]) -> Vec<usize> {
    users.iter().map(|user| user.index()).collect()
}

#[test]
fn queries_are_reachability() {
    let (view, graph) = (view(), graph(EDGES));
    let queries = Queries { view: &view, graph: &graph };
    let of = queries.dependencies(UserId::new(7), &BTreeSet::new());
    assert_eq!(numbers(&of.all), [1, 2, 3, 4, 5]);
    assert_eq!((numbers(&of.explicit), numbers(&of.direct)), (vec![1, 2], vec![4, 5]));
    let without = queries.dependencies(UserId::new(7), &BTreeSet::from([UserId::new(3)]));
    assert_eq!(numbers(&without.all), [2, 4, 5]);
    assert_eq!(numbers(&queries.dependents(UserId::new(1)).all), [3, 4, 7]);
    let chain = queries.why(&[UserId::new(7)], &[UserId::new(1)]).expect("there is a way");
    assert_eq!(chain.steps.iter().map(|(user, _)| user.index()).collect::<Vec<_>>(), [7, 4, 3, 1]);
    let impact = queries.impact(&[UserId::new(2)]);
    assert_eq!(impact.iter().map(|fallen| &*fallen.member).collect::<Vec<_>>(), ["f", "g"]);
}

#[test]
fn coverage_counts_what_goals_need() {
    let (view, graph) = (view(), graph(EDGES));
    let queries = Queries { view: &view, graph: &graph };
    let uncovered: Vec<UserId> =
        queries.elements().into_iter().filter(|(_, covered)| !covered).map(|(user, _)| user).collect();
    assert_eq!(numbers(&uncovered), [6]);
    let quality = queries.quality();
    assert_eq!((quality.covered, quality.code), (2, 3));
    assert_eq!((quality.assertions, quality.grounded), (3, 1), "callers prove the precondition");
    let to_prove: Vec<(usize, usize)> = quality.to_prove.iter().map(|(user, count)| (user.index(), *count)).collect();
    assert_eq!(to_prove, [(2, 2)]);
}

#[test]
fn the_trusted_base_is_what_is_believed_and_needed() {
    let (mut view, graph) = (view(), graph(&[(4, 2), (7, 4)]));
    view.nodes[5].failed = true;
    let trusted = Queries { view: &view, graph: &graph }.trusted();
    let trusted: Vec<(usize, Trust)> = trusted.iter().map(|found| (found.node.index(), found.why)).collect();
    assert_eq!(trusted, [(6, Trust::Failed), (2, Trust::Assumed)], "nothing needs the precondition");
}

#[test]
fn graphs_are_compared_by_what_nodes_say() {
    let (before, after) = (view(), {
        let mut nodes = view().nodes;
        // One line is new, and all others move.
        nodes.iter_mut().for_each(|node| node.position.start.line += 1);
        nodes.remove(5);
        View::of(Name::from("a.vpr"), nodes)
    });
    let (old, new) = (graph(EDGES), graph(&[(3, 1), (4, 3), (7, 4), (7, 5)]));
    let found = difference(Queries { view: &before, graph: &old }, Queries { view: &after, graph: &new });
    assert_eq!((numbers(&found.removed), numbers(&found.added)), (vec![6], vec![]));
    let changes: Vec<_> =
        found.changed.iter().map(|change| (change.of.index(), numbers(&change.lost), change.after)).collect();
    assert_eq!(changes, [(4, vec![2], ProofStatus::Proved), (7, vec![2], ProofStatus::Proved)]);
}
