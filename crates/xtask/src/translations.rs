//! `cargo xtask translations`: compares Boogie's verdicts on the translations of Viper programs of the shared corpus
//! with those of Echis.

use crate::bench::on_path;
use crate::command::{Binary, Ended, holds};
use crate::echis::{Echis, repository};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Samples one program in this many.
const STEP: usize = 10;

#[derive(Default)]
struct Counts {
    programs: usize,
    /// Programs with members that cannot be translated.
    partly: usize,
    refused: usize,
    alike: usize,
    undecided: usize,
}

pub fn run(binary: &Binary) -> Ended {
    let (Some(boogie), Some(z3)) = (on_path("boogie"), on_path("z3")) else {
        println!("translations: skipped, `boogie` and `z3` are not both installed");
        return holds(true);
    };
    let echis = binary.find()?.with_solver(Some(z3.clone()));
    let printed = std::env::temp_dir().join(format!("echis-translation-{}.bpl", std::process::id()));
    let mut counts = Counts::default();
    for program in programs().into_iter().step_by(STEP) {
        counts.look(&echis, &boogie, &z3, &program, &printed);
    }
    // Errors in cleaning up are harmless.
    let _ = std::fs::remove_file(&printed);
    let Counts { programs, partly, refused, alike, undecided } = counts;
    println!("translations: {programs} programs, {partly} of them translated in part; Boogie refuses {refused}");
    println!("translations: of the others, judged alike {alike}, not decided by one of both {undecided}");
    holds(refused == 0 && partly + alike + undecided == programs)
}

impl Counts {
    fn look(&mut self, echis: &Echis, boogie: &Path, z3: &Path, program: &str, printed: &Path) {
        let judged = echis.document(&["verify", "--engine", "vcg", "--timeout", "30", "--format", "json", program]);
        let file = &judged["files"][0];
        let verdict = file["verdict"].as_str().unwrap_or("no answer");
        let errors = file["errors"].as_array().cloned().unwrap_or_default();
        let partly = errors.iter().any(|error| error["id"].as_str().is_some_and(|id| id.ends_with("unsupported")));
        if verdict == "invalid" && !partly {
            return;
        }
        if std::fs::write(printed, echis.run(&["dump", "boogie", program]).output).is_err() {
            return;
        }
        self.programs += 1;
        let text = judged_by(boogie, z3, printed);
        match text.lines().find_map(|line| line.split_once("finished with ")?.1.split_once(" verified, ")) {
            None => {
                self.refused += 1;
                println!("  {program}: Boogie does not accept the translation");
            }
            Some(_) if partly => self.partly += 1,
            Some((_, numbers)) if !matches!(verdict, "verified" | "failed") || numbers.contains(',') => {
                self.undecided += 1;
                println!("  {program}: {verdict}, Boogie: {numbers}");
            }
            Some((_, numbers)) if (verdict == "verified") == numbers.starts_with("0 error") => self.alike += 1,
            Some((_, numbers)) => println!("  {program}: {verdict}, but Boogie: {numbers}"),
        }
    }
}

/// Uses the solver's arrays for maps, like current versions of Boogie.
fn judged_by(boogie: &Path, z3: &Path, file: &Path) -> String {
    let mut command = Command::new(boogie);
    command.arg(format!("/z3exe:{}", z3.display())).args(["/useArrayTheory", "/timeLimit:30"]).arg(file);
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output();
    output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default()
}

fn programs() -> Vec<String> {
    let folder = repository().parent().map(|parent| parent.join("shared").join("corpus").join("viper"));
    let mut pending: Vec<PathBuf> = folder.into_iter().collect();
    let mut found = Vec::new();
    while let Some(path) = pending.pop() {
        if path.is_dir() {
            pending.extend(std::fs::read_dir(path).into_iter().flatten().flatten().map(|entry| entry.path()));
        } else if path.extension().is_some_and(|extension| extension == "vpr") {
            found.push(path.display().to_string());
        }
    }
    found.sort();
    found
}
