//! What `echis cover` prints can be read: one cause is one warning, and lines have the mark that a reader expects.

mod common;

use common::{Folder, out};

fn warnings(text: &str) -> Vec<&str> {
    text.lines().filter(|line| line.starts_with("warning")).collect()
}

/// The mark of a line.
fn mark(text: &str, line: usize) -> Option<char> {
    let number = format!("{line:5} ");
    text.lines().find_map(|shown| shown.strip_prefix(&number)).and_then(|rest| rest.chars().next())
}

#[test]
fn warnings_about_the_same_text_are_one() {
    let folder = Folder::new("folded-text");
    let member = |name: &str| {
        format!("method {name}(a: Int) returns (r: Int)\n  requires a < 64\n  ensures r > 0\n{{\n  r := 1\n}}\n")
    };
    let text: String = ["m", "n", "o", "p", "q"].map(member).concat();
    let shown = out(&["cover", &folder.file("a.vpr", &text)]);
    let expected = "warning[assumption.unused]: No proof needs the precondition a < 64. The same is true of 4 more places \
                    with this text, in lines 8, 14, 20, 26.";
    assert_eq!(warnings(&shown), [expected], "{shown}");
    assert!(shown.contains("1 warning, 0 silenced"), "{shown}");
    // A few are shown one by one.
    let text: String = ["m", "n", "o"].map(member).concat();
    assert_eq!(warnings(&out(&["cover", &folder.file("b.vpr", &text)])).len(), 3);
}

#[test]
fn many_warnings_of_one_kind_in_one_member_are_one() {
    let folder = Folder::new("folded-member");
    let clauses: String = (0..12).map(|number| format!("  requires a != {number}\n")).collect();
    let shown =
        out(&["cover", &folder.file("a.vpr", &format!("method m(a: Int)\n{clauses}{{\n  assert a == a\n}}\n"))]);
    let expected = "warning[assumption.unused]: No proof needs the precondition a != 0. There are 11 more warnings of this \
                    kind in m, in lines 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 and 1 more.";
    assert_eq!(warnings(&shown), [expected], "{shown}");
}

/// Where everything follows from a contradiction, nothing else is needed.
#[test]
fn what_a_contradiction_makes_needless_is_not_a_warning_of_its_own() {
    let folder = Folder::new("folded-contradiction");
    let text = "\
method m(a: Int, b: Int) returns (r: Int)
  requires b > 3
  ensures r == b
{
  r := 7
  assume a > 0
  assume a < 0
}
method endless(a: Int, b: Int) returns (r: Int)
  requires b > 3
  ensures r == b
{
  r := 7
  while (true)
    invariant a == a
  {
    r := r + 1
  }
}
";
    let shown = out(&["cover", &folder.file("a.vpr", text)]);
    let found = warnings(&shown);
    assert!(found[0].contains("3:11") || found[0].contains("proved from contradictory assumptions"), "{shown}");
    assert!(found[0].contains("2 more warnings about m may follow from it, in lines 2, 5."), "{shown}");
    assert!(found.iter().any(|found| found.contains("precondition b > 3")), "endless: {shown}");
}

#[test]
fn a_condition_that_never_holds_is_one_warning() {
    let folder = Folder::new("folded-condition");
    let text = "\
field f: Int
predicate cell(x: Ref) {
  acc(x.f) && x.f >= 0 && (x.f > 5 ==> x.f > 4 && (x.f < 3 ==> x.f == 7))
}
method get(x: Ref) returns (r: Int)
  requires cell(x)
  ensures cell(x) && r >= 0
{
  unfold cell(x)
  r := x.f
  fold cell(x)
}
";
    let shown = out(&["cover", &folder.file("a.vpr", text)]);
    let never = "warning[part.unused]: This condition never holds: the rest of the predicate excludes it.";
    assert_eq!(warnings(&shown).iter().filter(|found| **found == never).count(), 1, "{shown}");
    assert!(!shown.contains("No proof needs the part x.f < 3 ==> x.f == 7 of predicate cell."), "{shown}");
}

#[test]
fn lines_have_the_marks_of_their_parts() {
    let folder = Folder::new("folded-marks");
    let text = "\
field f: Int
function endless(n: Int): Int
  ensures result > n
{ endless(n) }
method m(a: Int, b: Int) returns (r: Int)
  requires a > 0 && b > 0
  requires b > 1
  ensures r > 0
{
  r := a
}
";
    let shown = out(&["cover", &folder.file("a.vpr", text)]);
    assert_eq!(mark(&shown, 3), Some('∅'), "{shown}");
    assert_eq!(mark(&shown, 6), Some('◐'), "one of two conjuncts: {shown}");
    assert_eq!(mark(&shown, 7), Some('○'), "{shown}");
}
