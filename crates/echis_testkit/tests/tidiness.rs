//! Mechanical style checks: files are short, start with their purpose, and contain no leftovers.

use echis_testkit::{repository, tracked_files};
use std::fs;
use std::path::Path;

/// A longer file probably contains a second idea.
const LONGEST: usize = 500;

/// Marks of unfinished work, and text that does not belong in the repository.
const FORBIDDEN: &[&str] =
    &["todo!(", "unimplemented!(", "dbg!(", "FIXME", "XXX", "#[ignore", "/home/", "/root/", "/tmp/"];

fn sources() -> Vec<String> {
    tracked_files().into_iter().filter(|path| path.ends_with(".rs")).collect()
}

fn read(path: &str) -> String {
    fs::read_to_string(repository().join(path)).unwrap_or_default()
}

fn is_test(path: &str) -> bool {
    path.ends_with("/tests.rs") || Path::new(path).components().any(|part| part.as_os_str() == "tests")
}

#[test]
fn files_are_short() {
    let length = |path: &String| read(path).lines().count();
    let sources = sources();
    let long = sources.iter().filter(|path| !is_test(path)).map(|path| (length(path), path));
    let long: Vec<String> = long.filter(|(lines, _)| *lines > LONGEST).map(|found| format!("{found:?}")).collect();
    assert!(long.is_empty(), "longer than {LONGEST} lines:\n{}", long.join("\n"));
}

/// A module with submodules is `part.rs` next to a folder `part`. Shared test code in `tests/common/mod.rs` is exempt.
#[test]
fn modules_stand_beside_their_folders() {
    let inside: Vec<String> =
        sources().into_iter().filter(|path| path.contains("/src/") && path.ends_with("/mod.rs")).collect();
    assert!(inside.is_empty(), "move these to FOLDER.rs:\n{}", inside.join("\n"));
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

/// Files with numbers that are not limits on effort, and what the numbers are.
const OTHER_NUMBERS: &[(&str, &str)] = &[
    ("crates/echis_cover/src/contradictions.rs", "an offset in a text"),
    ("crates/echis_derive/src/ground.rs", "the names of two classes"),
    ("crates/echis_derive/src/mask.rs", "how a mask is laid out"),
    ("crates/echis/src/cache/", "how entries are stored and for how long"),
    ("crates/echis/src/verify/pattern.rs", "the length of a message"),
    ("crates/echis/src/source/files.rs", "the largest file"),
    ("crates/echis/src/verify/schedule.rs", "the stack of a thread"),
    ("crates/echis_encode/src/encoder.rs", "the longest text"),
    ("crates/echis_program/src/call_graph.rs", "what stands for nothing seen"),
    ("crates/echis_program/src/check/ty.rs", "the largest type, and the place of one"),
    ("crates/echis_smt/src/guardian.rs", "how processes are watched"),
    ("crates/echis_smt/src/process.rs", "pipes and memory of processes"),
    ("crates/echis_smt/src/session.rs", "what stands for no limit"),
    ("crates/echis_smt/src/settings.rs", "what stands for no limit"),
    ("crates/echis_smt/src/version.rs", "how long a process may take to start"),
];

/// All numbers in explanations are in `policy.rs`, even those within expressions: no other number exceeds nine.
#[test]
fn explanations_have_no_numbers_of_their_own() {
    let folders = ["crates/echis_depend/src/", "crates/echis_cover/src/"];
    let ours = |path: &String| folders.iter().any(|folder| path.starts_with(folder)) && !path.ends_with("/policy.rs");
    let mut found = Vec::new();
    for path in sources().into_iter().filter(|path| ours(path) && !is_test(path)) {
        let text = read(&path);
        let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        // Stack and array sizes and percentages are not limits on effort.
        let lines = code.lines().filter(|line| !line.trim_start().starts_with("//") && !line.contains("maybe_grow"));
        let lines = lines.filter(|line| !line.contains("; 12] = [") && !line.contains("100.0"));
        found.extend(lines.filter(|line| has_large_number(line)).map(|line| format!("{path}: {}", line.trim())));
    }
    assert!(found.is_empty(), "numbers outside of the policy:\n{}", found.join("\n"));
    assert!(has_large_number("    Rank::Lemma => 18,") && has_large_number("cost * 10_000"));
    assert!(!has_large_number("let a12: u32 = b.0 + \"13\".len()"));
}

/// Whether a line contains a number literal with at least two digits.
fn has_large_number(line: &str) -> bool {
    let code: String = line.split('"').step_by(2).collect::<Vec<_>>().join("\"\"");
    let words = code.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
    let digits = |word: &str| word.chars().filter(char::is_ascii_digit).count();
    words.into_iter().any(|word| word.starts_with(|first: char| first.is_ascii_digit()) && digits(word) > 1)
}

/// Each crate has one file with its limits on effort. Engines and explanations have such limits; the front end has
/// limits of the language.
#[test]
fn bounds_of_effort_stand_in_one_file_of_a_crate() {
    let crates = [
        "",
        "_counterexample",
        "_cover",
        "_depend",
        "_derive",
        "_encode",
        "_exec",
        "_program",
        "_proof",
        "_smt",
        "_vcg",
    ];
    let ours = |path: &String| crates.iter().any(|name| path.starts_with(&format!("crates/echis{name}/src/")));
    let collects = |path: &String| path.ends_with("/limits.rs") || path.ends_with("/policy.rs");
    let excepted = |path: &String| OTHER_NUMBERS.iter().any(|(prefix, _)| path.starts_with(prefix));
    let is_number = |line: &&str| {
        let declared = line.trim_start().trim_start_matches("pub ").trim_start_matches("pub(crate) ");
        let declared = declared.trim_start_matches("pub(super) ").strip_prefix("const ");
        let ty = declared.and_then(|rest| rest.split_once(": ")?.1.split_once(" = "));
        ty.is_some_and(|(ty, _)| matches!(ty, "u32" | "u64" | "usize" | "i64" | "f64" | "Duration"))
    };
    let sources: Vec<String> = sources().into_iter().filter(ours).collect();
    let mut scattered = Vec::new();
    let mut collected = 0;
    for path in sources.iter().filter(|path| !path.ends_with("tests.rs") && !excepted(path)) {
        let text = read(path);
        let numbers = text.lines().filter(is_number);
        match collects(path) {
            true => collected += numbers.count(),
            false => scattered.extend(numbers.map(|line| format!("{path}: {}", line.trim()))),
        }
    }
    assert!(collected > 40, "{collected} bounds were found: are they declared in another way?");
    assert!(scattered.is_empty(), "bounds outside of limits.rs and policy.rs:\n{}", scattered.join("\n"));
}

/// Symbols and quantifiers have roles, from which names are printed. Parsing a name would make decisions depend on
/// spelling, which the compiler cannot check.
#[test]
fn nothing_is_decided_by_the_names_of_symbols() {
    let reads = ["starts_with", "ends_with", "contains", "strip_prefix", "strip_suffix", "split", "split_once", "find"];
    let marks = ["\"fn.", "\"dom.", "\"pred.", "%limited\"", "%pre\"", "\"wand%", "%trigger\""];
    // Names are printed in this crate, and parsed when dumps are read.
    let excepted = |path: &String| path.starts_with("crates/echis_term/src/") || is_test(path);
    let mut found = Vec::new();
    for path in sources().into_iter().filter(|path| !excepted(path)) {
        let text = read(&path).replace("\n", " ");
        let code: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let printed = ["role.to_string()", "role.base()"].iter().flat_map(|printed| code.split(*printed).skip(1));
        let compared = printed.filter(|rest| {
            let rest = rest.trim_start();
            let call = rest.strip_prefix('.').unwrap_or_default().trim_start();
            rest.starts_with("==") || rest.starts_with("!=") || reads.iter().any(|read| call.starts_with(read))
        });
        found.extend(compared.map(|rest| format!("{path}: …{}", rest.chars().take(40).collect::<String>())));
        found.extend(marks.iter().filter(|mark| code.contains(**mark)).map(|mark| format!("{path}: {mark}")));
    }
    assert!(found.is_empty(), "decided by a name:\n{}", found.join("\n"));
}

/// Comments name their subjects.
#[test]
fn comments_stand_on_their_own() {
    let this = "crates/echis_testkit/tests/tidiness.rs";
    let mut found = Vec::new();
    for path in sources().iter().filter(|path| *path != this) {
        for line in read(path).lines() {
            let words = line.to_ascii_lowercase();
            let vague = ["whoever", "somebody", "nobody"].iter().any(|word| words.contains(word));
            let comment = line.trim_start();
            if vague || comment.starts_with("/// The same") || comment.starts_with("//! The same") {
                found.push(format!("{path}: {comment}"));
            }
        }
    }
    assert!(found.is_empty(), "say who or what is meant:\n{}", found.join("\n"));
}

#[test]
fn crates_inherit_what_the_workspace_says() {
    let manifests =
        tracked_files().into_iter().filter(|path| path.starts_with("crates/") && path.ends_with("/Cargo.toml"));
    let inherited = ["version", "edition", "license", "rust-version", "repository", "readme", "keywords", "categories"];
    let mut missing = Vec::new();
    for path in manifests {
        let text = read(&path);
        let absent = inherited.iter().filter(|key| !text.contains(&format!("\n{key}.workspace = true")));
        missing.extend(absent.map(|key| format!("{path}: {key}.workspace = true")));
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}
