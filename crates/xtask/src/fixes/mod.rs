//! Whether mistakes are mended: one thing is taken out of a program that verifies, and `echis fix` should offer a change with
//! which it verifies again.
//!
//! A fix is *right* if the whole program verifies with it, nothing in it is proved from a contradiction that was not there
//! before, and no precondition is added unless one was taken out. It is *wrong* if the program has an error with it that it did
//! not have without, or a new contradiction.

mod seed;

use crate::command::{Binary, Ended, holds};
use crate::corpus::{corpus, programs};
use crate::echis::{Echis, Scratch, repository};
use clap::Args;
use seed::{Kind, Seeded, seeds};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Programs that are longer take long, and say little more.
const LONGEST: usize = 5_000;

#[derive(Args)]
pub struct Options {
    /// Programs or folders [default: the examples, the tests and the corpus]
    paths: Vec<PathBuf>,
    /// As many mistakes, half of them in the repository's programs and half in the corpus
    #[arg(long, value_name = "N", default_value_t = 160)]
    mistakes: usize,
    /// As many mistakes in one program at most
    #[arg(long, value_name = "N", default_value_t = 3)]
    most: usize,
    /// Seconds for one run
    #[arg(long, value_name = "S", default_value_t = 60)]
    limit: u64,
    /// Name each mistake and what is offered
    #[arg(long)]
    verbose: bool,
    #[command(flatten)]
    binary: Binary,
}

#[derive(Default)]
struct Counts {
    mistakes: usize,
    corpus: usize,
    first: usize,
    among_three: usize,
    offered: usize,
    wrong: usize,
    kinds: BTreeMap<Kind, (usize, usize, usize)>,
    /// What hints add to the time of verifying.
    extra: Vec<f64>,
}

pub fn run(options: &Options) -> Ended {
    let echis = options.binary.find()?;
    let mut counts = Counts::default();
    if options.paths.is_empty() {
        let own = ["examples", "tests/programs"].map(|folder| repository().join(folder));
        let own: Vec<String> = own.iter().flat_map(|folder| programs(folder)).collect();
        measure_all(&echis, &own, options.mistakes / 2, options, &mut counts);
        let before = counts.mistakes;
        if let Some(corpus) = corpus() {
            let all: Vec<String> = ["viper", "lemmas", "dependency", "precision"]
                .iter()
                .flat_map(|folder| programs(&corpus.join(folder)))
                .collect();
            measure_all(&echis, &all, options.mistakes - before, options, &mut counts);
            counts.corpus = counts.mistakes - before;
        }
    } else {
        let all: Vec<String> = options.paths.iter().flat_map(|path| programs(path)).collect();
        measure_all(&echis, &all, options.mistakes, options, &mut counts);
    }
    report(&counts)
}

fn report(counts: &Counts) -> Ended {
    let Counts { mistakes, corpus, first, among_three, offered, wrong, kinds, extra } = counts;
    let share = |part: usize| 100.0 * part as f64 / (*mistakes).max(1) as f64;
    println!("{:14} {:>8} {:>6} {:>6}", "taken out", "mistakes", "first", "three");
    for (kind, (all, first, three)) in kinds {
        println!("{:14} {all:>8} {first:>6} {three:>6}", kind.name());
    }
    let mut extra = extra.clone();
    extra.sort_by(f64::total_cmp);
    let median = extra.get(extra.len() / 2).copied().unwrap_or(0.0);
    println!(
        "{mistakes} mistakes ({corpus} in the corpus): the first fix is right for {first} ({:.0} %), one of three for \
         {among_three} ({:.0} %); {offered} offered, {wrong} wrong; hints take {median:.1} times as long as verifying, median",
        share(*first),
        share(*among_three)
    );
    holds(*wrong == 0 && share(*among_three) >= 70.0 && share(*first) >= 50.0 && median <= 2.0)
}

/// Mistakes are spread over the programs evenly: each program gives its first ones, until there are enough.
fn measure_all(echis: &Echis, programs: &[String], wanted: usize, options: &Options, counts: &mut Counts) {
    let scratch = Scratch::new();
    let until = counts.mistakes + wanted;
    let candidates: Vec<&String> = programs.iter().filter(|program| is_useful(program)).collect();
    let step = (candidates.len() * options.most).div_ceil(wanted.max(1) * 2).max(1);
    for offset in 0..step {
        for program in candidates.iter().skip(offset).step_by(step) {
            if counts.mistakes >= until {
                return;
            }
            measure(echis, program, &scratch, until, options, counts);
        }
    }
}

fn is_useful(program: &str) -> bool {
    let text = std::fs::read_to_string(program).unwrap_or_default();
    // Mutants lie in a folder of their own, where nothing could be imported from.
    text.len() < LONGEST && !text.contains("import \"") && !text.contains("ExpectedOutput") && !seeds(&text).is_empty()
}

fn measure(echis: &Echis, program: &str, scratch: &Scratch, until: usize, options: &Options, counts: &mut Counts) {
    let Ok(text) = std::fs::read_to_string(program) else { return };
    let all = seeds(&text);
    let path = scratch.write("original.vpr", &text);
    if verdict(&verify(echis, &path, "off", options)) != "verified" {
        return;
    }
    let dead = contradictions(echis, &path, options);
    let mut kinds: Vec<Kind> = all.iter().map(|seed| seed.kind).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let mut done = 0;
    // One of each kind first; which one depends on the program.
    for round in 0..3 {
        for kind in &kinds {
            let of_kind: Vec<&Seeded> = all.iter().filter(|seed| seed.kind == *kind).collect();
            let index = (text.len() + round * 7) % of_kind.len();
            if round > of_kind.len() || done >= options.most || counts.mistakes >= until {
                continue;
            }
            done += usize::from(mend(echis, program, of_kind[index], dead, scratch, options, counts));
        }
    }
}

/// Whether the seeded program has an error, and so is a mistake to mend.
fn mend(
    echis: &Echis,
    program: &str,
    seed: &Seeded,
    dead: usize,
    scratch: &Scratch,
    options: &Options,
    counts: &mut Counts,
) -> bool {
    let path = scratch.write("seeded.vpr", &seed.text);
    let plain = verify(echis, &path, "off", options);
    let now = &plain["files"][0];
    if now["verdict"] != "failed" {
        return false;
    }
    let hinted = verify(echis, &path, "fast", options);
    let time = |document: &Value| document["files"][0]["seconds"].as_f64().unwrap_or(0.0);
    counts.extra.push((time(&hinted) - time(&plain)).max(0.0) / time(&plain).max(0.001));
    counts.mistakes += 1;
    let seconds = options.limit.to_string();
    let found = echis.document(&["fix", &path, "--format", "json", "--jobs", "1", "--timeout", &seconds]);
    let errors = found["files"][0]["errors"].as_array().cloned().unwrap_or_default();
    let offers = errors.iter().find(|error| error["fix"].is_object()).map(offers).unwrap_or_default();
    let mut right = Vec::new();
    for offer in offers.iter().take(3) {
        counts.offered += 1;
        let judged = judge(echis, seed, offer, now, dead, scratch, options);
        counts.wrong += usize::from(judged == Judged::Wrong);
        if options.verbose || judged == Judged::Wrong {
            println!("  {program}:{} {}: {judged:?} {}", seed.line, seed.kind.name(), offer["message"]);
        }
        right.push(judged == Judged::Right);
    }
    if options.verbose && offers.is_empty() {
        println!("  {program}:{} {}: nothing for {}", seed.line, seed.kind.name(), now["errors"][0]["message"]);
    }
    let (first, three) = (right.first() == Some(&true), right.contains(&true));
    counts.first += usize::from(first);
    counts.among_three += usize::from(three);
    let of_kind = counts.kinds.entry(seed.kind).or_default();
    *of_kind = (of_kind.0 + 1, of_kind.1 + usize::from(first), of_kind.2 + usize::from(three));
    true
}

fn offers(error: &Value) -> Vec<Value> {
    let others = error["other_fixes"].as_array().cloned().unwrap_or_default();
    std::iter::once(error["fix"].clone()).chain(others).collect()
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Judged {
    Right,
    /// It takes the error away, and others are left, or it asks for more than was taken out.
    Other,
    Wrong,
}

fn judge(
    echis: &Echis,
    seed: &Seeded,
    offer: &Value,
    now: &Value,
    dead: usize,
    scratch: &Scratch,
    options: &Options,
) -> Judged {
    let edits = offer["edits"].as_array().map_or(&[][..], Vec::as_slice);
    let Some(text) = crate::recall::with(&seed.text, edits) else { return Judged::Wrong };
    let path = scratch.write("fixed.vpr", &text);
    let then = verify(echis, &path, "off", options);
    let messages = |file: &Value| {
        let errors = file["errors"].as_array().cloned().unwrap_or_default();
        errors.iter().map(|error| (error["id"].to_string(), error["message"].to_string())).collect::<Vec<_>>()
    };
    if verdict(&then) != "verified" {
        let known = messages(now);
        let is_new = messages(&then["files"][0]).iter().any(|message| !known.contains(message));
        return if is_new || verdict(&then) == "invalid" { Judged::Wrong } else { Judged::Other };
    }
    if contradictions(echis, &path, options) > dead {
        return Judged::Wrong;
    }
    let asks_for_more =
        offer["message"].as_str().is_some_and(|message| message.contains("requires ")) && !seed.precondition;
    if asks_for_more { Judged::Other } else { Judged::Right }
}

fn verify(echis: &Echis, path: &str, hints: &str, options: &Options) -> Value {
    let seconds = options.limit.to_string();
    let run = echis.run(&["verify", path, "--hints", hints, "--format", "json", "--jobs", "1", "--timeout", &seconds]);
    let mut document: Value = serde_json::from_str(&run.output).unwrap_or_default();
    document["files"][0]["seconds"] = run.seconds.into();
    document
}

fn verdict(document: &Value) -> &str {
    document["files"][0]["verdict"].as_str().unwrap_or_default()
}

/// How many places no execution reaches.
fn contradictions(echis: &Echis, path: &str, options: &Options) -> usize {
    let seconds = options.limit.to_string();
    let found = echis.document(&["cover", path, "--smoke", "--format", "json", "--jobs", "1", "--timeout", &seconds]);
    found["warnings"].as_array().map_or(0, Vec::len)
}
