//! The symbolic execution engine: its members, and what they import from each other.

use crate::context::Library;
use crate::exec;
use crate::purity::Facts;
use crate::runnable::{self, Runnable};
use echis_base::{IndexVec, Key};
use echis_program::program::{FunctionId, MethodId, Program};
use echis_program::reach::{Member, Reach, Reaches};
use echis_proof::{Failure, MemberId, MemberKind, Options, Outcome, Prover, Verifier};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

pub struct Engine<'a> {
    program: &'a Program,
    members: IndexVec<MemberId, echis_proof::Member>,
    /// The declarations that each member can see.
    views: IndexVec<MemberId, MemberView>,
    library: Mutex<Library>,
}

struct MemberView {
    key: Member,
    reach: Reach,
    imports: BTreeSet<FunctionId>,
}

impl<'a> Engine<'a> {
    pub fn new(program: &'a Program) -> Self {
        let reaches = Reaches::new(program);
        let view = |key: Member| {
            let reach = reaches.of(key);
            MemberView { key, imports: reach.imports(program, key), reach }
        };
        let views: IndexVec<MemberId, MemberView> = Member::all(program).map(view).collect();
        let members = views.values().map(|view| describe(program, view.key, &view.imports)).collect();
        let (facts, bodies) = (Arc::new(Facts::new(program)), BTreeSet::new());
        let library = Library { functions: BTreeMap::new(), facts, bodies };
        Engine { program, members, views, library: Mutex::new(library) }
    }

    /// The members in order, each with the declarations it can see.
    pub fn views(&self) -> impl Iterator<Item = (Member, &Reach)> {
        self.views.values().map(|view| (view.key, &view.reach))
    }

    /// The methods called by a member whose bodies can be executed at the call instead of using their contracts.
    pub fn runnable(&self, member: MemberId) -> Runnable {
        let MemberView { key, reach, .. } = &self.views[member];
        match key {
            Member::Method(method) => runnable::callees(self.program, *method, reach),
            Member::Function(_) | Member::Predicate(_) => Runnable::default(),
        }
    }
    /// Verifies a member, executing the bodies of the given methods at their calls. The functions it waits for must
    /// have been verified already.
    pub fn verify_running(
        &self,
        member: MemberId,
        bodies: &BTreeSet<MethodId>,
        prover: &mut dyn Prover,
        options: &Options,
    ) -> Outcome {
        let MemberView { key, reach, imports } = &self.views[member];
        let known = Library { bodies: bodies.clone(), ..self.imported(imports) };
        exec::verify(self.program, *key, reach, &known, prover, options, &mut Vec::new()).0
    }

    /// Returns the imports of a member. They depend only on the program, never on which members happen to be verified
    /// already.
    fn imported(&self, imports: &BTreeSet<FunctionId>) -> Library {
        let mut known = self.library.lock().unwrap_or_else(PoisonError::into_inner).clone();
        known.functions.retain(|function, _| imports.contains(function));
        known
    }
}

impl Verifier for Engine<'_> {
    type Notes = ();

    fn members(&self) -> &IndexVec<MemberId, echis_proof::Member> {
        &self.members
    }
    fn verify(
        &self,
        member: MemberId,
        prover: &mut dyn Prover,
        options: &Options,
        found: &mut Vec<Failure>,
    ) -> Outcome {
        let MemberView { key, reach, imports } = &self.views[member];
        let known = self.imported(imports);
        let (outcome, exported) = exec::verify(self.program, *key, reach, &known, prover, options, found);
        if let (Member::Function(function), Some(exported)) = (*key, exported) {
            let mut library = self.library.lock().unwrap_or_else(PoisonError::into_inner);
            library.functions.insert(function, Arc::new(exported));
        }
        outcome
    }
}

fn describe(program: &Program, key: Member, imports: &BTreeSet<FunctionId>) -> echis_proof::Member {
    let kind = match key {
        Member::Function(_) => MemberKind::Function,
        Member::Predicate(_) => MemberKind::Predicate,
        Member::Method(_) => MemberKind::Method,
    };
    // Functions come first, in the order of their keys.
    let waits = imports.iter().map(|function| MemberId::new(function.index())).collect();
    echis_proof::Member { name: key.name(program).clone(), kind, id: key.id(program), waits }
}
