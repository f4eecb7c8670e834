//! Sessions in which each fact has a name, so that unsat cores tell which facts a proof uses. With names the solver takes
//! up to twice as long, but no further question is needed to explain a proof.
//!
//! A name is a proposition that implies the fact, and a question assumes the names of all facts on the path. A core is
//! confirmed by a second question that assumes only the names in it.
//!
//! Such a session makes one attempt. What it does not prove is left to a session without names.

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

/// The names declared in a solver.
#[derive(Default)]
pub(super) struct FactNames {
    /// Nodes with a declared name. Declarations outlive the facts.
    declared: FastSet<NodeId>,
    /// Number of names for goals.
    goals: usize,
    /// The core of the latest proof.
    core: Option<ProofCore>,
}

impl<B: Backend> Session<B> {
    /// A session whose facts have names, or `None` if the solver does not report cores.
    pub fn with_names(backend: B, settings: Settings) -> Option<Self> {
        let tells = !settings.dialect.ask_core.is_empty();
        tells.then(|| Session { names: Some(FactNames::default()), ..Session::new(backend, settings) })
    }
    /// The verdict, and the core of the proof if known. A goal that is itself a fact is proved without the solver.
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
    /// The effort of the last question.
    pub fn effort(&self) -> u64 {
        self.effort
    }
    fn named_limit(&self) -> Limit {
        match self.full().rlimit {
            0 => Limit::of(NAMED_TRY),
            full => Limit::of(full.min(NAMED_TRY)),
        }
    }
    /// Asks about a goal with all names on the path; if it is proved, once more with the names in the core only.
    pub(super) fn ask_named(&mut self, tree: &ProofTree, goal: TermId, limit: Limit) -> Result<Vec<String>, Fault> {
        let (terms, dialect, style) = (&tree.terms, self.settings.dialect, self.settings.style());
        let stated = |node: &&NodeId| tree.fact(**node).is_some_and(|fact| !terms.is_true(fact));
        let mut names: Vec<String> = self.trail.iter().filter(stated).map(|node| name_of(*node)).collect();
        // Without a separate level, what the solver learns stays until the facts are popped.
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
    /// Forgets all names, for a solver that was reset.
    pub fn forget(&mut self) {
        self.declared.clear();
        self.goals = 0;
    }
    /// Asserts that its name implies a fact.
    pub fn state(&mut self, terms: &Terms, style: Style, node: NodeId, fact: TermId, script: &mut String) {
        let name = name_of(node);
        if self.declared.insert(node) {
            let _ = writeln!(script, "(declare-const {name} Bool)");
        }
        write_labelled(terms, style, &name, false, fact, script);
    }
    /// Asserts that a new name implies the negation of a goal.
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
