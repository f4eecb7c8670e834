//! Progress of a verification project: how much of the code the specification covers, times how much of the proofs'
//! dependencies is more than assumed; and what to work on next.

use crate::graph::EdgeFilter;
use crate::kind::{Assumption, Construct};
use crate::nodes::UserId;
use crate::read::query::Queries;
use crate::read::view::ViewNode;
use echis_base::Name;
use std::collections::BTreeMap;

#[derive(Clone, PartialEq, Debug)]
pub struct Quality {
    /// Code that some goal needs, and all code.
    pub covered: usize,
    pub code: usize,
    /// Nontrivial assertions: the total, those without assumed dependencies, and those that failed.
    pub assertions: usize,
    pub grounded: usize,
    pub failed: usize,
    /// The mean fraction of an assertion's dependencies that are not just assumed; zero for failed ones.
    pub proof: f64,
    /// Members by how much of their code no goal needs: that number, and the total.
    pub to_specify: Vec<(Name, usize, usize)>,
    /// Assumptions, with the number of assertions that rest on each.
    pub to_prove: Vec<(UserId, usize)>,
}

impl Quality {
    pub fn specification(&self) -> f64 {
        if self.code == 0 { 1.0 } else { self.covered as f64 / self.code as f64 }
    }
    pub fn progress(&self) -> f64 {
        self.specification() * self.proof
    }
}

impl Queries<'_> {
    pub fn quality(self) -> Quality {
        let needed = self.needed_by_goals();
        let mut members: BTreeMap<&Name, (usize, usize)> = BTreeMap::new();
        let (mut covered, mut code) = (0, 0);
        for node in self.view.nodes.iter().filter(|node| is_code(node) && self.view.is_explained(node)) {
            let is_covered = needed.contains(&node.id) && !node.dead;
            let (uncovered, all) = members.entry(&node.member).or_default();
            *all += 1;
            *uncovered += usize::from(!is_covered);
            code += 1;
            covered += usize::from(is_covered);
        }
        let mut to_specify: Vec<(Name, usize, usize)> =
            members.into_iter().map(|(name, (uncovered, all))| (name.clone(), uncovered, all)).collect();
        to_specify.retain(|(_, uncovered, _)| *uncovered > 0);
        to_specify.sort_by(|(a, few, _), (b, many, _)| many.cmp(few).then_with(|| a.cmp(b)));
        let mut quality = Quality {
            covered,
            code,
            assertions: 0,
            grounded: 0,
            failed: 0,
            proof: 1.0,
            to_specify,
            to_prove: Vec::new(),
        };
        self.judge_proofs(&mut quality);
        quality
    }
    fn judge_proofs(self, quality: &mut Quality) {
        let mut believed: BTreeMap<UserId, usize> = BTreeMap::new();
        let mut sum = 0.0;
        for node in self.view.nodes.iter().filter(|node| self.view.is_explained(node)) {
            if node.failed {
                quality.assertions += 1;
                quality.failed += 1;
                continue;
            }
            if !self.graph.is_asserted(node.id) {
                continue;
            }
            let all = self.graph.dependencies([node.id], EdgeFilter::All);
            let assumed: Vec<&ViewNode> = all.into_iter().filter_map(|on| self.view.node(on)).collect();
            let assumed: Vec<&ViewNode> = assumed.into_iter().filter(|on| on.assumption.is_some()).collect();
            // Trivial facts, such as `assert true`, say nothing about the project.
            if assumed.is_empty() {
                continue;
            }
            let explicit: Vec<UserId> = assumed.iter().filter(|on| is_believed(on)).map(|on| on.id).collect();
            quality.assertions += 1;
            quality.grounded += usize::from(explicit.is_empty());
            sum += 1.0 - explicit.len() as f64 / assumed.len() as f64;
            explicit.into_iter().for_each(|on| *believed.entry(on).or_default() += 1);
        }
        quality.proof = if quality.assertions == 0 { 1.0 } else { sum / quality.assertions as f64 };
        quality.to_prove = believed.into_iter().collect();
        quality.to_prove.sort_by_key(|(user, count)| (std::cmp::Reverse(*count), *user));
    }
}

/// Whether a node is an explicit assumption. Preconditions are not: callers prove them.
fn is_believed(node: &ViewNode) -> bool {
    let required = node.construct == Construct::Precondition && !node.failed;
    node.assumption == Some(Assumption::Explicit) && !required
}

/// Whether a node is executable code, as opposed to code that only exists for the proof.
fn is_code(node: &ViewNode) -> bool {
    let runs = matches!(
        node.construct,
        Construct::Assignment | Construct::Call | Construct::Condition | Construct::FunctionBody
    );
    runs && node.assumption.is_some()
}
