//! Models of failed obligations, preferring those that satisfy soft constraints.

use super::{ProcessState, Session, watch};
use crate::backend::{Backend, Fault};
use crate::encode::{write_assertion, write_definition, write_negation};
use crate::model;
use crate::settings::Limit;
use echis_proof::{Model, Modeler, NoModel, NodeId, ProofTree, Wanted};
use echis_term::TermId;

impl<B: Backend> Modeler for Session<B> {
    fn model(&mut self, tree: &ProofTree, at: NodeId, goal: TermId, wanted: &Wanted) -> Result<Model, NoModel> {
        if !self.settings.dialect.models {
            return Err(NoModel::Solver(format!("models of {} cannot be read", self.settings.dialect.name)));
        }
        self.move_to(tree, at);
        let quick = self.settings.quick;
        let more = Limit { rlimit: 10 * quick.rlimit, ..quick };
        for (position, wishes) in wanted.wishes.iter().enumerate().filter(|(_, wishes)| !wishes.is_empty()) {
            let wishes = [wishes.as_slice(), &wanted.learned].concat();
            // The most important soft constraints get a higher limit.
            let limit = if position == 0 { more } else { quick };
            if let Ok(model) = self.model_with(tree, goal, wanted, &wishes, limit) {
                return Ok(model);
            }
        }
        let limit = if wanted.learned.is_empty() { self.settings.patient } else { more };
        self.model_with(tree, goal, wanted, &wanted.learned, limit)
    }
}

impl<B: Backend> Session<B> {
    fn model_with(
        &mut self,
        tree: &ProofTree,
        goal: TermId,
        Wanted { watched, interpreted, .. }: &Wanted,
        wishes: &[TermId],
        limit: Limit,
    ) -> Result<Model, NoModel> {
        let first = self.watched;
        self.watched += watched.len();
        let lines = self.ask_model(tree, goal, (watched, first), wishes, limit).map_err(|fault| {
            self.solver = ProcessState::Absent;
            NoModel::Solver(fault.to_string())
        })?;
        let mut model = model::read(&lines, *interpreted)?;
        for (position, term) in watched.iter().enumerate() {
            if let Some(value) =
                model.tables.remove(&watch(first + position)).and_then(|table| table.into_values().next())
            {
                model.watched.insert(*term, value);
            }
        }
        Ok(model)
    }
    /// Watched terms are given names in the question, so that the solver fixes their values.
    fn ask_model(
        &mut self,
        tree: &ProofTree,
        goal: TermId,
        (watched, first): (&[TermId], usize),
        wishes: &[TermId],
        limit: Limit,
    ) -> Result<Vec<String>, Fault> {
        self.ready()?;
        for term in watched.iter().chain(wishes) {
            self.vocabulary.require(&tree.terms, *term);
        }
        self.prepare(tree, goal);
        self.set_limit(limit.rlimit);
        self.script.push_str("(push)\n");
        write_negation(&tree.terms, self.settings.style(), goal, &mut self.script);
        for (position, term) in watched.iter().enumerate() {
            write_definition(&tree.terms, self.settings.style(), &watch(first + position), *term, &mut self.script);
        }
        for wish in wishes {
            write_assertion(&tree.terms, self.settings.style(), *wish, &mut self.script);
        }
        self.script.push_str("(check-sat)\n(get-model)\n(pop)\n");
        self.exchange(limit)
    }
}
