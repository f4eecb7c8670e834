//! While a wand is packaged, permission that the hypothetical state lacks is taken from the surrounding heaps,
//! innermost first. What is taken becomes part of the hypothetical state at once, so its value is combined with the
//! left side's only there.

use crate::heap::Memory;
use crate::heap::single::Amount;
use crate::limits::TRANSFERRED_CASES;
use crate::state::{Chunk, Cx, Heap, Level, Location, Phase, Shape, State, Step, Stop, Taking};
use echis_proof::{Because, Bound, NodeId, Premise, Question, Rule};
use echis_term::{Op, Rational, TermId};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

impl Memory<'_> {
    /// Turns the state's heap into a level to take from; the state gets an empty heap.
    pub fn enter_level(&mut self, st: &mut State) {
        let zero = self.writer.terms().no_perm();
        let heap = std::mem::replace(&mut st.heap, Heap::aside());
        let taken = vec![zero; heap.chunks.len()];
        Rc::make_mut(&mut st.levels).push(Level { heap, taken });
        st.stated.version = None;
    }

    /// Before permission is removed: takes what is missing, as far as available.
    pub fn transfer(&mut self, st: &mut State, location: &Location, amount: Amount, cx: &Cx) -> Step<()> {
        if self.writer.is_quantified(location.resource) {
            return self.transfer_location(st, location, amount, cx);
        }
        let chunks = st.running_heap().chunks.clone();
        match amount {
            Amount::Exact(amount) => {
                let mut missing = self.lacking(st, &chunks, location, amount, cx);
                for level in (0..st.levels.len()).rev() {
                    if self.writer.tree.terms.is_zero(missing) {
                        break;
                    }
                    missing = self.take_from_level(st, level, location, missing, cx)?;
                }
                Ok(())
            }
            Amount::Wildcard(_) => {
                let sum = self.permission_sum(&chunks, location);
                let positive = self.writer.terms().positive(sum);
                if self.writer.quickly(st, positive, Question::Positive, cx) {
                    return Ok(());
                }
                for level in (0..st.levels.len()).rev() {
                    if self.take_some_from_level(st, level, location, cx)? {
                        break;
                    }
                }
                Ok(())
            }
        }
    }
    /// The part of the amount that the hypothetical state does not hold.
    fn lacking(&mut self, st: &State, chunks: &[Chunk], location: &Location, amount: TermId, cx: &Cx) -> TermId {
        let zero = self.writer.terms().no_perm();
        let mut have = zero;
        for candidate in self.candidates(chunks, location) {
            let differ = self.writer.terms().not(candidate.equal);
            if self.writer.quickly(st, differ, Question::Alias, cx) {
                continue;
            }
            let same = self.writer.quickly(st, candidate.equal, Question::Alias, cx);
            let part =
                if same { candidate.perm } else { self.writer.terms().ite(candidate.equal, candidate.perm, zero) };
            have = self.writer.terms().add(have, part);
            let enough = self.writer.terms().le(amount, have);
            if self.writer.quickly(st, enough, Question::Other, cx) {
                return zero;
            }
        }
        self.shortfall(amount, have)
    }
    /// `max(0, amount - have)`
    pub fn shortfall(&mut self, amount: TermId, have: TermId) -> TermId {
        self.case_by_case(have, |exec, have| {
            let zero = exec.writer.terms().no_perm();
            if exec.writer.tree.terms.is_zero(have) {
                return amount;
            }
            let difference = exec.writer.terms().sub(amount, have);
            exec.writer.terms().max(zero, difference)
        })
    }
    /// The amount still missing after up to `available` was taken: `max(0, missing - available)`.
    pub fn still_missing(&mut self, missing: TermId, available: TermId) -> TermId {
        match self.writer.tree.terms.as_perm(available) {
            Some(_) => self.case_by_case(missing, |exec, missing| exec.shortfall(missing, available)),
            None => self.shortfall(missing, available),
        }
    }
    /// The smaller amount, by cases if one is given by cases.
    pub fn least(&mut self, left: TermId, right: TermId) -> TermId {
        let (cases, other) =
            if self.writer.tree.terms.as_perm(right).is_some() { (left, right) } else { (right, left) };
        if self.writer.tree.terms.as_perm(other).is_none() {
            return self.smaller(left, right);
        }
        self.case_by_case(cases, |exec, case| exec.smaller(case, other))
    }
    fn smaller(&mut self, left: TermId, right: TermId) -> TermId {
        if self.writer.tree.terms.is_zero(left) || self.writer.tree.terms.is_zero(right) {
            return self.writer.terms().no_perm();
        }
        self.writer.terms().min(left, right)
    }
    /// Applies a function to an amount case by case, so that sums of literals are computed. Each subterm is processed
    /// once, however often it occurs; with too many of them, the function is applied to the whole amount.
    fn case_by_case(&mut self, amount: TermId, mut function: impl FnMut(&mut Self, TermId) -> TermId) -> TermId {
        let mut parts = BTreeSet::from([amount]);
        let mut open = vec![amount];
        while let Some(part) = open.pop() {
            if let Some((Op::Ite, &[_, then, otherwise])) = self.writer.tree.terms.as_op(part) {
                open.extend([then, otherwise].into_iter().filter(|case| parts.insert(*case)));
            }
            if parts.len() > TRANSFERRED_CASES {
                return function(self, amount);
            }
        }
        // Subterms are older than the terms that contain them, so key order processes them first.
        let mut values: BTreeMap<TermId, TermId> = BTreeMap::new();
        for part in parts {
            let value = match self.writer.tree.terms.as_op(part) {
                Some((Op::Ite, &[condition, then, otherwise])) => {
                    let (then, otherwise) = (values[&then], values[&otherwise]);
                    self.writer.terms().ite(condition, then, otherwise)
                }
                _ => function(self, part),
            };
            values.insert(part, value);
        }
        values[&amount]
    }
    /// Takes up to `missing` from one level and returns what is still missing.
    fn take_from_level(
        &mut self,
        st: &mut State,
        level: usize,
        location: &Location,
        mut missing: TermId,
        cx: &Cx,
    ) -> Step<TermId> {
        let chunks = st.levels[level].heap.chunks.clone();
        let zero = self.writer.terms().no_perm();
        let definite = self.find(st, &chunks, location, cx);
        let mut candidates = self.candidates(&chunks, location);
        // The chunk that definitely is the location comes first.
        candidates.sort_by_key(|candidate| Some(candidate.index) != definite);
        for candidate in candidates {
            let available = self.available(st, level, candidate.index);
            let same = Some(candidate.index) == definite;
            if self.writer.tree.terms.is_zero(available) {
                continue;
            }
            // Never more than the chunk has, whatever the path says: the path may be infeasible.
            let most = self.least(available, missing);
            let taken = if same { most } else { self.writer.terms().ite(candidate.equal, most, zero) };
            let names = if same { &location.args[..] } else { chunks[candidate.index].args() };
            self.move_in(st, level, candidate.index, names, taken, cx)?;
            let rest = self.still_missing(missing, available);
            missing = if same { rest } else { self.writer.terms().ite(candidate.equal, rest, missing) };
            let none = self.writer.terms().le(missing, zero);
            if self.writer.tree.terms.is_zero(missing) || self.writer.quickly(st, none, Question::Other, cx) {
                return Ok(zero);
            }
            // If values disagree, no left side is like this, and nothing more is needed.
            let falsity = self.writer.terms().falsity();
            if self.writer.probe(st, falsity, Question::Infeasible, Bound::Quick, cx) {
                return Err(Stop::Infeasible);
            }
        }
        Ok(missing)
    }
    /// Takes a positive part of the location, if the level has any. Returns whether it definitely has.
    fn take_some_from_level(&mut self, st: &mut State, level: usize, location: &Location, cx: &Cx) -> Step<bool> {
        let chunks = st.levels[level].heap.chunks.clone();
        let half = self.writer.terms().perm(Rational::ONE / Rational::from(2));
        let definite = self.find(st, &chunks, location, cx);
        let mut candidates = self.candidates(&chunks, location);
        candidates.sort_by_key(|candidate| Some(candidate.index) != definite);
        for candidate in candidates {
            let available = self.available(st, level, candidate.index);
            // The engine may choose the part: half of what is available is always some but not all.
            let part = self.writer.terms().mul(available, half);
            let zero = self.writer.terms().no_perm();
            if Some(candidate.index) == definite {
                self.move_in(st, level, candidate.index, &location.args, part, cx)?;
                let positive = self.writer.terms().positive(available);
                if self.writer.quickly(st, positive, Question::Positive, cx) {
                    return Ok(true);
                }
            } else {
                let part = self.writer.terms().ite(candidate.equal, part, zero);
                self.move_in(st, level, candidate.index, chunks[candidate.index].args(), part, cx)?;
            }
        }
        Ok(false)
    }
    fn available(&mut self, st: &State, level: usize, index: usize) -> TermId {
        let level = &st.levels[level];
        self.shortfall_exact(level.heap.chunks[index].perm, level.taken[index])
    }
    /// The remainder, given that `taken` never exceeds `perm`.
    fn shortfall_exact(&mut self, perm: TermId, taken: TermId) -> TermId {
        if let Some((Op::Ite, &[condition, then, otherwise])) = self.writer.tree.terms.as_op(taken)
            && self.writer.tree.terms.as_perm(perm).is_some()
        {
            let then = self.shortfall_exact(perm, then);
            let otherwise = self.shortfall_exact(perm, otherwise);
            return self.writer.terms().ite(condition, then, otherwise);
        }
        self.writer.terms().sub(perm, taken)
    }
    /// Moves permission from a level into the hypothetical state, known there by the given arguments.
    pub fn move_in(
        &mut self,
        st: &mut State,
        level: usize,
        index: usize,
        args: &[TermId],
        taken: TermId,
        cx: &Cx,
    ) -> Step<()> {
        if self.writer.tree.terms.is_zero(taken) {
            return Ok(());
        }
        let chunk = st.levels[level].heap.chunks[index].clone();
        self.writer.use_grants([&chunk]);
        let grant = self.note_taken(st, level, index, taken, cx);
        let received = Chunk { shape: Shape::Single(args.into()), perm: taken, grant, left: None, ..chunk };
        self.receive(st, &received, cx)
    }
    /// Records that something was taken. Returns the fact that grants it to the state.
    pub fn note_taken(&mut self, st: &mut State, level: usize, index: usize, taken: TermId, cx: &Cx) -> NodeId {
        let Chunk { grant: source, resource, .. } = st.levels[level].heap.chunks[index];
        let before = st.levels[level].taken[index];
        let total = self.writer.terms().add(before, taken);
        Rc::make_mut(&mut st.levels)[level].taken[index] = total;
        self.writer.note_taker(st.at, source, cx);
        let grant = self.grant(st, resource, Because::Rule(Rule::Wand), &[Premise::Fact(source)], cx);
        let taking = Taking { at: st.at, levels: st.levels.clone() };
        if let Some(takings) = self.wands.takings.last_mut() {
            takings.push(taking);
        }
        grant
    }
    /// Adds a chunk to the heap that expressions read and to the remainder.
    pub fn receive(&mut self, st: &mut State, chunk: &Chunk, cx: &Cx) -> Step<()> {
        self.add_chunk(st, chunk.clone(), cx)?;
        if matches!(st.phase, Phase::Consuming { .. }) {
            let phase = std::mem::replace(&mut st.phase, Phase::Settled);
            let result = self.add_chunk(st, chunk.clone(), cx);
            st.phase = phase;
            result?;
        }
        Ok(())
    }
}
