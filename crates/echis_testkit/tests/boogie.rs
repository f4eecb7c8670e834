//! Boogie programs: those of the repository, with comments `// error` on the failing lines, and those of the shared
//! corpus, whose errors must be on the lines of Boogie's own output. A list of exceptions may only shrink.

use echis::depend::Minimization;
use echis::{Cancel, Checked, FileResult, Settings, Silent, Source};
use echis_testkit::run::reported;
use echis_testkit::run::verifier;
use echis_testkit::{Ratchet, Row, repository, say};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Programs that take longer count as failing.
const LIMIT: Duration = Duration::from_secs(60);

struct Case {
    name: String,
    path: PathBuf,
    /// Whether the program is only checked, not verified.
    front: bool,
    expected: BTreeSet<u32>,
}

fn judge(cases: &[Case]) -> Vec<Row> {
    let run = Cancel::never();
    let verifier = verifier(&run);
    let jobs = std::thread::available_parallelism().map_or(2, |jobs| jobs.get());
    let waits = vec![Vec::new(); cases.len()];
    let look = |(): &mut (), index: usize| {
        let case: &Case = &cases[index];
        let start = Instant::now();
        let file = match case.front {
            true => Checked::new(Source::file(&case.path)).result(),
            false => verifier.verify_source(Source::file(&case.path), &Settings::new(run.within(LIMIT)), &Silent),
        };
        Row { name: case.name.clone(), wrong: wrong(case, &file), time: start.elapsed() }
    };
    echis::run(&waits, jobs, || (), look)
}

fn wrong(case: &Case, file: &FileResult) -> Option<String> {
    if let Some(stopped) = file.stopped.first() {
        return Some(format!("no answer: {stopped:?}"));
    }
    let found: BTreeSet<u32> = reported(file).into_iter().map(|(line, _)| line).collect();
    let missed: Vec<_> = case.expected.difference(&found).collect();
    let extra: Vec<_> = found.difference(&case.expected).collect();
    (found != case.expected).then(|| format!("misses {missed:?}, has {extra:?}"))
}

fn own() -> Vec<Case> {
    let folder = repository().join("tests").join("boogie");
    let entries = std::fs::read_dir(&folder).expect("the repository has Boogie programs");
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    let case = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).expect("programs can be read");
        let lines = text.lines().enumerate().filter(|(_, line)| line.contains("// error"));
        let expected = lines.map(|(index, _)| index as u32 + 1).collect();
        Case { name: path.file_name().unwrap_or_default().to_string_lossy().into(), path, front: false, expected }
    };
    paths.into_iter().map(case).collect()
}

fn corpus(folder: &Path) -> Vec<Case> {
    let manifest = std::fs::read_to_string(folder.join("manifest.tsv")).unwrap_or_default();
    let case = |row: &str| {
        let mut columns = row.split('\t');
        let (name, mode) = (columns.next()?.to_string(), columns.next()?);
        let path = folder.join(&name);
        let output = std::fs::read_to_string(folder.join(format!("{name}.expect"))).ok()?;
        let expected = output.lines().filter_map(error_line).collect();
        Some(Case { name, path, front: mode == "no-verify", expected })
    };
    manifest.lines().skip(1).filter_map(case).collect()
}

/// The line of an error: 12 for `File.bpl(12,3): Error: …`.
fn error_line(line: &str) -> Option<u32> {
    if line.starts_with(' ') || line.contains(": Related location") {
        return None;
    }
    let (place, _) = line.split_once("): ")?;
    let (_, position) = place.rsplit_once('(')?;
    position.split_once(',')?.0.parse().ok()
}

#[test]
fn own_programs_have_errors_where_they_say_so() {
    let results = judge(&own());
    say(&format!("boogie, own programs: {}", results.len()));
    let wrong: Vec<String> =
        results.into_iter().filter_map(|row| Some(format!("{}: {}", row.name, row.wrong?))).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn errors_are_on_the_lines_that_boogie_names() {
    let folder = repository().parent().map(|parent| parent.join("shared").join("corpus").join("boogie"));
    let Some(folder) = folder.filter(|folder| folder.join("manifest.tsv").is_file()) else {
        return say("boogie, shared corpus: not here, 0 programs");
    };
    let ratchet = Ratchet::read("boogie.tsv");
    let mut cases = corpus(&folder);
    cases.retain(|case| !ratchet.is_left_out(&case.name));
    let results = judge(&cases);
    let right = results.iter().filter(|row| row.wrong.is_none()).count();
    say(&format!("boogie, shared corpus: {right} of {} programs as Boogie judges them", results.len()));
    let surprises = ratchet.compare(&results);
    assert!(surprises.is_empty(), "{} surprises:\n{}", surprises.len(), surprises.join("\n"));
}

/// The dependencies of the proofs of programs with labels.
#[test]
fn labels_are_covered_where_proofs_need_them() {
    let run = Cancel::never();
    let verifier = verifier(&run);
    let path = repository().join("tests").join("boogie").join("labels.bpl");
    let covered = verifier.labels(&verifier.check(Source::file(&path)), &Settings::new(run.within(LIMIT)), &Silent);
    let (_, coverage) = covered.unwrap_or_else(|file| panic!("it verifies: {:?}", reported(&file)));
    let covered: Vec<String> = coverage
        .members
        .iter()
        .map(|member| member.covered.iter().map(|name| &**name).collect::<Vec<_>>().join(" "))
        .collect();
    let expected = [
        "above_zero larger next positive",
        "limit never positive$call$requires small$call$requires start",
        "bounds$assume_in_body bounds$established bounds$maintained end natural spare$established spare$maintained \
         step zero",
    ];
    assert_eq!(covered, expected);
}

/// Assumptions, preconditions and axioms that no proof needs are replaced by blanks; the errors stay the same.
#[test]
fn what_no_proof_needs_can_be_taken_away() {
    let run = Cancel::never();
    let verifier = verifier(&run);
    let mut removed = 0;
    for case in own() {
        let settings = Settings::new(run.within(LIMIT));
        // An invalid program has no graph.
        let checked = verifier.check(Source::file(&case.path));
        let verification = verifier.explain_any(&checked, &settings, Minimization::Fast, &Silent);
        let Ok(found) = verification.explanation(Minimization::Fast) else { continue };
        let text = std::fs::read_to_string(&case.path).expect("programs can be read");
        let spare = spare(found.view());
        removed += spare.len();
        let pruned = std::env::temp_dir().join(format!("echis-pruned-{}-{}", std::process::id(), case.name));
        std::fs::write(&pruned, blanked(&text, &spare)).expect("there is place for a small file");
        let file = verifier.verify_source(Source::file(&pruned), &settings, &Silent);
        std::fs::remove_file(&pruned).expect("it was written just now");
        assert_eq!(wrong(&case, &file), None, "{} without {spare:?}", case.name);
    }
    assert!(removed > 5, "there is something to take away: {removed}");
}

/// A range from one line and column to another.
type Range = ((u32, u32), (u32, u32));

/// The ranges of assumptions that nothing depends on.
fn spare(view: &echis::depend::View) -> Vec<Range> {
    use echis::depend::Construct;
    let needed: BTreeSet<_> = view.dependencies.iter().flat_map(|found| found.all.iter().copied()).collect();
    let is_assumed = |construct| matches!(construct, Construct::Inhale | Construct::Precondition | Construct::Axiom);
    // Without its precondition, a failing call would succeed.
    let any_failed = view.nodes.iter().any(|node| node.failed);
    let may_go = |construct| construct != Construct::Precondition || !any_failed;
    let spare = view.nodes.iter().filter(|node| {
        is_assumed(node.construct)
            && may_go(node.construct)
            && !needed.contains(&node.id)
            && !node.position.file.starts_with('<')
    });
    let place = |position: &echis_base::Position| {
        ((position.start.line, position.start.column), (position.end.line, position.end.column))
    };
    spare.map(|node| place(&node.position)).collect()
}

/// Replaces ranges by blanks, and a preceding `free` as well. Line numbers do not change.
fn blanked(text: &str, places: &[Range]) -> String {
    let mut out = String::new();
    for (line, content) in text.lines().enumerate() {
        let line = line as u32 + 1;
        let mut kept = String::new();
        for (column, c) in content.chars().enumerate() {
            let at = (line, column as u32 + 1);
            let is_gone = places.iter().any(|(start, end)| *start <= at && at < *end);
            kept.push(if is_gone { ' ' } else { c });
        }
        out += &kept.replace("free   ", "       ");
        out.push('\n');
    }
    out
}
