//! Programs annotated with expected dependencies: `@testAssertion`, `@dependency("Type")`, `@irrelevant("Type")`.

use crate::graph::{EdgeFilter, Graph};
use crate::kind::Assumption;
use crate::nodes::{Nodes, UserId};
use crate::owner::Owner;
use echis_base::SyntaxId;
use std::collections::{BTreeMap, BTreeSet};

/// The result of comparing a member's annotations with the dependencies of its test assertions.
#[derive(Clone, Debug)]
pub struct MemberTest {
    pub owner: Owner,
    pub asserted: Vec<UserId>,
    /// Annotated as dependencies but not reported: the analysis is unsound, or the annotation is wrong.
    pub missing: Vec<Misreport>,
    /// Annotated as irrelevant but reported.
    pub superfluous: Vec<Misreport>,
    /// Number of annotated nodes that are correctly reported.
    pub found: usize,
    /// Number of nodes annotated as dependencies.
    pub expected: usize,
    /// Number of shown nodes that are reported.
    pub reported: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Misreport {
    pub node: UserId,
    /// Whether the node is reported, but no part of it has the annotated type.
    pub wrong_type: bool,
}

impl MemberTest {
    /// The fraction of reported dependencies that are real.
    pub fn precision(&self) -> f64 {
        if self.reported == 0 { 1.0 } else { 1.0 - self.superfluous.len() as f64 / self.reported as f64 }
    }
}

/// Tests every member that has a test assertion.
pub fn check_annotations(nodes: &Nodes, graph: &Graph) -> Vec<MemberTest> {
    let mut owners: BTreeMap<Owner, Vec<UserId>> = BTreeMap::new();
    for (id, node) in nodes.all.iter() {
        if node.annotation("testAssertion").is_some() {
            owners.entry(node.owner).or_default().push(id);
        }
    }
    owners.into_iter().map(|(owner, asserted)| check_member(nodes, graph, owner, asserted)).collect()
}

fn check_member(nodes: &Nodes, graph: &Graph, owner: Owner, asserted: Vec<UserId>) -> MemberTest {
    let reported = graph.dependencies(asserted.iter().copied(), EdgeFilter::All);
    let reported: BTreeSet<UserId> = reported.into_iter().filter(|user| is_reported(nodes, graph, *user)).collect();
    let own = reported.iter().filter(|user| nodes.all[**user].owner == owner);
    let own: BTreeSet<UserId> = own.copied().collect();
    let mut test = MemberTest {
        owner,
        asserted,
        missing: Vec::new(),
        superfluous: Vec::new(),
        found: 0,
        expected: 0,
        reported: reported_elements(nodes, &own),
    };
    for elements in annotated(nodes, owner, "dependency") {
        test.expected += 1;
        let wanted = wanted_type(nodes, elements[0], "dependency");
        let there: Vec<UserId> = elements.iter().copied().filter(|element| own.contains(element)).collect();
        let typed = |user: &UserId| has_type(nodes, graph, *user, wanted);
        if there.iter().any(typed) {
            test.found += 1;
        } else {
            test.missing.push(Misreport { node: elements[0], wrong_type: !there.is_empty() });
        }
    }
    for elements in annotated(nodes, owner, "irrelevant") {
        let there = elements.iter().find(|element| own.contains(element));
        test.superfluous.extend(there.map(|node| Misreport { node: *node, wrong_type: false }));
    }
    test
}

/// Annotated elements; nodes that share an annotated statement or expression count once.
fn annotated(nodes: &Nodes, owner: Owner, name: &str) -> Vec<Vec<UserId>> {
    let mut elements: BTreeMap<SyntaxId, Vec<UserId>> = BTreeMap::new();
    for (id, node) in nodes.all.iter().filter(|(_, node)| node.owner == owner) {
        if let Some(annotation) = node.annotation(name) {
            elements.entry(annotation.on).or_default().push(id);
        }
    }
    elements.into_values().collect()
}

/// The number of reported elements; a statement counts once, regardless of its conjuncts.
fn reported_elements(nodes: &Nodes, reported: &BTreeSet<UserId>) -> usize {
    let mut statements = BTreeSet::new();
    let mut others = 0;
    for user in reported {
        match nodes.all[*user].statement {
            Some(statement) => drop(statements.insert(statement)),
            None => others += 1,
        }
    }
    statements.len() + others
}

fn is_reported(nodes: &Nodes, graph: &Graph, user: UserId) -> bool {
    nodes.all[user].is_shown() && graph.assumption(nodes, user).is_some()
}

fn wanted_type(nodes: &Nodes, user: UserId, name: &str) -> Option<Assumption> {
    nodes.all[user].annotation(name).and_then(|found| Assumption::parse(found.args.first()?))
}

fn has_type(nodes: &Nodes, graph: &Graph, user: UserId, wanted: Option<Assumption>) -> bool {
    match (wanted, graph.assumption(nodes, user)) {
        (Some(wanted), Some(has)) => has.is_a(wanted),
        _ => true,
    }
}
