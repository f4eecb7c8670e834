//! Verification conditions as a second engine for single members of Viper programs.

use crate::defect::guarded;
use crate::language::vcg::{Engine, Translated};
use crate::verify::other_engine::{OtherEngine, Rationed};
use crate::verify::settings::{EngineChoice, Settings};
use crate::verify::solvers::{Naming, Solvers};
use echis_base::SyntaxId;
use echis_program::program::{ExprKind, Program};
use echis_proof::{Options, Verifier};
use std::sync::OnceLock;

/// A program that is translated when it is first needed.
pub(crate) struct Conditions<'a> {
    program: &'a Program,
    settings: &'a Settings,
    /// Solvers that try each question in one way only.
    solvers: Solvers,
    /// `None` if the translation failed.
    translated: OnceLock<Option<Translated>>,
}

impl<'a> Conditions<'a> {
    /// Returns `None` if the engines are compared, so that each must answer alone, and for programs with wands, whose
    /// footprints each engine chooses differently.
    pub fn new(program: &'a Program, settings: &'a Settings, solvers: &Solvers) -> Option<Self> {
        let apart = settings.engine == EngineChoice::Both;
        let has_wands = program.exprs.values().any(|expr| matches!(expr.kind, ExprKind::Wand { .. }));
        let conditions =
            || Conditions { program, settings, solvers: solvers.bounded(u32::MAX), translated: OnceLock::new() };
        (!apart && !has_wands).then(conditions)
    }
}

impl OtherEngine for Conditions<'_> {
    /// A defect in the translation must not abort a member that the first engine verifies.
    fn verifies(&self, member: SyntaxId, most: u64) -> Option<(bool, u64)> {
        let translated = self.translated.get_or_init(|| guarded(|| Translated::new(self.program)).ok()).as_ref()?;
        let mut solver = self.solvers.take(&self.settings.cancel);
        solver.begin(true, Naming::Off);
        let answer = guarded(|| {
            let engine = Engine::new(self.program, translated);
            let id = engine.translated(member)?;
            let mut solver = Rationed::new(&mut solver, most);
            let options = Options { errors: 1, ..self.settings.options() };
            let outcome = engine.verify(id, &mut solver, &options, &mut Vec::new());
            Some((outcome.failures.is_empty(), solver.spent))
        });
        // A solver interrupted in the middle of a question is not reused.
        let answer = answer.ok()?;
        self.solvers.give_back(solver);
        answer
    }
}

/// The other engine, as a trait object for plans.
pub(crate) fn as_other<'a>(conditions: &'a Option<Conditions<'_>>) -> Option<&'a dyn OtherEngine> {
    conditions.as_ref().map(|conditions| conditions as &dyn OtherEngine)
}
