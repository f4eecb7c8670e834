//! Records what explanations need: what a statement used without asking the solver, and which grants of permission a
//! sum counts. No verdict depends on it, and solver sessions never see it.
//!
//! A label is a constant that stands for one grant. Propositions about sums have a second, labelled form in side
//! tables, in which each amount is behind the label of its grant; replays read that form. A chunk merged from several
//! grants records what each contributed.

use crate::state::{Chunk, Cx, Heap, Resource, State, Step};
use crate::tree::{Found, Mark, Writer};
use echis_base::{FastMap, FastSet};
use echis_proof::{
    Because, Bound, Check, CheckId, Labelled, NodeId, Part, Premise, Property, Question, Role, Rule, Step as TreeStep,
};
use echis_term::{Made, Scope, SymbolId, TermId, TermKind};
use std::collections::BTreeMap;

#[derive(Default)]
pub(crate) struct Explain {
    labels: FastMap<NodeId, TermId>,
    grants: BTreeMap<TermId, NodeId>,
    /// For the grant of a merged chunk: its amount when it was merged, and the contribution of each grant.
    merged: FastMap<NodeId, Merged>,
    /// For each label, an unconstrained nonnegative amount.
    unknown: FastMap<TermId, TermId>,
    /// The amounts that names introduced by introspection stand for.
    held: BTreeMap<SymbolId, TermId>,
    /// Grants of `new`.
    created: FastSet<NodeId>,
    /// The proofs that chunks were empty, for chunks that were then dropped.
    depleted: Vec<(Resource, CheckId)>,
}

#[derive(Clone, Copy)]
struct Merged {
    total: TermId,
    counted: TermId,
    known: TermId,
}

/// The amount of a chunk if the label of its grant is false.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Absent {
    /// No permission: for goals that demand at least some amount.
    Nothing,
    /// An unknown amount: for introspection, which depends on there being no more.
    Unknown,
}

/// Uses.
impl Writer<'_> {
    /// Records that the clause needed the premises since the mark.
    pub fn note_use(&mut self, at: NodeId, mark: Mark, cx: &Cx) {
        let premises = self.since(mark);
        self.note_premises(at, premises, cx);
    }
    /// Records that the clause needed the premises of the current step.
    pub fn note_step(&mut self, at: NodeId, cx: &Cx) {
        let premises = self.rested_on();
        self.note_premises(at, premises, cx);
    }
    fn note_premises(&mut self, at: NodeId, premises: Vec<Premise>, cx: &Cx) {
        if premises.is_empty() || cx.mode.is_silent() {
            return;
        }
        let property = cx.permission(cx.at).property;
        let origin = self.tree.origin(cx.origin(Part::Permission));
        let goal = self.terms().truth();
        let check = Check { at, goal, role: Role::Obligation(property), origin, premises: premises.into() };
        self.note(check);
    }
    /// Records that the clause needed the premises since the mark, and returns them for the caller to attach.
    pub fn used_since(&mut self, at: NodeId, mark: Mark, cx: &Cx) -> Vec<Premise> {
        self.note_use(at, mark, cx);
        let premises = self.since(mark);
        self.release(mark);
        premises
    }
    /// Records that permission of a chunk was used, at one of its locations (`None`: its only one); `amount` is
    /// `None` for any.
    pub fn use_chunk(&mut self, st: &State, chunk: &Chunk, args: Option<&[TermId]>, amount: Option<TermId>, cx: &Cx) {
        if !self.is_merged(chunk) {
            return self.rest_on(Premise::Fact(chunk.grant));
        }
        let labelled = self.labelled_chunk(chunk, Absent::Nothing);
        let [plain, labelled] = [chunk, &labelled].map(|chunk| {
            let have = match args {
                Some(args) => self.permission_at(chunk, args),
                None => chunk.perm,
            };
            match amount {
                Some(amount) => self.tree.terms.le(amount, have),
                None => self.tree.terms.positive(have),
            }
        });
        let origin = self.tree.origin(cx.origin(Part::Permission));
        let role = Role::Probe(Question::Other);
        let check = Check { at: st.at, goal: plain, role, origin, premises: Box::from([]) };
        let id = self.note(check);
        self.label_check(id, labelled);
        self.rest_on(Premise::Check(id));
    }
    /// Records the premises of an obligation that already held earlier on this path and is not asked again.
    pub fn met_before(&mut self, st: &State, before: Option<Premise>, property: Property, cx: &Cx) {
        if cx.mode.is_silent() || st.is_dead() {
            return;
        }
        let (goal, role) = (self.terms().truth(), Role::Obligation(property));
        let origin = self.tree.origin(cx.origin(Part::Permission));
        let premises = self.rested_on().into_iter().chain(before).collect();
        self.note(Check { at: st.at, goal, role, origin, premises });
    }
    /// Records that permission of several chunks was used. If a labelled goal tells which of them, nothing is
    /// recorded.
    pub fn use_together<'c>(&mut self, chunks: impl IntoIterator<Item = &'c Chunk>, cx: &Cx) {
        if !cx.mode.is_silent() {
            return;
        }
        self.use_grants(chunks);
    }
    /// Adds the grants of the chunks as premises.
    pub fn use_grants<'c>(&mut self, chunks: impl IntoIterator<Item = &'c Chunk>) {
        for chunk in chunks {
            self.rest_on(Premise::Fact(chunk.grant));
        }
    }
    /// Records that introspection sees these chunks together. If the amount they hold has a name, its definition
    /// tells which chunks count; under bound variables it has none, since a goal about a name would fire other
    /// triggers.
    pub fn see_together(&mut self, st: &State, resource: Resource, cx: &Cx) {
        let chunks = st.running_heap().of(resource).map(|(_, chunk)| chunk);
        if st.scope.is_empty() {
            return self.use_together(chunks, cx);
        }
        self.use_grants(chunks);
        self.rest_on_removals(st, resource);
    }
    /// Proves that a location differs from the one whose value is forgotten, if that is immediate. A proof that uses
    /// the value needs the difference only if the forgetting statement stays too, which explanations decide.
    pub fn apart(&mut self, st: &State, apart: TermId, cx: &Cx) -> Vec<Premise> {
        let mark = self.mark();
        self.probe(st, apart, Question::Apart, Bound::Brief, cx);
        let premises = self.since(mark);
        self.release(mark);
        premises
    }
    /// States how a value may have been forgotten. Nothing rests on a statement that forgets, so explanations read it
    /// as keeping the previous value.
    pub fn state_forgotten(
        &mut self,
        st: &mut State,
        fact: TermId,
        kept: TermId,
        apart: &[Premise],
        cx: &Cx,
    ) -> Step<()> {
        let rule = if apart.is_empty() { Rule::Definition } else { Rule::Merge };
        let before = st.at;
        self.assume(st, fact, Because::Rule(rule), apart, cx.origin(Part::Value))?;
        self.label_fact(st, before, kept);
        Ok(())
    }
    /// Assumes a fact of the engine's own bookkeeping that presupposes something proved before. Explanations do not
    /// presuppose it, or else it would be known without its reasons.
    pub fn assume_presuming(&mut self, st: &mut State, fact: TermId, proved: TermId, rule: Rule, cx: &Cx) -> Step<()> {
        let before = st.at;
        self.assume_rule(st, fact, rule, cx)?;
        let kept = self.terms().implies(proved, fact);
        if kept != fact {
            self.label_fact(st, before, kept);
        }
        Ok(())
    }
    /// Whether a resource's chunk is empty, so that it can be dropped or skipped. On a dead path it may stay.
    pub fn probe_empty(&mut self, st: &State, empty: TermId, resource: Resource, bound: Bound, cx: &Cx) -> bool {
        if st.is_dead() && !self.tree.terms.is_true(empty) {
            return false;
        }
        match self.find_out(st, empty, Question::Depleted, bound, cx) {
            Some(Found::Checked(check)) => self.explain.depleted.push((resource, check)),
            Some(Found::Plain) => {}
            None => return false,
        }
        true
    }
    /// Records that introspection depends on chunks having been dropped.
    pub fn rest_on_depletion(&mut self, st: &State, resource: Resource) {
        let relevant: Vec<CheckId> = self
            .explain
            .depleted
            .iter()
            .filter(|(of, check)| *of == resource && self.is_on_path(self.tree.checks[*check].at, st.at))
            .map(|(_, check)| *check)
            .collect();
        relevant.into_iter().for_each(|check| self.rest_on(Premise::Check(check)));
    }
}

/// Labels.
impl Writer<'_> {
    pub(crate) fn label(&mut self, grant: NodeId) -> TermId {
        if let Some(label) = self.explain.labels.get(&grant) {
            return *label;
        }
        let sort = self.terms().bool_sort();
        let label = self.terms().fresh(&Scope::default(), Made::Granted, &[], sort);
        self.explain.labels.insert(grant, label);
        self.explain.grants.insert(label, grant);
        label
    }
    /// The amount of a chunk that introspection knows, with grants and removals behind labels.
    pub fn known_amount(&mut self, chunk: &Chunk) -> TermId {
        match chunk.left {
            Some(left) if left.amount == chunk.perm => left.known,
            // The amount was changed in another way, so it depends on all of them.
            Some(left) => {
                let label = self.label(chunk.grant);
                let labels: Vec<TermId> = self.labelled(left.known).labels.iter().map(|(label, _)| *label).collect();
                let all = self.terms().and(labels.into_iter().chain([label]));
                let unknown = self.unknown(label);
                self.terms().ite(all, chunk.perm, unknown)
            }
            None => self.labelled_chunk(chunk, Absent::Unknown).perm,
        }
    }
    /// The chunk with its amount behind the labels of its grants.
    fn labelled_chunk(&mut self, chunk: &Chunk, absent: Absent) -> Chunk {
        let perm = match self.explain.merged.get(&chunk.grant).copied() {
            _ if absent == Absent::Unknown && chunk.left.is_some() => self.known_amount(chunk),
            Some(merged) if self.is_comparable(merged.total, chunk.perm) => {
                let labelled = if absent == Absent::Nothing { merged.counted } else { merged.known };
                let taken = self.tree.terms.sub(merged.total, chunk.perm);
                self.tree.terms.sub(labelled, taken)
            }
            _ => {
                let label = self.label(chunk.grant);
                // A written permission may be left out while other code holds it; permission that the code itself
                // creates goes with the code.
                let otherwise = match absent {
                    Absent::Unknown if self.is_written(chunk.grant) => self.unknown(label),
                    _ => self.terms().no_perm(),
                };
                self.terms().ite(label, chunk.perm, otherwise)
            }
        };
        Chunk { perm, ..chunk.clone() }
    }
    pub fn is_merged(&self, chunk: &Chunk) -> bool {
        self.explain.merged.contains_key(&chunk.grant)
    }
    fn is_written(&self, grant: NodeId) -> bool {
        let step = &self.tree.nodes[grant].step;
        matches!(step, TreeStep::Assume { because: Because::Written, .. }) && !self.explain.created.contains(&grant)
    }
    /// Records a permission to a new object.
    pub fn note_creation(&mut self, grant: NodeId) {
        self.explain.created.insert(grant);
    }
    /// Whether what was taken since is a literal amount.
    fn is_comparable(&self, total: TermId, perm: TermId) -> bool {
        total == perm || self.tree.terms.as_perm(total).is_some() && self.tree.terms.as_perm(perm).is_some()
    }
    fn unknown(&mut self, label: TermId) -> TermId {
        if let Some(unknown) = self.explain.unknown.get(&label) {
            return *unknown;
        }
        let sort = self.terms().perm_sort();
        let unknown = self.terms().fresh(&Scope::default(), Made::Unknown, &[], sort);
        self.explain.unknown.insert(label, unknown);
        unknown
    }
    /// The labelled chunks; `None` in silent modes, where nothing is demanded.
    pub fn labelled_chunks<'c>(&mut self, chunks: impl IntoIterator<Item = &'c Chunk>, cx: &Cx) -> Option<Vec<Chunk>> {
        self.labelled_as(chunks, Absent::Nothing, cx)
    }
    /// The chunks as introspection may observe them: the known amounts, and a lower bound.
    pub fn known_chunks(&mut self, heap: &Heap, resource: Resource, cx: &Cx) -> Option<[Vec<Chunk>; 2]> {
        let chunks = || heap.of(resource).map(|(_, chunk)| chunk);
        let known = self.labelled_as(chunks(), Absent::Unknown, cx)?;
        let counted = self.labelled_as(chunks(), Absent::Nothing, cx)?;
        Some([known, counted].map(|chunks| chunks.into_iter().chain(heap.gone_of(resource).cloned()).collect()))
    }
    fn labelled_as<'c>(
        &mut self,
        chunks: impl IntoIterator<Item = &'c Chunk>,
        absent: Absent,
        cx: &Cx,
    ) -> Option<Vec<Chunk>> {
        if cx.mode.is_silent() {
            return None;
        }
        Some(chunks.into_iter().map(|chunk| self.labelled_chunk(chunk, absent)).collect())
    }
    /// Records that two chunks were merged.
    pub fn note_merge(&mut self, grant: NodeId, total: TermId, old: &Chunk, new: &Chunk) {
        let [counted, known] = [Absent::Nothing, Absent::Unknown].map(|absent| {
            let (old, new) = (self.labelled_chunk(old, absent).perm, self.labelled_chunk(new, absent).perm);
            self.terms().add(old, new)
        });
        self.explain.merged.insert(grant, Merged { total, counted, known });
    }
    /// Records the labelled form of a goal.
    pub fn label_check(&mut self, check: CheckId, goal: TermId) {
        let labelled = self.labelled(goal);
        self.tree.labelled_goals.replace(check, labelled);
    }
    /// Records the labelled form of the latest fact, if one was stated since `before`.
    pub fn label_fact(&mut self, st: &State, before: NodeId, fact: TermId) {
        if st.at != before {
            let labelled = self.labelled(fact);
            self.tree.labelled_facts.replace(st.at, labelled);
        }
    }
    pub(crate) fn labelled(&self, term: TermId) -> Labelled {
        let mut labels = Vec::new();
        self.tree.terms.for_each_subterm(term, |part| {
            labels.extend(self.explain.grants.get(&part).map(|grant| (part, *grant)));
        });
        labels.sort();
        Labelled { term, labels: labels.into() }
    }
    /// Names the amount that chunks hold together, so that explanations can tell which of them count. The counted
    /// amount is only a lower bound, if there is one.
    pub fn name_held(
        &mut self,
        st: &mut State,
        sum: TermId,
        labelled: TermId,
        counted: Option<TermId>,
        cx: &Cx,
    ) -> TermId {
        let grants = self.labelled(labelled).labels;
        let premises: Vec<Premise> = grants.iter().map(|(_, grant)| Premise::Fact(*grant)).collect();
        let origin = cx.origin(Part::Permission);
        let before = st.at;
        let held = self.define(st, Made::Held, sum, Because::Rule(Rule::Merge), &premises, origin);
        if let TermKind::App(symbol, _) = self.tree.terms.kind(held) {
            self.explain.held.insert(*symbol, sum);
        }
        let mut facts = vec![self.tree.terms.eq(held, labelled)];
        for (label, _) in grants {
            if let Some(unknown) = self.explain.unknown.get(&label).copied() {
                let zero = self.terms().no_perm();
                facts.push(self.terms().le(zero, unknown));
            }
        }
        if let Some(counted) = counted {
            let one = self.terms().write();
            facts.push(self.terms().le(counted, one));
        }
        let fact = self.terms().and(facts);
        self.label_fact(st, before, fact);
        held
    }
    /// Replaces names of amounts in a goal by the amounts; the result is often trivially true or false. The names are
    /// defined wherever they occur.
    pub fn without_held(&mut self, goal: TermId) -> TermId {
        self.tree.terms.substitute(goal, &self.explain.held)
    }
    fn permission_at(&mut self, chunk: &Chunk, args: &[TermId]) -> TermId {
        match chunk.shape {
            crate::state::Shape::Single(_) => chunk.perm,
            crate::state::Shape::Many(_) => self.perm_at(chunk, args),
        }
    }
}
