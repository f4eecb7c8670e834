//! The dependencies of proofs, in any language.

use crate::ask::coverage::Confirmation;
use crate::ask::dependencies::Dependencies;
use crate::ask::prune::{assertions, prune};
use crate::checked::Checked;
use crate::checked::unverified::broken;
use crate::defect::guarded;
use crate::language::boogie::{self, BoogieDependencies, Wanted};
use crate::language::pruned_program::{Pruned, Repair};
use crate::limits::{OBLIGATION_FACTOR, OBLIGATION_LEAST, PROCEDURE_MOST};
use crate::verification::{Question, Verification};
use crate::verify::members::{Progress, Silent};
use crate::verify::pattern::Pattern;
use crate::verify::run::Run;
use crate::verify::settings::Settings;
use crate::verify::verifier::Verifier;
use echis_base::Name;
use echis_cover::Coverage;
use echis_depend::{Attribution, DependencyOptions, Graph, Queries, UserId, View};
use echis_findings::FileResult;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Instant;

/// A verified program in any language, with the dependencies of its goals.
#[derive(Clone)]
pub enum Explained {
    /// For a Viper program.
    Viper(Arc<Dependencies>),
    /// For a Boogie program.
    Boogie(BoogieProofs),
}

/// The proofs of a Boogie program.
#[derive(Clone)]
pub struct BoogieProofs(Arc<BoogieDependencies>);

/// The question for the dependencies of a Boogie program's proofs.
#[derive(PartialEq)]
struct BoogieNeeds(Attribution);

impl Question for BoogieNeeds {
    type Answer = Result<Arc<BoogieDependencies>, Box<FileResult>>;
}

impl Verifier {
    /// Verifies a program in any language and explains its proofs meanwhile; see [`Verification::explanation`].
    pub fn explain_any(
        &self,
        checked: &Arc<Checked>,
        settings: &Settings,
        options: impl Into<DependencyOptions>,
        progress: &dyn Progress,
    ) -> Verification {
        let options = options.into();
        if !checked.source().is_boogie() {
            return self.explain(checked, settings, options, progress);
        }
        let attribution = options.attribution;
        let found = explain_boogie(self, checked, settings, attribution, progress);
        let result = found.as_ref().map_or_else(|result| FileResult::clone(result), |found| found.result.clone());
        let verification = Verification::new(self.clone(), checked.clone(), settings.clone(), Run::unverified(result));
        verification.note(BoogieNeeds(attribution), found);
        verification
    }
}

fn explain_boogie(
    verifier: &Verifier,
    checked: &Checked,
    settings: &Settings,
    attribution: Attribution,
    progress: &dyn Progress,
) -> Result<Arc<BoogieDependencies>, Box<FileResult>> {
    let start = Instant::now();
    match guarded(|| boogie::dependencies(checked, settings, verifier.solvers(), attribution, progress)) {
        Ok(found) => found.map(Arc::new),
        Err(ended) => Err(Box::new(broken(checked.source().path(), ended, start))),
    }
}

impl Verification {
    /// Computes the dependencies of a program in any language. For an invalid program, returns its errors. For Boogie
    /// programs, only the attribution option matters.
    pub fn explanation(&self, options: impl Into<DependencyOptions>) -> Result<Explained, Box<FileResult>> {
        if !self.checked().source().is_boogie() {
            return self.dependencies(options).map(Explained::Viper);
        }
        let attribution = options.into().attribution;
        let explain = || explain_boogie(self.verifier(), self.checked(), &self.settings(), attribution, &Silent);
        let answer = self.ask(BoogieNeeds(attribution), explain);
        (*answer).clone().map(|found| Explained::Boogie(BoogieProofs(found)))
    }
    /// The coverage of a Boogie program. `None` for a Viper program; see [`Verification::coverage`].
    pub fn boogie_coverage(&self, found: &Explained, confirmation: Confirmation) -> Option<Coverage> {
        let Explained::Boogie(BoogieProofs(proofs)) = found else { return None };
        let mut coverage = proofs.coverage();
        let wanted = match confirmation {
            Confirmation::Skip => return Some(coverage),
            Confirmation::Smoke => Wanted::Contradictions,
            Confirmation::Run | Confirmation::Thorough => Wanted::All,
        };
        // Provable goals were proved before: a proof that takes far more is not sought.
        let bound = u32::try_from(proofs.effort.saturating_mul(OBLIGATION_FACTOR)).unwrap_or(u32::MAX);
        let verifier = self.verifier().bounded(bound.clamp(OBLIGATION_LEAST, PROCEDURE_MOST));
        let retry = |text: String, members: &[Name]| {
            let members = Some(Pattern::any_of(members.iter().map(|member| &**member)));
            self.variation(text, &Settings { members, errors: 1, ..self.settings().for_variation() }, &verifier)
        };
        boogie::confirm(proofs, wanted, &retry, &mut coverage);
        Some(coverage)
    }
    /// Prunes a program to what some of its nodes need. Failures of the whole program do not count.
    pub fn prune(&self, found: &Explained, keep: &BTreeSet<UserId>, repair: Repair) -> Pruned {
        match found {
            Explained::Viper(found) => prune(self, found, keep, repair),
            Explained::Boogie(BoogieProofs(found)) => {
                let settings = self.settings().for_variation();
                boogie::prune(found, keep, repair, &|text| self.variation(text, &settings, self.verifier()))
            }
        }
    }
}

impl Explained {
    /// The result of verification.
    pub fn result(&self) -> &FileResult {
        match self {
            Explained::Viper(found) => &found.result,
            Explained::Boogie(BoogieProofs(found)) => &found.result,
        }
    }
    /// The nodes for display.
    pub fn view(&self) -> &View {
        match self {
            Explained::Viper(found) => &found.view,
            Explained::Boogie(BoogieProofs(found)) => &found.view,
        }
    }
    /// The dependency graph.
    pub fn graph(&self) -> &Graph {
        match self {
            Explained::Viper(found) => &found.graph,
            Explained::Boogie(BoogieProofs(found)) => &found.graph,
        }
    }
    /// Queries on the graph.
    pub fn queries(&self) -> Queries<'_> {
        Queries { view: self.view(), graph: self.graph() }
    }
    /// The proved goals of a program: postconditions, assertions, and in Boogie invariants.
    pub fn goals(&self) -> Vec<UserId> {
        match self {
            Explained::Viper(found) => assertions(found),
            Explained::Boogie(BoogieProofs(found)) => boogie::assertions(found),
        }
    }
    /// The coverage of a Boogie program, from the graph alone. `None` for a Viper program, whose coverage is
    /// confirmed; see [`Verification::coverage`].
    pub fn boogie_coverage(&self) -> Option<Coverage> {
        match self {
            Explained::Viper(_) => None,
            Explained::Boogie(BoogieProofs(found)) => Some(found.coverage()),
        }
    }
}
