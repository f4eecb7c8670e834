//! Boogie's own tests and a one-procedure program, compared with Boogie using the same Z3.

use super::Options;
use super::median;
use crate::echis::{Echis, Scratch, repository};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

const PROGRAM: &str =
    "procedure m(x: int) returns (y: int)\n  requires x > 0;\n  ensures y > 1;\n{\n  y := x + 1;\n}\n";

pub fn run(echis: &Echis, options: &Options) {
    let (Some(boogie), Some(z3)) = (on_path("boogie"), on_path("z3")) else {
        return println!("boogie: skipped, `boogie` and `z3` are not both installed");
    };
    let boogie = Boogie { binary: boogie, z3: z3.clone() };
    let echis = echis.with_solver(Some(z3));
    start(&echis, &boogie);
    files(&echis, &boogie, options);
}

fn start(echis: &Echis, boogie: &Boogie) {
    let scratch = Scratch::new();
    let file = scratch.write("one.bpl", PROGRAM);
    let ours = median((0..11).map(|_| echis.run(&["verify", "-q", &file]).seconds).collect());
    let theirs = median((0..3).map(|_| boogie.run(&file).0).collect());
    println!("boogie, start: echis {:.1} ms, boogie {:.1} ms", ours * 1000.0, theirs * 1000.0);
    println!("boogie, start: boogie is {:.0} times slower", theirs / ours);
}

fn files(echis: &Echis, boogie: &Boogie, options: &Options) {
    let Some(folder) = repository().parent().map(|parent| parent.join("shared").join("corpus").join("boogie")) else {
        return;
    };
    let manifest = std::fs::read_to_string(folder.join("manifest.tsv")).unwrap_or_default();
    let verified = manifest.lines().filter(|row| row.split('\t').nth(1) == Some("verify"));
    let names = verified.filter_map(|row| row.split('\t').next()).filter(|name| name.contains(&options.only));
    let (mut count, mut ours, mut theirs) = (0, 0.0, 0.0);
    for name in names.step_by(options.sample()) {
        let path = folder.join(name).display().to_string();
        let (seconds, Some(errors)) = boogie.run(&path) else { continue };
        let limit = options.limit.to_string();
        let run = echis.run(&["verify", "--format", "json", "--timeout", &limit, &path]);
        let document: serde_json::Value = serde_json::from_str(&run.output).unwrap_or_default();
        let file = &document["files"][0];
        let decided = matches!(file["verdict"].as_str(), Some("verified" | "failed"));
        if !decided || (errors == 0) != (file["verdict"] == "verified") {
            continue;
        }
        (count, ours, theirs) = (count + 1, ours + run.seconds, theirs + seconds);
        if run.seconds > seconds {
            println!("  slower: {name} ({:.2} s, boogie {seconds:.2} s)", run.seconds);
        }
    }
    println!("boogie, files: {count} programs that both decide alike: echis {ours:.1} s, boogie {theirs:.1} s");
    println!("boogie, files: boogie takes {:.1} times as long", theirs / f64::max(ours, 0.001));
}

struct Boogie {
    binary: PathBuf,
    z3: PathBuf,
}

impl Boogie {
    /// The time, and the number of errors if the run ends.
    fn run(&self, file: &str) -> (f64, Option<usize>) {
        let start = Instant::now();
        let mut command = Command::new(&self.binary);
        command.arg(format!("/z3exe:{}", self.z3.display())).args(["/timeLimit:60", file]);
        let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output();
        let seconds = start.elapsed().as_secs_f64();
        let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
        (seconds, errors(&text))
    }
}

/// `… finished with 3 verified, 1 error`: 1. `None` if something was undecided.
fn errors(text: &str) -> Option<usize> {
    let line = text.lines().find(|line| line.contains("finished with "))?;
    let (_, numbers) = line.split_once(" verified, ")?;
    let (number, rest) = numbers.split_once(" error")?;
    (rest.len() <= 1).then(|| number.parse().ok()).flatten()
}

pub fn on_path(program: &str) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders).map(|folder| folder.join(program)).find(|path: &PathBuf| Path::is_file(path))
}
