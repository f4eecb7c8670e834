//! Reading a solver's answer.

use crate::backend::Fault;
use echis_proof::{GaveUp, Verdict};

/// The answer to one question: the line that `check-sat` wrote and the reason that follows it.
pub fn verdict(lines: &[String]) -> Result<Verdict, Answer> {
    let mut answer = None;
    let mut reason = "";
    for line in lines {
        match line.as_str() {
            "sat" | "unsat" | "unknown" if answer.is_none() => answer = Some(line.as_str()),
            line if line.starts_with("(error") => return Err(Answer::Refused(line.to_owned())),
            line if line.starts_with("(:reason-unknown") => reason = line,
            line if count(line).is_some() => {}
            line if is_harmless(line) => {}
            line => return Err(Answer::Broken(Fault::Garbage(shorten(line)))),
        }
    }
    match answer {
        Some("unsat") => Ok(Verdict::Proved),
        Some("sat") => Ok(Verdict::Refuted),
        Some(_) => Ok(Verdict::Unknown(gave_up(reason))),
        None => Err(Answer::Broken(Fault::Garbage("no answer".into()))),
    }
}

/// What the solver has done so far, in its own units, as it answers when asked.
pub fn count(line: &str) -> Option<u64> {
    line.strip_prefix("(:rlimit")?.trim_matches([' ', ')']).parse().ok()
}

/// What was done between the first and the last count.
pub fn effort(lines: &[String]) -> u64 {
    let counts: Vec<u64> = lines.iter().filter_map(|line| count(line)).collect();
    counts.last().zip(counts.first()).map_or(0, |(last, first)| last.saturating_sub(*first))
}

/// Whether the search ended because arithmetic is beyond the solver.
pub fn lacks_arithmetic(lines: &[String]) -> bool {
    lines.iter().any(|line| line.starts_with("(:reason-unknown") && line.contains("arithmetic"))
}

/// How often a quantifier was instantiated.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub struct Instantiated {
    pub instances: u64,
    /// The longest chain of instances that led to one.
    pub generation: u64,
    /// The highest price that the solver put on one.
    pub cost: f64,
}

impl Instantiated {
    pub fn add(&mut self, other: Instantiated) {
        self.instances += other.instances;
        self.generation = self.generation.max(other.generation);
        self.cost = self.cost.max(other.cost);
    }
}

/// What a profiling solver writes when it forgets a quantifier: its name and `instances : generation : cost`.
pub fn instances(line: &str) -> Option<(&str, Instantiated)> {
    let mut fields = line.strip_prefix("[quantifier_instances]")?.rsplitn(4, ':').map(str::trim);
    let (cost, generation) = (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
    let instances = fields.next()?.parse().ok()?;
    Some((fields.next()?, Instantiated { instances, generation, cost }))
}

/// Why there is no verdict.
pub enum Answer {
    /// The solver does not accept our text: a defect of ours, which a new process would not cure.
    Refused(String),
    /// The solver itself is out of order.
    Broken(Fault),
}

/// What solvers of other versions write about options that they do not have.
pub fn is_harmless(line: &str) -> bool {
    line.is_empty() || line == "unsupported" || line.starts_with("; ignoring") || line.starts_with("WARNING")
}

/// Solvers name what is incomplete when they come to the end of a search, in the same word in all versions. When a
/// bound ends it they say "canceled", "unknown", "max. resource limit exceeded", as chance has it.
fn gave_up(reason: &str) -> GaveUp {
    if reason.contains("incomplete") { GaveUp::Incomplete } else { GaveUp::Resources }
}

pub fn shorten(line: &str) -> String {
    line.chars().take(200).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn profiles_name_quantifiers() {
        let (name, found) = instances("[quantifier_instances]    seq.length :     25 :  20 : 21.5").expect("one line");
        assert_eq!((name, found), ("seq.length", Instantiated { instances: 25, generation: 20, cost: 21.5 }));
        assert_eq!(instances("unsat"), None);
    }

    #[test]
    fn only_the_end_of_a_search_is_incomplete() {
        let answer = |reason: &str| verdict(&["unknown".into(), format!("(:reason-unknown \"{reason}\")")]).ok();
        for reason in ["(incomplete quantifiers)", "(incomplete (theory arithmetic))"] {
            assert_eq!(answer(reason), Some(Verdict::Unknown(GaveUp::Incomplete)), "{reason}");
        }
        for reason in ["canceled", "unknown", "max. resource limit exceeded", "memout", ""] {
            assert_eq!(answer(reason), Some(Verdict::Unknown(GaveUp::Resources)), "{reason}");
        }
    }
}
