//! What a machine can tell about how the code reads: files are short and say their purpose, nothing is left behind.

use echis_testkit::{repository, tracked_files};
use std::fs;
use std::path::Path;

/// Past this a file probably holds a second idea.
const LONGEST: usize = 500;

/// Files that may be longer, with the reason.
const LONGER: &[(&str, &str)] = &[("crates/echis_program/src/program.rs", "one data type: the whole typed program")];

/// Marks of unfinished work and of things that do not belong into the repository.
const FORBIDDEN: &[&str] =
    &["todo!(", "unimplemented!(", "dbg!(", "FIXME", "XXX", "#[ignore", "/home/", "/root/", "/tmp/"];

fn sources() -> Vec<String> {
    tracked_files().into_iter().filter(|path| path.ends_with(".rs")).collect()
}

fn read(path: &str) -> String {
    fs::read_to_string(repository().join(path)).unwrap_or_default()
}

fn is_test(path: &str) -> bool {
    Path::new(path).components().any(|part| part.as_os_str() == "tests")
}

#[test]
fn files_are_short() {
    let allowed = |path: &str| LONGER.iter().any(|(name, _)| *name == path);
    let length = |path: &String| read(path).lines().count();
    let sources = sources();
    let long = sources.iter().filter(|path| !is_test(path) && !allowed(path)).map(|path| (length(path), path));
    let long: Vec<String> = long.filter(|(lines, _)| *lines > LONGEST).map(|found| format!("{found:?}")).collect();
    assert!(long.is_empty(), "longer than {LONGEST} lines:\n{}", long.join("\n"));
    let needless: Vec<_> = LONGER.iter().filter(|(path, _)| length(&path.to_string()) <= LONGEST).collect();
    assert!(needless.is_empty(), "short enough without an exception: {needless:?}");
}

#[test]
fn files_say_their_purpose_first() {
    let silent: Vec<String> = sources().into_iter().filter(|path| !read(path).starts_with("//!")).collect();
    assert!(silent.is_empty(), "no purpose comment on top:\n{}", silent.join("\n"));
}

#[test]
fn nothing_is_left_behind() {
    let this = "crates/echis_testkit/tests/tidiness.rs";
    let mut found = Vec::new();
    for path in tracked_files().into_iter().filter(|path| path != this) {
        let text = read(&path);
        found.extend(FORBIDDEN.iter().filter(|word| text.contains(**word)).map(|word| format!("{path}: {word}")));
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}
