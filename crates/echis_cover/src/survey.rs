//! A single program that refutes many candidates, so that only the others need their own programs.
//!
//! A candidate about a part of a goal is confirmed by a program with a stronger goal. The survey makes the
//! strengthening depend on a *doubt*, an unconstrained proposition: where the doubt is false, it is the given
//! program, which verifies, and otherwise the candidate's. So an error there is an error of the candidate's program.
//! A doubt never causes a contradiction, and what is assumed because of one makes nothing else fail; therefore all
//! doubts of a program fit into one, together with the probes for contradictions.

use crate::Candidate;
use crate::conditions::Condition;
use crate::contradictions::Probes;
use crate::doubt::Doubt;
use echis_base::fresh;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Text to insert into the source. Insertions at the same position stay in order.
struct Insertion {
    at: usize,
    order: Order,
    text: String,
    says: Says,
}

/// The order of insertions at the same position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Order {
    EndOfBranch,
    EndOfClause,
    Clause,
    Branch,
    Statement,
    Member,
}

/// The subject of an error in inserted text.
#[derive(Clone, Copy)]
enum Says {
    Nothing,
    Candidate(usize),
    Probe(usize),
    Condition(usize),
}

/// The program with all doubts and probes.
pub struct Survey {
    pub text: String,
    /// The ranges where candidates are doubted.
    doubts: Vec<(Range<usize>, usize)>,
    /// The ranges of the probes, with the offsets of their points.
    probes: Vec<(Range<usize>, usize)>,
    /// The ranges for conditions of predicates.
    conditions: Vec<(Range<usize>, usize)>,
}

impl Survey {
    pub fn new(source: &str, probes: &Probes, conditions: &[Condition], candidates: &[Candidate]) -> Self {
        let name = fresh(source, "doubt");
        let mut insertions = Vec::new();
        let mut clauses: BTreeMap<(usize, usize), Vec<(usize, String)>> = BTreeMap::new();
        for (index, candidate) in candidates.iter().enumerate() {
            let doubt = format!("{name}({index})");
            match &candidate.doubt {
                Some(Doubt::Evaluated(branch)) => {
                    let says = Says::Candidate(index);
                    let text = format!("(asserting ({doubt}) in (");
                    insertions.push(Insertion { at: branch.start, order: Order::Branch, text, says });
                    let (order, text) = (Order::EndOfBranch, "))".to_string());
                    insertions.push(Insertion { at: branch.end, order, text, says: Says::Nothing });
                }
                Some(Doubt::Restated { clause, part, saying }) => {
                    let written = |range: Range<usize>| source.get(range).unwrap_or_default();
                    let part_text = saying.with(written(part.clone()), &doubt);
                    let (before, after) = (written(clause.start..part.start), written(part.end..clause.end));
                    let restated = format!(" && ({before}{part_text}{after})");
                    clauses.entry((clause.start, clause.end)).or_default().push((index, restated));
                }
                None => {}
            }
        }
        for ((start, end), restated) in clauses {
            let says = Says::Nothing;
            insertions.push(Insertion { at: start, order: Order::Clause, text: "((".into(), says });
            insertions.push(Insertion { at: end, order: Order::EndOfClause, text: ")".into(), says });
            for (index, text) in restated {
                insertions.push(Insertion { at: end, order: Order::EndOfClause, text, says: Says::Candidate(index) });
            }
            insertions.push(Insertion { at: end, order: Order::EndOfClause, text: ")".into(), says });
        }
        for (at, probe) in probes.statements() {
            let (order, text, says) = (Order::Statement, probe.to_string(), Says::Probe(at));
            insertions.push(Insertion { at, order, text, says });
        }
        for (index, condition) in conditions.iter().enumerate() {
            let (order, text, says) = (Order::Member, condition.method("refute false").0, Says::Condition(index));
            insertions.push(Insertion { at: source.len(), order, text, says });
        }
        Survey::written(source, insertions, &name)
    }
    fn written(source: &str, mut insertions: Vec<Insertion>, name: &str) -> Self {
        insertions.sort_by_key(|insertion| (insertion.at, insertion.order));
        let mut survey = Survey { text: String::new(), doubts: Vec::new(), probes: Vec::new(), conditions: Vec::new() };
        let mut done = 0;
        for Insertion { at, text, says, .. } in insertions {
            survey.text += source.get(done..at).unwrap_or_default();
            let start = survey.text.len();
            survey.text += &text;
            let range = start..survey.text.len();
            match says {
                Says::Nothing => {}
                Says::Candidate(index) => survey.doubts.push((range, index)),
                Says::Probe(offset) => survey.probes.push((range, offset)),
                Says::Condition(index) => survey.conditions.push((range, index)),
            }
            done = at;
        }
        survey.text += source.get(done..).unwrap_or_default();
        if !survey.doubts.is_empty() {
            survey.text += &format!("\ndomain {name}_ {{ function {name}(number: Int): Bool }}\n");
        }
        survey
    }
    pub fn is_empty(&self) -> bool {
        self.doubts.is_empty() && self.probes.is_empty() && self.conditions.is_empty()
    }
    /// The candidates refuted by errors at these positions of the survey.
    pub fn refuted(&self, errors: &BTreeSet<usize>) -> BTreeSet<usize> {
        about(&self.doubts, errors)
    }
    /// The points, by source offset, whose probes fail at these positions of the survey.
    pub fn probed(&self, errors: &BTreeSet<usize>) -> BTreeSet<usize> {
        about(&self.probes, errors)
    }
    /// The conditions of predicates that fail at these positions of the survey.
    pub fn excluded(&self, errors: &BTreeSet<usize>) -> BTreeSet<usize> {
        about(&self.conditions, errors)
    }
}

fn about(ranges: &[(Range<usize>, usize)], places: &BTreeSet<usize>) -> BTreeSet<usize> {
    let hit = |range: &Range<usize>| places.range(range.clone()).next().is_some();
    ranges.iter().filter(|(range, _)| hit(range)).map(|(_, what)| *what).collect()
}
