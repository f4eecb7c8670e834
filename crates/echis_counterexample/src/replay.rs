//! Checks a counterexample: evaluates the facts of the path and the goal in a structure built from the model.
//!
//! Facts about a program's functions hold under their preconditions, and are checked wherever these were established.

use super::lemma::Lemma;
use super::sampling::{Axiom, Occurring, SampleVerdict, axioms};
use super::structure::Structure;
use super::structure::completion::Choices;
use super::tables::Tables;
use super::unrelated::unrelated_axioms;
use super::value::Applications;
use super::{FailedObligation, Status};
use crate::limits::LIMITS;
use echis_findings::diagnose::Place;
use echis_program::program::Program;
use echis_proof::{Completion, NodeId, ProofTree};
use echis_term::{Quant, SymbolId, TermId, TermKind};
use std::collections::BTreeSet;

/// A replay and its result.
pub struct Replay<'a> {
    pub structure: Structure<'a>,
    pub outcome: ReplayVerdict,
    axioms: Axioms,
    /// Number of axioms checked only for the values that occur.
    pub sampled: usize,
    violated: Vec<NodeId>,
    open: Vec<NodeId>,
    lemmas: Vec<Lemma>,
    /// False instances of axioms at values that occur.
    focused: Vec<Lemma>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReplayVerdict {
    Confirmed,
    Violated(NodeId),
    Undetermined(NodeId),
    GoalHolds,
    GoalUnknown,
    TooMuch,
    Unnamed,
}

/// A failure with a model of it.
#[derive(Clone, Copy)]
pub struct ReplayInput<'a, 'c> {
    pub program: &'c Program,
    pub tree: &'a ProofTree,
    pub failing: FailedObligation<'c>,
    pub tables: &'a Tables<'a>,
}

/// For which values axioms are checked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Axioms {
    /// All values.
    Everywhere,
    /// Only those that occur, if there are too many or the others do not matter.
    Occurring,
}

impl<'a> Replay<'a> {
    /// Replays with the known completion, or the best one found.
    pub fn new(input: ReplayInput<'a, '_>) -> Self {
        if let Some(Completion { choices, sampled }) = &input.tables.model.completion {
            let axioms = if *sampled { Axioms::Occurring } else { Axioms::Everywhere };
            return Self::with(input, choices.clone(), axioms);
        }
        let axioms = axioms(input.program);
        let is_axiom = |node: &NodeId| axioms.contains(&input.tree.origin_of(*node).clause);
        if !input.tree.path(input.failing.at).any(|node| is_axiom(&node)) {
            return Self::best(input, Axioms::Everywhere);
        }
        let mut everywhere = Self::with(input, Choices::new(), Axioms::Everywhere);
        if everywhere.violated.len() + everywhere.open.len() <= LIMITS.mended {
            everywhere = Self::improved(everywhere, input, Axioms::Everywhere);
        }
        if everywhere.outcome == ReplayVerdict::Confirmed {
            return everywhere;
        }
        let mut occurring = Self::best(input, Axioms::Occurring);
        let focused = std::mem::take(&mut occurring.lemmas);
        let lemmas = std::mem::take(&mut everywhere.lemmas);
        let better = if occurring.badness() <= everywhere.badness() { occurring } else { everywhere };
        Replay { lemmas, focused, ..better }
    }
    /// Replays with the completion under which most facts hold.
    fn best(input: ReplayInput<'a, '_>, axioms: Axioms) -> Self {
        Self::improved(Self::with(input, Choices::new(), axioms), input, axioms)
    }
    fn improved(mut best: Self, input: ReplayInput<'a, '_>, axioms: Axioms) -> Self {
        let with = |choices| Self::with(input, choices, axioms);
        let (mut tries, mut left) = (0, LIMITS.replaying.saturating_sub(best.structure.spent()));
        // Functions that distinguish values should differ for different arguments.
        let makers = best.structure.rules.makers().iter().copied();
        let apart: Choices =
            makers.filter(|symbol| best.structure.has_choice(*symbol)).map(|symbol| (symbol, 1)).collect();
        if best.outcome != ReplayVerdict::Confirmed && !apart.is_empty() {
            let other = with(apart);
            left = left.saturating_sub(other.structure.spent());
            if other.badness() < best.badness() {
                best = other;
            }
        }
        'better: while best.outcome != ReplayVerdict::Confirmed {
            for symbol in best.suspects(input) {
                let most = if axioms == Axioms::Everywhere { LIMITS.tries } else { LIMITS.sampled_tries };
                if tries == most || left == 0 {
                    break 'better;
                }
                tries += 1;
                let mut choices = best.structure.choices.clone();
                *choices.entry(symbol).or_default() += 1;
                let other = with(choices);
                left = left.saturating_sub(other.structure.spent());
                if other.badness() < best.badness() {
                    best = other;
                    continue 'better;
                }
            }
            break;
        }
        best
    }
    fn badness(&self) -> (usize, usize, bool) {
        (self.violated.len(), self.open.len(), self.outcome != ReplayVerdict::Confirmed)
    }
    /// Functions in violated facts for which another choice is possible.
    fn suspects(&self, ReplayInput { tree, failing, .. }: ReplayInput<'a, '_>) -> BTreeSet<SymbolId> {
        let wrong = self.violated.iter().chain(&self.open).take(LIMITS.suspected).filter_map(|node| tree.fact(*node));
        let goal = matches!(self.outcome, ReplayVerdict::GoalHolds).then_some(failing.goal);
        let symbols: BTreeSet<SymbolId> = wrong.chain(goal).flat_map(|fact| tree.terms.symbols_of(fact)).collect();
        let undecided = self.structure.undecided.borrow();
        symbols.into_iter().filter(|symbol| undecided.contains(symbol) && self.structure.has_choice(*symbol)).collect()
    }
    fn with(input: ReplayInput<'a, '_>, choices: Choices, axioms: Axioms) -> Self {
        let ReplayInput { program, tree, failing, tables } = input;
        let mut facts: Vec<(NodeId, TermId)> =
            tree.path(failing.at).filter_map(|node| Some((node, tree.fact(node)?))).collect();
        facts.reverse();
        let all = facts.iter().map(|(_, fact)| *fact);
        let structure = Structure::new(program, tables, all, failing.goal, choices);
        let outcome = ReplayVerdict::Confirmed;
        let mut replay = Replay {
            structure,
            outcome,
            axioms,
            sampled: 0,
            violated: Vec::new(),
            open: Vec::new(),
            lemmas: Vec::new(),
            focused: Vec::new(),
        };
        let aside = unrelated_axioms(program, tree, &facts, failing.goal, &replay.structure.functions);
        facts.retain(|(node, _)| !aside.contains(node));
        let mut sampled = match axioms {
            Axioms::Everywhere => Vec::new(),
            Axioms::Occurring => replay.sampled(input, &mut facts),
        };
        let guarded = replay.facts(input, &facts);
        let goal = replay.structure.truth(failing.goal);
        if goal == Some(true) {
            replay.lemmas.extend(replay.structure.existing(failing.goal));
            replay.lemmas.extend(replay.structure.disagreements(failing.goal));
        }
        let (mut enough, mut position, mut steps) = (true, 0, LIMITS.steps);
        loop {
            enough &= replay.applications(&guarded, &mut position);
            if !enough || !replay.axioms(&mut sampled, &mut steps) {
                break;
            }
        }
        if goal == Some(false) && replay.violated.is_empty() && replay.open.is_empty() {
            replay.combinations(&sampled);
        }
        replay.outcome = match (replay.violated.first(), replay.open.first()) {
            (Some(node), _) => ReplayVerdict::Violated(*node),
            _ if goal == Some(true) => ReplayVerdict::GoalHolds,
            _ if goal.is_none() => ReplayVerdict::GoalUnknown,
            (None, Some(node)) => ReplayVerdict::Undetermined(*node),
            _ if !enough || replay.structure.budget.get() == 0 || replay.structure.is_inconsistent() => {
                ReplayVerdict::TooMuch
            }
            _ if replay.structure.decoder.late() => ReplayVerdict::Unnamed,
            _ => ReplayVerdict::Confirmed,
        };
        replay
    }
    /// Returns the facts that are checked only where a function's precondition was established.
    fn facts(
        &mut self,
        ReplayInput { program, tree, .. }: ReplayInput<'a, '_>,
        facts: &[(NodeId, TermId)],
    ) -> Vec<(NodeId, TermId, &'a Quant, SymbolId)> {
        let mut guarded = Vec::new();
        for (node, fact) in facts {
            let quant = if let TermKind::Quant(quant) = tree.terms.kind(*fact) { Some(&**quant) } else { None };
            if let Some((quant, function)) =
                quant.and_then(|quant| Some((quant, self.structure.functions.guarded(quant)?)))
            {
                guarded.push((*node, *fact, quant, function));
                continue;
            }
            let is_adt = || self.structure.decoder.adts.is_axiom(self.structure.tables, *fact);
            if quant.is_some() && is_adt() && is_of_adt(program, tree, *node) {
                continue;
            }
            self.structure.witness.take();
            match self.structure.truth(*fact) {
                Some(true) => {}
                Some(false) => {
                    self.violated.push(*node);
                    let witness = self.structure.witness.take();
                    if quant.is_some() && !witness.is_empty() {
                        self.lemmas.push(Lemma::Instance { fact: *fact, values: witness });
                    } else {
                        self.lemmas.extend(self.structure.disagreements(*fact));
                    }
                }
                None => self.open.push(*node),
            }
        }
        guarded
    }
    /// Removes axioms that can be sampled from the facts, and starts to record applications.
    fn sampled(
        &mut self,
        ReplayInput { program, tree, .. }: ReplayInput<'a, '_>,
        facts: &mut Vec<(NodeId, TermId)>,
    ) -> Vec<Axiom<'a, (NodeId, TermId)>> {
        let written = axioms(program);
        let mut sampled = Vec::new();
        facts.retain(|(node, fact)| {
            let is_axiom = written.contains(&tree.origin_of(*node).clause);
            let found = if is_axiom { self.structure.triggered((*node, *fact), *fact) } else { None };
            let keep = found.is_none();
            self.sampled += usize::from(!keep);
            sampled.extend(found.into_iter().flatten());
            keep
        });
        self.structure.occurring.replace(Some(Applications::new()));
        sampled
    }
    /// Checks sampled axioms. Returns whether there were new instances.
    fn axioms(&mut self, sampled: &mut [Axiom<'a, (NodeId, TermId)>], steps: &mut usize) -> bool {
        let applications = self.structure.occurring.borrow().clone().unwrap_or_default();
        let occurring = Occurring::new(&applications, *steps);
        let mut any = false;
        for axiom in sampled {
            let (says, found) = self.structure.says(axiom, &occurring);
            any |= found;
            let (node, fact) = axiom.of;
            match says {
                SampleVerdict::True => {}
                SampleVerdict::False(wrong) => {
                    self.violated.push(node);
                    self.lemmas.extend(wrong.into_iter().map(|values| Lemma::Instance { fact, values }));
                }
                SampleVerdict::Unknown => self.open.push(node),
            }
        }
        *steps = occurring.steps.get();
        any && *steps > 0 && self.structure.budget.get() > 0
    }
    /// Checks whether axioms can hold for all combinations of values that occur, not only those that match their
    /// triggers.
    fn combinations(&mut self, sampled: &[Axiom<'a, (NodeId, TermId)>]) {
        let applications = self.structure.occurring.take().unwrap_or_default();
        let occurring = Occurring::new(&applications, 0);
        for axiom in sampled {
            if let Some(values) = self.structure.denies(axiom, &occurring) {
                let (node, fact) = axiom.of;
                self.violated.push(node);
                self.lemmas.push(Lemma::Instance { fact, values });
            }
        }
    }
    /// Checks facts at the recorded points; checking one may add others. Returns whether all were checked.
    fn applications(&mut self, guarded: &[(NodeId, TermId, &'a Quant, SymbolId)], position: &mut usize) -> bool {
        while let Some((function, args)) = self.structure.functions.point(*position) {
            *position += 1;
            if *position > LIMITS.applications {
                return false;
            }
            for (node, fact, quant, _) in guarded.iter().filter(|(_, _, _, of)| *of == function) {
                match self.structure.at(quant, &args, || self.structure.truth(quant.body)) {
                    Some(true) => {}
                    Some(false) => {
                        self.violated.push(*node);
                        let values = quant.vars.iter().copied().zip(args.iter().cloned()).collect();
                        self.lemmas.push(Lemma::Instance { fact: *fact, values });
                    }
                    None => self.open.push(*node),
                }
            }
        }
        true
    }
    pub fn completion(&self) -> Completion {
        Completion { choices: self.structure.choices.clone(), sampled: self.axioms == Axioms::Occurring }
    }
    /// Whether this replay was cheap enough to try another model.
    pub fn is_cheap(&self) -> bool {
        self.structure.spent() < LIMITS.cheap
    }
    /// Lemmas for the next model: those for values that occur, before others.
    pub fn lemmas(&mut self) -> Vec<Lemma> {
        let focused = self.outcome != ReplayVerdict::Confirmed && !self.focused.is_empty();
        let mut lemmas = std::mem::take(if focused { &mut self.focused } else { &mut self.lemmas });
        lemmas.extend(self.structure.unrolled());
        lemmas
    }
    pub fn status(&self, place: Place<'_>, tree: &ProofTree) -> Status {
        Status::PossiblySpurious(match self.outcome {
            ReplayVerdict::Confirmed => return Status::Confirmed,
            ReplayVerdict::Violated(node) => format!("the model violates {}", clause(place, tree, node)),
            ReplayVerdict::Undetermined(node) => {
                let quantified = tree.fact(node).is_some_and(|fact| tree.terms.has_quantifier(fact));
                let reason = if quantified { ", which ranges over too many values" } else { "" };
                format!("not enough is known to check {}{reason}", clause(place, tree, node))
            }
            ReplayVerdict::GoalHolds => "the goal holds in it".to_string(),
            ReplayVerdict::GoalUnknown => "the model does not determine the value of the goal".to_string(),
            ReplayVerdict::TooMuch => "there was too much to check".to_string(),
            ReplayVerdict::Unnamed => "a set has members that the model does not name".to_string(),
        })
    }
}

/// Whether the fact was written in an ADT, or represents one that was.
fn is_of_adt(program: &Program, tree: &ProofTree, node: NodeId) -> bool {
    let clause = tree.origin_of(node).clause;
    let of_adt = |domain| program.domains[domain].adt.is_some();
    program.domains.iter().any(|(domain, declared)| declared.id == clause && of_adt(domain))
        || program
            .axioms
            .values()
            .any(|axiom| (axiom.id == clause || program.exprs[axiom.body].id == clause) && of_adt(axiom.domain))
}

/// The clause of a fact, with its position.
fn clause(place: Place<'_>, tree: &ProofTree, node: NodeId) -> String {
    let origin = tree.origin_of(node);
    let span = place.program.syntax.span(origin.clause);
    let text = echis_findings::diagnose::source_text(place.sources, span);
    let line = place.sources.position(span).start.line;
    format!("`{text}` (line {line})")
}

/// Whether any evaluated fact contains a quantifier.
pub fn is_quantified(tree: &ProofTree, failing: FailedObligation<'_>) -> bool {
    let facts = tree.path(failing.at).filter_map(|node| tree.fact(node));
    facts.chain([failing.goal]).any(|fact| tree.terms.has_quantifier(fact))
}
