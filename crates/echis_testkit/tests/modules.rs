//! Imports between modules of a crate: there are no cycles, and the parts of the executor and of the library are
//! layered.
//!
//! A module is a file or folder. The test compares the modules of a crate and those of each folder; imports between a
//! folder's own file (with the same name) and its modules are unrestricted.

use echis_testkit::repository;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// The parts of the executor, with the parts that each may import. Each contains the part before it.
const EXECUTOR: &[(&str, &[&str])] = &[
    ("limits", &[]),
    ("cfg", &[]),
    ("purity", &[]),
    ("runnable", &["limits"]),
    ("state", &["cfg"]),
    ("context", &["purity", "state"]),
    ("tree", &["purity", "state", "context", "limits"]),
    ("heap", &["purity", "state", "context", "tree", "limits"]),
    ("eval", &["purity", "state", "context", "tree", "heap", "limits"]),
    ("exec", &["purity", "state", "context", "tree", "heap", "eval", "cfg", "limits"]),
    ("engine", &["purity", "context", "exec", "runnable"]),
];

/// The folders of the library, with those that each may import: programs are loaded from sources, checked, verified,
/// and queried.
const LIBRARY: &[(&str, &[&str])] = &[
    ("limits", &[]),
    ("defect", &[]),
    ("silicon", &[]),
    ("source", &[]),
    ("checked", &["defect", "source"]),
    ("cache", &["limits", "source"]),
    ("verify", &["cache", "checked", "defect", "limits"]),
    ("language", &["cache", "checked", "defect", "verify"]),
    ("verification", &["cache", "checked", "language", "source", "verify"]),
    ("ask", &["cache", "checked", "defect", "language", "limits", "source", "verification", "verify"]),
];

type Imports = BTreeMap<String, BTreeSet<String>>;

#[test]
fn modules_do_not_import_each_other_in_circles() {
    let mut wrong = String::new();
    for source in sources() {
        let name = crate_name(&source);
        let circles: Vec<Vec<String>> =
            folders(&source).iter().flat_map(|folder| circles(&imports(folder, &path_of(&source, folder)))).collect();
        if !circles.is_empty() {
            let _ = writeln!(wrong, "{name} has these circles: {circles:?}");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn parts_of_the_executor_keep_their_order() {
    keeps_order("echis_exec", EXECUTOR);
}

#[test]
fn folders_of_the_library_keep_their_order() {
    keeps_order("echis", LIBRARY);
}

fn keeps_order(name: &str, table: &[(&str, &[&str])]) {
    let source = repository().join("crates").join(name).join("src");
    let allowed: BTreeMap<&str, BTreeSet<&str>> =
        table.iter().map(|(part, uses)| (*part, uses.iter().copied().collect())).collect();
    let mut wrong = Vec::new();
    for (part, used) in imports(&source, &[]) {
        let Some(allowed) = allowed.get(&*part) else {
            wrong.push(format!("{part} is not in the table"));
            continue;
        };
        wrong.extend(
            used.iter().filter(|used| !allowed.contains(&***used)).map(|used| format!("{part} imports {used}")),
        );
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The source folders of all crates, sorted by name.
fn sources() -> Vec<PathBuf> {
    let mut sources: Vec<PathBuf> = entries(&repository().join("crates")).iter().map(|path| path.join("src")).collect();
    sources.retain(|source| source.is_dir());
    sources
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the folder can be read");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("its entries can be read").path()).collect();
    paths.sort();
    paths
}

fn crate_name(source: &Path) -> String {
    let folder = source.parent().and_then(Path::file_name).expect("sources are in the folder of a crate");
    folder.to_string_lossy().into_owned()
}

/// A folder and all folders below it.
fn folders(folder: &Path) -> Vec<PathBuf> {
    let below = entries(folder).into_iter().filter(|path| path.is_dir()).flat_map(|path| folders(&path));
    std::iter::once(folder.to_path_buf()).chain(below).collect()
}

fn path_of(source: &Path, folder: &Path) -> Vec<String> {
    let relative = folder.strip_prefix(source).expect("the folder is in the crate");
    relative.components().map(|part| part.as_os_str().to_string_lossy().into_owned()).collect()
}

/// Maps each module of a folder to the other modules of the folder that it imports.
fn imports(folder: &Path, within: &[String]) -> Imports {
    let mut files: BTreeMap<String, Vec<(PathBuf, usize)>> = BTreeMap::new();
    for path in entries(folder) {
        let Some(name) = path.file_stem().map(|name| name.to_string_lossy().into_owned()) else { continue };
        if path.is_dir() {
            files.entry(name).or_default().extend(below(&path, 1));
        } else if path.extension().is_some_and(|extension| extension == "rs") && !is_root(&name) {
            files.entry(name).or_default().push((path, 0));
        }
    }
    let names: BTreeSet<String> = files.keys().cloned().collect();
    let mut imports = Imports::new();
    for (name, files) in files {
        let mut used: BTreeSet<String> = BTreeSet::new();
        for (file, depth) in files {
            used.extend(named(&file, depth, within));
        }
        used.retain(|other| *other != name && names.contains(other));
        imports.insert(name, used);
    }
    imports
}

fn is_root(name: &str) -> bool {
    matches!(name, "lib" | "main" | "tests")
}

/// The files below a folder, with their depth.
fn below(folder: &Path, depth: usize) -> Vec<(PathBuf, usize)> {
    let mut files = Vec::new();
    for path in entries(folder) {
        let name = path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if path.is_dir() {
            files.extend(below(&path, depth + 1));
        } else if path.extension().is_some_and(|extension| extension == "rs") && name != "tests" {
            files.push((path, depth));
        }
    }
    files
}

/// The modules of the folder that a file imports, through `crate::` or `super::` paths.
fn named(file: &Path, depth: usize, within: &[String]) -> Vec<String> {
    let text = fs::read_to_string(file).expect("a source file can be read");
    let code: String =
        text.lines().map(|line| line.split("//").next().unwrap_or_default().to_string() + "\n").collect();
    let whole = format!("crate::{}", within.iter().map(|part| format!("{part}::")).collect::<String>());
    let up = "super::".repeat(depth + 1);
    let mut names = after(&code, &whole);
    names.extend(after(&code, &up));
    names
}

/// The names that follow a path, including in groups. Occurrences within a longer path are ignored.
fn after(code: &str, path: &str) -> Vec<String> {
    let mut names = Vec::new();
    for (at, _) in code.match_indices(path) {
        let before = code[..at].chars().next_back();
        if before.is_some_and(|before| before == ':' || before.is_alphanumeric() || before == '_') {
            continue;
        }
        let rest = &code[at + path.len()..];
        match rest.strip_prefix('{') {
            Some(group) => names.extend(firsts(group)),
            None => names.extend(word(rest)),
        }
    }
    names
}

fn word(text: &str) -> Option<String> {
    let word: String = text.chars().take_while(|letter| letter.is_alphanumeric() || *letter == '_').collect();
    (!word.is_empty() && word != "super").then_some(word)
}

/// The first path segment of each item in an import group.
fn firsts(group: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut depth = 0;
    let mut fresh = true;
    for (at, letter) in group.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => fresh = true,
            letter if fresh && depth == 0 && !letter.is_whitespace() => {
                words.extend(word(&group[at..]));
                fresh = false;
            }
            _ => {}
        }
    }
    words
}

/// The cycles: groups of two or more modules that import each other, directly or indirectly.
fn circles(imports: &Imports) -> Vec<Vec<String>> {
    let reach: BTreeMap<&String, BTreeSet<&String>> =
        imports.keys().map(|name| (name, reached(imports, name))).collect();
    let mut circles: Vec<Vec<String>> = Vec::new();
    for (&name, others) in &reach {
        let circle: Vec<String> =
            others.iter().filter(|other| reach[**other].contains(name)).map(|other| (**other).clone()).collect();
        if circle.len() > 1 && !circles.contains(&circle) {
            circles.push(circle);
        }
    }
    circles
}

fn reached<'i>(imports: &'i Imports, from: &'i String) -> BTreeSet<&'i String> {
    let mut seen: BTreeSet<&String> = BTreeSet::new();
    let mut pending: Vec<&String> = imports[from].iter().collect();
    while let Some(next) = pending.pop() {
        if seen.insert(next) {
            pending.extend(&imports[next]);
        }
    }
    seen
}
