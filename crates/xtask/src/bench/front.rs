//! Everything before verification: lines per second, and whether the cost is linear in the size of the file.

use super::median;
use crate::corpus;
use crate::echis::{Echis, Scratch};
use std::path::Path;

const SIZES: [usize; 3] = [1, 10, 100];

/// Members that use much of the language; `#` is replaced to make each copy's names unique.
const TEMPLATE: &str = include_str!("front.vpr.txt");

pub fn run(echis: &Echis) {
    corpus(echis);
    let scratch = Scratch::new();
    let mut before = None;
    for size in SIZES {
        let text: String = (0..size * 4).map(|copy| TEMPLATE.replace('#', &copy.to_string())).collect();
        let file = scratch.write("front.vpr", &text);
        let runs: Vec<f64> = (0..5).map(|_| milliseconds(echis, &[&file])).collect();
        let time = median(runs);
        let lines = text.lines().count();
        let growth = before.map_or(String::new(), |before: f64| format!(", {:.1} times the last", time / before));
        println!("front: {lines} lines in {time:.2} ms, {:.0} lines a second{growth}", lines as f64 / time * 1000.0);
        before = Some(time);
    }
}

/// The whole shared corpus in one process.
fn corpus(echis: &Echis) {
    let files = corpus::corpus().map(|folder| corpus::programs(&folder)).unwrap_or_default();
    if files.is_empty() {
        return println!("front: there is no ../shared/corpus");
    }
    let lines: usize = files.iter().map(|file| count_lines(Path::new(file))).sum();
    let start = std::time::Instant::now();
    let mut args = vec!["check", "--format", "json"];
    args.extend(files.iter().map(|file| &**file));
    echis.run(&args);
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "front: {} programs, {lines} lines in {seconds:.2} s, {:.0} lines a second",
        files.len(),
        lines as f64 / seconds
    );
}

fn count_lines(path: &Path) -> usize {
    std::fs::read(path).map_or(0, |bytes| bytes.iter().filter(|byte| **byte == b'\n').count())
}

fn milliseconds(echis: &Echis, files: &[&str]) -> f64 {
    let args: Vec<&str> = ["check", "--format", "json"].into_iter().chain(files.iter().copied()).collect();
    echis.json(&args).iter().filter_map(|file| file["time_ms"].as_f64()).sum()
}
