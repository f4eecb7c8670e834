//! Whole programs, warm, compared with Silicon in one virtual machine.

use super::Options;
use super::silicon::{Silicon, Timed};
use crate::corpus;
use crate::echis::Echis;
use std::collections::BTreeMap;

/// A program is listed if it exceeds this multiple of Silicon's time, and this many seconds.
const SLOWER: f64 = 1.5;
const START: f64 = 0.1;
/// Number of slowest programs that are listed.
const WORST: usize = 10;
const COLLECTIONS: [&str; 2] = ["viper", "frontends"];

pub fn run(echis: &Echis, silicon: Option<&Silicon>, options: &Options) {
    let files = corpus(options);
    if files.is_empty() {
        println!("files: there is no ../shared/corpus with such programs");
        return;
    }
    let echis = echis.with_solver(silicon.map(|silicon| silicon.z3.clone()));
    let ours = ours(&echis, &files, options.limit);
    let total: f64 = ours.values().map(|(seconds, _)| seconds).sum();
    println!("files: echis {} programs in {total:.1} s", ours.len());
    if let Some(silicon) = silicon {
        compare(&ours, &silicon.warm(&files, options.limit));
    }
}

/// Time in seconds and verdict of each program, all in one process.
fn ours(echis: &Echis, files: &[String], limit: u64) -> BTreeMap<String, (f64, String)> {
    let mut found = BTreeMap::new();
    // One process per group: a program that never ends must not affect all the others.
    for group in files.chunks(25) {
        let limit = (limit * group.len() as u64).to_string();
        let mut args = vec!["verify", "--format", "json", "--errors", "1", "--timeout", &limit];
        args.extend(group.iter().map(|file| &**file));
        for file in echis.json(&args) {
            let seconds = file["time_ms"].as_f64().unwrap_or(f64::NAN) / 1000.0;
            let text = |name: &str| file[name].as_str().unwrap_or("").to_string();
            found.insert(text("path"), (seconds, text("verdict")));
        }
    }
    found
}

/// Compares each collection separately: each has its own limit for the total time.
fn compare(ours: &BTreeMap<String, (f64, String)>, theirs: &[Timed]) {
    for collection in COLLECTIONS {
        let inside = format!("/{collection}/");
        let pairs: Vec<Pair> = theirs
            .iter()
            .filter(|timed| timed.path.contains(&inside))
            .filter_map(|timed| {
                let (seconds, verdict) = ours.get(&timed.path)?;
                Some(Pair { path: &timed.path, verdict, mine: *seconds, other: timed.seconds, said: &timed.verdict })
            })
            .collect();
        if !pairs.is_empty() {
            print(collection, &pairs);
        }
    }
}

/// A program's time and verdict with Echis and with Silicon.
struct Pair<'a> {
    path: &'a str,
    verdict: &'a str,
    mine: f64,
    other: f64,
    said: &'a str,
}

fn print(collection: &str, pairs: &[Pair]) {
    let total = |kind: &str, pairs: &[&Pair]| {
        let (mine, other) = pairs.iter().fold((0.0, 0.0), |sum, pair| (sum.0 + pair.mine, sum.1 + pair.other));
        let number = pairs.len();
        println!(
            "{collection}: {number} programs {kind}: echis {mine:.1} s, silicon {other:.1} s, {:.1} times",
            other / mine
        );
    };
    let verified: Vec<&Pair> =
        pairs.iter().filter(|pair| pair.verdict == "verified" && pair.said == "verified").collect();
    total("in all", &pairs.iter().collect::<Vec<_>>());
    total("verified by both", &verified);
    let mut slower: Vec<_> = pairs.iter().filter(|pair| pair.mine > SLOWER * pair.other + START).collect();
    slower.sort_by(|a, b| (b.mine / b.other).total_cmp(&(a.mine / a.other)));
    println!("{collection}: {} programs slower than {SLOWER} times silicon and {START} s", slower.len());
    for Pair { path, verdict, mine, other, said } in slower {
        println!("  {:.1} times: {path} ({verdict} in {mine:.2} s, silicon {said} in {other:.2} s)", mine / other);
    }
    let mut longest: Vec<&Pair> = pairs.iter().collect();
    longest.sort_by(|a, b| b.mine.total_cmp(&a.mine));
    println!("{collection}: the longest");
    for Pair { path, verdict, mine, other, said } in longest.into_iter().take(WORST) {
        println!("  {mine:.2} s {verdict}, silicon {other:.2} s {said}: {path}");
    }
}

pub fn corpus(options: &Options) -> Vec<String> {
    let Some(folder) = corpus::corpus() else { return Vec::new() };
    let mut files: Vec<String> =
        COLLECTIONS.iter().flat_map(|collection| corpus::programs(&folder.join(collection))).collect();
    files.sort();
    files.retain(|file| file.contains(&options.only));
    files.into_iter().step_by(options.sample()).collect()
}
