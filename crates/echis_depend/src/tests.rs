//! Tests of the dependency stages, each on a small program with a hand-written proof tree. No executor created the
//! tree, and no solver is asked: the explainer follows a script.

mod blame;
mod execution;
mod finders;
mod needs;
mod proofs;
mod question;
mod reading;
mod unfollowed;

use super::blame::Facts;
use super::cores::{CheckCore, CoreContext, CoreSearch};
use super::needs::MemberNeeds;
use super::nodes::{Nodes, UserId};
use super::online::OnlineAnalysis;
use super::options::DependencyOptions;
use super::rank::GroupKey;
use echis_base::{Key, SourceFile, SourceMap, SyntaxId};
use echis_program::program::Program;
use echis_proof::{CheckId, Core, Explainer, NodeId, ProofTree, Replayed, Replies};
use echis_syntax::{NoLoader, parse_program};
use echis_term::{TermId, Terms};
use std::collections::VecDeque;
use std::rc::Rc;

/// Three numbers, and facts about them whose meaning only a script knows.
const SYMBOLS: &str = "\
(symbol x (uninterpreted x) () Int)
(symbol y (uninterpreted y) () Int)
(symbol p (uninterpreted p) (Int) Bool)
(symbol q (uninterpreted q) (Int) Bool)
(symbol r (uninterpreted r) (Int) Bool)
(symbol s (uninterpreted s) (Int) Bool)
";

/// A program and a tree of its last method.
struct Fixture {
    sources: SourceMap,
    program: Program,
    nodes: Nodes,
    tree: ProofTree,
}

impl Fixture {
    /// In the tree, `{4}` is replaced by the syntax of the first node on line 4, `{4.1}` by that of the second one,
    /// and `{}` by the method.
    fn new(source: &str, tree: &str) -> Self {
        let mut sources = SourceMap::default();
        let main = sources.add(SourceFile::new("fixture.vpr", source.to_owned()));
        let (syntax, _) = parse_program(&mut sources, main, &NoLoader);
        let (program, found) = echis_program::check_program(&syntax);
        let program = program.unwrap_or_else(|| panic!("the program is wrong: {found:?}"));
        let nodes = Nodes::new(&program);
        let tree_of_nothing = ProofTree::from_text("(node n0 - (root) (origin @0 - Value))").expect("it is a tree");
        let mut fixture = Fixture { sources, program, nodes, tree: tree_of_nothing };
        let text = fixture.with_syntax(&format!("{SYMBOLS}(node n0 - (root) (origin {{}} - Value))\n{tree}"));
        fixture.tree = ProofTree::from_text(&text).unwrap_or_else(|wrong| panic!("{wrong}:\n{text}"));
        fixture
    }
    fn with_syntax(&self, tree: &str) -> String {
        let mut text = String::new();
        for (index, part) in tree.split('{').enumerate() {
            match part.split_once('}') {
                Some((place, rest)) if index > 0 => text.push_str(&format!("{}{rest}", self.syntax(place))),
                _ => text.push_str(part),
            }
        }
        text
    }
    fn syntax(&self, place: &str) -> SyntaxId {
        if place.is_empty() {
            return self.program.methods.values().last().expect("there is a method").id;
        }
        let node = &self.nodes.all[self.user(place)];
        node.expr.map(|expr| self.program.expr(expr).id).or(node.statement).expect("a node has syntax")
    }
    fn line(&self, user: UserId) -> u32 {
        self.sources.position(self.nodes.all[user].span).start.line
    }
    /// The node at a place.
    fn user(&self, place: &str) -> UserId {
        let (line, index) = place.split_once('.').unwrap_or((place, "0"));
        let (line, index): (u32, usize) = (line.parse().expect("a line"), index.parse().expect("an index"));
        let mut there = self.nodes.all.keys().filter(|user| self.line(*user) == line);
        there.nth(index).unwrap_or_else(|| panic!("there is no node at {place}"))
    }
    fn facts(&self) -> Facts<'_> {
        Facts { program: &self.program, nodes: &self.nodes, tree: &self.tree }
    }
    /// The lines of nodes.
    fn lines<'u>(&self, users: impl IntoIterator<Item = &'u UserId>) -> Vec<u32> {
        let mut lines: Vec<u32> = users.into_iter().map(|user| self.line(*user)).collect();
        lines.sort_unstable();
        lines.dedup();
        lines
    }
    /// The groups of a core: lines, engine facts, grants.
    fn keys(&self, core: &CheckCore) -> Vec<String> {
        let text = |key: &GroupKey| match key {
            GroupKey::Users(users) => format!("{:?}", self.lines(users)),
            GroupKey::Fact(node) => format!("fact {node}"),
            GroupKey::Grant(node) => format!("grant {node}"),
        };
        core.keys.iter().map(text).collect()
    }
    /// The needs of the member's proofs.
    fn explain(&self, options: impl Into<DependencyOptions>, script: &mut Script) -> MemberNeeds {
        OnlineAnalysis::new(&self.program, &self.nodes, options.into()).finish(&self.tree, script, |_| true)
    }
    /// The needs of a node on a line.
    fn needs(&self, found: &MemberNeeds, line: &str) -> Vec<u32> {
        found.needs.get(&self.user(line)).map(|needs| self.lines(needs.keys())).unwrap_or_default()
    }
    /// The cores of all checks.
    fn solve(&self, search: &mut CoreSearch, script: &mut Script) -> Vec<Rc<CheckCore>> {
        let checks = self.tree.checks.keys().collect();
        search.solve_checks(&mut CoreContext { facts: self.facts(), explainer: script }, &checks);
        self.tree.checks.keys().map(|check| search.core(check)).collect()
    }
}

/// A solver that knows some proofs: a goal, and what it follows from. Proofs of `*` are contradictions.
#[derive(Default)]
struct Script {
    proofs: Vec<(&'static str, Vec<&'static str>)>,
    /// Whether it names insufficient cores: all but the last fact.
    lies: bool,
    asked: usize,
    replies: VecDeque<Replies>,
}

impl Script {
    fn new(proofs: &[(&'static str, &[&'static str])]) -> Self {
        let proofs = proofs.iter().map(|(goal, facts)| (*goal, facts.to_vec())).collect();
        Script { proofs, ..Script::default() }
    }
    fn answer(&self, terms: &Terms, question: &Replayed<'_>, asked: &[usize]) -> Option<Core> {
        let text = |fact: &TermId| terms.text(*fact);
        let goal = text(&question.goal);
        let always: Vec<String> = question.always.iter().map(text).collect();
        let group_with = |fact: &str| {
            asked.iter().copied().find(|group| question.groups[*group].iter().map(text).any(|known| known == fact))
        };
        for (proved, facts) in self.proofs.iter().filter(|(proved, _)| *proved == goal || *proved == "*") {
            let facts: Vec<&str> =
                facts.iter().copied().filter(|fact| !always.iter().any(|known| known == fact)).collect();
            let Some(mut groups) = facts.iter().map(|fact| group_with(fact)).collect::<Option<Vec<usize>>>() else {
                continue;
            };
            if self.lies && groups.len() > 1 {
                groups.pop();
            }
            if !question.named {
                groups = asked.to_vec();
            }
            groups.sort_unstable();
            groups.dedup();
            return Some(Core { groups, uses_goal: *proved == goal, effort: 100 });
        }
        None
    }
}

impl Explainer for Script {
    fn given(&mut self, _: &Terms, _: &[TermId]) {}
    fn send(&mut self, terms: &Terms, question: &Replayed<'_>) {
        self.asked += 1;
        let cores = question.asks.iter().map(|asked| self.answer(terms, question, asked)).collect();
        self.replies.push_back(Replies { cores, effort: 100 });
    }
    fn receive(&mut self) -> Replies {
        self.replies.pop_front().expect("something was asked")
    }
}

fn node(index: usize) -> NodeId {
    NodeId::new(index)
}

fn check(index: usize) -> CheckId {
    CheckId::new(index)
}
