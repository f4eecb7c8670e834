//! Verification condition generation and symbolic execution on the same programs.
//!
//! Programs about statements are tested in each run; all others only if `ECHIS_ENGINES` is set, because they take
//! minutes. Disagreements between the engines are listed with reasons.

use echis::{EngineChoice, FileResult, Stopped};
use echis_testkit::corpus::{Case, Opinion, corpus, corpus_folder, own_programs, show};
use echis_testkit::run::{Bench, reported};
use echis_testkit::{Ratchet, Row, repository, say};
use std::time::Duration;

/// Programs that take longer are skipped.
const LIMIT: Duration = Duration::from_secs(20);
const CORPUS: &str = "ECHIS_ENGINES";

/// Whether a member is unsupported, which does not count as a disagreement.
fn refuses(file: &FileResult) -> bool {
    file.errors.iter().any(|error| error.diagnostic.id.ends_with("feature.unsupported"))
}

#[test]
fn engines_agree() {
    let folder = corpus_folder().filter(|_| std::env::var_os(CORPUS).is_some());
    let mut cases = own_programs();
    match folder {
        Some(folder) => cases.extend(corpus(&folder).into_iter().filter(|case| case.name.starts_with("viper/"))),
        None => {
            cases.retain(|case| case.name.contains("/statements/"));
            say(&format!("engines: all programs and the shared corpus run with {CORPUS}=1"));
        }
    }
    let ratchet = Ratchet::read("engines.tsv");
    cases.retain(|case| !ratchet.is_left_out(&case.name));
    let conditions = Bench::with_engine(EngineChoice::Conditions).verify_all(&cases, LIMIT);
    // The other engine only runs if there is something to compare.
    let alone = std::env::var(CORPUS).is_ok_and(|value| value == "alone");
    let symbolic = if alone { Vec::new() } else { Bench::new().verify_all(&cases, LIMIT) };
    let (mut counts, mut rows, mut late) = (Counts::default(), Vec::new(), String::new());
    for (index, (case, file)) in cases.iter().zip(&conditions).enumerate() {
        // Timeouts are ignored.
        if file.stopped.iter().any(|stopped| matches!(stopped, Stopped::TimeOut { .. })) {
            counts.late += 1;
            late += &format!("{}\n", case.name);
            continue;
        }
        let wrong = counts.judge(case, file, symbolic.get(index));
        rows.push(Row { name: case.name.clone(), wrong, time: file.time });
    }
    let listed: String =
        rows.iter().filter_map(|row| Some(format!("{}\t{}\n", row.name, row.wrong.as_ref()?))).collect();
    let _ = std::fs::write(repository().join("target/engines.tsv"), listed);
    let _ = std::fs::write(repository().join("target/engines-late.txt"), late);
    let total = |files: &[FileResult]| files.iter().map(|file| file.time.as_secs_f64()).sum::<f64>();
    say(&format!(
        "engines: {} programs, {} refused, {} not finished; of the others {} as expected, {} alike",
        cases.len(),
        counts.refused,
        counts.late,
        counts.right,
        counts.alike
    ));
    say(&format!("engines: conditions {:.0} s, symbolic {:.0} s", total(&conditions), total(&symbolic)));
    // Which programs finish in time depends on the machine, so programs on the list may pass.
    let surprises: Vec<String> =
        ratchet.compare(&rows).into_iter().filter(|surprise| !surprise.contains(" passes: ")).collect();
    assert!(surprises.is_empty(), "{} surprises:\n{}", surprises.len(), surprises.join("\n"));
}

#[derive(Default)]
struct Counts {
    refused: usize,
    late: usize,
    right: usize,
    alike: usize,
}

impl Counts {
    /// Describes what is wrong with the result of verification condition generation, if anything.
    fn judge(&mut self, case: &Case, file: &FileResult, other: Option<&FileResult>) -> Option<String> {
        if refuses(file) {
            self.refused += 1;
            return None;
        }
        let (mine, theirs) = (reported(file), other.map(reported).unwrap_or_default());
        let alike = other.is_some() && mine == theirs;
        self.alike += usize::from(alike);
        let opinion = case.judge(&mine);
        self.right += usize::from(opinion == Opinion::Right);
        if let Some(stopped) = file.stopped.first() {
            return Some(format!("no answer: {stopped:?}").replace('\n', " "));
        }
        match (opinion, alike) {
            (Opinion::Right, _) => None,
            // An error that is reported too early may hide another one.
            (Opinion::Missed(text), false) => {
                let extra: Vec<_> = mine.iter().filter(|error| !theirs.contains(error)).cloned().collect();
                Some(if extra.is_empty() { format!("MISSED {text}") } else { format!("extra {}", show(&extra)) })
            }
            (Opinion::Wrong(text), false) => Some(text),
            (_, true) => None,
        }
        .map(|text| format!("{text}; symbolic execution: {}", show(&theirs)))
    }
}
