//! Selection of assertions: executions determine which candidates are true, and which are almost always true.

use crate::oracle::{Tally, probe};
use crate::program::Text;
use crate::random::Random;

/// Number of executions to evaluate a candidate.
const EXECUTIONS: usize = 40;

/// A method with candidate assertions at its end.
pub struct Candidate {
    pub params: String,
    pub requires: Vec<String>,
    pub body: Vec<String>,
    pub asserted: Vec<String>,
}

/// A candidate assertion with its outcomes in executions.
#[derive(Clone, Debug)]
pub struct Sample {
    pub text: String,
    pub tally: Tally,
}

impl Candidate {
    pub fn method(&self, name: &str, asserted: &[String]) -> String {
        let mut text = format!("method {name}({})\n", self.params);
        for clause in &self.requires {
            text += &format!("  requires {clause}\n");
        }
        text += "{\n";
        for line in &self.body {
            text += &format!("  {line}\n");
        }
        for line in asserted {
            text += &format!("  assert {line}\n");
        }
        text + "}\n"
    }
}

/// The evaluated assertions of each candidate, in order; empty if the program is not valid.
pub struct Probed {
    pub samples: Vec<Vec<Sample>>,
}

impl Probed {
    pub fn new(prelude: &str, candidates: &[Candidate], random: &mut Random) -> Self {
        let methods = candidates.iter().enumerate();
        let methods: String = methods.map(|(index, one)| one.method(&format!("probe{index}"), &one.asserted)).collect();
        let text = Text::parse(&format!("{prelude}{methods}"));
        let samples = candidates.iter().enumerate().map(|(index, one)| {
            let Ok(text) = &text else { return Vec::new() };
            let Some(method) = text.method(&format!("probe{index}")) else { return Vec::new() };
            let tallies = probe(&text.program, method, random, EXECUTIONS);
            let asserts = text.asserts(method);
            let found = one.asserted.iter().zip(asserts);
            let sample = |(text, at): (&String, _)| Sample {
                text: text.clone(),
                tally: tallies.get(&at).copied().unwrap_or_default(),
            };
            found.map(sample).collect()
        });
        Probed { samples: samples.collect() }
    }
}

/// Chooses mostly true assertions, so that many members verify, and sometimes one that failed in few executions.
pub fn chosen(random: &mut Random, samples: &[Sample]) -> Vec<String> {
    let is_true = |sample: &&Sample| sample.tally.failed == 0 && sample.tally.held > 2;
    let mut right: Vec<&Sample> = samples.iter().filter(is_true).collect();
    let mut wrong: Vec<&Sample> = samples.iter().filter(|sample| sample.tally.failed > 0).collect();
    wrong.sort_by_key(|sample| sample.tally.failed);
    let mut chosen = Vec::new();
    for _ in 0..random.below(3) {
        if !right.is_empty() {
            chosen.push(right.remove(random.below(right.len())).text.clone());
        }
    }
    if !wrong.is_empty() && random.percent(45) {
        let near = if random.once_in(3) { wrong.len() } else { wrong.len().min(4) };
        let place = random.below(chosen.len() + 1);
        chosen.insert(place, wrong[random.below(near)].text.clone());
    }
    chosen
}
