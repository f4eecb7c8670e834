//! Coverage by line, over all programs of a run, in the formats that tools for test coverage read: LCOV tracefiles
//! and Cobertura XML.
//!
//! A line has the elements that start on it, in the file of their position: for front-end programs that is the user's
//! own file, so that coverage of proofs and of tests can be merged. If there are several elements on a line, each is
//! a branch, and the line counts as hit if one of them is covered.

use crate::markup::escape;
use echis_depend::Queries;
use std::collections::BTreeMap;
use std::fmt::Write;

#[derive(Default)]
pub struct Tally {
    files: BTreeMap<String, Lines>,
}

#[derive(Default)]
struct Lines {
    /// For each line, whether each element that starts on it is covered.
    elements: BTreeMap<u32, Vec<bool>>,
    /// Members by name: the first line, and the number of covered elements.
    members: BTreeMap<String, (u32, usize)>,
}

/// Covered and total.
type Ratio = (usize, usize);

impl Tally {
    /// Adds the elements of a program.
    pub fn add(&mut self, queries: Queries<'_>) {
        for (user, covered) in queries.elements() {
            let Some(node) = queries.view.node(user) else { continue };
            let line = node.position.start.line;
            let file = self.files.entry(node.position.file.to_string()).or_default();
            file.elements.entry(line).or_default().push(covered);
            let (first, count) = file.members.entry(node.member.to_string()).or_insert((line, 0));
            *first = line.min(*first);
            *count += usize::from(covered);
        }
    }

    pub fn lcov(&self) -> String {
        let mut out = String::new();
        for (path, file) in &self.files {
            let _ = write!(out, "TN:\nSF:{}\n", one_line(path));
            for (name, (line, _)) in &file.members {
                let _ = writeln!(out, "FN:{line},{}", one_line(name));
            }
            for (name, (_, count)) in &file.members {
                let _ = writeln!(out, "FNDA:{count},{}", one_line(name));
            }
            let hit = file.members.values().filter(|(_, count)| *count > 0).count();
            let _ = write!(out, "FNF:{}\nFNH:{hit}\n", file.members.len());
            for (line, elements) in file.branching() {
                for (index, covered) in elements.iter().enumerate() {
                    let _ = writeln!(out, "BRDA:{line},0,{index},{}", u8::from(*covered));
                }
            }
            let (hit, found) = file.branches();
            let _ = write!(out, "BRF:{found}\nBRH:{hit}\n");
            for (line, elements) in &file.elements {
                let _ = writeln!(out, "DA:{line},{}", covered_of(elements));
            }
            let (hit, found) = file.lines();
            let _ = write!(out, "LF:{found}\nLH:{hit}\nend_of_record\n");
        }
        out
    }

    /// The output contains no times: two runs write the same.
    pub fn cobertura(&self) -> String {
        let sum = |each: fn(&Lines) -> Ratio| {
            self.files.values().map(each).fold((0, 0), |(a, b), (hit, found)| (a + hit, b + found))
        };
        let (lines, branches) = (sum(Lines::lines), sum(Lines::branches));
        let rates = format!("line-rate=\"{}\" branch-rate=\"{}\"", rate(lines), rate(branches));
        let mut out = String::from(
            "<?xml version=\"1.0\" ?>\n\
             <!DOCTYPE coverage SYSTEM \"http://cobertura.sourceforge.net/xml/coverage-04.dtd\">\n",
        );
        let _ = writeln!(
            out,
            "<coverage {rates} lines-covered=\"{}\" lines-valid=\"{}\" branches-covered=\"{}\" branches-valid=\"{}\" \
             complexity=\"0\" version=\"1\" timestamp=\"0\">",
            lines.0, lines.1, branches.0, branches.1
        );
        let _ = writeln!(out, "  <sources><source>.</source></sources>\n  <packages>");
        let _ = writeln!(out, "    <package name=\"proofs\" {rates} complexity=\"0\">\n      <classes>");
        for (path, file) in &self.files {
            let path = escape(path);
            let (line_rate, branch_rate) = (rate(file.lines()), rate(file.branches()));
            let _ = writeln!(
                out,
                "        <class name=\"{path}\" filename=\"{path}\" line-rate=\"{line_rate}\" \
                 branch-rate=\"{branch_rate}\" complexity=\"0\">\n          <methods/>\n          <lines>"
            );
            for (line, elements) in &file.elements {
                let (covered, all) = (covered_of(elements), elements.len());
                let branch = match all {
                    1 => "branch=\"false\"".to_string(),
                    _ => {
                        let percent = 100 * covered / all;
                        format!("branch=\"true\" condition-coverage=\"{percent}% ({covered}/{all})\"")
                    }
                };
                let _ = writeln!(out, "            <line number=\"{line}\" hits=\"{covered}\" {branch}/>");
            }
            out.push_str("          </lines>\n        </class>\n");
        }
        out + "      </classes>\n    </package>\n  </packages>\n</coverage>\n"
    }
}

impl Lines {
    fn lines(&self) -> Ratio {
        (self.elements.values().filter(|elements| covered_of(elements) > 0).count(), self.elements.len())
    }
    /// Lines with several elements.
    fn branching(&self) -> impl Iterator<Item = (&u32, &Vec<bool>)> {
        self.elements.iter().filter(|(_, elements)| elements.len() > 1)
    }
    fn branches(&self) -> Ratio {
        self.branching().fold((0, 0), |(hit, all), (_, elements)| (hit + covered_of(elements), all + elements.len()))
    }
}

fn covered_of(elements: &[bool]) -> usize {
    elements.iter().filter(|covered| **covered).count()
}

fn rate((hit, found): Ratio) -> String {
    format!("{:.4}", if found == 0 { 1.0 } else { hit as f64 / found as f64 })
}

/// A record must not contain line breaks.
fn one_line(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}
