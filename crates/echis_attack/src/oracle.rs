//! Executions as a test oracle: members run on small states that satisfy their preconditions. If some execution
//! violates an obligation of a verified member, the member was verified wrongly; no other verifier is needed to
//! establish this.
//!
//! The oracle under-approximates the executions of the language: an execution ends without a result if its state is
//! impossible or the semantics is not modelled. Every reported violation is therefore real.

mod consume;
mod eval;
mod machine;
mod produce;
mod quantify;
mod state;
mod stmts;
mod value;
mod wands;

pub use machine::Tally;
pub use state::{Fault, Stop};

use crate::random::Random;
use echis_base::SyntaxId;
use echis_program::program::{FunctionId, MethodId, Program};
use machine::Machine;
use state::{Checked, Run, View};
use std::collections::BTreeMap;

/// Number of attempts to draw arguments that satisfy a precondition.
const ATTEMPTS: usize = 6;

/// The results of executing a member.
#[derive(Clone, Default, Debug)]
pub struct Judgement {
    /// Number of executions that completed.
    pub ended: u32,
    /// A violated obligation, and its location.
    pub violated: Option<Fault>,
    /// The reasons why other executions did not complete, with their counts.
    pub unknown: BTreeMap<&'static str, u32>,
}

/// Runs a method `times` times.
pub fn run_method(program: &Program, method: MethodId, random: &mut Random, times: usize) -> Judgement {
    let mut judgement = Judgement::default();
    for _ in 0..times {
        if judgement.violated.is_some() {
            break;
        }
        judgement.count(execute(program, method, random.fork(), None).map(|_| ()));
    }
    judgement
}

/// Runs a method repeatedly and counts how often each `assert` held; a failing one does not end the execution.
pub fn probe(program: &Program, method: MethodId, random: &mut Random, times: usize) -> BTreeMap<SyntaxId, Tally> {
    let mut tallies = BTreeMap::new();
    for _ in 0..times {
        let _ = execute(program, method, random.fork(), Some(&mut tallies));
    }
    tallies
}

/// Evaluates a function on `times` random arguments.
pub fn run_function(program: &Program, function: FunctionId, random: &mut Random, times: usize) -> Judgement {
    let mut judgement = Judgement::default();
    for _ in 0..times {
        if judgement.violated.is_some() {
            break;
        }
        judgement.count(evaluate(program, function, random.fork()));
    }
    judgement
}

impl Judgement {
    fn count(&mut self, result: Run<()>) {
        match result {
            Ok(()) => self.ended += 1,
            Err(Stop::Violated(fault)) => self.violated = Some(fault),
            Err(Stop::Infeasible) => *self.unknown.entry("infeasible").or_default() += 1,
            Err(Stop::Unknown(why)) => *self.unknown.entry(why).or_default() += 1,
            Err(Stop::Fuel) => *self.unknown.entry("too long").or_default() += 1,
        }
    }
}

fn execute(
    program: &Program,
    method: MethodId,
    mut random: Random,
    probes: Option<&mut BTreeMap<SyntaxId, Tally>>,
) -> Run<()> {
    let declared = &program.methods[method];
    let Some(body) = &declared.body else { return Err(Stop::Unknown("a method without a body")) };
    let mut result = Err(Stop::Infeasible);
    for _ in 0..ATTEMPTS {
        let mut machine = Machine::new(program, declared.name.clone(), random.fork())?;
        for local in declared.params.iter().chain(&declared.returns) {
            machine.havoc(*local)?;
        }
        machine.spread(&declared.params)?;
        match machine.inhale(&declared.pre, Checked::Yes) {
            Ok(()) => {}
            Err(Stop::Infeasible) => continue,
            Err(stop) => return Err(stop),
        }
        machine.frame.pre = machine.state.clone();
        machine.probes = probes.is_some().then(BTreeMap::new);
        result = machine.block(body).and_then(|()| machine.exhale(&declared.post));
        if let (Some(all), Some(found)) = (probes, machine.probes) {
            for (at, tally) in found {
                let sum = all.entry(at).or_default();
                sum.held += tally.held;
                sum.failed += tally.failed;
            }
        }
        break;
    }
    result
}

fn evaluate(program: &Program, function: FunctionId, mut random: Random) -> Run<()> {
    let declared = &program.functions[function];
    let Some(body) = declared.body else { return Err(Stop::Unknown("a function without a body")) };
    for _ in 0..ATTEMPTS {
        let mut machine = Machine::new(program, declared.name.clone(), random.fork())?;
        for local in &declared.params {
            machine.havoc(*local)?;
        }
        match machine.inhale(&declared.pre, Checked::Yes) {
            Ok(()) => {}
            Err(Stop::Infeasible) => continue,
            Err(stop) => return Err(stop),
        }
        let view = View::of(&machine.state, Checked::Yes);
        let value = machine.eval(body, &view)?;
        machine.frame.result = Some(value);
        return machine.exhale(&declared.post);
    }
    Err(Stop::Infeasible)
}
