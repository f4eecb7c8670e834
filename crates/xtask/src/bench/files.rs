//! Whole programs, warm, beside Silicon in one virtual machine.

use super::Options;
use super::echis::Echis;
use super::silicon::{Silicon, Timed};
use std::collections::BTreeMap;
use std::path::Path;

/// A program that is slower than this beside Silicon is named.
const SLOWER: f64 = 1.5;

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

/// Seconds and verdict of each program, all in one process.
fn ours(echis: &Echis, files: &[String], limit: u64) -> BTreeMap<String, (f64, String)> {
    let mut found = BTreeMap::new();
    // One process for each group: a program that never ends must not take the others with it.
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

fn compare(ours: &BTreeMap<String, (f64, String)>, theirs: &[Timed]) {
    let pairs: Vec<(&str, f64, f64)> = theirs
        .iter()
        .filter(|timed| timed.verdict == "verified")
        .filter_map(|timed| {
            let (seconds, verdict) = ours.get(&timed.path)?;
            (verdict == "verified").then_some((&*timed.path, *seconds, timed.seconds))
        })
        .collect();
    let sum = |pick: fn(&(&str, f64, f64)) -> f64| pairs.iter().map(pick).sum::<f64>();
    let (mine, other) = (sum(|pair| pair.1), sum(|pair| pair.2));
    println!(
        "files: {} programs verified by both: echis {mine:.1} s, silicon {other:.1} s, {:.1} times slower",
        pairs.len(),
        other / mine
    );
    let mut slower: Vec<_> = pairs.iter().filter(|(_, mine, other)| mine / other > SLOWER).collect();
    slower.sort_by(|a, b| (b.1 / b.2).total_cmp(&(a.1 / a.2)));
    println!("files: {} programs more than {SLOWER} times slower than silicon", slower.len());
    for (path, mine, other) in slower {
        println!("  {:.1} times: {path} ({mine:.2} s, silicon {other:.2} s)", mine / other);
    }
}

pub fn corpus(options: &Options) -> Vec<String> {
    let Some(folder) = crate::sweep::corpus() else { return Vec::new() };
    let mut files = Vec::new();
    for collection in ["viper", "frontends"] {
        collect(&folder.join(collection), &mut files);
    }
    files.sort();
    files.retain(|file| file.contains(&options.only));
    files.into_iter().step_by(options.sample).collect()
}

/// A program, or all programs in a folder.
pub fn collect(folder: &Path, files: &mut Vec<String>) {
    if folder.is_file() {
        files.push(folder.to_string_lossy().into_owned());
    }
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "vpr") {
            files.push(path.to_string_lossy().into_owned());
        }
    }
}
