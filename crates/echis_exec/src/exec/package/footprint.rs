//! Computes one footprint from the amounts that the branches of a package took. The footprint must suffice for every
//! left side and must not depend on it, because it is taken now and the left side comes later.

use super::Package;
use super::bound::Side;
use crate::exec::Executor;
use crate::state::{Chunk, Cx, Level, State, Step, Taking};
use echis_base::SyntaxId;
use echis_proof::{NodeId, Premise, Step as TreeStep};
use echis_term::{Made, TermId};
use std::collections::{BTreeMap, BTreeSet};

/// The end of one branch of a package.
pub(crate) struct Leaf {
    pub st: State,
    /// The snapshot of the right side.
    pub snapshot: TermId,
    pub premises: Vec<Premise>,
}

/// The end of a branch for the footprint: a leaf, or the last point where permission was taken if no leaf follows.
pub(crate) struct End<'l> {
    pub at: NodeId,
    pub levels: &'l [Level],
    pub leaf: Option<&'l Leaf>,
}

/// The footprint: an amount for each chunk of each surrounding heap.
pub(crate) struct Footprint {
    pub amounts: Vec<Vec<TermId>>,
    /// The excess of the footprint over what a left side needs: for each chunk, a function of the left side.
    pub surplus: Vec<Chunk>,
    /// Conditions and amounts of the left side that were replaced by known values.
    pub fixed: Vec<Fixed>,
    /// Conditions and amounts not found to be the same for every left side, and where they are written.
    pub open: Vec<(Option<SyntaxId>, TermId)>,
}

#[derive(Clone, Copy)]
pub(crate) struct Fixed {
    pub source: Option<SyntaxId>,
    pub value: TermId,
    pub now: TermId,
    /// Whether `now` is only a name: all left sides agree on the value, but it is unknown.
    pub agreed: bool,
}

struct Join<'l> {
    outer: &'l State,
    package: &'l Package<'l>,
    ends: Vec<End<'l>>,
    /// The part of the footprint that all branches take.
    common: Vec<Chunk>,
    /// For each end, the case distinctions on its path: node and guard.
    splits: Vec<Vec<(NodeId, TermId)>>,
    /// Whether conditions may be replaced by known ones.
    settle: bool,
    settled: BTreeMap<TermId, Option<TermId>>,
    fixed: Vec<Fixed>,
    open: Vec<(Option<SyntaxId>, TermId)>,
}

impl<'a> Executor<'a> {
    /// The footprint of branches that began in `start`, inside `outer`. With `settle`, conditions that seem the same
    /// for every left side are kept; without it, the footprint suffices by construction.
    pub fn footprint(
        &mut self,
        outer: &State,
        start: &State,
        package: &Package<'_>,
        (leaves, takings): (&[Leaf], &[Taking]),
        settle: bool,
    ) -> Footprint {
        let before = outer.at;
        let ends = self.ends(before, leaves, takings);
        let splits = ends.iter().map(|end| self.splits(before, end.at)).collect();
        let all: Vec<usize> = (0..ends.len()).collect();
        let least = if settle { self.common_footprint(start, &ends, package.hypothesis) } else { Vec::new() };
        let common = self.part_of_levels(start, &least);
        let (settled, fixed, open) = (BTreeMap::new(), Vec::new(), Vec::new());
        let mut join = Join { outer, package, ends, common, splits, settle, settled, fixed, open };
        let mut amounts = Vec::new();
        let mut surplus = Vec::new();
        for (number, level) in start.levels.iter().enumerate() {
            let mut of_level = Vec::new();
            for (index, chunk) in level.heap.chunks.iter().enumerate() {
                let totals: Vec<TermId> = join.ends.iter().map(|end| end.levels[number].taken[index]).collect();
                let taken: Vec<TermId> =
                    totals.into_iter().map(|total| self.since_start(total, level.taken[index])).collect();
                let amount = self.join_amounts(&mut join, &all, 0, &taken, chunk);
                let needed = self.needed(&join, &all, 0, &taken);
                of_level.push((amount, needed));
            }
            amounts.push(of_level);
        }
        // Chunks that were compared to show that left sides agree are part of the footprint, whatever they agree on.
        if join.fixed.iter().any(|fixed| fixed.agreed) {
            for (of_level, least) in amounts.iter_mut().zip(&least) {
                for ((amount, _), &least) in of_level.iter_mut().zip(least) {
                    *amount = self.at_least(*amount, least);
                }
            }
        }
        for (level, of_level) in start.levels.iter().zip(&amounts) {
            for (chunk, &(amount, needed)) in level.heap.chunks.iter().zip(of_level) {
                if needed != amount {
                    let perm = self.eval.memory.writer.terms().sub(amount, needed);
                    surplus.push(Chunk { perm, left: None, ..chunk.clone() });
                }
            }
        }
        let amounts = amounts.into_iter().map(|level| level.into_iter().map(|(amount, _)| amount).collect()).collect();
        Footprint { amounts, surplus, fixed: join.fixed, open: join.open }
    }
    fn at_least(&mut self, amount: TermId, least: TermId) -> TermId {
        if self.eval.memory.writer.tree.terms.is_zero(least) || amount == least {
            amount
        } else {
            self.eval.memory.writer.terms().max(amount, least)
        }
    }
    /// The leaves, and the last point of each path without a leaf where permission was taken.
    fn ends<'l>(&self, before: NodeId, leaves: &'l [Leaf], takings: &'l [Taking]) -> Vec<End<'l>> {
        let mut ends: Vec<End<'l>> =
            leaves.iter().map(|leaf| End { at: leaf.st.at, levels: &leaf.st.levels, leaf: Some(leaf) }).collect();
        let mut covered: BTreeSet<NodeId> = BTreeSet::new();
        for leaf in leaves {
            covered.extend(self.eval.memory.writer.tree.path_since(before, leaf.st.at));
        }
        // Later takings of a path are deeper in the tree.
        for taking in takings.iter().rev() {
            if !covered.contains(&taking.at) {
                ends.push(End { at: taking.at, levels: &taking.levels, leaf: None });
                covered.extend(self.eval.memory.writer.tree.path_since(before, taking.at));
            }
        }
        ends
    }
    /// The amount added to `start` to get `total`.
    pub fn since_start(&mut self, total: TermId, start: TermId) -> TermId {
        if total == start {
            return self.eval.memory.writer.terms().no_perm();
        }
        if self.eval.memory.writer.tree.terms.is_zero(start) {
            return total;
        }
        if let Some((echis_term::Op::Add, &[left, right])) = self.eval.memory.writer.tree.terms.as_op(total) {
            let left = self.since_start(left, start);
            return self.eval.memory.writer.terms().add(left, right);
        }
        self.eval.memory.writer.terms().sub(total, start)
    }
    fn splits(&self, before: NodeId, at: NodeId) -> Vec<(NodeId, TermId)> {
        self.eval
            .memory
            .writer
            .tree
            .path_since(before, at)
            .into_iter()
            .filter_map(|node| match self.eval.memory.writer.tree.nodes[node].step {
                TreeStep::Split { guard, .. } => Some((node, guard)),
                _ => None,
            })
            .collect()
    }
    /// The amount of one chunk for a group of leaves that share their first `depth` case distinctions.
    fn join_amounts(
        &mut self,
        join: &mut Join<'_>,
        group: &[usize],
        mut depth: usize,
        taken: &[TermId],
        chunk: &Chunk,
    ) -> TermId {
        let Some((&first, others)) = group.split_first() else { return self.eval.memory.writer.terms().no_perm() };
        if others.iter().all(|leaf| taken[*leaf] == taken[first]) {
            return self.amount_without(join, group, taken[first], chunk);
        }
        let at = |depth: usize, leaf: usize| join.splits[leaf].get(depth).copied();
        while others.iter().all(|leaf| at(depth, *leaf) == at(depth, first)) {
            if at(depth, first).is_none() {
                // No case distinction separates these leaves: the largest amount suffices for all.
                return self.largest(join, group, taken, chunk);
            }
            depth += 1;
        }
        let Some((node, guard)) = at(depth, first) else { return self.largest(join, group, taken, chunk) };
        let (then, otherwise): (Vec<usize>, Vec<usize>) =
            group.iter().partition(|leaf| join.splits[**leaf].get(depth).map(|split| split.0) == Some(node));
        let source = self.eval.memory.writer.tree.origin_of(node).clause;
        let positive = self.join_amounts(join, &then, depth + 1, taken, chunk);
        let negative = self.join_amounts(join, &otherwise, depth, taken, chunk);
        if positive == negative {
            return positive;
        }
        match self.value_without(join, group, guard, Some(source)) {
            Some(condition) => self.eval.memory.writer.terms().ite(condition, positive, negative),
            None => self.eval.memory.writer.terms().max(positive, negative),
        }
    }
    /// The amount taken, by cases.
    fn needed(&mut self, join: &Join<'_>, group: &[usize], mut depth: usize, taken: &[TermId]) -> TermId {
        let Some((&first, others)) = group.split_first() else { return self.eval.memory.writer.terms().no_perm() };
        let at = |depth: usize, leaf: usize| join.splits[leaf].get(depth).copied();
        while others.iter().any(|leaf| taken[*leaf] != taken[first]) {
            let Some((node, guard)) = at(depth, first) else { break };
            let same = |leaf: &usize| at(depth, *leaf).map(|split| split.0) == Some(node);
            if others.iter().all(same) {
                depth += 1;
                continue;
            }
            let (then, otherwise): (Vec<usize>, Vec<usize>) = group.iter().copied().partition(same);
            let positive = self.needed(join, &then, depth + 1, taken);
            let negative = self.needed(join, &otherwise, depth, taken);
            return self.eval.memory.writer.terms().ite(guard, positive, negative);
        }
        taken[first]
    }
    fn largest(&mut self, join: &mut Join<'_>, group: &[usize], taken: &[TermId], chunk: &Chunk) -> TermId {
        let mut most = self.eval.memory.writer.terms().no_perm();
        for &leaf in group {
            let amount = self.amount_without(join, &[leaf], taken[leaf], chunk);
            most = self.eval.memory.writer.terms().max(most, amount);
        }
        most
    }
    /// An amount without the left side's snapshot: at least `amount`, and at most what the chunk has.
    fn amount_without(&mut self, join: &mut Join<'_>, group: &[usize], amount: TermId, chunk: &Chunk) -> TermId {
        if !self.eval.memory.writer.tree.terms.is_free(join.package.hypothesis, amount) {
            return amount;
        }
        if let Some(amount) = self.value_without(join, group, amount, None) {
            return self.eval.memory.least(amount, chunk.perm);
        }
        let var = join.package.hypothesis;
        let mut decide =
            |executor: &mut Executor<'a>, condition: TermId| executor.value_without(join, group, condition, None);
        let bound = self.bound_without(amount, var, Side::Upper, &mut decide);
        match bound {
            Some(bound) => self.eval.memory.least(bound, chunk.perm),
            None => chunk.perm,
        }
    }
    fn value_without(
        &mut self,
        join: &mut Join<'_>,
        group: &[usize],
        value: TermId,
        source: Option<SyntaxId>,
    ) -> Option<TermId> {
        if !self.eval.memory.writer.tree.terms.is_free(join.package.hypothesis, value) {
            return Some(value);
        }
        if let Some(&known) = join.settled.get(&value) {
            return known;
        }
        let now = if join.settle { self.settle_or_agree(join, group, value, source) } else { None };
        join.settled.insert(value, now);
        if now.is_none() {
            join.open.push((source, value));
        }
        now
    }
    fn settle_or_agree(
        &mut self,
        join: &mut Join<'_>,
        group: &[usize],
        value: TermId,
        source: Option<SyntaxId>,
    ) -> Option<TermId> {
        let ends: Vec<&State> = group.iter().filter_map(|end| Some(&join.ends[*end].leaf?.st)).collect();
        if ends.is_empty() {
            return None;
        }
        let var = join.package.hypothesis;
        let mut now = self.settle(join.outer.at, var, &ends, value, &join.package.cx);
        let bool_sort = self.eval.memory.writer.terms().bool_sort();
        let is_condition = self.eval.memory.writer.tree.terms.sort_of(value) == bool_sort;
        let mut agreed = false;
        if now.is_none() && is_condition && self.agrees(join.outer, join.package, &join.common, value) {
            now = Some(self.eval.memory.writer.fresh(join.outer, Made::Fixed, bool_sort));
            agreed = true;
        }
        if let Some(now) = now {
            join.fixed.push(Fixed { source, value, now, agreed });
        }
        now
    }

    /// The chunks of the surrounding heaps, with these amounts.
    fn part_of_levels(&self, start: &State, amounts: &[Vec<TermId>]) -> Vec<Chunk> {
        let levels = start.levels.iter().zip(amounts);
        let chunks = levels.flat_map(|(level, amounts)| level.heap.chunks.iter().zip(amounts));
        let some = chunks.filter(|(_, perm)| !self.eval.memory.writer.tree.terms.is_zero(**perm));
        some.map(|(chunk, &perm)| Chunk { perm, left: None, ..chunk.clone() }).collect()
    }
    /// Adds the chunks of a footprint to the state.
    pub fn add_footprint(&mut self, st: &mut State, start: &State, footprint: &Footprint, cx: &Cx) -> Step<()> {
        let chunks = self.part_of_levels(start, &footprint.amounts);
        self.eval.memory.add_chunks(st, &chunks, cx)
    }
}
