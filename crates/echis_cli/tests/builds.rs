//! Coverage in builds: output for other tools, baselines, thresholds, patches, and pages for several programs.

mod common;

use common::{Folder, run};

const NEEDLESS: &str = "\
method m(n: Int) returns (r: Int)
  requires n > 0 && n < 9
  ensures r > 0
{
  r := n
}
";

/// A covered member and a half-covered one.
const MORE: &str = "
method other(a: Int, b: Int)
  requires a > 0
  requires b > 0
  requires b < 7
{
  assert a > 0
}
";

fn code(args: &[&str]) -> Option<i32> {
    run(args).status.code()
}

#[test]
fn lines_are_written_for_tools_of_test_coverage() {
    let folder = Folder::new("builds-lines");
    let file = folder.file("a.vpr", NEEDLESS);
    let (lcov, cobertura) = (folder.path("a.info"), folder.path("a.xml"));
    assert_eq!(code(&["cover", "-q", "--no-confirm", &file, "--lcov", &lcov, "--cobertura", &cobertura]), Some(0));
    let trace = folder.read("a.info");
    let records: Vec<&str> = trace.lines().skip(2).collect();
    let expected = [
        "FN:2,m",
        "FNDA:3,m",
        "FNF:1",
        "FNH:1",
        "BRDA:2,0,0,1",
        "BRDA:2,0,1,0",
        "BRF:2",
        "BRH:1",
        "DA:2,1",
        "DA:3,1",
        "DA:5,1",
        "LF:3",
        "LH:3",
        "end_of_record",
    ];
    assert_eq!(records, expected);
    let xml = folder.read("a.xml");
    assert!(xml.contains("<line number=\"2\" hits=\"1\" branch=\"true\" condition-coverage=\"50% (1/2)\"/>"), "{xml}");
    assert!(xml.contains("lines-covered=\"3\" lines-valid=\"3\" branches-covered=\"1\" branches-valid=\"2\""), "{xml}");
}

#[test]
fn what_a_front_end_generated_counts_for_its_own_lines() {
    let folder = Folder::new("builds-front-end");
    let program = NEEDLESS.replace("  r := n", "  @position(\"main.go\", \"40\", \"2\")\n  r := n");
    let file = folder.file("a.vpr", &program);
    let lcov = folder.path("a.info");
    assert_eq!(code(&["cover", "-q", "--no-confirm", &file, "--lcov", &lcov]), Some(0));
    let trace = folder.read("a.info");
    assert!(trace.contains("SF:main.go\nFN:40,m\nFNDA:1,m\n") && trace.contains("DA:40,1\n"), "{trace}");
}

#[test]
fn a_baseline_allows_what_was_uncovered_and_no_more() {
    let folder = Folder::new("builds-baseline");
    let file = folder.file("a.vpr", NEEDLESS);
    let baseline = folder.path("baseline.json");
    let gate = ["cover", "-q", "--no-confirm", &file, "--baseline", &baseline];
    assert_eq!(code(&gate), Some(2), "there is none yet");
    assert_eq!(code(&["cover", "-q", "--no-confirm", &file, "--write-baseline", &baseline]), Some(0));
    assert_eq!(code(&gate), Some(0));
    folder.file("a.vpr", &format!("// lines move\n{NEEDLESS}"));
    assert_eq!(code(&gate), Some(0));
    folder.file("a.vpr", &format!("{NEEDLESS}{MORE}"));
    let output = run(&gate);
    assert_eq!(output.status.code(), Some(1));
    let complaints = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(complaints.contains("b < 7 is not covered, and not in the baseline"), "{complaints}");
    assert!(!complaints.contains("n < 9"), "{complaints}");
}

#[test]
fn thresholds_hold_for_each_member_and_all_warnings_can_be_denied() {
    let folder = Folder::new("builds-gates");
    let file = folder.file("a.vpr", &format!("{NEEDLESS}{MORE}"));
    let gate = |percent: &str| run(&["cover", "-q", "--no-confirm", &file, "--min-member-coverage", percent]);
    assert_eq!(gate("40").status.code(), Some(0));
    let low = gate("60");
    assert_eq!(low.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&low.stderr).contains("coverage is below 60 % in other"));
    assert_eq!(gate("101").status.code(), Some(2));
    assert_eq!(code(&["cover", "-q", "--deny", "all", &file]), Some(1));
}

#[test]
fn a_patch_says_what_fixing_would_change() {
    let folder = Folder::new("builds-patch");
    let file = folder.file("a.vpr", &NEEDLESS.replace(" && n < 9", " && // small\n    n < 9"));
    let before = folder.read("a.vpr");
    let output = run(&["cover", "--fix", "--diff", &file]);
    assert_eq!(output.status.code(), Some(0));
    let patch = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(patch.contains("-  requires n > 0 && // small\n-    n < 9\n+  requires n > 0 // small\n"), "{patch}");
    assert_eq!(folder.read("a.vpr"), before, "nothing is written");
    assert_eq!(code(&["cover", "-q", "--fix", &file]), Some(0));
    assert!(folder.read("a.vpr").contains("  requires n > 0 // small\n  ensures"), "{}", folder.read("a.vpr"));
}

#[test]
fn a_report_has_all_programs_in_one_page() {
    let folder = Folder::new("builds-report");
    let (one, two) = (folder.file("a.vpr", NEEDLESS), folder.file("b.vpr", "method n() { assert true }\n"));
    let counted = run(&["cover", "--no-confirm", &one, &two, "--color", "never"]);
    assert!(String::from_utf8_lossy(&counted.stdout).contains("all programs: 4 of 5 covered (80.0 %)"));
    let page = folder.path("report.html");
    let output = run(&["report", "--no-confirm", &one, &two, "-o", &page]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let html = folder.read("report.html");
    assert!(html.contains("2 programs") && html.contains("a.vpr") && html.contains("b.vpr"));
    assert!(!html.contains("src=") || !html.contains("<script src"), "nothing is loaded");
    assert!(html.len() < 1_500_000, "{} bytes", html.len());
}
