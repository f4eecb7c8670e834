//! Operations on symbolic heaps.

pub(crate) mod branch;
pub(crate) mod missing;
mod obligations;
mod pairs;
mod permission;
pub(crate) mod quantified;
pub(crate) mod remove;
pub(crate) mod single;
mod transfer;
pub(crate) mod wands;

use crate::context::Context;
use crate::heap::branch::Guard;
use crate::state::{Cx, Mode, State, Step};
use crate::tree::Writer;

pub(crate) struct Memory<'a> {
    pub context: Context<'a>,
    pub writer: Writer<'a>,
    pub quantified: quantified::Maps,
    pub wands: wands::Wands,
}

impl<'a> Memory<'a> {
    pub fn new(writer: Writer<'a>) -> Self {
        let context = writer.context.clone();
        Memory { context, writer, quantified: Default::default(), wands: Default::default() }
    }
    pub fn into_writer(self) -> Writer<'a> {
        self.writer
    }
}

/// A layer of the executor that gives access to memory.
pub(crate) trait Layer<'a>: Sized {
    fn memory(&mut self) -> &mut Memory<'a>;

    /// Runs `f`; returns `None` if any of its obligations fails.
    fn tentatively<T>(&mut self, mode: Mode, f: impl FnOnce(&mut Self, Mode) -> Step<T>) -> Option<T> {
        let (mark, ended) = (self.memory().writer.mark(), self.memory().writer.ended());
        let result = f(self, mode.attempting());
        if result.is_err() {
            self.memory().writer.release(mark);
            self.memory().writer.forget_ended(ended);
        }
        result.ok()
    }
    /// Runs `f` without reporting errors; returns `None` where it is undefined. Suppressed obligations are not
    /// proved, so `f` runs on a copy of the state that is discarded.
    fn silently<T>(&mut self, st: &State, cx: &Cx, f: impl FnOnce(&mut Self, &mut State, &Cx) -> Step<T>) -> Option<T> {
        self.totally(&mut State { explores: false, ..st.clone() }, cx, f)
    }
    /// Evaluates something that is defined everywhere, such as an axiom: nothing is proved, and nothing is learned
    /// from functions with preconditions.
    fn totally<T>(
        &mut self,
        st: &mut State,
        cx: &Cx,
        f: impl FnOnce(&mut Self, &mut State, &Cx) -> Step<T>,
    ) -> Option<T> {
        let (mark, ended) = (self.memory().writer.mark(), self.memory().writer.ended());
        let result = f(self, st, &cx.within(cx.mode.silent()));
        self.memory().writer.forget_ended(ended);
        if result.is_err() {
            self.memory().writer.release(mark);
        }
        result.ok()
    }
    fn grow<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> T {
        stacker::maybe_grow(256 * 1024, 8 * 1024 * 1024, || f(self))
    }
    /// Runs `f` under `guard` and keeps the facts it learns behind the guard. Returns `None` if the guard cannot
    /// hold.
    fn under<T>(
        &mut self,
        st: &mut State,
        guard: Guard,
        cx: &Cx,
        f: impl FnOnce(&mut Self, &mut State) -> Step<T>,
    ) -> Step<Option<T>> {
        let terms = &self.memory().writer.tree.terms;
        if terms.is_false(guard.holds) {
            return Ok(None);
        }
        if terms.is_true(guard.holds) {
            return f(self, st).map(Some);
        }
        let guarded = self.memory().enter_guard(st, guard, cx);
        let result = f(self, st);
        self.memory().leave_guard(st, guarded, result)
    }
}

impl<'a> Layer<'a> for Memory<'a> {
    fn memory(&mut self) -> &mut Memory<'a> {
        self
    }
}
