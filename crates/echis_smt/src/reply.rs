//! Parses a solver's answer.

use crate::backend::Fault;
use crate::dialect::Dialect;
use echis_proof::Verdict;

/// Parses the answer to one question: the result of `check-sat`, followed by the reason.
pub fn verdict(dialect: &Dialect, lines: &[String]) -> Result<Verdict, Answer> {
    let mut answer = None;
    let mut reason = "";
    for line in lines {
        match line.as_str() {
            "sat" | "unsat" | "unknown" if answer.is_none() => answer = Some(line.as_str()),
            line if answer.is_some() && asks_too_much(line) => {}
            line if line.starts_with("(error") => return Err(Answer::Refused(line.to_owned())),
            line if line.starts_with("(:reason-unknown") => reason = line,
            line if dialect.count(line).is_some() => {}
            line if is_harmless(line) => {}
            line => return Err(Answer::Broken(Fault::Garbage(shorten(line)))),
        }
    }
    match answer {
        Some("unsat") => Ok(Verdict::Proved),
        Some("sat") => Ok(Verdict::Refuted),
        Some(_) => Ok(dialect.unknown(reason)),
        None => Err(Answer::Broken(Fault::Garbage("no answer".into()))),
    }
}

/// The number of instances of a quantifier.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub struct Instantiated {
    pub instances: u64,
    /// The maximum generation of its instances.
    pub generation: u64,
    /// The maximum cost of its instances.
    pub cost: f64,
}

impl Instantiated {
    pub fn add(&mut self, other: Instantiated) {
        self.instances += other.instances;
        self.generation = self.generation.max(other.generation);
        self.cost = self.cost.max(other.cost);
    }
}

/// Parses the profile output for a quantifier: its name and `instances : generation : cost`.
pub fn instances(line: &str) -> Option<(&str, Instantiated)> {
    let mut fields = line.strip_prefix("[quantifier_instances]")?.rsplitn(4, ':').map(str::trim);
    let (cost, generation) = (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
    let instances = fields.next()?.parse().ok()?;
    Some((fields.next()?, Instantiated { instances, generation, cost }))
}

/// Why there is no verdict.
pub enum Answer {
    /// The solver rejects the text: a defect in Echis, which a new process would not fix.
    Refused(String),
    /// The solver is broken.
    Broken(Fault),
}

/// Whether the line is a harmless response to an unknown option.
pub fn is_harmless(line: &str) -> bool {
    line.is_empty() || line == "unsupported" || line.starts_with("; ignoring") || line.starts_with("WARNING")
}

/// Whether the line is an error for a request that does not fit the verdict: a core without a proof, or a
/// reason-unknown for a decided goal.
pub fn asks_too_much(line: &str) -> bool {
    let is_about = |what: &str| line.contains(what);
    line.starts_with("(error") && ["unsat core", "reason-unknown"].into_iter().any(is_about)
}

pub fn shorten(line: &str) -> String {
    line.chars().take(200).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::Z3;
    use echis_proof::GaveUp;

    #[test]
    fn profiles_name_quantifiers() {
        let (name, found) = instances("[quantifier_instances]    seq.length :     25 :  20 : 21.5").expect("one line");
        assert_eq!((name, found), ("seq.length", Instantiated { instances: 25, generation: 20, cost: 21.5 }));
        assert_eq!(instances("unsat"), None);
    }

    #[test]
    fn only_the_end_of_a_search_is_incomplete() {
        let answer = |reason: &str| verdict(&Z3, &["unknown".into(), format!("(:reason-unknown \"{reason}\")")]).ok();
        for reason in ["(incomplete quantifiers)", "(incomplete (theory arithmetic))"] {
            assert_eq!(answer(reason), Some(Verdict::Unknown(GaveUp::Incomplete)), "{reason}");
        }
        for reason in ["canceled", "unknown", "max. resource limit exceeded", "memout", ""] {
            assert_eq!(answer(reason), Some(Verdict::Unknown(GaveUp::Resources)), "{reason}");
        }
    }
}
