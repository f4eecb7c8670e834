//! Verification that explains: all goals of a member are proved by one question that names what the proof needs. Members for
//! which there is no such proof are verified as usual, and explained afterwards.

use crate::verify::cancel::Cancel;
use crate::verify::solvers::Solvers;
use echis_base::IndexVec;
use echis_proof::{Explainer, Failure, Member, MemberId, Options, Prover, Verifier};
use echis_vcg::{Engine, Notes, Outcome, TOGETHER_EFFORT};

/// How members are explained.
pub(super) trait Explain: Sync {
    type Found: Send;
    /// Proves all goals at once, if there is a proof within the bound.
    fn prove(&self, outcome: &mut Outcome, explainer: &mut dyn Explainer, bound: u64) -> Option<Self::Found>;
    /// What was verified, or failed.
    fn explain(&self, outcome: &mut Outcome, explainer: &mut dyn Explainer) -> Option<Self::Found>;
}

pub(super) struct Explaining<'a, E> {
    pub engine: Engine<'a>,
    pub explain: E,
    pub solvers: &'a Solvers,
    pub cancel: &'a Cancel,
}

/// An outcome with an explanation.
pub(super) type Explained<T> = echis_proof::Outcome<(Notes, Option<T>)>;

/// The outcome, and the explanation.
pub(super) fn apart<T>(explained: Explained<T>) -> (Outcome, Option<T>) {
    let Explained { tree, checks, failures, warnings, notes: (notes, found) } = explained;
    (Outcome { tree, checks, failures, warnings, notes }, found)
}

impl<E: Explain> Verifier for Explaining<'_, E> {
    type Notes = (Notes, Option<E::Found>);

    fn members(&self) -> &IndexVec<MemberId, Member> {
        self.engine.members()
    }
    fn verify(
        &self,
        member: MemberId,
        prover: &mut dyn Prover,
        options: &Options,
        _: &mut Vec<Failure>,
    ) -> Explained<E::Found> {
        let mut outcome = self.engine.encode(member);
        let mut replaying = self.solvers.take_replay(self.cancel);
        replaying.replay.begin();
        replaying.replay.instantiate_eagerly();
        let replay = &mut replaying.replay;
        let bound = self.engine.bound(member).map_or(TOGETHER_EFFORT, |bound| TOGETHER_EFFORT.min(u64::from(bound)));
        let is_supported = outcome.failures.is_empty();
        let mut found = if is_supported { self.explain.prove(&mut outcome, replay, bound) } else { None };
        if found.is_none() {
            self.engine.decide(member, &mut outcome, prover, options);
            found = self.explain.explain(&mut outcome, replay);
        }
        self.solvers.give_back_replay(replaying);
        let Outcome { tree, checks, failures, warnings, notes } = outcome;
        Explained { tree, checks, failures, warnings, notes: (notes, found) }
    }
}
