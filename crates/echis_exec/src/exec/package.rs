//! `package`: computes a footprint and creates the wand.
//!
//! The branches are explored twice if necessary. In the first pass, missing permission is taken, which determines the
//! footprint. If the footprint then rests on a condition that seemed the same for every left side, a second pass
//! starts with that footprint and can take nothing: either the wand holds in the footprint, whatever made the
//! condition seem constant, or the larger footprint is used, which needs no such condition.
//!
//! Each case of the left side is explored once. What a case takes from the surrounding state becomes part of the
//! footprint. A condition under which something was taken stays a condition only if it has the same value for every
//! left side to which the wand can be applied; otherwise the footprint is the larger of both cases. Syntactic rules
//! decide most conditions, the solver the rest. The tree records the footprint and the reason for each condition.

mod agree;
mod bound;
mod export;
mod fixed;
mod footprint;

use crate::eval::produce::Giving;
use crate::exec::Executor;
use crate::heap::Layer;
use crate::heap::wands::Surplus;
use crate::state::{Chunk, Cx, Heap, Mode, Obligation, Phase, Resource, Shape, State, Step, Stop};
use echis_base::{Diagnostic, SyntaxId};
use echis_program::cfg;
use echis_program::program::{Block, ExprId, ExprKind, OldState};
use echis_proof::{Because, ErrorKind, Premise, Property, Reason, Rule};
use echis_term::{Made, SymbolId};
use export::LeftSide;
use footprint::{Footprint, Leaf};
use std::rc::Rc;

/// The wand being packaged.
#[derive(Clone, Copy)]
pub(crate) struct Package<'p> {
    pub left: ExprId,
    pub right: ExprId,
    pub script: &'p Block,
    /// Represents the snapshot of an arbitrary left side.
    pub hypothesis: SymbolId,
    pub cx: Cx,
}

impl Package<'_> {
    pub fn within(&self, mode: Mode) -> Self {
        Package { cx: self.cx.within(mode), ..*self }
    }
}

impl Executor<'_> {
    pub fn exec_package(
        &mut self,
        mut st: State,
        wand: ExprId,
        script: &Block,
        id: SyntaxId,
        mode: Mode,
    ) -> Step<Vec<State>> {
        let cx = mode.cx(ErrorKind::Package, id);
        self.refuse_package(&st, wand, script, id, mode)?;
        let (left, right) = self.eval.wand_sides(wand);
        let instance = self.eval.eval_wand_holes(&mut st, wand, &cx)?;
        let mut premises = self.eval.memory.writer.rested_on();
        // Facts about aliases that follow from the heap are lost once parts of it are removed.
        self.eval.memory.consolidate(&mut st, &cx)?;
        let mut resources: Vec<Resource> = st.heap.chunks.iter().map(|chunk| chunk.resource).collect();
        resources.sort();
        resources.dedup();
        for resource in resources {
            if !matches!(resource, Resource::Wand(_)) {
                self.eval.memory.prepare_map(&mut st, resource, &cx)?;
            }
        }
        let snap = self.eval.memory.writer.terms().snap_sort();
        let hypothesis = self.eval.memory.writer.terms().fresh_variable("left", snap);
        self.eval.memory.wands.hypotheses.insert(hypothesis);
        let package = Package { left, right, script, hypothesis, cx };

        let before = st.at;
        let mut start = self.hypothetical(&st, hypothesis);
        self.eval.memory.enter_level(&mut start);
        self.eval.memory.wands.takings.push(Vec::new());
        let explored = self.explore(start.clone(), &package);
        let takings = self.eval.memory.wands.takings.pop().unwrap_or_default();
        let mut leaves = explored?;
        let mut footprint = self.footprint(&st, &start, &package, (&leaves, &takings), true);
        if !footprint.fixed.is_empty() {
            match self.explore_footprint(&st, &start, &footprint, &package) {
                Some(checked) => {
                    leaves = checked;
                    // The second pass may use the footprint differently.
                    footprint.surplus.clear();
                }
                None => {
                    footprint = self.footprint(&st, &start, &package, (&leaves, &takings), false);
                }
            }
        }
        if self.context.options.recheck {
            self.recheck(&st, &start, &footprint, &package)?;
        }
        for leaf in &leaves {
            premises.extend(&leaf.premises);
        }
        premises.sort();
        premises.dedup();
        self.eval.memory.writer.begin_step();
        self.remove_footprint(&mut st, &footprint, &cx)?;
        let sort = self.eval.memory.writer.value_sort(instance.resource);
        let map = self.eval.memory.writer.fresh(&st, Made::Wand, sort);
        let left_side = LeftSide { map, hypothesis };
        self.note_footprint(&mut st, &start, &footprint, left_side, &cx)?;
        self.export(&mut st, before, &leaves, left_side, &cx)?;
        let grant = self.eval.memory.grant(&mut st, instance.resource, Because::Checked, &premises, &cx);
        if !footprint.surplus.is_empty() {
            let surplus = Surplus { hypothesis, chunks: footprint.surplus };
            self.eval.memory.wands.surplus.insert(map, Rc::new(surplus));
        }
        let one = self.eval.memory.writer.terms().write();
        self.eval.add_wand(&mut st, Chunk::at(instance, one, map, grant), &cx)?;
        Ok(vec![st])
    }
    /// Reports constructs whose meaning when the wand is applied would differ from their meaning here.
    fn refuse_package(&mut self, st: &State, wand: ExprId, script: &Block, id: SyntaxId, mode: Mode) -> Step<()> {
        let introspects = self
            .eval
            .memory
            .writer
            .context
            .program
            .any(wand, |kind| matches!(kind, ExprKind::PermOf(_) | ExprKind::ForPerm { .. }));
        if introspects {
            return self.eval.memory.writer.unsupported(
                st,
                id,
                "a wand that asks for held permissions cannot be packaged",
                mode,
            );
        }
        match cfg::build(self.context.program, script) {
            Ok(cfg) if cfg.loops.is_empty() => Ok(()),
            Ok(_) => self.eval.memory.writer.unsupported(st, id, "loops are not supported in proof scripts", mode),
            Err(irreducible) => {
                self.eval.memory.writer.unsupported(st, irreducible.jump, "this jump leaves a proof script", mode)
            }
        }
    }
    /// The state with an unknown left side: every fresh symbol is a function of its snapshot.
    pub fn hypothetical(&mut self, st: &State, hypothesis: SymbolId) -> State {
        let mut inner = st.clone();
        inner.scope.enter(hypothesis);
        inner.phase = Phase::Settled;
        inner.explores = false;
        inner.heap.aside = true;
        inner
    }
    /// Assumes the left side, runs the script, and demands the right side.
    fn explore(&mut self, st: State, package: &Package<'_>) -> Step<Vec<Leaf>> {
        let (cx, ended) = (package.cx, self.eval.memory.writer.ended());
        let snapshot = self.eval.memory.writer.terms().constant(package.hypothesis);
        let starts = self.eval.produce_from(st, &[package.left], snapshot, &Giving::written(), |_, _| cx)?;
        // Everything rests on the cases that were excluded along the way.
        let excluded = self.eval.memory.writer.rested_on();
        let mut leaves = Vec::new();
        for mut st in starts {
            let heap = st.heap.clone();
            Rc::make_mut(&mut st.old).insert(OldState::Lhs, heap);
            for end in self.run(st, package.script, cx.mode)? {
                self.eval.memory.writer.begin_step();
                let kept = Cx { purpose: cx.purpose.keeping_snapshots(), ..cx };
                let consumed = self.eval.consume_clauses(end, &[package.right], None, |_, _| kept)?;
                let excluded = [self.eval.memory.writer.rested_on(), excluded.clone()].concat();
                leaves.extend(consumed.into_iter().map(|end| Leaf {
                    st: end.st,
                    snapshot: end.snapshot,
                    premises: [end.premises, excluded.clone()].concat(),
                }));
            }
        }
        self.eval.memory.writer.close_ended(ended, true, cx.mode);
        Ok(leaves)
    }
    /// Explores with a given footprint and nothing else to take from. Returns `None` if it does not suffice.
    fn explore_footprint(
        &mut self,
        st: &State,
        start: &State,
        footprint: &Footprint,
        package: &Package<'_>,
    ) -> Option<Vec<Leaf>> {
        let mut inner = self.hypothetical(st, package.hypothesis);
        inner.levels = Rc::default();
        inner.heap = Heap::default();
        inner.stated.version = None;
        self.tentatively(package.cx.mode, |executor, mode| {
            let package = &package.within(mode);
            let given = executor
                .add_footprint(&mut inner, start, footprint, &package.cx)
                .and_then(|()| executor.assume_agreed(&mut inner, footprint, &package.cx));
            match given {
                Ok(()) => executor.explore(inner, package),
                Err(Stop::Infeasible) => Ok(Vec::new()),
                Err(stop) => Err(stop),
            }
        })
    }

    /// States that conditions on which all left sides were shown to agree equal their names.
    fn assume_agreed(&mut self, st: &mut State, footprint: &Footprint, cx: &Cx) -> Step<()> {
        for fixed in footprint.fixed.iter().filter(|fixed| fixed.agreed) {
            let equal = self.eval.memory.writer.terms().eq(fixed.value, fixed.now);
            self.eval.memory.writer.assume_rule(st, equal, Rule::Wand, cx)?;
        }
        Ok(())
    }
    /// Checks, independently of how the footprint was found, that the wand holds in it: with the left side added to
    /// the footprint, for any values, the right side can be consumed.
    fn recheck(&mut self, st: &State, start: &State, footprint: &Footprint, package: &Package<'_>) -> Step<()> {
        if self.eval.memory.writer.failed() > 0 || !package.cx.mode.is_reporting() {
            return Ok(());
        }
        let at = package.cx.at;
        if self.explore_footprint(st, start, footprint, package).is_none() {
            let property = Property { error: ErrorKind::Internal, at, reason: Reason::Internal, offending: at };
            return self.eval.memory.writer.fail(st, Obligation::other(property), None, package.cx.mode);
        }
        let span = self.context.program.syntax.span(at);
        self.eval.memory.writer.warn(Diagnostic::warning("wand.rechecked", span, "The wand holds in its footprint."));
        Ok(())
    }

    /// Removes the footprint from the heap and from the surrounding heaps.
    fn remove_footprint(&mut self, st: &mut State, footprint: &Footprint, cx: &Cx) -> Step<()> {
        let Some((own, around)) = footprint.amounts.split_last() else { return Ok(()) };
        // Permission from outer heaps is first moved into this state, which thereby learns its values.
        let mut through = Vec::new();
        for (number, amounts) in around.iter().enumerate() {
            for (index, &amount) in amounts.iter().enumerate() {
                if !self.eval.memory.writer.tree.terms.is_zero(amount) {
                    let chunk = st.levels[number].heap.chunks[index].clone();
                    let chunk = match chunk.shape {
                        Shape::Many(_) => self.eval.memory.move_many_in(st, number, index, amount, cx),
                        Shape::Single(_) => {
                            self.eval.memory.move_in(st, number, index, chunk.args(), amount, cx)?;
                            chunk
                        }
                    };
                    through.push((chunk, amount));
                }
            }
        }
        for (index, &amount) in own.iter().enumerate().rev() {
            if self.eval.memory.writer.tree.terms.is_zero(amount) {
                continue;
            }
            let chunks = st.heap.chunks.clone();
            match chunks[index].shape {
                Shape::Many(_) => self.eval.memory.leave_many(st, index, amount, cx)?,
                Shape::Single(_) => {
                    self.eval.memory.separate(st, &chunks, index, cx)?;
                    self.eval.memory.take_from(st, index, amount, cx)?;
                }
            }
            // The remainder is granted by the package.
            if st.heap.chunks.len() == chunks.len() {
                let mut premises = self.eval.memory.writer.removals(&st.heap.chunks[index]);
                premises.push(Premise::Fact(chunks[index].grant));
                let grant = self.eval.memory.grant(st, chunks[index].resource, Because::Checked, &premises, cx);
                let chunk = Chunk { grant, left: None, ..st.heap.chunks[index].clone() };
                st.heap.chunks_mut()[index] = chunk;
            }
        }
        for (chunk, amount) in through {
            let chunks = st.heap.chunks.clone();
            if matches!(chunk.shape, Shape::Many(_)) {
                if let Some(index) = chunks.iter().rposition(|held| held.grant == chunk.grant) {
                    self.eval.memory.writer.leave(st.at, &mut st.heap, index, None, cx);
                }
                continue;
            }
            let index = match chunk.resource {
                Resource::Wand(_) => chunks.iter().rposition(|held| held.value == chunk.value),
                _ => self.eval.memory.find_same(&chunks, &chunk.location()),
            };
            if let Some(index) = index {
                self.eval.memory.take_from(st, index, amount, cx)?;
            }
        }
        Ok(())
    }
}
