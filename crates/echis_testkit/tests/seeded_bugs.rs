//! Seeded bugs: verified programs, composed of the units in `tests/seeded`, with one to four bugs. A single run must
//! find nearly all of them, and report hardly any other errors that are not marked as follow-ups.
//!
//! A unit declares its bugs (`//bug 1 kind: from => to`) and the lines where each is detected (`// @1`).

use echis::{Cancel, FileResult, Settings, Silent, Source};
use echis_testkit::run::verifier;
use echis_testkit::{repository, say};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

const PROGRAMS: usize = 88;
const UNITS_EACH: usize = 4;

struct Unit {
    text: String,
    bugs: Vec<Bug>,
}

struct Bug {
    number: usize,
    from: String,
    to: String,
}

/// A program with bugs: its text, and for each bug the lines where it may be detected.
struct Seeded {
    text: String,
    bugs: Vec<BTreeSet<u32>>,
}

fn units() -> Vec<Unit> {
    let folder = repository().join("tests").join("seeded");
    let mut names: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("there are units").flatten().map(|entry| entry.path()).collect();
    names.sort();
    names.retain(|path| path.file_name().is_some_and(|name| name != "common.vpr"));
    names.iter().map(|path| unit(&std::fs::read_to_string(path).expect("a unit can be read"))).collect()
}

fn unit(text: &str) -> Unit {
    let mut bugs = Vec::new();
    let mut code = String::new();
    for line in text.lines().filter(|line| !line.starts_with("import")) {
        match line.strip_prefix("//bug ") {
            Some(bug) => {
                let (head, change) = bug.split_once(": ").expect("a bug has a kind");
                let (from, to) = change.split_once(" =>").expect("a bug has two sides");
                let number = head.split(' ').next().and_then(|number| number.parse().ok()).expect("a bug has a number");
                bugs.push(Bug { number, from: from.to_string(), to: to.strip_prefix(' ').unwrap_or(to).to_string() });
            }
            None => code = code + line + "\n",
        }
    }
    Unit { text: code, bugs }
}

fn common() -> String {
    std::fs::read_to_string(repository().join("tests/seeded/common.vpr")).expect("the shared part can be read")
}

/// The units of a program, all distinct. The selection depends on the program's number.
fn chosen(units: &[Unit], program: usize) -> Vec<&Unit> {
    let step = 1 + program / units.len() % (units.len() - 1);
    let mut places = Vec::new();
    let mut place = program % units.len();
    while places.len() < UNITS_EACH {
        if !places.contains(&place) {
            places.push(place);
        } else {
            place += 1;
        }
        place = (place + step) % units.len();
    }
    places.iter().map(|place| &units[*place]).collect()
}

/// A program without bugs, or with a number of bugs that depends on its own number, each in a different unit.
fn seeded(units: &[Unit], program: usize, with_bugs: bool) -> Seeded {
    let bugs = if with_bugs { 1 + program % UNITS_EACH } else { 0 };
    let mut text = common();
    let mut found = Vec::new();
    for (index, unit) in chosen(units, program).into_iter().enumerate() {
        let mut code = unit.text.clone();
        let first = text.lines().count() as u32 + 1;
        if index < bugs {
            let bug = &unit.bugs[(program / UNITS_EACH + index) % unit.bugs.len()];
            assert!(code.contains(&bug.from), "{:?} is not in\n{code}", bug.from);
            code = code.replacen(&bug.from, &bug.to, 1);
            let mark = format!("@{}", bug.number);
            let lines = code.lines().enumerate().filter(|(_, line)| line.split(' ').any(|word| word == mark));
            found.push(lines.map(|(line, _)| first + line as u32).collect());
        }
        text += &code.replace('$', &index.to_string());
    }
    Seeded { text, bugs: found }
}

/// The lines of errors, with whether each is a follow-up.
fn errors(file: &FileResult) -> Vec<(u32, bool)> {
    assert!(file.stopped.is_empty(), "{:?}", file.stopped);
    let line = |span| file.sources.position(span).start.line;
    file.errors.iter().map(|error| (error.diagnostic.span.map_or(0, line), error.cascade)).collect()
}

#[test]
fn nearly_all_seeded_bugs_are_found_at_once() {
    let units = units();
    let run = Cancel::never();
    let verifier = verifier(&run);
    let folder = std::env::temp_dir().join(format!("echis-seeded-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("the temporary folder can be written");
    let programs: Vec<Seeded> = (0..PROGRAMS * 2).map(|index| seeded(&units, index / 2, index % 2 == 1)).collect();
    let jobs = std::thread::available_parallelism().map_or(2, |jobs| jobs.get());
    let results = echis::run(
        &vec![Vec::new(); programs.len()],
        jobs,
        || (),
        |(), index| {
            let path = folder.join(format!("{index}.vpr"));
            std::fs::write(&path, &programs[index].text).expect("the temporary folder can be written");
            let settings = Settings { errors: 0, jobs: 1, ..Settings::new(run.within(Duration::from_secs(60))) };
            errors(&verifier.verify_source(Source::file(&path), &settings, &Silent))
        },
    );
    let _ = std::fs::remove_dir_all(&folder);
    let (mut seeded, mut found, mut clear, mut unmarked, mut reported) = (0, 0, 0, 0, 0);
    let mut notes = Vec::new();
    for (program, errors) in programs.iter().zip(&results) {
        if program.bugs.is_empty() {
            assert!(errors.is_empty(), "a program without bugs fails at {errors:?}:\n{}", program.text);
            continue;
        }
        seeded += program.bugs.len();
        reported += errors.len();
        let shown: BTreeSet<u32> = program.bugs.iter().flatten().copied().collect();
        let text = |line: u32| program.text.lines().nth(line as usize - 1).unwrap_or("").trim().to_string();
        for lines in &program.bugs {
            found += usize::from(errors.iter().any(|(line, _)| lines.contains(line)));
            clear += usize::from(errors.iter().any(|(line, cascade)| lines.contains(line) && !cascade));
            if !errors.iter().any(|(line, _)| lines.contains(line)) {
                notes.push(format!("not found: {:?}", lines.iter().map(|line| text(*line)).collect::<Vec<_>>()));
            }
        }
        let others = errors.iter().filter(|(line, cascade)| !shown.contains(line) && !cascade);
        for (line, _) in others {
            unmarked += 1;
            notes.push(format!("follow-up: {}", text(*line)));
        }
    }
    notes.sort();
    notes.dedup();
    say(&format!(
        "seeded bugs: {PROGRAMS} programs, {seeded} bugs, {found} found ({clear} not as cascades), {reported} errors, \
         {unmarked} follow-ups not marked"
    ));
    assert!(seeded >= 200, "{seeded} bugs");
    assert!(found * 100 >= seeded * 95 && unmarked * 50 < reported, "{}", notes.join("\n"));
}
