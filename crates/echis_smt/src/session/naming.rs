//! Sessions in which each fact has a name, so that proofs tell which facts they use. The solver is slower with names, up
//! to twice, but what a proof needs is known without asking for it again.
//!
//! A name is a proposition that implies the fact, and a question assumes the names of all facts on the path. What the
//! solver says a proof used is asked again in the same place: with nothing else assumed, the goal has to follow.
//!
//! Such a session asks in one way only. What it does not prove is left to a session without names.

use super::Session;
use crate::backend::{Backend, Fault};
use crate::encode::write_labelled;
use crate::limits::NAMED_TRY;
use crate::names::Style;
use crate::settings::{Limit, Settings};
use echis_base::{FastSet, Key};
use echis_proof::{Bound, NodeId, ProofCore, ProofTree, Verdict};
use echis_term::{TermId, Terms};
use std::fmt::Write;

/// The names that a solver was told.
#[derive(Default)]
pub(super) struct FactNames {
    /// Those of facts. Declarations outlive the facts.
    declared: FastSet<NodeId>,
    /// How many goals had one.
    goals: usize,
    /// What the latest proof used.
    core: Option<ProofCore>,
}

impl<B: Backend> Session<B> {
    /// A session whose facts have names; none where the solver does not tell cores.
    pub fn with_names(backend: B, settings: Settings) -> Option<Self> {
        let tells = !settings.dialect.ask_core.is_empty();
        tells.then(|| Session { names: Some(FactNames::default()), ..Session::new(backend, settings) })
    }
    /// The verdict, and what the proof used where that is known. What is stated among the facts is proved without.
    pub fn prove(&mut self, tree: &ProofTree, at: NodeId, goal: TermId, bound: Bound) -> (Verdict, Option<ProofCore>) {
        self.names.iter_mut().for_each(|names| names.core = None);
        self.move_to(tree, at);
        self.effort = 0;
        self.is_obligation = matches!(bound, Bound::Full | Bound::Again);
        self.counting = true;
        if self.is_known(&tree.terms, goal) {
            self.statistics.trivial += 1;
            return (Verdict::Proved, None);
        }
        let verdict = match bound {
            Bound::Full => self.settle(tree, goal, self.named_limit()),
            Bound::Brief | Bound::Quick | Bound::Patient | Bound::Again => self.wonder(tree, goal, bound),
        };
        let core = self.names.as_mut().and_then(|names| names.core.take()).filter(|_| verdict.is_proved());
        (verdict, core)
    }
    /// What the last question took.
    pub fn effort(&self) -> u64 {
        self.effort
    }
    fn named_limit(&self) -> Limit {
        match self.full().rlimit {
            0 => Limit::of(NAMED_TRY),
            full => Limit::of(full.min(NAMED_TRY)),
        }
    }
    /// Asks about a goal with all names on the path, and where it is proved, once more with the names in the core.
    pub(super) fn ask_named(&mut self, tree: &ProofTree, goal: TermId, limit: Limit) -> Result<Vec<String>, Fault> {
        let (terms, dialect, style) = (&tree.terms, self.settings.dialect, self.settings.style());
        let stated = |node: &&NodeId| tree.fact(**node).is_some_and(|fact| !terms.is_true(fact));
        let mut names: Vec<String> = self.trail.iter().filter(stated).map(|node| name_of(*node)).collect();
        // What a contradiction is learned from stays until the facts go.
        let is_open = !terms.is_false(goal);
        if let Some(known) = self.names.as_mut().filter(|_| is_open) {
            self.script.push_str("(push)\n");
            names.push(known.refute(terms, style, goal, &mut self.script));
        }
        let count = dialect.ask_count();
        let ask = format!("(check-sat-assuming ({}))\n", names.join(" "));
        self.script.push_str(&[&count, &ask, dialect.ask_core, "(get-info :reason-unknown)\n", &count].concat());
        let mut lines = self.exchange(limit)?;
        let named: Vec<String> = lines.extract_if(.., |line| is_core(line)).collect();
        let is_proved = lines.iter().any(|line| line == "unsat");
        if let Some(line) = named.first().filter(|_| is_proved) {
            self.script.push_str(&format!("(check-sat-assuming {line})\n"));
            let again = self.exchange(limit)?;
            let core = again.iter().any(|line| line == "unsat").then(|| read_core(line));
            self.names.iter_mut().for_each(|names| names.core.clone_from(&core));
        }
        if is_open {
            self.script.push_str("(pop)\n");
        }
        Ok(lines)
    }
}

impl FactNames {
    /// The solver knows none of them.
    pub fn forget(&mut self) {
        self.declared.clear();
        self.goals = 0;
    }
    /// States a fact behind its name.
    pub fn state(&mut self, terms: &Terms, style: Style, node: NodeId, fact: TermId, script: &mut String) {
        let name = name_of(node);
        if self.declared.insert(node) {
            let _ = writeln!(script, "(declare-const {name} Bool)");
        }
        write_labelled(terms, style, &name, false, fact, script);
    }
    /// States that a goal does not hold, behind a new name.
    fn refute(&mut self, terms: &Terms, style: Style, goal: TermId, script: &mut String) -> String {
        let name = format!("{GOAL}{}", self.goals);
        self.goals += 1;
        let _ = writeln!(script, "(declare-const {name} Bool)");
        write_labelled(terms, style, &name, true, goal, script);
        name
    }
}

const FACT: &str = "f!";
const GOAL: &str = "n!";

fn name_of(node: NodeId) -> String {
    format!("{FACT}{}", node.index())
}

fn is_core(line: &str) -> bool {
    line == "()" || line.strip_prefix('(').is_some_and(|line| line.starts_with(FACT) || line.starts_with(GOAL))
}

/// `(f!13 n!7 f!5)`
fn read_core(line: &str) -> ProofCore {
    let words = || line.trim_matches(['(', ')']).split_whitespace();
    let node = |word: &str| word.strip_prefix(FACT)?.parse().ok().map(NodeId::new);
    let mut facts: Vec<NodeId> = words().filter_map(node).collect();
    facts.sort_unstable();
    ProofCore { facts: facts.into(), uses_goal: words().any(|word| word.starts_with(GOAL)) }
}
