//! Summaries: a map that agrees with each of several chunks wherever that chunk has permission.
//!
//! A summary is determined by the chunks alone, not by the path on which it is first needed. It is therefore kept,
//! does not depend on bound variables that the chunks do not mention, and if it was created behind a guard, its
//! definition holds without the guard.
//!
//! A map that becomes part of a snapshot has a set of keys, and nothing is known of it outside: two such maps are
//! equal if they have the same keys and agree on them.

use crate::heap::Memory;
use crate::limits::STATEMENTS_LOOKED_AT;
use crate::state::{Chunk, Cx, Location, Resource, State, Step};
use crate::tree::keys::{produced, singleton};
use echis_base::FastMap;
use echis_proof::{Because, NodeId, Origin, Part, Premise, Rule};
use echis_term::{Made, Op, QuantifierRole, SymbolId, TermId};

#[derive(Default)]
pub(crate) struct Summaries {
    known: FastMap<Source, Summary>,
    /// Facts that hold wherever another node does, namely the grant of the youngest chunk they mention.
    unconditional: FastMap<NodeId, (NodeId, Fact)>,
}

/// The terms that determine a summary.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Source {
    resource: Resource,
    /// Amounts and values.
    chunks: Vec<(TermId, TermId)>,
    /// The keys, for a map in a snapshot: a condition on the canonical variables.
    domain: Option<TermId>,
}

struct Summary {
    map: TermId,
    facts: Vec<TermId>,
    /// The chunk that each fact is about.
    about: Vec<Option<usize>>,
    /// The nodes where each fact was stated.
    stated: Vec<Vec<NodeId>>,
}

#[derive(Clone)]
struct Fact {
    source: Source,
    index: usize,
}

impl Memory<'_> {
    /// A map of the values of all the chunks, which belong to one resource in one heap.
    pub fn summarise(&mut self, st: &mut State, location: &Location, chunks: &[Chunk], cx: &Cx) -> Step<TermId> {
        match chunks {
            [only] if singleton(only).is_none() => Ok(only.value),
            _ => self.summary_map(st, location, chunks, None, cx),
        }
    }
    /// A map of the values of the chunks within the domain, as a snapshot.
    pub fn snapshot_map(
        &mut self,
        st: &mut State,
        location: &Location,
        chunks: &[Chunk],
        domain: TermId,
        cx: &Cx,
    ) -> Step<TermId> {
        let map = self.summary_map(st, location, chunks, Some(domain), cx)?;
        Ok(self.writer.terms().wrap(map))
    }
    fn summary_map(
        &mut self,
        st: &mut State,
        location: &Location,
        chunks: &[Chunk],
        domain: Option<TermId>,
        cx: &Cx,
    ) -> Step<TermId> {
        let source = Source {
            resource: location.resource,
            chunks: chunks.iter().map(|chunk| (chunk.perm, chunk.value)).collect(),
            domain,
        };
        if !self.quantified.summaries.known.contains_key(&source) {
            let summary = self.new_summary(st, location, chunks, domain);
            self.quantified.summaries.known.insert(source.clone(), summary);
        }
        let summary = &self.quantified.summaries.known[&source];
        let map = summary.map;
        let anchor = chunks.iter().map(|chunk| chunk.grant).max_by_key(|node| self.writer.tree.nodes[*node].depth);
        let anchor = anchor.unwrap_or_else(|| self.writer.tree.root());
        for (index, about) in summary.about.clone().into_iter().enumerate() {
            let fact = Fact { source: source.clone(), index };
            let premises: Vec<Premise> = about.map(|chunk| Premise::Fact(chunks[chunk].grant)).into_iter().collect();
            self.state_summary(st, fact, anchor, &premises, cx.origin(Part::Value))?;
        }
        Ok(map)
    }
    fn state_summary(
        &mut self,
        st: &mut State,
        fact: Fact,
        anchor: NodeId,
        premises: &[Premise],
        origin: Origin,
    ) -> Step<()> {
        let summary = &self.quantified.summaries.known[&fact.source];
        if summary.stated[fact.index]
            .iter()
            .rev()
            .take(STATEMENTS_LOOKED_AT)
            .any(|node| self.writer.is_on_path(*node, st.at))
        {
            return Ok(());
        }
        let term = summary.facts[fact.index];
        self.writer.assume(st, term, Because::Rule(Rule::Merge), premises, origin)?;
        let summaries = &mut self.quantified.summaries;
        let summary = summaries.known.get_mut(&fact.source).expect("a fact belongs to a known summary");
        summary.stated[fact.index].push(st.at);
        summaries.unconditional.insert(st.at, (anchor, fact));
        Ok(())
    }
    fn new_summary(&mut self, st: &State, location: &Location, chunks: &[Chunk], domain: Option<TermId>) -> Summary {
        let keys = self.writer.keys(location.resource, &location.args);
        let ready = domain.and_then(|domain| chunks.iter().position(|chunk| self.is_snapshot(chunk, domain)));
        let map = match ready {
            Some(place) => chunks[place].value,
            None => {
                let mut about: Vec<TermId> = chunks.iter().flat_map(|chunk| [chunk.perm, chunk.value]).collect();
                about.extend(domain);
                let scope = self.writer.tree.terms.scope_of(&st.scope, &about);
                self.writer.terms().fresh(&scope, Made::Summary, &[], keys.map_sort)
            }
        };
        let mut facts = Vec::new();
        for (place, chunk) in chunks.iter().enumerate() {
            let domain = self.first_instance(location.resource, &chunks[..place], domain);
            let fact = match singleton(chunk) {
                Some(args) => {
                    let perm = self.writer.perm_at(chunk, &args);
                    let inside = domain.map(|domain| self.writer.at_location(&keys, domain, &args));
                    let value = self.writer.look_up(location.resource, map, &args);
                    self.agree(perm, inside, value, chunk.value)
                }
                None => {
                    let perm = self.writer.at_key(&keys, chunk.perm);
                    let inside = domain.map(|domain| self.writer.at_key(&keys, domain));
                    let mine = self.writer.terms().op(Op::Lookup, [chunk.value, keys.key_term]);
                    let value = self.writer.terms().op(Op::Lookup, [map, keys.key_term]);
                    let body = self.agree(perm, inside, value, mine);
                    self.writer.terms().forall(
                        &[keys.key],
                        vec![vec![value], vec![mine]],
                        body,
                        QuantifierRole::Summary,
                    )
                }
            };
            facts.push((fact, Some(place)));
        }
        if let Some(domain) = domain {
            facts.push((self.has_keys(&keys, map, domain), ready));
            if !self.writer.tree.terms.scope_of(&st.scope, &[map]).is_empty() {
                // Under a quantifier, the solver sees the map's keys only if a fact mentions them outside of
                // triggers.
                let set = self.writer.terms().op(Op::KeySet, [map]);
                facts.push((self.writer.terms().op(Op::SetSubset, [set, set]), None));
            }
        }
        facts.retain(|(fact, _)| !self.writer.tree.terms.is_true(*fact));
        let (facts, about): (Vec<TermId>, Vec<Option<usize>>) = facts.into_iter().unzip();
        let stated = vec![Vec::new(); facts.len()];
        Summary { map, facts, about, stated }
    }
    /// All chunks of a field or predicate have the same value. Wands with the same arguments are distinct, each with
    /// its own value: the first one counts.
    fn first_instance(&mut self, resource: Resource, earlier: &[Chunk], domain: Option<TermId>) -> Option<TermId> {
        if !matches!(resource, Resource::Wand(_)) || earlier.is_empty() {
            return domain;
        }
        let perms: Vec<TermId> = earlier.iter().map(|chunk| chunk.perm).collect();
        let some = super::perms::any_some(self.writer.terms(), &perms);
        let none = self.writer.terms().not(some);
        Some(self.writer.terms().and(domain.into_iter().chain([none])))
    }
    /// Whether the chunk's map equals a snapshot of the domain: it was produced from one, and the permission is still
    /// held.
    fn is_snapshot(&self, chunk: &Chunk, domain: TermId) -> bool {
        produced(chunk).is_some_and(|produced| {
            produced.keyed
                && produced.image == domain
                && (chunk.perm == produced.perm || self.covers_exactly(chunk.perm, domain).is_some())
        })
    }
    /// States that the value is the chunk's wherever it has permission.
    pub fn agree(&mut self, perm: TermId, inside: Option<TermId>, value: TermId, mine: TermId) -> TermId {
        let positive = super::perms::is_some(self.writer.terms(), perm);
        let guard = self.writer.terms().and(inside.into_iter().chain([positive]));
        let equal = self.writer.terms().eq(value, mine);
        self.writer.terms().implies(guard, equal)
    }
    /// States that the map's keys are the locations in the domain.
    pub fn has_keys(&mut self, keys: &crate::tree::keys::Keys, map: TermId, domain: TermId) -> TermId {
        let domain = self.writer.at_key(keys, domain);
        let terms = self.writer.terms();
        let inside = terms.and([keys.shape, domain]);
        let set = terms.op(Op::KeySet, [map]);
        let contains = terms.op(Op::SetContains, [set, keys.key_term]);
        let equal = terms.eq(contains, inside);
        terms.forall(&[keys.key], vec![vec![contains]], equal, QuantifierRole::Keys)
    }

    /// Lifts the definition of a summary out of a guard or quantifier that it does not depend on. Returns whether it
    /// could.
    pub fn lift_summary(
        &mut self,
        st: &mut State,
        node: NodeId,
        fact: TermId,
        vars: &[SymbolId],
        origin: Origin,
    ) -> Step<bool> {
        let Some((anchor, summary)) = self.quantified.summaries.unconditional.get(&node).cloned() else {
            return Ok(false);
        };
        if !self.writer.is_on_path(anchor, st.at) || vars.iter().any(|var| self.writer.tree.terms.is_free(*var, fact)) {
            return Ok(false);
        }
        self.state_summary(st, summary, anchor, &[Premise::Fact(node)], origin)?;
        Ok(true)
    }
}
