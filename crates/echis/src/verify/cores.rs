//! Keeps members verified after changes that their proofs do not depend on.
//!
//! After a member is verified, it is verified again in the program reduced to its cores ([`echis_program::weaken`]),
//! and that verdict becomes an ordinary cache entry. A later program with the same weakened form needs no new proof:
//! it only assumes more. An entry thus rests on an actual proof, not on the analysis that chose what to leave out.
//! The verified forms are looked up by the form without any clauses; what is stored there is only a hint, and nothing
//! is trusted because of it.
//!
//! A clause that is left out must be well-formed where it is assumed. Its owner proves that, so a member counts as
//! known only if the owners of all clauses left out are verified, too.

use crate::cache::{Cache, Key, Lookup, Recall, context, known};
use crate::defect::guarded;
use crate::limits::REMEMBERED_FORMS;
use crate::verify::explainers::{Explaining, TreeSender};
use crate::verify::members::{Plan, Silent, verify_planned};
use crate::verify::run::Kept;
use crate::verify::schedule;
use crate::verify::settings::{Settings, Trees};
use crate::verify::solvers::Solvers;
use echis_depend::{Attribution, Construct, DependencyOptions, Minimization, Nodes, Owner, UserId};
use echis_exec::Engine;
use echis_program::Fingerprints;
use echis_program::program::Program;
use echis_program::reach::{Member, Reach, reach};
use echis_program::weaken::{Clause, by_digest, is_monotone, is_spare, owners_of_left_out, weakened};
use echis_proof::{MemberId, Outcome, Verifier};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

/// The clauses kept in earlier verifications of a member whose remaining text was the same; the latest first.
#[derive(Default, Serialize, Deserialize)]
struct Forms(Vec<BTreeSet<String>>);

/// A verdict that is valid if the owners of the clauses left out are verified.
pub(crate) struct Supposed {
    pub checks: usize,
    pub if_verified: BTreeSet<MemberId>,
}

/// Looks up and records weakened forms for a program.
pub(crate) struct Cores<'a> {
    program: &'a Program,
    members: Vec<(Member, &'a Reach)>,
    cache: &'a Cache,
    context: [u8; 32],
    clauses: BTreeMap<Clause, String>,
}

impl<'a> Cores<'a> {
    pub fn new(
        cache: &'a Cache,
        program: &'a Program,
        engine: &'a Engine<'_>,
        settings: &Settings,
        solvers: &Solvers,
    ) -> Self {
        let clauses = by_digest(program).into_iter().map(|(clause, digest)| (clause, hex(&digest))).collect();
        Cores {
            program,
            members: engine.views().collect(),
            cache,
            context: context(&settings.options(), solvers.identity()),
            clauses,
        }
    }

    /// The verdict of a member, conditional on others being verified.
    pub fn suppose(&self, id: MemberId) -> Option<Supposed> {
        let (member, reach) = self.member(id)?;
        self.forms(member).0.iter().find_map(|form| {
            let kept = self.kept(member, form)?;
            let entry = self.cache.get(&self.key(member, &kept))?;
            let left_out = self.clauses.keys().filter(|clause| !kept.contains(clause));
            let owners = owners_of_left_out(self.program, member, reach, left_out);
            let if_verified = owners.into_iter().filter_map(|owner| self.id(owner)).collect();
            entry.is_verified().then_some(Supposed { checks: entry.checks, if_verified })
        })
    }

    /// Determines what members that were just verified do not need.
    pub fn learn(
        &self,
        verified: BTreeSet<MemberId>,
        kept: &BTreeMap<MemberId, Kept>,
        settings: &Settings,
        solvers: &Solvers,
    ) {
        let wanted: BTreeSet<MemberId> = verified.into_iter().filter(|id| self.member(*id).is_some()).collect();
        if wanted.is_empty() {
            return;
        }
        let settings = settings.for_variation();
        let needs = self.needs(&wanted, kept, &settings, solvers);
        let wanted: Vec<MemberId> = wanted.into_iter().collect();
        let alone = Settings { jobs: 1, ..settings.clone() };
        schedule::run(
            &vec![Vec::new(); wanted.len()],
            settings.jobs,
            || (),
            |(), index| {
                // If anything goes wrong, nothing is recorded.
                let _ = guarded(|| self.learn_one(wanted[index], &needs, &alone, solvers));
            },
        );
    }

    fn learn_one(
        &self,
        id: MemberId,
        needs: &BTreeMap<MemberId, BTreeSet<Clause>>,
        settings: &Settings,
        solvers: &Solvers,
    ) {
        let (Some((member, reach)), Some(own)) = (self.member(id), needs.get(&id)) else { return };
        // Functions whose bodies stay must be well-formed there too.
        let mut kept = own.clone();
        for function in &reach.functions {
            let needed = self.id(Member::Function(*function)).and_then(|function| needs.get(&function));
            kept.extend(needed.into_iter().flatten().copied().filter(|_| own.contains(&Clause::Body(*function))));
        }
        kept.retain(|clause| is_spare(self.program, member, *clause));
        let key = self.key(member, &kept);
        let is_known = self.cache.get(&key).is_some_and(|entry| entry.is_verified());
        if is_known || self.verifies(id, member, &kept, settings, solvers) {
            self.note(member, &kept);
        }
    }

    /// Verifies the member and everything it imports with only the kept clauses.
    fn verifies(
        &self,
        id: MemberId,
        member: Member,
        kept: &BTreeSet<Clause>,
        settings: &Settings,
        solvers: &Solvers,
    ) -> bool {
        let program = weakened(self.program, member, |clause| kept.contains(&clause));
        let engine = Engine::new(&program);
        let known = known(&program, engine.views(), &settings.options(), solvers.identity());
        let recall = Recall { cache: Some(self.cache), memory: None, known, counterexamples: false };
        let mut plan = Plan::new(&engine, BTreeSet::from([id]));
        let remembered =
            plan.unreported().filter(|id| recall.verdict(*id).is_some_and(|(_, failed)| failed.is_empty()));
        plan.remembered = remembered.filter_map(|id| Some((id, recall.answers(id)?))).collect();
        let good = Mutex::new(true);
        let keep = |id: MemberId, outcome: Outcome, (), answers| {
            let is_good = outcome.failures.is_empty() && outcome.warnings.is_empty();
            if is_good {
                recall.note(id, &engine.members()[id], &outcome, answers);
            }
            *good.lock().unwrap_or_else(PoisonError::into_inner) &= is_good;
        };
        let ended = verify_planned(plan, settings, solvers, &Silent, || (), keep, |done| done.result.is_ok());
        let good = good.into_inner().unwrap_or_else(PoisonError::into_inner);
        // A broken solver leaves no entry.
        good && ended == [true] && recall.verdict(id).is_some_and(|(_, failed)| failed.is_empty())
    }

    /// The removable clauses that the proofs of members, and of the functions they import, use.
    fn needs(
        &self,
        wanted: &BTreeSet<MemberId>,
        kept: &BTreeMap<MemberId, Kept>,
        settings: &Settings,
        solvers: &Solvers,
    ) -> BTreeMap<MemberId, BTreeSet<Clause>> {
        let settings = Settings { trees: Trees::Explained, ..settings.clone() };
        let (engine, nodes) = (Engine::new(self.program), Nodes::new(self.program));
        let options = DependencyOptions { attribution: Attribution::Overall, ..Minimization::Fast.into() };
        let explaining = Explaining { program: self.program, nodes: &nodes, options, wanted: &|_| true, known: None };
        let jobs = Mutex::new(Vec::new());
        let keep = |id: MemberId, outcome: Outcome, sender: TreeSender<'_, '_, '_>, _| {
            let job = sender.finish(&outcome.tree);
            jobs.lock().unwrap_or_else(PoisonError::into_inner).push((id, job));
        };
        let needed: Vec<MemberId> = Plan::new(&engine, wanted.clone()).members().collect();
        let (known, missing): (Vec<MemberId>, Vec<MemberId>) = needed.iter().partition(|id| kept.contains_key(id));
        let waits = vec![Vec::new(); known.len()];
        let read = schedule::run(
            &waits,
            settings.jobs,
            || (),
            |(), index| {
                let Kept { outcome, proofs } = &kept[&known[index]];
                let outcome = outcome.lock().unwrap_or_else(PoisonError::into_inner);
                explaining.explain_kept(&outcome.tree, proofs.iter().cloned(), &settings, solvers)
            },
        );
        let ((), mut explained) = explaining.run_alongside(&settings, solvers, |dispatcher| {
            let plan = Plan::new(&engine, missing.into_iter().collect());
            verify_planned(plan, &settings, solvers, &Silent, || dispatcher.sender(), keep, |_| ());
        });
        let clause = |user: &UserId| {
            let node = &nodes.all[*user];
            match (node.owner, node.construct, node.expr) {
                (Owner::Domain(_), Construct::Axiom, Some(body)) => {
                    let axioms = self.program.axioms.iter();
                    axioms.filter(|(_, axiom)| axiom.body == body).map(|(axiom, _)| Clause::Axiom(axiom)).next()
                }
                (Owner::Function(function), Construct::Postcondition, Some(post)) => {
                    Some(Clause::FunctionPost(function, post))
                }
                (Owner::Function(function), Construct::FunctionBody, _) => Some(Clause::Body(function)),
                (Owner::Method(method), Construct::Postcondition, Some(post)) => Some(Clause::MethodPost(method, post)),
                _ => None,
            }
        };
        let jobs = jobs.into_inner().unwrap_or_else(PoisonError::into_inner);
        let executed = jobs.into_iter().filter_map(|(id, job)| Some((id, explained.remove(&job)?)));
        let needs = executed.chain(known.iter().copied().zip(read)).filter_map(|(id, found)| {
            let found = found.ok()?;
            let needed = found.needs.needs.values().flat_map(|users| users.keys());
            Some((id, needed.filter_map(clause).filter(|clause| self.clauses.contains_key(clause)).collect()))
        });
        needs.collect()
    }

    /// A member that can be verified with fewer clauses.
    fn member(&self, id: MemberId) -> Option<(Member, &'a Reach)> {
        let (member, reach) = *self.members.get(echis_base::Key::index(id))?;
        is_monotone(self.program, member, reach).then_some((member, reach))
    }

    fn id(&self, member: Member) -> Option<MemberId> {
        self.members.iter().position(|(other, _)| *other == member).map(echis_base::Key::new)
    }

    /// The clauses of the current program that belong to a form. `None` if it has others.
    fn kept(&self, member: Member, form: &BTreeSet<String>) -> Option<BTreeSet<Clause>> {
        let spare = self.clauses.iter().filter(|(clause, _)| is_spare(self.program, member, **clause));
        let kept: BTreeMap<Clause, &String> =
            spare.filter(|(_, digest)| form.contains(*digest)).map(|(clause, digest)| (*clause, digest)).collect();
        let found: BTreeSet<&String> = kept.values().copied().collect();
        (found.len() == form.len()).then(|| kept.into_keys().collect())
    }

    /// The key of the verdict in the weakened program.
    fn key(&self, member: Member, kept: &BTreeSet<Clause>) -> Key {
        let program = weakened(self.program, member, |clause| kept.contains(&clause));
        Lookup::new(self.context, Fingerprints::only(&program, member, &reach(&program, member))).key
    }

    fn forms(&self, member: Member) -> Forms {
        let body = self.cache.body(&self.place(member));
        body.and_then(|body| serde_json::from_slice(&body).ok()).unwrap_or_default()
    }

    fn note(&self, member: Member, kept: &BTreeSet<Clause>) {
        let form: BTreeSet<String> = kept.iter().map(|clause| self.clauses[clause].clone()).collect();
        let mut forms = self.forms(member);
        forms.0.retain(|other| *other != form);
        forms.0.insert(0, form);
        forms.0.truncate(REMEMBERED_FORMS);
        if let Ok(body) = serde_json::to_vec(&forms) {
            self.cache.keep(&self.place(member), &body);
        }
    }

    /// The key for looking up forms: that of the member with no clauses kept.
    fn place(&self, member: Member) -> Key {
        let rest = self.key(member, &BTreeSet::new());
        Sha256::new().chain_update("forms").chain_update(rest).finalize().into()
    }
}

/// The supposed members that hold if `verified` are verified. A circular dependency among supposed members is sound:
/// each proved the well-formedness of its own contract where it was verified.
pub(crate) fn settled(
    supposed: BTreeMap<MemberId, Supposed>,
    verified: &BTreeSet<MemberId>,
) -> (BTreeMap<MemberId, Supposed>, BTreeSet<MemberId>) {
    let (mut holding, mut open) = (supposed, BTreeSet::new());
    loop {
        let holds = |owner: &MemberId| verified.contains(owner) || holding.contains_key(owner);
        let falls = holding.iter().find(|(_, supposed)| !supposed.if_verified.iter().all(holds));
        let Some(id) = falls.map(|(id, _)| *id) else { return (holding, open) };
        holding.remove(&id);
        open.insert(id);
    }
}

fn hex(digest: &[u8; 32]) -> String {
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}
