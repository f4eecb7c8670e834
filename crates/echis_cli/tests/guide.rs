//! The guide and the README: every command in them is run, and every link has a target.
//!
//! A block `viper,file=NAME` writes a file into the folder of the chapter. A block `console` contains commands after
//! `$ `, each followed by its output. Times are ignored, and a line `…` matches any number of lines. `UPDATE_EXPECT=1`
//! writes the actual output into the page.

#![cfg(unix)]

mod common;

use common::{Folder, out};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

const ELISION: &str = "…";

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository is there")
}

/// The pages of the guide, and other pages with commands.
fn pages() -> Vec<String> {
    let mut pages = vec!["README.md".to_string(), "CONTRIBUTING.md".to_string(), "ARCHITECTURE.md".to_string()];
    collect(&repository().join("docs"), &mut pages);
    pages
}

fn collect(folder: &Path, pages: &mut Vec<String>) {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            collect(&path, pages);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            let below = path.strip_prefix(repository()).expect("pages are in the repository");
            pages.push(below.to_string_lossy().into_owned());
        }
    }
}

fn read(page: &str) -> String {
    std::fs::read_to_string(repository().join(page)).unwrap_or_else(|error| panic!("{page}: {error}"))
}

/// A part of a page: plain text or a fenced block.
enum Piece {
    Text(String),
    Block { info: String, lines: Vec<String> },
}

fn pieces(text: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let Some(info) = line.strip_prefix("```") else {
            pieces.push(Piece::Text(line.to_string()));
            continue;
        };
        let block = lines.by_ref().take_while(|line| !line.starts_with("```")).map(String::from).collect();
        pieces.push(Piece::Block { info: info.to_string(), lines: block });
    }
    pieces
}

/// The output of a command, standard error last.
fn printed(command: &str, folder: &str) -> String {
    let command = command.replace("cargo run --release -- ", "echis ");
    let binary = Path::new(env!("CARGO_BIN_EXE_echis")).parent().expect("the binary is in a folder");
    let path = format!("{}:{}", binary.display(), std::env::var("PATH").unwrap_or_default());
    let output = Command::new("sh")
        .args(["-c", &command])
        .current_dir(folder)
        .env("PATH", path)
        .env("ECHIS_CACHE", "")
        .env("COLUMNS", "100")
        .env_remove("ECHIS_SOLVER")
        .output()
        .expect("there is a shell");
    let text = [output.stdout, output.stderr].concat();
    String::from_utf8_lossy(&text).trim_end().to_string()
}

/// Removes measurements: `0.06 s`, `12.5 ms`, `"time_ms": 8.1`, `12 checks`.
fn normalised(line: &str) -> String {
    let mut text = String::new();
    let mut rest = line;
    while let Some(start) = rest.find(|letter: char| letter.is_ascii_digit()) {
        let (before, from) = rest.split_at(start);
        let end = from.find(|letter: char| !letter.is_ascii_digit() && letter != '.').unwrap_or(from.len());
        let (number, after) = from.split_at(end);
        let counted = [" s", " ms", " check"].iter().any(|unit| after.starts_with(unit));
        let is_effort = counted || before.ends_with("_ms\": ");
        let _ = write!(text, "{before}{}", if is_effort { "N" } else { number });
        rest = after;
    }
    (text + rest).trim_end().to_string()
}

fn matches(expected: &[String], printed: &[&str]) -> bool {
    match (expected.split_first(), printed.split_first()) {
        (None, None) => true,
        (Some((first, rest)), _) if first.trim() == ELISION => {
            (0..=printed.len()).any(|skipped| matches(rest, &printed[skipped..]))
        }
        (Some((first, rest)), Some((line, printed))) => normalised(first) == normalised(line) && matches(rest, printed),
        _ => false,
    }
}

/// The commands of a block, each with its expected output lines.
fn commands(lines: &[String]) -> Vec<(&str, Vec<String>)> {
    let mut commands: Vec<(&str, Vec<String>)> = Vec::new();
    for line in lines {
        match (line.strip_prefix("$ "), commands.last_mut()) {
            (Some(command), _) => commands.push((command, Vec::new())),
            (None, Some((_, expected))) => expected.push(line.clone()),
            (None, None) => panic!("a console block begins with `$ `, not `{line}`"),
        }
    }
    commands
}

/// Runs the commands of a page and returns the page with the actual output.
fn run_page(page: &str) -> String {
    let folder = Folder::new(&page.replace('/', "-"));
    let here = folder.path("");
    std::os::unix::fs::symlink(repository().join("examples"), folder.path("examples")).expect("a link can be made");
    let mut text = String::new();
    for piece in pieces(&read(page)) {
        let (info, lines) = match piece {
            Piece::Text(line) => {
                text += &(line + "\n");
                continue;
            }
            Piece::Block { info, lines } => (info, lines),
        };
        let _ = writeln!(text, "```{info}");
        if let Some((_, name)) = info.split_once(",file=") {
            folder.file(name, &(lines.join("\n") + "\n"));
        }
        if info != "console" {
            assert!(!lines.iter().any(|line| line.starts_with("$ ")), "{page}: a command in a block that is not run");
            lines.iter().for_each(|line| text += &format!("{line}\n"));
        } else {
            for (command, expected) in commands(&lines) {
                let found = printed(command, &here);
                let found: Vec<&str> = found.lines().collect();
                let same = matches(&expected, &found);
                let _ = writeln!(text, "$ {command}");
                match same {
                    true => expected.iter().for_each(|line| text += &format!("{line}\n")),
                    false => found.iter().for_each(|line| text += &format!("{}\n", line.trim_end())),
                }
            }
        }
        text += "```\n";
    }
    let _ = std::fs::remove_file(folder.path("examples"));
    text
}

#[test]
fn commands_print_what_pages_say() {
    let update = std::env::var_os("UPDATE_EXPECT").is_some();
    let mut wrong = Vec::new();
    for page in pages() {
        let (written, found) = (read(&page), run_page(&page));
        if written == found {
            continue;
        }
        if update {
            std::fs::write(repository().join(&page), found).expect("a page can be written");
            continue;
        }
        let difference = written.lines().zip(found.lines()).find(|(written, found)| written != found);
        wrong.push(format!("{page}: {difference:?}"));
    }
    assert!(wrong.is_empty(), "run with UPDATE_EXPECT=1 and read the difference:\n{}", wrong.join("\n"));
}

/// The targets of links, except in code.
fn links(text: &str) -> Vec<String> {
    let prose = pieces(text).into_iter().filter_map(|piece| match piece {
        Piece::Text(line) => Some(line),
        Piece::Block { .. } => None,
    });
    // Code in backticks may look like a link: `old[l](e)`.
    let prose = prose.map(|line| line.split('`').step_by(2).collect::<String>()).collect::<Vec<_>>().join("\n");
    let targets = prose.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
    targets.map(|(target, _)| target.to_string()).collect()
}

/// The anchors of a page's headings, as generated by mdBook and code hosts.
fn anchors(text: &str) -> BTreeSet<String> {
    let headings = pieces(text).into_iter().filter_map(|piece| match piece {
        Piece::Text(line) if line.starts_with('#') => Some(line),
        _ => None,
    });
    let kept = |letter: char| match letter {
        ' ' => Some('-'),
        letter if letter.is_alphanumeric() || letter == '-' || letter == '_' => Some(letter.to_ascii_lowercase()),
        _ => None,
    };
    headings.map(|line| line.trim_start_matches('#').trim().chars().filter_map(kept).collect()).collect()
}

#[test]
fn links_lead_somewhere() {
    let mut broken = Vec::new();
    for page in pages() {
        let here = repository().join(&page);
        for link in links(&read(&page)).into_iter().filter(|link| !link.contains("://")) {
            let (path, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let target = if path.is_empty() { here.clone() } else { here.parent().expect("a folder").join(path) };
            let known = match (target.exists(), anchor) {
                (false, _) => false,
                (true, "") => true,
                (true, anchor) => anchors(&std::fs::read_to_string(&target).unwrap_or_default()).contains(anchor),
            };
            if !known {
                broken.push(format!("{page}: {link}"));
            }
        }
    }
    assert!(broken.is_empty(), "broken links:\n{}", broken.join("\n"));
}

#[test]
fn the_summary_has_every_page() {
    let listed: BTreeSet<String> = links(&read("docs/SUMMARY.md")).into_iter().collect();
    let pages = pages().into_iter().filter_map(|page| page.strip_prefix("docs/").map(String::from));
    let missing: Vec<String> = pages.filter(|page| page != "SUMMARY.md" && !listed.contains(page)).collect();
    assert!(missing.is_empty(), "not in docs/SUMMARY.md: {missing:?}");
}

#[test]
fn the_readme_and_the_help_are_short() {
    assert!(read("README.md").lines().count() <= 120);
    assert!(out(&["--help"]).lines().count() <= 40);
}

/// The reference lists exactly the commands and options that exist.
#[test]
fn the_reference_has_every_option() {
    let reference = read("docs/reference/commands.md");
    let help = out(&["--help"]);
    let commands = help.lines().skip_while(|line| !line.starts_with("Commands:")).skip(1);
    let commands = commands.take_while(|line| line.starts_with("  ") || line.is_empty());
    let commands: Vec<&str> = commands.filter_map(|line| line.split_whitespace().next()).collect();
    let mut missing = Vec::new();
    for command in commands.iter().filter(|command| **command != "help") {
        let section = reference.split("\n## ").find(|section| section.starts_with(&format!("`echis {command}`")));
        let Some(_) = section else {
            missing.push(command.to_string());
            continue;
        };
        let help = out(&[command, "--help"]);
        let options = help.split_whitespace().filter(|word| word.starts_with("--"));
        let options = options.map(|word| word.trim_end_matches(|letter: char| !letter.is_alphanumeric()));
        let options: BTreeSet<&str> = options.filter(|option| option.len() > 2).collect();
        let absent = options.into_iter().filter(|option| !reference.contains(option));
        missing.extend(absent.map(|option| format!("{command} {option}")));
    }
    assert!(missing.is_empty(), "not in docs/reference/commands.md: {missing:?}");
}
