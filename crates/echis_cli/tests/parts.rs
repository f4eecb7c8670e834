//! Sharded runs (`verify --shard`): `echis merge` produces the report of a single run or an error.

mod common;
#[path = "common/schema.rs"]
mod schema;

use common::{Folder, echis};
use schema::Schema;
use serde_json::{Value, json};

const PROGRAM: &str = "\
import \"library.vpr\"
field f: Int
method caller(r: Ref) requires acc(r.f) { set(r) assert r.f == 1 }
method set(r: Ref) requires acc(r.f) ensures acc(r.f) && r.f == 1 { r.f := one() }
method wrong(r: Ref, b: Bool) requires acc(r.f) { if (b) { assert r.f > 0 } else { assert r.f > 1 } }
method other(r: Ref) { r.f := 2 }
";
const LIBRARY: &str = "function one(): Int ensures result == 1 { 1 }\n";

/// A folder with the program and the reports of its shards.
struct Run {
    folder: Folder,
    program: String,
}

impl Run {
    fn new(name: &str) -> Self {
        let (folder, program) = Folder::with(&format!("parts-{name}"), PROGRAM);
        folder.file("library.vpr", LIBRARY);
        Run { folder, program }
    }
    fn part(&self, shard: &str, more: &[&str]) -> String {
        self.part_of(shard, &[&self.program], more)
    }
    /// Writes the report of a shard and returns its path.
    fn part_of(&self, shard: &str, files: &[&str], more: &[&str]) -> String {
        let args = [&["verify", "--format", "json", "--shard", shard], files, more].concat();
        let output = echis().args(args).output().expect("the binary runs");
        let mut name = shard.replace('/', "-");
        while std::path::Path::new(&self.folder.path(&name)).exists() {
            name.push('b');
        }
        self.folder.file(&name, &String::from_utf8_lossy(&output.stdout))
    }
    /// Rewrites a report with a changed document, as if Echis had produced it.
    fn forged(&self, path: &str, change: impl Fn(&mut Value)) -> String {
        let mut document: Value = serde_json::from_str(&read(path)).expect("a report is JSON");
        let entry = &mut document["files"][0];
        change(entry);
        entry["part"].as_object_mut().expect("it is a part").shift_remove("seal");
        entry["part"]["seal"] = json!(echis_report::seal(&entry.to_string()));
        self.folder.file(&format!("{}-forged", path.rsplit('/').next().unwrap_or_default()), &document.to_string())
    }
    /// Rewrites a report with changed text.
    fn tampered(&self, path: &str, from: &str, to: &str) -> String {
        let text = read(path);
        assert!(text.contains(from), "{from} is not in {text}");
        self.folder.file("tampered", &text.replacen(from, to, 1))
    }
}

fn read(path: &str) -> String {
    std::fs::read_to_string(path).expect("it was written")
}

/// The exit code and the output.
fn merge(reports: &[&str]) -> (Option<i32>, String) {
    let output = echis().args(["merge", "--format", "json"]).args(reports).output().expect("the binary runs");
    let said = if output.stdout.is_empty() { output.stderr } else { output.stdout };
    (output.status.code(), String::from_utf8_lossy(&said).into_owned())
}

/// Checks that `echis merge` rejects the reports with a message that contains these words.
#[track_caller]
fn refused(reports: &[&str], words: &[&str]) {
    let (code, said) = merge(reports);
    assert_eq!(code, Some(2), "{said}");
    for word in words {
        assert!(said.contains(word), "`{word}` is not in: {said}");
    }
}

/// A report without times.
fn timeless(text: &str) -> String {
    text.lines().filter(|line| !line.contains("\"time_ms\"")).collect::<Vec<_>>().join("\n")
}

/// Shards do not search for fixes, because they do not know the other members.
#[test]
fn parts_joined_are_the_report_of_one_run() {
    let run = Run::new("whole");
    for more in [&[][..], &["--counterexample", "variables"], &["--profile"], &["--engine", "both"]] {
        let whole = ["verify", "--format", "json", "--hints", "off", &run.program];
        let whole = echis().args(whole).args(more).output().expect("it runs");
        for count in [1, 2, 3, 7] {
            let parts: Vec<String> =
                (1..=count).rev().map(|index| run.part(&format!("{index}/{count}"), more)).collect();
            let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
            let (code, joined) = merge(&parts);
            assert_eq!(code, whole.status.code(), "{joined}");
            assert_eq!(timeless(&joined), timeless(&String::from_utf8_lossy(&whole.stdout)), "{more:?} {count}");
        }
    }
}

#[test]
fn a_part_is_described_by_the_schema_and_says_what_it_is_a_part_of() {
    let run = Run::new("schema");
    let document: Value = serde_json::from_str(&read(&run.part("1/2", &[]))).expect("a report is JSON");
    Schema::new("verify").check(&document);
    let part = &document["files"][0]["part"];
    let sources = part["run"]["sources"].as_array().expect("there are sources");
    assert_eq!((sources.len(), &part["total"], &part["shard"]), (2, &json!(5), &json!("1/2")));
}

/// No version of the program verifies, but each member verifies in one of them.
#[test]
fn parts_of_different_versions_are_refused() {
    let run = Run::new("versions");
    let (one, two) = (run.part("1/3", &[]), run.part("2/3", &[]));
    run.folder.file("program.vpr", &PROGRAM.replace("r.f > 0", "true").replace("r.f > 1", "true"));
    let three = run.part("3/3", &[]);
    refused(&[&one, &two, &three], &["program.vpr differs", "1-3", "3-3"]);
    run.folder.file("program.vpr", PROGRAM);
    run.folder.file("library.vpr", &LIBRARY.replace("{ 1 }", "{ 2 - 1 }"));
    refused(&[&one, &two, &run.part("3/3", &[])], &["library.vpr differs"]);
    std::fs::remove_file(run.folder.path("library.vpr")).expect("it is there");
    refused(&[&one, &two, &run.part("3/3", &[])], &["library.vpr differs"]);
}

#[test]
fn parts_with_different_options_are_refused() {
    let run = Run::new("options");
    let one = run.part("1/2", &[]);
    for more in [
        &["--errors", "1"][..],
        &["--assume-injectivity-on-inhale"],
        &["--engine", "vcg"],
        &["--counterexample", "variables"],
        &["--profile"],
    ] {
        refused(&[&one, &run.part("2/2", more)], &["different runs"]);
    }
    refused(&[&one, &run.part("2/2", &["--rlimit", "1000"])], &["--rlimit"]);
    let (first, second) = (run.part("1/2", &["--member", "*"]), run.part("2/2", &["--member", "wrong"]));
    refused(&[&first, &second], &["--member"]);
    refused(&[&one, &run.part("2/3", &[])], &["1/2", "2/3"]);
}

#[cfg(unix)]
#[test]
fn parts_of_different_solvers_are_refused() {
    use std::os::unix::fs::PermissionsExt;
    let run = Run::new("solvers");
    let z3 = echis::locate_solver(None).expect("there is a solver");
    let script = |comment: &str| {
        let path = run.folder.file(comment, &format!("#!/bin/sh\n# {comment}\nexec {} \"$@\"\n", z3.display()));
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("it is ours");
        path
    };
    let (ours, theirs) = (script("ours"), script("theirs"));
    let part = |shard, solver: &str| run.part(shard, &["--solver", solver]);
    refused(&[&part("1/2", &ours), &part("2/2", &theirs)], &["the solver"]);
    // The same executable at two paths counts as one solver.
    std::fs::copy(&ours, run.folder.path("copy")).expect("it can be copied");
    assert_eq!(merge(&[&part("1/2", &ours), &part("2/2", &run.folder.path("copy"))]).0, Some(1));
}

#[test]
fn parts_of_different_builds_are_refused() {
    let run = Run::new("builds");
    let (one, two) = (run.part("1/2", &[]), run.part("2/2", &[]));
    refused(&[&one, &run.forged(&two, |entry| entry["part"]["run"]["code"] = json!("other"))], &["builds of Echis"]);
    refused(&[&one, &run.tampered(&two, "\"echis\": \"", "\"echis\": \"9")], &["echis is"]);
}

#[test]
fn missing_parts_are_named() {
    let run = Run::new("missing");
    let (one, three) = (run.part("1/3", &[]), run.part("3/3", &[]));
    refused(&[&one, &three], &["part 2/3"]);
    refused(&[&one], &["part 2/3, 3/3"]);
    // Shards that were split with different costs.
    let costs =
        json!({"files": [{"members": [{"name": "other", "time_ms": 900.0}, {"name": "one", "time_ms": 800.0}]}]});
    let costs = run.folder.file("costs.json", &costs.to_string());
    let two = run.part("2/3", &["--shard-by", &costs]);
    let (code, said) = merge(&[&one, &two, &three]);
    assert!(code == Some(2) && said.contains("members are in no report: "), "{said}");
}

#[test]
fn a_member_in_two_parts_has_one_verdict() {
    let run = Run::new("overlap");
    let (one, two) = (run.part("1/2", &[]), run.part("2/2", &[]));
    let (code, joined) = merge(&[&one, &two]);
    // A shard that was verified twice has the same results twice.
    let (again, twice) = merge(&[&one, &two, &run.part("1/2", &[]), &two]);
    assert_eq!((code, timeless(&joined)), (again, timeless(&twice)));
    let claimed = run.forged(&one, |entry| {
        entry["members"][0]["verdict"] = json!("undecided");
        entry["verdict"] = json!("undecided");
    });
    refused(&[&one, &two, &claimed], &["disagree about"]);
    let wrong = if read(&one).contains("assert.failed") { &one } else { &two };
    let silent = run.forged(wrong, |entry| {
        entry["errors"].as_array_mut().expect("it is a list").pop();
        entry["part"]["errors"].as_array_mut().expect("it is a list").pop();
    });
    refused(&[&one, &two, &silent], &["disagree about", "\"failed\" and \"failed\""]);
}

#[test]
fn reports_that_were_changed_are_refused() {
    let run = Run::new("changed");
    let (one, two) = (run.part("1/2", &[]), run.part("2/2", &[]));
    let failing = if read(&one).contains("\"failed\"") { &one } else { &two };
    let other = if failing == &one { &two } else { &one };
    for (from, to) in [
        ("\"verdict\": \"failed\"", "\"verdict\": \"verified\""),
        ("\"name\": \"wrong\"", "\"name\": \"right\""),
        ("\"undecided\": false", "\"undecided\": true"),
        ("\"sha256\": \"", "\"sha256\": \"0"),
        ("\"total\": 5", "\"total\": 4"),
        ("\"seal\": \"", "\"seal\": \"0"),
        ("\"part\":", "\"no part\":"),
    ] {
        let (code, said) = merge(&[other, &run.tampered(failing, from, to)]);
        assert_eq!(code, Some(2), "{from} {said}");
    }
    for change in [
        (|entry: &mut Value| drop(entry["members"].as_array_mut().expect("it is a list").pop())) as fn(&mut Value),
        |entry| entry["part"]["at"] = json!([0, 0]),
        |entry| entry["part"]["at"][0] = json!(77),
        |entry| entry["part"]["run"] = json!("none"),
    ] {
        refused(&[other, &run.forged(failing, change)], &["was changed"]);
    }
    let whole = echis().args(["verify", "--format", "json", &run.program]).output().expect("it runs");
    let whole = run.folder.file("whole.json", &String::from_utf8_lossy(&whole.stdout));
    refused(&[&whole], &["is not a part"]);
    refused(&[&one, &whole], &["is not a part"]);
    refused(&[&one, &run.folder.file("text", "no JSON")], &["text"]);
    refused(&[&one, &run.folder.file("empty", "{}")], &["is not a report"]);
}

#[test]
fn folders_are_compared_file_by_file() {
    let run = Run::new("folders");
    let second = run.folder.file("second.vpr", "method second() { assert true }\nmethod third() { assert 1 > 0 }");
    let files = [&*run.program, &*second];
    let (one, two) = (run.part_of("1/2", &files, &[]), run.part_of("2/2", &files, &[]));
    assert_eq!(merge(&[&one, &two]).0, Some(1));
    refused(&[&one, &run.part_of("2/2", &[&run.program], &[])], &["second.vpr is in", "but not in"]);
    refused(&[&one, &run.part_of("2/2", &[&second, &run.program], &[])], &["different orders"]);
    run.folder.file("second.vpr", "method second() { assert true }\nmethod third() { assert true }");
    refused(&[&one, &run.part_of("2/2", &files, &[])], &["second.vpr", "differs"]);
    // A file that is missing from a report is detected.
    let mut document: Value = serde_json::from_str(&read(&two)).expect("a report is JSON");
    document["files"].as_array_mut().expect("it is a list").pop();
    let fewer = run.folder.file("fewer", &document.to_string());
    refused(&[&fewer], &["has 1 files, but was written with 2"]);
}

#[test]
fn boogie_programs_in_several_files_are_verified_in_parts() {
    let run = Run::new("boogie");
    let text = "procedure p() { call q(); assert g() == 1; }\nprocedure r() { assert g() > 1; }\n";
    let main = run.folder.file("main.bpl", text);
    let more = "function g(): int;\naxiom g() == 1;\nprocedure q();\nimplementation q() { assert g() > 0; }\n";
    let beside = run.folder.file("more.bpl", more);
    let files = [&*main, &*beside];
    let part = |shard| run.part_of(shard, &files, &["--together"]);
    let whole = echis().args(["verify", "--format", "json", "--together", &main, &beside]).output().expect("it runs");
    let (one, two) = (part("1/2"), part("2/2"));
    let (code, joined) = merge(&[&one, &two]);
    assert_eq!((code, whole.status.code()), (Some(1), Some(1)), "{joined}");
    assert_eq!(timeless(&joined), timeless(&String::from_utf8_lossy(&whole.stdout)));
    run.folder.file("more.bpl", &more.replace("axiom g() == 1", "axiom g() == 2"));
    refused(&[&one, &part("2/2")], &["more.bpl differs"]);
    let alone = run.part_of("2/2", &[&main, &beside], &[]);
    refused(&[&one, &alone], &["more.bpl is in"]);
}

#[test]
fn a_program_that_is_not_valid_is_not_valid_in_parts() {
    let run = Run::new("invalid");
    run.folder.file("program.vpr", "method m() { assert x }");
    let whole = echis().args(["verify", "--format", "json", "--hints", "off", &run.program]).output().expect("it runs");
    let (code, joined) = merge(&[&run.part("1/2", &[]), &run.part("2/2", &[])]);
    assert_eq!((code, timeless(&joined)), (Some(2), timeless(&String::from_utf8_lossy(&whole.stdout))));
}
