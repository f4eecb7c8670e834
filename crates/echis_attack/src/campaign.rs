//! The campaign: kinds of trials in turn until the time is over, and a table of what came of them.

use crate::generate::{functions, methods, wands};
use crate::judge::{Judged, Wrong, judge};
use crate::minimise::minimise;
use crate::program::{Text, Verifier};
use crate::random::Random;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// How long, and from which seed.
#[derive(Clone, Debug)]
pub struct Plan {
    pub time: Duration,
    /// Programs at most.
    pub programs: usize,
    pub seed: u64,
    pub kinds: Vec<Kind>,
    /// Where findings are written.
    pub folder: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    Wands,
    Functions,
    Methods,
}

impl Kind {
    pub const ALL: [Kind; 3] = [Kind::Wands, Kind::Functions, Kind::Methods];

    pub fn name(self) -> &'static str {
        match self {
            Kind::Wands => "wands",
            Kind::Functions => "functions",
            Kind::Methods => "methods",
        }
    }
    fn generate(self, random: &mut Random) -> String {
        match self {
            Kind::Wands => wands::program(random),
            Kind::Functions => functions::program(random),
            Kind::Methods => methods::program(random),
        }
    }
}

/// What came of the trials of one kind.
#[derive(Clone, Copy, Default, Debug)]
pub struct Row {
    pub programs: usize,
    /// Programs that the front end refuses: time lost, nothing learned.
    pub invalid: usize,
    /// Members with a body.
    pub trials: usize,
    pub verified: usize,
    pub refuted: usize,
    pub executions: u64,
    pub unanswered: usize,
    pub wrong: usize,
}

#[derive(Default)]
pub struct Outcome {
    pub rows: BTreeMap<Kind, Row>,
    pub findings: Vec<Finding>,
}

/// A program in which a wrong member was accepted.
pub struct Finding {
    pub kind: Kind,
    /// Which program of the plan it is.
    pub number: usize,
    pub text: String,
    pub wrong: Wrong,
}

/// Runs the plan.
pub fn run(plan: &Plan, tell: &dyn Fn(&str)) -> Result<Outcome, String> {
    let verifier = Verifier::new()?;
    let start = Instant::now();
    let mut outcome = Outcome::default();
    for number in 0..plan.programs {
        if start.elapsed() >= plan.time {
            break;
        }
        let kind = plan.kinds[number % plan.kinds.len()];
        // Each program has a seed of its own, so that one can be made again without those before.
        let mut random = Random::new(plan.seed.wrapping_mul(1_000_003).wrapping_add(number as u64));
        random.draw();
        let text = kind.generate(&mut random);
        let row = outcome.rows.entry(kind).or_default();
        row.programs += 1;
        match Text::parse(&text) {
            Err(error) => {
                row.invalid += 1;
                tell(&format!("{} {number}: {error}", kind.name()));
            }
            Ok(parsed) => {
                let judged = judge(&parsed, &verifier, &mut random);
                row.count(&judged);
                for wrong in judged.wrong {
                    tell(&format!(
                        "{} {number}: {} is accepted: {} (line {})",
                        kind.name(),
                        wrong.member,
                        wrong.fault.what,
                        wrong.line
                    ));
                    outcome.findings.push(Finding { kind, number, text: text.clone(), wrong });
                }
            }
        }
    }
    shrink(&mut outcome.findings, plan, &verifier, tell);
    Ok(outcome)
}

/// Makes the first findings of each kind small, and writes them to files. The others most often have the same cause.
fn shrink(findings: &mut [Finding], plan: &Plan, verifier: &Verifier, tell: &dyn Fn(&str)) {
    let mut shown: BTreeMap<Kind, BTreeSet<usize>> = BTreeMap::new();
    for finding in findings {
        let shown = shown.entry(finding.kind).or_default();
        if shown.len() >= SHOWN || !shown.insert(finding.number) {
            continue;
        }
        finding.text = minimise(&finding.text, SHRINKING, |text| wrong(text, verifier).is_some());
        if let Some(wrong) = wrong(&finding.text, verifier) {
            finding.wrong = wrong;
        }
        if let Some(folder) = &plan.folder {
            let path = folder.join(format!("{}-{}-{}.vpr", finding.kind.name(), plan.seed, finding.number));
            let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&path, finding.page()));
            match written {
                Ok(()) => tell(&format!("written: {}", path.display())),
                Err(error) => tell(&format!("{} cannot be written: {error}", path.display())),
            }
        }
    }
}

/// Findings of one kind that are made small, and the time for each.
const SHOWN: usize = 5;
const SHRINKING: Duration = Duration::from_secs(30);

/// What is wrong with a program, if something is. The executions are the same each time.
fn wrong(text: &str, verifier: &Verifier) -> Option<Wrong> {
    let parsed = Text::parse(text).ok()?;
    judge(&parsed, verifier, &mut Random::new(7)).wrong.into_iter().next()
}

impl Finding {
    /// The program with a comment about what is wrong with it.
    fn page(&self) -> String {
        let Wrong { member, fault, line } = &self.wrong;
        format!(
            "// Accepted, but an execution of `{member}` refutes it (line {}): {}.\n{}",
            line + 1,
            fault.what,
            self.text
        )
    }
}

impl Row {
    fn count(&mut self, judged: &Judged) {
        self.trials += judged.members;
        self.verified += judged.verified;
        self.refuted += judged.refuted;
        self.executions += judged.executions;
        self.unanswered += judged.unanswered;
        self.wrong += judged.wrong.len();
    }
}

impl Outcome {
    pub fn table(&self) -> String {
        let mut table = format!(
            "{:<12}{:>9}{:>9}{:>9}{:>10}{:>9}{:>12}{:>12}{:>7}\n",
            "kind", "programs", "invalid", "members", "verified", "refuted", "executions", "unanswered", "wrong"
        );
        for (kind, row) in &self.rows {
            let _ = writeln!(
                table,
                "{:<12}{:>9}{:>9}{:>9}{:>10}{:>9}{:>12}{:>12}{:>7}",
                kind.name(),
                row.programs,
                row.invalid,
                row.trials,
                row.verified,
                row.refuted,
                row.executions,
                row.unanswered,
                row.wrong
            );
        }
        table
    }
}
