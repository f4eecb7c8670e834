//! The error index: every id has a page, and the examples on the pages behave as stated.

mod common;

use common::{Folder, echis, out, run};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Pages without a program: these errors are caused by the command line, timing or internal errors.
const WITHOUT_EXAMPLE: &[&str] = &["clioption.error", "engines.disagree", "member.undecided", "unexpected.node"];

/// Ids that only occur with settings for tests.
const NOT_FOR_USERS: &[&str] = &["wand.rechecked"];

/// A code block on a page.
struct Block {
    page: String,
    language: String,
    /// `fails=ID`, `warns=ID`, `verifies`, or `covered`: verifies, and `echis cover` has no warnings.
    claim: String,
    text: String,
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn blocks() -> Vec<Block> {
    let mut pages: Vec<PathBuf> = std::fs::read_dir(repository().join("docs/errors"))
        .expect("the pages are in docs/errors")
        .map(|entry| entry.expect("the folder can be read").path())
        .collect();
    pages.sort();
    pages.iter().flat_map(|page| blocks_of(page)).collect()
}

fn blocks_of(path: &Path) -> Vec<Block> {
    let page = path.file_stem().expect("a page has a name").to_string_lossy().into_owned();
    let text = std::fs::read_to_string(path).expect("a page can be read");
    let pieces: Vec<&str> = text.split("```").skip(1).step_by(2).collect();
    let block = |piece: &str| {
        let (info, text) = piece.split_once('\n').expect("a block has lines");
        let (language, claim) = info.split_once(',').unwrap_or_else(|| panic!("{page}: `{info}` claims nothing"));
        Block { page: page.clone(), language: language.into(), claim: claim.into(), text: text.into() }
    };
    pieces.into_iter().filter(|piece| piece.contains('\n')).map(block).collect()
}

/// The results of one command on many programs.
fn results(args: &[&str], programs: &[&String]) -> BTreeMap<String, Value> {
    let output = echis().args(args).args(programs).output().expect("the binary runs");
    let report: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)));
    let files = report["files"].as_array().expect("a report has files").clone();
    files.into_iter().map(|file| (file["path"].as_str().expect("a file has a path").to_string(), file)).collect()
}

fn ids<'a>(file: &'a Value, list: &str) -> Vec<&'a str> {
    file[list].as_array().into_iter().flatten().filter_map(|found| found["id"].as_str()).collect()
}

#[test]
fn examples_do_what_their_page_says() {
    let folder = Folder::new("error-index");
    let blocks: Vec<(String, Block)> = blocks()
        .into_iter()
        .enumerate()
        .map(|(number, block)| {
            let extension = if block.language == "boogie" { "bpl" } else { "vpr" };
            (folder.file(&format!("{}-{number}.{extension}", block.page), &block.text), block)
        })
        .collect();
    let paths: Vec<&String> = blocks.iter().map(|(path, _)| path).collect();
    let verified = results(&["verify", "--cascade", "hide", "--format", "json"], &paths);
    let about_coverage = |block: &Block| {
        block.claim == "covered" || block.claim.starts_with("warns=") && !block.claim.ends_with(".warning")
    };
    let paths: Vec<&String> = blocks.iter().filter(|(_, block)| about_coverage(block)).map(|(path, _)| path).collect();
    let covered = results(&["cover", "--format", "json"], &paths);
    let mut wrong = Vec::new();
    for (path, block) in &blocks {
        let file = if about_coverage(block) { &covered[path] } else { &verified[path] };
        let (errors, warnings) = (ids(file, "errors"), ids(file, "warnings"));
        let holds = match block.claim.split_once('=') {
            Some(("fails", id)) => errors.iter().all(|error| *error == id) && !errors.is_empty(),
            Some(("warns", id)) => errors.is_empty() && warnings.contains(&id),
            _ => errors.is_empty() && warnings.is_empty() && verified[path]["verdict"] == "verified",
        };
        if !holds {
            wrong.push(format!("{}: `{}`, but {errors:?} {warnings:?}", block.page, block.claim));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The example on each page shows its id; pages without an example are listed in this file.
#[test]
fn pages_show_their_id() {
    let blocks = blocks();
    for page in out(&["explain", "--list"]).lines() {
        let about = |block: &&Block| {
            let shown = block.claim.split_once('=').map_or("", |(_, id)| id);
            block.page == page && shown.split(':').any(|half| half == page)
        };
        let shows = blocks.iter().any(|block| about(&block));
        assert_eq!(shows, !WITHOUT_EXAMPLE.contains(&page), "{page}");
    }
}

/// Ids of the front ends and of warnings are string literals in the code.
#[test]
fn every_id_in_the_code_has_a_page() {
    let known = out(&["explain", "--list"]);
    let known: Vec<&str> = known.lines().chain(NOT_FOR_USERS.iter().copied()).collect();
    let mut found = 0;
    let mut missing = Vec::new();
    for path in sources(&repository().join("crates")) {
        let text = std::fs::read_to_string(&path).expect("a source can be read");
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        for id in literals(code) {
            found += 1;
            if !id.split(':').all(|half| known.contains(&half)) {
                missing.push(format!("{id} in {}", path.display()));
            }
        }
    }
    assert!(found >= 20, "{found} ids were found: are they written in another way?");
    assert!(missing.is_empty(), "without a page in docs/errors:\n{}", missing.join("\n"));
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries =
        std::fs::read_dir(folder).expect("the folder can be read").map(|entry| entry.expect("an entry").path());
    let mut entries: Vec<PathBuf> =
        entries.filter(|path| !path.ends_with("tests") && !path.ends_with("xtask")).collect();
    entries.sort();
    let (folders, files): (Vec<PathBuf>, Vec<PathBuf>) = entries.into_iter().partition(|path| path.is_dir());
    let files = files.into_iter().filter(|path| path.extension().is_some_and(|extension| extension == "rs"));
    files.chain(folders.iter().flat_map(|folder| sources(folder))).collect()
}

/// The ids passed to constructors of diagnostics, and constants that look like ids.
fn literals(code: &str) -> Vec<&str> {
    let made = ["Diagnostic::error(", "Diagnostic::warning(", "Diagnostic::new("];
    let made = made.iter().flat_map(|call| code.split(call).skip(1)).filter_map(|rest| {
        let arguments = rest.split_once(')').map_or(rest, |(arguments, _)| arguments);
        arguments.split('"').nth(1)
    });
    let ends = [".error", ".warning", ".feature", ".disagree", ".undecided"];
    let constants = code.lines().filter(|line| line.contains("const ")).filter_map(|line| line.split('"').nth(1));
    let constants = constants.filter(move |text| ends.iter().any(|end| text.ends_with(end)));
    let is_id = |text: &&str| {
        text.contains('.') && text.chars().all(|letter| letter.is_ascii_lowercase() || ".:".contains(letter))
    };
    made.chain(constants).filter(is_id).collect()
}

#[test]
fn a_run_with_findings_ends_with_a_hint() {
    let (_folder, path) = Folder::with("explain-hint", "method m() { assert false }\n");
    let output = run(&["verify", &path]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let hint = "= help: for more, run `echis explain assert.failed:assertion.false`\n";
    assert!(text.ends_with(hint), "{text}");
    let quiet = String::from_utf8_lossy(&run(&["verify", "-q", &path]).stdout).into_owned();
    assert!(!quiet.contains("= help"), "{quiet}");
    let page = out(&["explain", "assert.failed:assertion.false"]);
    assert!(page.starts_with("`assert.failed`\n"), "{page}");
    assert!(page.contains("\n`assertion.false`\n"), "{page}");
    assert!(page.contains("\n    method maximum"), "{page}");
}

#[test]
fn unknown_ids_are_refused_with_a_suggestion() {
    let output = run(&["explain", "assert.fail"]);
    assert_eq!(output.status.code(), Some(2));
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(text.contains("did you mean `assert.failed`?"), "{text}");
}
