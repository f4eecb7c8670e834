//! `echis.toml`: which file is used, what it can contain, and which settings the command line overrides.

mod common;

use common::{Folder, echis};
use std::process::Output;

const PROGRAM: &str = "method m(x: Int) { assert x > 0 }\n";

fn run_in(folder: &Folder, args: &[&str]) -> Output {
    echis().args(args).current_dir(folder.path("")).output().expect("the binary runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn a_project_is_verified_without_naming_files() {
    let folder = Folder::new("config-project");
    folder.file("a.vpr", PROGRAM);
    folder.file("b.vpr", "method broken(\n");
    let output = run_in(&folder, &["verify"]);
    assert_eq!(output.status.code(), Some(2), "without a configuration, files are required");
    assert!(text(&output.stderr).contains("<FILE>"), "{}", text(&output.stderr));
    folder.file("echis.toml", "files = [\"a.vpr\"]\n[verify]\ncounterexample = \"variables\"\n");
    let output = run_in(&folder, &["verify"]);
    assert_eq!(output.status.code(), Some(1));
    let found = text(&output.stdout);
    assert!(found.contains("counterexample (confirmed") && found.contains("a.vpr: failed"), "{found}");
    folder.file("echis.toml", "[options]\nquiet = true\n");
    assert_eq!(
        run_in(&folder, &["check"]).status.code(),
        Some(2),
        "the folder of the configuration stands for its programs"
    );
}

#[test]
fn what_is_typed_replaces_what_is_configured() {
    let folder = Folder::new("config-typed");
    folder.file("a.vpr", PROGRAM);
    let config = "[options]\ncache = \"kept\"\nformat = \"json\"\n[verify]\nformat = \"human\"\ncounterexample = \"variables\"\n";
    folder.file("echis.toml", config);
    let found = text(&run_in(&folder, &["verify", "a.vpr", "--counterexample", "off"]).stdout);
    assert!(found.contains("a.vpr: failed") && !found.contains("counterexample"), "{found}");
    assert!(std::path::Path::new(&folder.path("kept")).is_dir(), "paths are relative to the configuration");
    let output = run_in(&folder, &["verify", "a.vpr", "--no-cache"]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let checked = text(&run_in(&folder, &["check", "a.vpr"]).stdout);
    assert!(checked.starts_with('{'), "shared options are for all commands that have them: {checked}");
}

#[test]
fn mistakes_in_the_configuration_are_reported() {
    let folder = Folder::new("config-wrong");
    folder.file("a.vpr", PROGRAM);
    let cases = [
        ("[verify]\nspeed = 11\n", "[verify] has no option `speed`"),
        ("[prove]\nerrors = 1\n", "there is no command `prove`"),
        ("files = 1\n", "`files` is a list of paths"),
        ("speed = 11\n", "`speed` is neither `files` nor the table of a command"),
        ("[verify\n", "echis.toml: "),
    ];
    for (config, complaint) in cases {
        folder.file("echis.toml", config);
        let output = run_in(&folder, &["verify"]);
        assert_eq!(output.status.code(), Some(2), "{config}");
        assert!(text(&output.stderr).contains(complaint), "{config}: {}", text(&output.stderr));
    }
    folder.file("echis.toml", "[verify]\nerrors = -1\n");
    assert_eq!(run_in(&folder, &["verify", "a.vpr"]).status.code(), Some(2));
}

#[test]
fn files_of_different_projects_are_refused() {
    let folder = Folder::new("config-two");
    folder.file("a.vpr", PROGRAM);
    std::fs::create_dir_all(folder.path("inner")).expect("a folder can be made");
    folder.file("inner/b.vpr", PROGRAM);
    folder.file("inner/echis.toml", "[options]\nquiet = true\n");
    let output = run_in(&folder, &["verify", "a.vpr", "inner/b.vpr"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("have different echis.toml"), "{}", text(&output.stderr));
    assert_eq!(run_in(&folder, &["verify", "inner/b.vpr"]).status.code(), Some(1));
}
