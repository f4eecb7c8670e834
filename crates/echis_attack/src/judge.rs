//! Compares verdicts with the oracle: finds members that were verified although some execution refutes them.

use crate::oracle::{Fault, Judgement, run_function, run_method};
use crate::program::{Text, Verdict, Verifier};
use crate::random::Random;
use echis::EngineChoice;
use echis_base::Name;
use std::collections::BTreeMap;

/// Number of executions of each member.
const EXECUTIONS: usize = 60;

/// The results for one program.
#[derive(Default)]
pub struct Judged {
    pub members: usize,
    pub verified: usize,
    /// Number of members refuted by an execution.
    pub refuted: usize,
    pub executions: u64,
    /// Number of members without a verdict.
    pub unanswered: usize,
    pub wrong: Vec<Wrong>,
    pub verdicts: BTreeMap<Name, Verdict>,
    /// Members with different verdicts from the two engines, although both verify all members that they depend on. If
    /// a dependency failed, the engines may legitimately differ.
    pub disputed: Vec<Name>,
}

/// A member that was verified although an execution refutes it.
#[derive(Clone, Debug)]
pub struct Wrong {
    pub member: Name,
    pub fault: Fault,
    pub line: u32,
}

/// Verifies a program with both engines and executes its members.
pub fn judge(text: &Text, verifier: &Verifier, random: &mut Random) -> Judged {
    let executed = executed(text, random);
    let mut judged = judge_with(text, text.verdicts(verifier), &executed);
    let second = judge_with(text, text.verdicts_by(verifier, EngineChoice::Conditions), &executed);
    judged.wrong.extend(second.wrong);
    let disputed = judged.verdicts.iter().filter(|(name, verdict)| {
        let other = second.verdicts.get(*name).copied().unwrap_or(Verdict::None);
        let differ = **verdict != other && **verdict != Verdict::None && other != Verdict::None;
        let is_verified = |reached: &Name| {
            let by =
                |verdicts: &BTreeMap<Name, Verdict>| verdicts.get(reached).is_none_or(|one| *one == Verdict::Verified);
            reached == *name || by(&judged.verdicts) && by(&second.verdicts)
        };
        differ && text.reached(name).names.iter().all(is_verified)
    });
    judged.disputed = disputed.map(|(name, _)| name.clone()).collect();
    judged
}

/// Compares the given verdicts with executions.
pub fn judge_with(text: &Text, verdicts: BTreeMap<Name, Verdict>, executed: &[(Name, Judgement)]) -> Judged {
    let mut judged = Judged::default();
    for (name, judgement) in executed {
        let verdict = verdicts.get(name).copied().unwrap_or(Verdict::None);
        judged.members += 1;
        judged.verified += usize::from(verdict == Verdict::Verified);
        judged.unanswered += usize::from(verdict == Verdict::None);
        judged.executions += u64::from(judgement.ended);
        let Some(fault) = judgement.violated.clone() else { continue };
        judged.refuted += 1;
        let reached = text.reached(&fault.member);
        let is_verified = |name: &Name| verdicts.get(name) == Some(&Verdict::Verified);
        let counts = text.conservative || !text.has_axioms() && reached.terminates;
        if counts && reached.names.iter().all(is_verified) {
            let line = text.line(fault.at);
            judged.wrong.push(Wrong { member: fault.member.clone(), fault, line });
        }
    }
    judged.verdicts = verdicts;
    judged
}

/// Executes all members that have a body.
pub fn executed(text: &Text, random: &mut Random) -> Vec<(Name, Judgement)> {
    let program = &text.program;
    let mut found = Vec::new();
    for (key, function) in program.functions.iter() {
        if function.body.is_some() {
            found.push((function.name.clone(), run_function(program, key, random, EXECUTIONS)));
        }
    }
    for (key, method) in program.methods.iter() {
        if method.body.is_some() {
            found.push((method.name.clone(), run_method(program, key, random, EXECUTIONS)));
        }
    }
    found
}
