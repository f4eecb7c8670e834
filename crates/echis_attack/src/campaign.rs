//! The attack campaign: runs trials of each kind until the time limit, and tabulates the results.
//!
//! Each kind gets the same share of the time, because programs of some kinds take 50 times as long as those of others.

use crate::boogie;
use crate::generate::{contracts, functions, methods, openings, pairs, quantified, wands};
use crate::judge::{Judged, Wrong, judge};
use crate::metamorphic::{CHANGES, changed};
use crate::minimise::minimise;
use crate::mutate::mutant;
use crate::program::{Text, Verdict, Verifier};
use crate::random::Random;
use crate::silicon::Silicon;
use echis_base::Name;
use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fmt::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// The duration and seed of a campaign.
#[derive(Clone, Debug)]
pub struct Plan {
    pub time: Duration,
    /// The number of the first program of each kind; findings report the number of their program.
    pub first: usize,
    /// Maximum number of programs of each kind.
    pub programs: usize,
    pub seed: u64,
    pub kinds: Vec<Kind>,
    /// The programs to mutate.
    pub bases: Vec<String>,
    /// The folder to write findings to.
    pub folder: Option<PathBuf>,
}

impl Default for Plan {
    /// One minute of trials of every kind.
    fn default() -> Self {
        Plan {
            time: Duration::from_secs(60),
            first: 0,
            programs: usize::MAX,
            seed: 1,
            kinds: Kind::ALL.to_vec(),
            bases: Vec::new(),
            folder: Some("target/attack".into()),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    Wands,
    Functions,
    Methods,
    /// Methods with quantified permissions.
    Quantified,
    /// Functions with mutually dependent contracts.
    Contracts,
    /// Contracts with inhale-exhale pairs.
    Pairs,
    /// Predicates that open themselves.
    Openings,
    /// Programs in which one thing was changed.
    Mutants,
    /// Transformed programs, which need no oracle: a semantics-preserving change must not change the verdicts.
    Metamorphic,
    /// Boogie programs.
    Boogie,
}

impl Kind {
    pub const ALL: [Kind; 10] = [
        Kind::Wands,
        Kind::Functions,
        Kind::Methods,
        Kind::Quantified,
        Kind::Contracts,
        Kind::Pairs,
        Kind::Openings,
        Kind::Mutants,
        Kind::Metamorphic,
        Kind::Boogie,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Kind::Wands => "wands",
            Kind::Functions => "functions",
            Kind::Methods => "methods",
            Kind::Quantified => "quantified",
            Kind::Contracts => "contracts",
            Kind::Pairs => "pairs",
            Kind::Openings => "openings",
            Kind::Mutants => "mutants",
            Kind::Metamorphic => "metamorphic",
            Kind::Boogie => "boogie",
        }
    }
    fn generate(self, random: &mut Random, bases: &[String]) -> String {
        match self {
            Kind::Wands => wands::program(random),
            Kind::Functions => functions::program(random),
            Kind::Methods => methods::program(random),
            Kind::Quantified => quantified::program(random),
            Kind::Contracts => contracts::program(random),
            Kind::Pairs => pairs::program(random),
            Kind::Openings => openings::program(random),
            Kind::Mutants => {
                let base = if random.once_in(2) && !bases.is_empty() {
                    random.pick(bases).clone()
                } else {
                    Kind::Metamorphic.generate(random, bases)
                };
                // Not every mutant is valid.
                let mut mutants = (0..5).map(|_| mutant(&base, random));
                let valid = mutants.find(|text| *text != base && Text::parse(text).is_ok());
                valid.unwrap_or(base)
            }
            Kind::Metamorphic => {
                let kind = *random.pick(&[Kind::Wands, Kind::Functions, Kind::Methods, Kind::Quantified]);
                kind.generate(random, bases)
            }
            Kind::Boogie => boogie::Program::random(random).text(),
        }
    }
}

/// The results of all trials of one kind.
#[derive(Clone, Copy, Default, Debug)]
pub struct Row {
    pub programs: usize,
    /// Programs rejected by the front end, which test nothing.
    pub invalid: usize,
    /// Members with a body.
    pub trials: usize,
    pub verified: usize,
    pub refuted: usize,
    pub executions: u64,
    pub unanswered: usize,
    pub wrong: usize,
    /// Members on which the engines disagree: one of them is incomplete or unsound.
    pub disputed: usize,
    /// The time spent on this kind.
    pub elapsed: Duration,
}

#[derive(Default)]
pub struct CampaignReport {
    pub rows: BTreeMap<Kind, Row>,
    pub findings: Vec<Finding>,
    pub differences: Vec<Difference>,
    /// Differences to Silicon, which may be incompletenesses of Silicon.
    pub opinions: Vec<String>,
    pub elapsed: Duration,
    /// The part of `elapsed` spent in each engine, symbolic execution first; the rest is generation and execution.
    pub spent: [Duration; 2],
}

/// Two programs whose verdicts should agree but do not.
pub struct Difference {
    pub number: usize,
    pub what: String,
    pub before: String,
    pub after: String,
}

/// A program with a member that was accepted wrongly.
pub struct Finding {
    pub kind: Kind,
    /// The number of the program in the plan.
    pub number: usize,
    pub text: String,
    pub wrong: Wrong,
}

/// Runs a campaign.
pub fn run(plan: &Plan, tell: &dyn Fn(&str)) -> Result<CampaignReport, Box<dyn Error>> {
    let verifier = Verifier::new()?;
    let silicon = Silicon::find().transpose()?;
    let start = Instant::now();
    let mut outcome = CampaignReport::default();
    while let Some(kind) = outcome.next(plan)
        && start.elapsed() < plan.time
    {
        let began = Instant::now();
        outcome.test(plan, kind, &verifier, silicon.as_ref(), tell);
        outcome.rows.entry(kind).or_default().elapsed += began.elapsed();
    }
    outcome.elapsed = start.elapsed();
    outcome.spent = verifier.spent();
    shrink(&mut outcome.findings, plan, &verifier, tell);
    for difference in outcome.differences.iter().take(SHOWN) {
        let name = |side| format!("metamorphic-{}-{}-{side}.vpr", plan.seed, difference.number);
        let page = |text: &str| format!("// {}\n{text}", difference.what);
        write(plan, &name("before"), &page(&difference.before), tell);
        write(plan, &name("after"), &page(&difference.after), tell);
    }
    Ok(outcome)
}

impl CampaignReport {
    /// The kind to test next: the one that had the least time among those that are not finished.
    fn next(&self, plan: &Plan) -> Option<Kind> {
        let row = |kind: &Kind| self.rows.get(kind).copied().unwrap_or_default();
        let unfinished = plan.kinds.iter().filter(|kind| row(kind).programs < plan.programs);
        unfinished.min_by_key(|kind| row(kind).elapsed).copied()
    }
    /// Generates the next program of a kind and tests it.
    fn test(&mut self, plan: &Plan, kind: Kind, verifier: &Verifier, silicon: Option<&Silicon>, tell: &dyn Fn(&str)) {
        let row = self.rows.entry(kind).or_default();
        let number = plan.first.saturating_add(row.programs);
        row.programs += 1;
        // Each program has its own seed, so that it can be generated without the programs before it.
        let seed = plan.seed.wrapping_mul(1_000_003).wrapping_add(number as u64);
        let mut random = Random::new(seed.wrapping_mul(Kind::ALL.len() as u64).wrapping_add(kind as u64));
        random.draw();
        if kind == Kind::Boogie {
            return row.boogie(plan, number, verifier, &mut random, tell);
        }
        let text = kind.generate(&mut random, &plan.bases);
        match Text::parse(&text) {
            Err(error) => {
                row.invalid += 1;
                tell(&format!("{} {number}: {error}", kind.name()));
            }
            Ok(parsed) if kind == Kind::Metamorphic => {
                let (members, differing) = compare(&parsed, verifier, &mut random);
                row.trials += members;
                row.wrong += differing.len();
                for difference in differing {
                    tell(&format!("{} {number}: {}", kind.name(), difference.what));
                    self.differences.push(Difference { number, ..difference });
                }
            }
            Ok(mut parsed) => {
                parsed.conservative = matches!(kind, Kind::Contracts | Kind::Pairs);
                let judged = judge(&parsed, verifier, &mut random);
                if let Some(silicon) = silicon
                    && number.is_multiple_of(SECOND_OPINION)
                {
                    let opinions = second_opinion(silicon, &parsed, &judged, plan, kind, number);
                    opinions.iter().for_each(|line| tell(line));
                    self.opinions.extend(opinions);
                }
                row.count(&judged);
                if !judged.disputed.is_empty() {
                    let members: Vec<&str> = judged.disputed.iter().map(|name| &**name).collect();
                    let what = format!("the engines disagree about {}", members.join(", "));
                    let name = format!("engines-{}-{}-{number}.vpr", kind.name(), plan.seed);
                    write(plan, &name, &format!("// {what}\n{text}"), tell);
                }
                for wrong in judged.wrong {
                    tell(&format!(
                        "{} {number}: {} is accepted: {} (line {})",
                        kind.name(),
                        wrong.member,
                        wrong.fault.what,
                        wrong.line
                    ));
                    self.findings.push(Finding { kind, number, text: text.clone(), wrong });
                }
            }
        }
    }
}

/// Verifies a program before and after each of two changes. Returns the number of members compared and the changed
/// verdicts.
fn compare(before: &Text, verifier: &Verifier, random: &mut Random) -> (usize, Vec<Difference>) {
    let verdicts = before.verdicts(verifier);
    let mut members = 0;
    let mut differing = Vec::new();
    for _ in 0..2 {
        let change = *random.pick(&CHANGES);
        let text = changed(&before.text, change, random);
        let difference =
            |what: String| Difference { number: 0, what, before: before.text.clone(), after: text.clone() };
        let after = match Text::parse(&text) {
            Ok(after) => after.verdicts(verifier),
            Err(error) => {
                differing.push(difference(format!("{change}: {error}")));
                continue;
            }
        };
        for (name, verdict) in &verdicts {
            // After inlining, more may be provable.
            if change == "inlined" && *verdict != Verdict::Verified {
                continue;
            }
            members += 1;
            // A timeout is not a different verdict.
            let answered = *verdict != Verdict::None && after.get(name) != Some(&Verdict::None);
            if answered && after.get(name) != Some(verdict) {
                differing.push(difference(format!("{change}: {name} was {verdict:?} and is {:?}", after.get(name))));
            }
        }
    }
    (members, differing)
}

fn write(plan: &Plan, name: &str, text: &str, tell: &dyn Fn(&str)) {
    let Some(folder) = &plan.folder else { return };
    let path = folder.join(name);
    match std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&path, text)) {
        Ok(()) => tell(&format!("written: {}", path.display())),
        Err(error) => tell(&format!("{} cannot be written: {error}", path.display())),
    }
}

/// Minimises the first findings of each kind and writes them to files. Further ones usually have the same cause.
fn shrink(findings: &mut [Finding], plan: &Plan, verifier: &Verifier, tell: &dyn Fn(&str)) {
    let mut shown: BTreeMap<Kind, BTreeSet<usize>> = BTreeMap::new();
    for finding in findings {
        let shown = shown.entry(finding.kind).or_default();
        if shown.len() >= SHOWN || !shown.insert(finding.number) {
            continue;
        }
        // A smaller program of this kind may be contradictory with full right.
        if !matches!(finding.kind, Kind::Contracts | Kind::Pairs) {
            finding.text = minimise(&finding.text, SHRINKING, |text| wrong(text, verifier).is_some());
        }
        if let Some(wrong) = wrong(&finding.text, verifier) {
            finding.wrong = wrong;
        }
        let name = format!("{}-{}-{}.vpr", finding.kind.name(), plan.seed, finding.number);
        write(plan, &name, &finding.page(), tell);
    }
}

/// One program in this many is also verified by Silicon, which takes seconds to start.
const SECOND_OPINION: usize = 11;

/// The members with unexplained differences to Silicon. The program and both verdicts are written to a file.
fn second_opinion(
    silicon: &Silicon,
    text: &Text,
    judged: &Judged,
    plan: &Plan,
    kind: Kind,
    number: usize,
) -> Vec<String> {
    let name = format!("silicon-{}-{}-{number}.vpr", kind.name(), plan.seed);
    let folder = plan.folder.clone().unwrap_or_else(std::env::temp_dir);
    let path = folder.join(&name);
    let _ = std::fs::create_dir_all(&folder);
    let opinion = match silicon.verify(text, &path) {
        Ok(opinion) => opinion,
        Err(error) => return vec![format!("{name}: {error}")],
    };
    let differs = |(member, verdict): &(&Name, &Verdict)| {
        (**verdict == Verdict::Verified) == opinion.failed.contains(*member) && **verdict != Verdict::None
    };
    let differing: Vec<String> = judged
        .verdicts
        .iter()
        .filter(differs)
        .map(|(member, verdict)| format!("{name}: {member}: Echis says {verdict:?}, Silicon does not"))
        .filter(|line| !reasoned(line))
        .collect();
    if differing.is_empty() {
        let _ = std::fs::remove_file(path);
        return differing;
    }
    let ours: Vec<String> = judged.verdicts.iter().map(|(member, verdict)| format!("{member}: {verdict:?}")).collect();
    let comment = format!("Echis: {}\nSilicon:\n{}", ours.join(", "), opinion.output);
    let comment: String = comment.lines().map(|line| format!("// {line}\n")).collect();
    let _ = std::fs::write(path, format!("{}{comment}", text.text));
    differing
}

/// Whether a difference is explained: `tests/second_opinion.tsv` lists prefixes of lines with reasons.
fn reasoned(line: &str) -> bool {
    let list = include_str!("../../../tests/second_opinion.tsv");
    let known = list.lines().skip(1).filter_map(|row| row.split_once('\t'));
    known.into_iter().any(|(start, _)| line.starts_with(start))
}

/// Number of findings of each kind to minimise, and the time for each.
const SHOWN: usize = 5;
const SHRINKING: Duration = Duration::from_secs(30);

/// A wrongly accepted member of the program, if there is one. The executions are deterministic.
fn wrong(text: &str, verifier: &Verifier) -> Option<Wrong> {
    let parsed = Text::parse(text).ok()?;
    judge(&parsed, verifier, &mut Random::new(7)).wrong.into_iter().next()
}

impl Finding {
    /// The program with a comment that describes the finding.
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
    /// Tests a Boogie program; a wrongly accepted procedure is written to a file with its program.
    fn boogie(&mut self, plan: &Plan, number: usize, verifier: &Verifier, random: &mut Random, tell: &dyn Fn(&str)) {
        let program = boogie::Program::random(random);
        let found = match program.judge(verifier, random) {
            Ok(found) => found,
            Err(error) => {
                self.invalid += 1;
                tell(&format!("boogie {number}: {error}"));
                return;
            }
        };
        self.trials += found.procedures;
        self.verified += found.verified;
        self.refuted += found.refuted;
        self.executions += found.executions;
        self.unanswered += found.unanswered;
        self.wrong += found.accepted.len();
        for accepted in &found.accepted {
            let what = format!("{} is accepted: {}", accepted.procedure, accepted.what);
            tell(&format!("boogie {number}: {what}"));
            let name = format!("boogie-{}-{number}.bpl", plan.seed);
            write(plan, &name, &format!("// {what}\n{}", program.text()), tell);
        }
    }
    fn count(&mut self, judged: &Judged) {
        self.trials += judged.members;
        self.verified += judged.verified;
        self.refuted += judged.refuted;
        self.executions += judged.executions;
        self.unanswered += judged.unanswered;
        self.wrong += judged.wrong.len();
        self.disputed += judged.disputed.len();
    }
}

impl CampaignReport {
    pub fn table(&self) -> String {
        let mut table = format!(
            "{:<12}{:>9}{:>9}{:>9}{:>10}{:>9}{:>12}{:>12}{:>7}{:>10}\n",
            "kind",
            "programs",
            "invalid",
            "members",
            "verified",
            "refuted",
            "executions",
            "unanswered",
            "wrong",
            "disputed"
        );
        for (kind, row) in &self.rows {
            let _ = writeln!(
                table,
                "{:<12}{:>9}{:>9}{:>9}{:>10}{:>9}{:>12}{:>12}{:>7}{:>10}",
                kind.name(),
                row.programs,
                row.invalid,
                row.trials,
                row.verified,
                row.refuted,
                row.executions,
                row.unanswered,
                row.wrong,
                row.disputed
            );
        }
        let members: usize = self.rows.values().map(|row| row.trials).sum();
        let [symbolic, conditions] = self.spent.map(|spent| spent.as_secs_f64());
        let elapsed = self.elapsed.as_secs_f64();
        let _ = writeln!(
            table,
            "{:.1} members a second; {elapsed:.0} s, of which symbolic engine {symbolic:.0} s, conditions {conditions:.0} s",
            members as f64 / elapsed.max(0.001)
        );
        table
    }
}
