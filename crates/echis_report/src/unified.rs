//! Unified diffs.

use std::fmt::Write;

/// Number of context lines.
const CONTEXT: usize = 3;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Line<'a> {
    Same(&'a str),
    Removed(&'a str),
    Added(&'a str),
}

/// A unified diff of a file, empty if there is no change.
pub fn unified(path: &str, old: &str, new: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let lines = lines(&old, &new);
    let changes: Vec<usize> =
        lines.iter().enumerate().filter(|(_, line)| !matches!(line, Line::Same(_))).map(|(index, _)| index).collect();
    let mut out = String::new();
    let mut next = 0;
    while let Some(&first) = changes.get(next) {
        let mut last = first;
        while let Some(&after) = changes.get(next).filter(|after| **after <= last + 2 * CONTEXT + 1) {
            last = after;
            next += 1;
        }
        let (from, to) = (first.saturating_sub(CONTEXT), (last + CONTEXT + 1).min(lines.len()));
        hunk(&mut out, &lines, from, to);
    }
    if out.is_empty() { out } else { format!("--- {path}\n+++ {path}\n{out}") }
}

fn hunk(out: &mut String, lines: &[Line], from: usize, to: usize) {
    let count = |range: &[Line], without: fn(&Line) -> bool| range.iter().filter(|line| !without(line)).count();
    let added = |line: &Line| matches!(line, Line::Added(_));
    let removed = |line: &Line| matches!(line, Line::Removed(_));
    let (before, here) = (&lines[..from], &lines[from..to]);
    let start = |count: usize, before: usize| if count == 0 { before } else { before + 1 };
    let (old, new) = (count(here, added), count(here, removed));
    let (old_start, new_start) = (start(old, count(before, added)), start(new, count(before, removed)));
    let _ = writeln!(out, "@@ -{old_start},{old} +{new_start},{new} @@");
    for line in here {
        let _ = match line {
            Line::Same(text) => writeln!(out, " {text}"),
            Line::Removed(text) => writeln!(out, "-{text}"),
            Line::Added(text) => writeln!(out, "+{text}"),
        };
    }
}

/// Diffs two texts by their longest common subsequence of lines; a common prefix and suffix need no search.
fn lines<'a>(old: &[&'a str], new: &[&'a str]) -> Vec<Line<'a>> {
    let start = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let tail = old[start..].iter().rev().zip(new[start..].iter().rev()).take_while(|(a, b)| a == b).count();
    let (from, to) = (&old[start..old.len() - tail], &new[start..new.len() - tail]);
    let width = to.len() + 1;
    let mut longest = vec![0u32; (from.len() + 1) * width];
    for a in (0..from.len()).rev() {
        for b in (0..to.len()).rev() {
            longest[a * width + b] = match from[a] == to[b] {
                true => longest[(a + 1) * width + b + 1] + 1,
                false => longest[(a + 1) * width + b].max(longest[a * width + b + 1]),
            };
        }
    }
    let mut lines: Vec<Line> = old[..start].iter().map(|line| Line::Same(line)).collect();
    let (mut a, mut b) = (0, 0);
    while a < from.len() || b < to.len() {
        if a < from.len() && b < to.len() && from[a] == to[b] {
            lines.push(Line::Same(from[a]));
            (a, b) = (a + 1, b + 1);
        } else if b == to.len() || a < from.len() && longest[(a + 1) * width + b] >= longest[a * width + b + 1] {
            lines.push(Line::Removed(from[a]));
            a += 1;
        } else {
            lines.push(Line::Added(to[b]));
            b += 1;
        }
    }
    lines.extend(old[old.len() - tail..].iter().map(|line| Line::Same(line)));
    lines
}

#[cfg(test)]
mod tests {
    use super::unified;

    #[test]
    fn a_patch_has_the_lines_around_a_change() {
        let old = "a\nb\nc\nd\ne\nf\ng\nh\n";
        let new = "a\nb\nc\nd\nE\nf\ng\nh\n";
        assert_eq!(unified("x", old, new), "--- x\n+++ x\n@@ -2,7 +2,7 @@\n b\n c\n d\n-e\n+E\n f\n g\n h\n");
        assert_eq!(unified("x", old, old), "");
    }

    #[test]
    fn changes_far_apart_are_hunks_of_their_own() {
        let old: String = (0..30).map(|line| format!("{line}\n")).collect();
        let new = old.replace("\n2\n", "\n").replace("\n25\n", "\n25\nnew\n");
        let patch = unified("x", &old, &new);
        assert_eq!(patch.matches("@@ -").count(), 2, "{patch}");
        assert!(patch.contains("-2\n") && patch.contains("+new\n"), "{patch}");
        assert!(patch.contains("@@ -1,6 +1,5 @@"), "{patch}");
    }

    #[test]
    fn a_text_may_begin_and_end_with_nothing() {
        assert_eq!(unified("x", "", "a\n"), "--- x\n+++ x\n@@ -0,0 +1,1 @@\n+a\n");
        assert_eq!(unified("x", "a\n", ""), "--- x\n+++ x\n@@ -1,1 +0,0 @@\n-a\n");
    }
}
