//! `echis cover` as scripts see it: gates, formats, fixes and evidence.

mod common;

use common::{Folder, run};
use serde_json::Value;
use std::path::PathBuf;

const NEEDLESS: &str = "\
method m(n: Int) returns (r: Int)
  requires n > 0 && n < 9 && n != 5
  ensures r > 0
{
  r := n
}
";

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn json(args: &[&str]) -> Value {
    serde_json::from_slice(&run(args).stdout).expect("standard output is JSON")
}

#[test]
fn gates_end_with_one() {
    let folder = Folder::new("cover-gates");
    let file = folder.file("a.vpr", NEEDLESS);
    let code = |options: &[&str]| run(&[&["cover", "-q", &file], options].concat()).status.code();
    assert_eq!(code(&[]), Some(0));
    assert_eq!(code(&["--min-coverage", "40"]), Some(0));
    assert_eq!(code(&["--min-coverage", "99"]), Some(1));
    assert_eq!(code(&["--deny", "branch.unreachable"]), Some(0));
    assert_eq!(code(&["--deny", "assumption.unused"]), Some(1));
    assert_eq!(code(&["--deny", "no.such.warning"]), Some(2));
}

#[test]
fn all_formats_have_the_warnings() {
    let folder = Folder::new("cover-formats");
    let file = folder.file("a.vpr", NEEDLESS);
    let human = text(&run(&["cover", "--color", "never", &file]).stdout);
    assert!(human.contains("warning[assumption.unused]: No proof needs the precondition n < 9."), "{human}");
    assert!(human.contains("50 %  2 of 4 covered"), "{human}");
    let coloured = text(&run(&["cover", "--color", "always", &file]).stdout);
    assert!(coloured.contains("\x1b[33mn < 9\x1b[0m"), "{coloured}");
    let document = json(&["cover", "--format", "json", &file]);
    let ids: Vec<&str> =
        document["warnings"].as_array().into_iter().flatten().filter_map(|warning| warning["id"].as_str()).collect();
    assert_eq!(ids, ["assumption.unused", "assumption.unused"]);
    assert_eq!(document["warnings"][0]["fix"]["removal"], "safe");
    assert_eq!(document["coverage"]["percent"], 50.0);
    let sarif = json(&["cover", "--format", "sarif", &file]);
    assert_eq!(sarif["runs"][0]["results"][0]["ruleId"], "assumption.unused");
    let verified = json(&["verify", "--warn", "coverage", "--format", "json", &file]);
    assert_eq!(verified["files"][0]["verdict"], "verified");
    assert_eq!(verified["files"][0]["warnings"].as_array().map(Vec::len), Some(2));
}

#[test]
fn fixes_leave_a_program_that_verifies_without_warnings() {
    let folder = Folder::new("cover-fix");
    let file = folder.file("a.vpr", NEEDLESS);
    assert_eq!(run(&["cover", "-q", "--fix", &file]).status.code(), Some(0));
    let fixed = std::fs::read_to_string(&file).expect("the program is there");
    assert_eq!(fixed, NEEDLESS.replace(" && n < 9 && n != 5", ""));
    assert_eq!(json(&["cover", "--format", "json", &file])["warnings"].as_array().map(Vec::len), Some(0));
}

#[test]
fn evidence_verifies() {
    let folder = Folder::new("cover-evidence");
    folder.file("other.vpr", "field f: Int\n");
    let file = folder.file("a.vpr", &format!("import \"other.vpr\"\n{NEEDLESS}"));
    let evidence = std::path::PathBuf::from(folder.path("evidence"));
    assert_eq!(run(&["cover", "-q", "--evidence", &evidence.to_string_lossy(), &file]).status.code(), Some(0));
    let written: Vec<PathBuf> =
        std::fs::read_dir(&evidence).expect("there is evidence").flatten().map(|entry| entry.path()).collect();
    assert_eq!(written.len(), 2);
    for program in written {
        assert_eq!(run(&["verify", "-q", &program.to_string_lossy()]).status.code(), Some(0), "{}", program.display());
    }
}
