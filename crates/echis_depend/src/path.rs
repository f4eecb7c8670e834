//! The facts of a path, indexed by the symbols they mention. Most questions concern the previous path or an extension
//! of it, so the index is kept.

use crate::blame::{Blame, Facts};
use crate::policy::Policy;
use echis_base::{FastMap, FastSet};
use echis_proof::{NodeId, ProofTree};
use echis_term::{Op, SymbolId, SymbolKind, TermId, TermKind, Terms};
use std::collections::BTreeMap;
use std::rc::Rc;

/// One fact of a path.
pub struct PathFact {
    pub node: NodeId,
    pub term: TermId,
    pub blame: Blame,
    symbols: Rc<[Mention]>,
    /// The two names that the fact equates, if it does just that.
    names: Option<[Mention; 2]>,
}

/// The constant that represents a grant of permission, and the grant.
pub type Label = (TermId, NodeId);

/// The index key of facts: a symbol or term that they mention.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Mention {
    Symbol(SymbolId),
    /// A part of a snapshot; nearly all facts mention the snapshot itself.
    Part(TermId),
}

/// The symbols of terms, cached.
#[derive(Default)]
struct Symbols(FastMap<TermId, Rc<[Mention]>>);

#[derive(Default)]
pub struct Path {
    pub policy: Policy,
    /// The nodes from the root, each with the number of facts and labels before it.
    nodes: Vec<(NodeId, usize, usize)>,
    facts: Vec<PathFact>,
    labels: Vec<Label>,
    all: Index,
    /// Facts that are not redundant.
    new: Index,
    symbols: Symbols,
}

/// Facts by the symbols they mention, in the order in which they were stated.
#[derive(Default)]
struct Index {
    facts: Vec<usize>,
    of: FastMap<Mention, Vec<usize>>,
}

impl Path {
    pub fn new(policy: Policy) -> Self {
        Path { policy, ..Path::default() }
    }
    /// Moves to the end of another path, as replays see it. `redundant` tells which nodes add nothing new.
    pub fn go_to(&mut self, facts: &Facts, redundant: &FastMap<NodeId, bool>, at: NodeId) {
        let tree = facts.tree;
        for node in self.backtrack_for(tree, at) {
            self.nodes.push((node, self.facts.len(), self.labels.len()));
            let Some(term) = facts.replayed(node).filter(|term| !tree.terms.is_true(*term)) else { continue };
            let labelled = tree.labelled_facts.get(node);
            self.labels.extend(labelled.into_iter().flat_map(|labelled| labelled.labels.iter().copied()));
            let says_nothing = redundant.get(&node).is_some_and(|redundant| *redundant);
            let new = !says_nothing && !facts.is_lemma(node);
            self.push(&tree.terms, node, term, facts.blame(node), new);
        }
    }
    /// Moves to the end of another path, with the facts as sessions see them, without blame.
    pub fn go_to_plain(&mut self, tree: &ProofTree, at: NodeId) {
        for node in self.backtrack_for(tree, at) {
            self.nodes.push((node, self.facts.len(), self.labels.len()));
            if let Some(term) = tree.fact(node).filter(|term| !tree.terms.is_true(*term)) {
                self.push(&tree.terms, node, term, Blame::Free, true);
            }
        }
    }
    /// Backtracks to where another path branches off. Returns the nodes from there on.
    fn backtrack_for(&mut self, tree: &ProofTree, at: NodeId) -> Vec<NodeId> {
        let is_known = |node: &NodeId| {
            let known = self.nodes.get(tree.nodes[*node].depth as usize);
            known.is_some_and(|(known, ..)| known == node)
        };
        let mut below: Vec<NodeId> = tree.path(at).take_while(|node| !is_known(node)).collect();
        self.truncate(tree.nodes[at].depth as usize + 1 - below.len());
        below.reverse();
        below
    }
    fn push(&mut self, terms: &Terms, node: NodeId, term: TermId, blame: Blame, new: bool) {
        let symbols = self.symbols.of(terms, term);
        let fact = self.facts.len();
        self.all.push(fact, &symbols);
        if new {
            self.new.push(fact, &symbols);
        }
        self.facts.push(PathFact { node, term, blame, symbols, names: names(terms, term) });
    }
    /// Keeps only the given number of nodes.
    fn truncate(&mut self, depth: usize) {
        let Some((_, facts, labels)) = self.nodes.get(depth).copied() else { return };
        self.nodes.truncate(depth);
        self.labels.truncate(labels);
        for fact in (facts..self.facts.len()).rev() {
            for index in [&mut self.all, &mut self.new] {
                index.pop(fact, &self.facts[fact].symbols);
            }
        }
        self.facts.truncate(facts);
    }
    /// The latest node for each label.
    pub fn labels(&self) -> BTreeMap<TermId, NodeId> {
        self.labels.iter().copied().collect()
    }
    pub fn facts(&self) -> Vec<&PathFact> {
        self.facts.iter().collect()
    }
    /// The facts (all, or only those that are not redundant) and labels that share symbols with the goal, directly or
    /// within the given number of steps; facts that only equate two names do not count as steps. Facts without
    /// symbols, such as `false`, may be relevant to anything.
    pub fn relevant(
        &mut self,
        terms: &Terms,
        goal: TermId,
        labels: &[Label],
        steps: usize,
        new: bool,
    ) -> (Vec<&PathFact>, Vec<Label>) {
        let start = self.symbols.of(terms, goal);
        let labels: Vec<_> = labels.iter().map(|label| (*label, self.symbols.of(terms, label.0))).collect();
        let index = if new { &self.new } else { &self.all };
        if start.is_empty() {
            let facts = index.facts.iter().map(|fact| &self.facts[*fact]).collect();
            return (facts, labels.into_iter().map(|(label, _)| label).collect());
        }
        let count = index.facts.len() + labels.len();
        let is_common = |symbol: &Mention| {
            let facts = index.of.get(symbol).map_or(0, Vec::len);
            let speaking = facts + labels.iter().filter(|(_, symbols)| symbols.contains(symbol)).count();
            speaking > self.policy.common && speaking * self.policy.common_share > count
        };
        let mut kept = vec![false; self.facts.len() + labels.len()];
        let mut reached: FastSet<Mention> = start.iter().copied().collect();
        let mut newest: Vec<Mention> = start.to_vec();
        let mut common: Vec<Mention> = Vec::new();
        let mut found = 0;
        for _ in 0..steps {
            let mut next: Vec<Mention> = Vec::new();
            while let Some(symbol) = newest.pop() {
                let facts = index.of.get(&symbol).into_iter().flatten();
                let facts = facts.map(|fact| (*fact, &self.facts[*fact].symbols));
                let labels = labels.iter().enumerate();
                let labels = labels.filter(|(_, (_, symbols))| symbols.contains(&symbol));
                let labels = labels.map(|(label, (_, symbols))| (self.facts.len() + label, symbols));
                for (fact, symbols) in facts.chain(labels) {
                    if !std::mem::replace(&mut kept[fact], true) {
                        found += 1;
                        let names = self.facts.get(fact).and_then(|fact| fact.names).into_iter().flatten();
                        newest.extend(names.filter(|name| !is_common(name) && reached.insert(*name)));
                        next.extend(symbols.iter().filter(|symbol| reached.insert(**symbol)));
                    }
                }
            }
            // Symbols common to many facts lead everywhere, so they are not followed, unless the goal mentions them
            // or nothing else is left.
            common.extend(next.extract_if(.., |symbol| is_common(symbol)));
            newest = if next.is_empty() && found < self.policy.few { std::mem::take(&mut common) } else { next };
            if newest.is_empty() {
                break;
            }
        }
        let is_kept = |fact: usize, symbols: &[Mention]| kept[fact] || symbols.is_empty();
        let facts = index.facts.iter().filter(|fact| is_kept(**fact, &self.facts[**fact].symbols));
        let labels = labels.into_iter().enumerate();
        let labels = labels.filter(|(label, (_, symbols))| is_kept(self.facts.len() + label, symbols));
        (facts.map(|fact| &self.facts[*fact]).collect(), labels.map(|(_, (label, _))| label).collect())
    }
}

/// The two names that a term equates, if it does just that.
fn names(terms: &Terms, term: TermId) -> Option<[Mention; 2]> {
    let name = |side: TermId| match terms.kind(side) {
        TermKind::App(symbol, args) if args.is_empty() => Some(Mention::Symbol(*symbol)),
        TermKind::Op(Op::First | Op::Second | Op::Unwrap(_), _) => Some(Mention::Part(side)),
        _ => None,
    };
    match terms.as_op(term) {
        Some((Op::Eq, [left, right])) => Some([name(*left)?, name(*right)?]),
        _ => None,
    }
}

impl Index {
    fn push(&mut self, fact: usize, symbols: &[Mention]) {
        self.facts.push(fact);
        symbols.iter().for_each(|symbol| self.of.entry(*symbol).or_default().push(fact));
    }
    /// Removes the last fact if it is the given one.
    fn pop(&mut self, fact: usize, symbols: &[Mention]) {
        if self.facts.pop_if(|last| *last == fact).is_some() {
            for symbol in symbols {
                self.of.entry(*symbol).and_modify(|facts| _ = facts.pop());
            }
        }
    }
}

impl Symbols {
    fn of(&mut self, terms: &Terms, term: TermId) -> Rc<[Mention]> {
        if let Some(known) = self.0.get(&term) {
            return known.clone();
        }
        let mut symbols = Vec::new();
        terms.for_each_subterm(term, |part| match terms.kind(part) {
            TermKind::App(symbol, _) if terms.symbol(*symbol).kind() == SymbolKind::Function => {
                symbols.push(Mention::Symbol(*symbol));
            }
            TermKind::Op(Op::First | Op::Second | Op::Unwrap(_), _) => symbols.push(Mention::Part(part)),
            _ => {}
        });
        // Variables of the quantifier whose body is being evaluated count like any other symbol.
        symbols.extend(terms.term(term).free.iter().copied().map(Mention::Symbol));
        symbols.sort();
        symbols.dedup();
        let symbols: Rc<[Mention]> = symbols.into();
        self.0.insert(term, symbols.clone());
        symbols
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nodes::Nodes;
    use echis_base::{Key, SyntaxId};
    use echis_program::program::Program;
    use echis_proof::{Because, Labelled, Origin, Part, Rule};

    #[test]
    fn a_path_that_went_elsewhere_and_came_back_is_as_good_as_new() {
        let origin = Origin { clause: SyntaxId::new(0), site: None, part: Part::Value };
        let mut tree = ProofTree::new(Terms::new(), origin);
        let sort = tree.terms.bool_sort();
        let mut symbol = |name: &str| tree.terms.fresh(&echis_term::Scope::default(), &name.into(), &[], sort);
        let [a, b, c, label] = ["a", "b", "c", "label"].map(&mut symbol);
        let mut state = |at: NodeId, fact: TermId, rule: Rule| tree.assume(at, fact, Because::Rule(rule), &[], origin);
        // A trunk with two branches, one of which mentions a label that was mentioned before.
        let trunk = state(NodeId::new(0), a, Rule::Definition);
        let again = state(trunk, b, Rule::Definition);
        let left = state(again, c, Rule::Lemma);
        let right = state(trunk, c, Rule::Definition);
        let both = tree.terms.and([a, b]);
        for (at, grant) in [(trunk, trunk), (again, again)] {
            tree.labelled_facts.set(at, Labelled { term: both, labels: Box::from([(label, grant)]) });
        }
        let (program, redundant) = (Program::default(), FastMap::default());
        let nodes = Nodes::new(&program);
        let facts = Facts { program: &program, nodes: &nodes, tree: &tree };
        let mut path = Path::default();
        for at in [left, right, left, trunk, right, left] {
            let mut fresh = Path::default();
            let answers = [&mut path, &mut fresh].map(|path| {
                path.go_to(&facts, &redundant, at);
                let labels: Vec<Label> = path.labels().into_iter().collect();
                let answers = [(a, true), (b, false), (c, true), (c, false)].map(|(goal, new)| {
                    let (near, _) = path.relevant(&tree.terms, goal, &labels, 1, new);
                    near.iter().map(|fact| fact.node).collect::<Vec<_>>()
                });
                (labels, answers, path.facts().len())
            });
            assert_eq!(answers[0], answers[1], "{at:?}");
        }
        // The latest node of a label counts, and a lemma is not new.
        assert_eq!(path.labels().get(&label), Some(&again));
        let mut near = |new: bool| path.relevant(&tree.terms, c, &[], 1, new).0.len();
        assert_eq!((near(false), near(true)), (1, 0));
    }
}
