//! The background of a member: the axioms and function definitions that it can mention, as the first facts on every
//! path.

use crate::exec::Executor;
use crate::heap::Layer;
use crate::state::{Cx, State};
use echis_proof::{Because, ErrorKind, NodeId, Origin, Part};
use echis_term::{Import, Op, TermId};
use std::collections::BTreeMap;

pub(crate) fn background(executor: &mut Executor) -> NodeId {
    let mut st = State::new(executor.eval.memory.writer.tree.root());
    executor.assume_unique(&mut st);
    executor.assume_axioms(&mut st);
    executor.assume_definitions(&mut st);
    executor.eval.memory.writer.begin_step();
    st.at
}

impl Executor<'_> {
    /// States that `unique` constants of one sort differ.
    fn assume_unique(&mut self, st: &mut State) {
        let mut by_sort: BTreeMap<_, Vec<TermId>> = BTreeMap::new();
        let mut origin = None;
        for (function, args) in self.context.reach.domain_functions.clone() {
            let declared = &self.context.program.domain_functions[function];
            if declared.unique {
                let symbol = self.eval.memory.writer.domain_symbol(function, &args);
                let term = self.eval.memory.writer.terms().constant(symbol);
                by_sort.entry(self.eval.memory.writer.tree.terms.sort_of(term)).or_default().push(term);
                origin.get_or_insert(declared.id);
            }
        }
        for constants in by_sort.into_values() {
            if let (Some(clause), 2..) = (origin, constants.len()) {
                let distinct = self.eval.memory.writer.terms().op(Op::Distinct, constants);
                let origin = Origin { clause, site: None, part: Part::Definition };
                st.at = self.eval.memory.writer.tree.assume(st.at, distinct, Because::Written, &[], origin);
            }
        }
    }
    fn assume_axioms(&mut self, st: &mut State) {
        for (axiom, args) in self.context.reach.axioms.clone() {
            self.eval.memory.writer.set_instance(args);
            let declared = &self.context.program.axioms[axiom];
            let id = self.context.syntax(declared.body);
            let cx = Cx { clause: declared.id, ..Cx::new(ErrorKind::Internal, id) };
            // Axioms are total: nothing in them can fail. Unsupported axioms are left out.
            let mut scratch = st.clone();
            let fact = self.totally(&mut scratch, &cx, |executor, st, cx| executor.eval.eval(st, declared.body, cx));
            if let Some(fact) = fact {
                st.at = scratch.at;
                st.at = self.eval.memory.writer.tree.assume(st.at, fact, Because::Written, &[], cx.origin(Part::Value));
            }
        }
        self.eval.memory.writer.set_instance(Vec::new());
    }
    fn assume_definitions(&mut self, st: &mut State) {
        let library = self.context.library;
        for function in self.context.reach.functions.clone() {
            self.eval.memory.writer.function_symbols(function);
            let Some(exported) = library.functions.get(&function) else { continue };
            if exported.failed && self.eval.is_own_cycle(function) {
                continue;
            }
            let mut import = Import::new(&exported.terms);
            for fact in &exported.facts {
                let term = import.term(&mut self.eval.memory.writer.tree.terms, fact.term);
                st.at = self.eval.memory.writer.tree.assume(st.at, term, fact.because.clone(), &[], fact.origin);
            }
        }
    }
}
