//! The command line as seen by scripts: exit codes, output streams, and the structure of the JSON.

mod common;

use common::Folder;
use serde_json::Value;
use std::io::Write;
#[cfg(target_os = "linux")]
use std::path::Path;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
#[cfg(target_os = "linux")]
use std::time::Duration;

const GOOD: &str = "method m(x: Int) requires x > 3 { assert x > 2 }\n";
const FAILING: &str = "method m(x: Int, b: Bool)\n{\n  if (b) {\n    assert x > 3\n  }\n}\n";
const INVALID: &str = "method m(x: Int) { assert x > y }\n";

fn echis() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_echis"));
    command.env_remove("ECHIS_SOLVER").env_remove("NO_COLOR");
    command
}

fn run(args: &[&str]) -> Output {
    echis().args(args).output().expect("the binary runs")
}

fn code(args: &[&str]) -> Option<i32> {
    run(args).status.code()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn json(args: &[&str]) -> Value {
    serde_json::from_slice(&run(args).stdout).expect("standard output is JSON")
}

#[test]
fn exit_codes_say_how_it_went() {
    let folder = Folder::new("codes");
    let (good, failing, invalid) =
        (folder.file("good.vpr", GOOD), folder.file("failing.vpr", FAILING), folder.file("invalid.vpr", INVALID));
    assert_eq!(code(&["verify", &good]), Some(0));
    assert_eq!(code(&["verify", &failing]), Some(1));
    assert_eq!(code(&["verify", &invalid]), Some(2));
    assert_eq!(code(&["verify", &good, &failing]), Some(1));
    assert_eq!(code(&["verify", &failing, &invalid, &good]), Some(2));
    assert_eq!(code(&["verify", "there-is-no-such-file.vpr"]), Some(2));
    assert_eq!(code(&["verify", &folder.path("")]), Some(2));
    assert_eq!(code(&["check", &good]), Some(0));
    assert_eq!(code(&["check", &failing]), Some(0));
    assert_eq!(code(&["check", &invalid]), Some(2));
    for wrong in [&["verify"][..], &["sing"], &["verify", "--jobs", "0", &good], &["verify", "--timeout", "x", &good]] {
        assert_eq!(code(wrong), Some(2), "{wrong:?}");
    }
    assert_eq!(code(&["verify", "--solver", "there-is-no-such-solver", &good]), Some(2));
    assert_eq!(code(&["--help"]), Some(0));
}

#[test]
fn json_has_the_shape_that_scripts_rely_on() {
    let folder = Folder::new("json");
    let failing = folder.file("failing.vpr", FAILING);
    let document = json(&["verify", "--format", "json", &failing]);
    assert_eq!(document["version"], 1);
    let file = &document["files"][0];
    assert_eq!(file["path"], *failing);
    assert_eq!(file["verdict"], "failed");
    assert!(file["time_ms"].is_number());
    let member = &file["members"][0];
    assert_eq!(
        (&member["name"], &member["kind"], &member["verdict"]),
        (&"m".into(), &"method".into(), &"failed".into())
    );
    assert!(member["checks"].as_u64().is_some_and(|checks| checks > 0));
    let error = &file["errors"][0];
    assert_eq!(error["id"], "assert.failed:assertion.false");
    assert_eq!(error["message"], "Assert might fail. Assertion x > 3 might not hold.");
    assert_eq!(error["member"], "m");
    let position = &error["position"];
    let place = ["line", "column", "end_line", "end_column"].map(|name| position[name].as_u64().unwrap_or(0));
    assert_eq!((place, &position["file"]), ([4, 12, 4, 17], &failing.clone().into()));
    assert_eq!(error["branch_conditions"][0]["text"], "b");
    assert_eq!(error["paths"][0], error["branch_conditions"]);
    assert!(error["counterexample"].is_null());
    assert_eq!(json(&["check", "--format", "json", &failing])["files"][0]["verdict"], "valid");
}

#[test]
fn sarif_is_a_run_with_results() {
    let folder = Folder::new("sarif");
    let failing = folder.file("failing.vpr", FAILING);
    let document = json(&["verify", "--format", "sarif", &failing]);
    assert_eq!(document["version"], "2.1.0");
    let result = &document["runs"][0]["results"][0];
    assert_eq!(result["ruleId"], "assert.failed:assertion.false");
    assert_eq!(result["locations"][0]["physicalLocation"]["region"]["startLine"], 4);
}

#[test]
fn people_see_the_source_and_colours_only_if_they_want_them() {
    let folder = Folder::new("human");
    let failing = folder.file("failing.vpr", FAILING);
    let plain = text(&run(&["verify", &failing]).stdout);
    assert!(plain.contains("    assert x > 3") && plain.contains("^^^^^") && !plain.contains('\x1b'), "{plain}");
    assert!(plain.contains("on the path where b"), "{plain}");
    assert!(text(&run(&["verify", "--color", "always", &failing]).stdout).contains('\x1b'));
    assert_eq!(text(&run(&["verify", "-q", &folder.file("good.vpr", GOOD)]).stdout), "");
}

#[test]
fn members_can_be_picked() {
    let folder = Folder::new("members");
    let file = folder.file("two.vpr", "method good() { assert true }\nmethod bad() { assert false }\n");
    assert_eq!(code(&["verify", "--member", "good", &file]), Some(0));
    assert_eq!(code(&["verify", "--member", "b*", &file]), Some(1));
}

#[test]
fn a_reader_that_has_seen_enough_is_no_failure() {
    let folder = Folder::new("pipe");
    let many: String = (0..300).map(|i| format!("method m{i}(x: Int) {{ assert x > {i} }}\n")).collect();
    let file = folder.file("many.vpr", &many);
    let mut child = echis()
        .args(["check", "--format", "json", &file, &folder.file("invalid.vpr", INVALID)])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it can be waited for");
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(2), String::new()));
}

#[cfg(unix)]
#[test]
fn a_solver_that_is_none_is_reported_as_a_failure_of_the_solver() {
    let folder = Folder::new("solver");
    let file = folder.file(
        "file.vpr",
        "field f: Int\nmethod m(x: Ref, i: Int) requires acc(x.f) && i > 0 { x.f := i; assert x.f > 0 }\n",
    );
    let echo = script(&folder, "echo.sh", "cat");
    for solver in ["cat", "true", &echo] {
        let output = run(&["verify", "--solver", solver, &file]);
        let found = text(&output.stdout);
        assert_eq!(output.status.code(), Some(3), "{solver}: {found}");
        assert!(found.contains("is not a solver that can be used") && !found.contains(".failed:"), "{solver}: {found}");
        assert!(!text(&output.stderr).contains("panicked"));
        let document = json(&["verify", "--format", "json", "--solver", solver, &file]);
        assert_eq!(document["files"][0]["verdict"], "error");
        assert_eq!(document["files"][0]["errors"], serde_json::json!([]));
        assert_eq!(document["files"][0]["stopped"][0]["kind"], "defect");
    }
}

#[cfg(unix)]
fn script(folder: &Folder, name: &str, commands: &str) -> String {
    use std::os::unix::fs::PermissionsExt;
    let path = folder.file(name, &format!("#!/bin/sh\n{commands}\n"));
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("the file is ours");
    path
}

/// A fake Z3 that gives the same answer to every query.
#[cfg(unix)]
fn solver_that_says(folder: &Folder, answer: &str) -> String {
    let commands = format!(
        r#"case "$1" in --version) echo "Z3 version 4.99.0 - 64 bit"; exit;; esac
while IFS= read -r line; do
  case "$line" in
    "(check-sat"*) echo {answer};;
    "(get-info :rlimit)") echo "(:rlimit 1)";;
    "(get-info :reason"*) echo "(:reason-unknown \"incomplete\")";;
    "(echo "*) line=${{line#*\"}}; echo "${{line%\"*}}";;
  esac
done"#
    );
    script(folder, &format!("{answer}.sh"), &commands)
}

#[cfg(unix)]
#[test]
fn a_second_solver_confirms_or_refutes_proofs() {
    let folder = Folder::new("second");
    let (good, failing) = (folder.file("good.vpr", GOOD), folder.file("failing.vpr", FAILING));
    let check = |answer: &str, file: &str| {
        let option = format!("--cross-check={}", solver_that_says(&folder, answer));
        let output = run(&["verify", &option, file]);
        let document = json(&["verify", "--format", "json", &option, file]);
        (output.status.code(), text(&output.stdout), document["second_solver"].clone())
    };
    let (code, found, second) = check("unsat", &good);
    assert_eq!(code, Some(0), "{found}");
    assert!(found.contains("cross-check: of 1 proof Z3 4.99.0 confirmed 1, did not decide 0, refuted 0"), "{found}");
    assert_eq!(second["purpose"], "cross-check");
    assert_eq!((&second["asked"], &second["proved"]), (&1.into(), &1.into()));
    let (code, found, second) = check("sat", &good);
    assert_eq!(code, Some(3), "one of both solvers is wrong: {found}");
    assert_eq!(second["refuted"], 1);
    let (code, found, _) = check("unknown", &good);
    assert_eq!(code, Some(0), "{found}");
    assert!(found.contains("confirmed 0, did not decide 1, refuted 0"), "{found}");
    // A failed obligation is not checked again.
    assert_eq!(check("unsat", &failing).0, Some(1));
}

#[cfg(unix)]
#[test]
fn a_second_solver_decides_what_the_first_does_not() {
    let folder = Folder::new("portfolio");
    let hard = folder.file("hard.vpr", &hard());
    let option = format!("--portfolio={}", solver_that_says(&folder, "unsat"));
    let output = run(&["verify", "--no-cache", "--rlimit", "200000", &option, &hard]);
    let found = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{found}");
    assert!(found.contains("portfolio: Z3 4.99.0 was asked about 1 undecided obligation: 1 proved"), "{found}");
}

/// An `unknown` answer of the solver is not an error.
#[test]
fn what_the_solver_gives_up_on_is_undecided() {
    let folder = Folder::new("undecided");
    let hard = folder.file("hard.vpr", &hard());
    let (good, failing) = (folder.file("good.vpr", GOOD), folder.file("failing.vpr", FAILING));
    let output = run(&["verify", "--rlimit", "200000", &hard]);
    let found = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{found}");
    assert!(found.contains("undecided[assert.failed:assertion.false]"), "{found}");
    assert!(found.contains("hard.vpr: undecided (1 undecided; ") && !found.contains("error"), "{found}");
    let document = json(&["verify", "--format", "json", "--rlimit", "200000", &hard, &good, &failing]);
    let verdicts = [0, 1, 2].map(|file| document["files"][file]["verdict"].clone());
    assert_eq!(verdicts, ["undecided", "verified", "failed"]);
    assert_eq!(document["files"][0]["members"][0]["verdict"], "undecided");
    let error = &document["files"][0]["errors"][0];
    assert_eq!((&error["id"], &error["undecided"]), (&"assert.failed:assertion.false".into(), &true.into()));
    assert!(error["why_undecided"].as_str().is_some_and(|why| why.contains("limit")), "{error}");
    assert_eq!(document["files"][2]["errors"][0]["undecided"], false);
    let document = json(&["verify", "--format", "sarif", "--rlimit", "200000", &hard]);
    let run = &document["runs"][0];
    assert_eq!((&run["results"][0]["kind"], &run["results"][0]["level"]), (&"open".into(), &"none".into()));
    assert_eq!(run["properties"]["verdict"], "undecided");
}

#[test]
fn no_limit_is_the_limit_of_zero() {
    let folder = Folder::new("zero");
    let (good, failing) = (folder.file("good.vpr", GOOD), folder.file("failing.vpr", FAILING));
    assert_eq!(code(&["verify", "--timeout", "0", "--rlimit", "0", &good]), Some(0));
    let document = json(&["verify", "--format", "json", "--timeout", "0", "--rlimit", "0", &failing]);
    assert_eq!(document["files"][0]["verdict"], "failed");
}

/// When proofs are explained, easy obligations are derived without the solver; plain verification always uses the
/// solver.
#[test]
fn who_explains_does_not_ask_what_is_easily_derived() {
    let folder = Folder::new("derived");
    let easy = folder.file("easy.vpr", "method m(x: Int, y: Int) requires x > y { assert x + 1 > y }\n");
    assert_eq!(code(&["verify", "--solver", "cat", &easy]), Some(3));
    assert_eq!(code(&["deps", "--all", "--solver", "cat", &easy]), Some(0));
    let wrong = folder.file("wrong.vpr", "method m(x: Int, y: Int) requires x > y { assert x > y + 1 }\n");
    assert_eq!(code(&["deps", "--all", "--solver", "cat", &wrong]), Some(3));
    assert_eq!(code(&["deps", "--all", &wrong]), Some(1));
}

/// A program that keeps the solver busy: the pigeonhole principle for fourteen pigeons and thirteen holes.
fn hard() -> String {
    let name = |pigeon: usize, hole: usize| format!("p{pigeon}_{hole}");
    let holes = |pigeon: usize| (0..13).map(move |hole| name(pigeon, hole));
    let parameters: Vec<String> = (0..14).flat_map(holes).map(|name| format!("{name}: Bool")).collect();
    let mut program = format!("method m({})\n", parameters.join(", "));
    for pigeon in 0..14 {
        let somewhere: Vec<String> = holes(pigeon).collect();
        program.push_str(&format!("  requires {}\n", somewhere.join(" || ")));
        for other in 0..pigeon {
            let apart = |hole| format!("  requires !({} && {})\n", name(pigeon, hole), name(other, hole));
            program.extend((0..13).map(apart));
        }
    }
    program + "{\n  assert false\n}\n"
}

#[test]
fn a_time_limit_ends_the_run() {
    let folder = Folder::new("timeout");
    let hard = folder.file("hard.vpr", &hard());
    let output = run(&["verify", "--rlimit", "4000000000", "--timeout", "1", &hard]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stdout));
    let found = text(&output.stdout);
    assert!(
        found.contains("undecided: not decided within the time limit") && found.contains(": undecided ("),
        "{found}"
    );
    let args = ["verify", "--rlimit", "4000000000", "--timeout", "1", &hard];
    let document = json(&[&args[..], &["--format", "json"]].concat());
    let file = &document["files"][0];
    assert_eq!((&file["verdict"], &file["members"][0]["verdict"]), (&"undecided".into(), &"undecided".into()));
    assert_eq!(file["stopped"][0]["kind"], "timeout");
    let document = json(&[&args[..], &["--format", "sarif"]].concat());
    let run = &document["runs"][0];
    assert_eq!(run["invocations"][0]["executionSuccessful"], false);
    let result = &run["results"][0];
    assert_eq!((&result["ruleId"], &result["kind"]), (&"member.undecided".into(), &"open".into()));
    assert_eq!(result["locations"][0]["physicalLocation"]["region"]["startLine"], 1);
}

/// A field of `/proc/PID/stat`: "… (name) state parent …"
#[cfg(target_os = "linux")]
fn of_process(stat: &str, part: usize) -> Option<&str> {
    stat.rsplit(") ").next()?.split(' ').nth(part)
}

#[cfg(target_os = "linux")]
fn is_running(stat: &Path) -> bool {
    std::fs::read_to_string(stat).is_ok_and(|text| of_process(&text, 0) != Some("Z"))
}

/// The processor time used by a process, in hundredths of a second.
#[cfg(target_os = "linux")]
fn ticks(stat: &Path) -> u64 {
    let text = std::fs::read_to_string(stat).unwrap_or_default();
    of_process(&text, 11).and_then(|ticks| ticks.parse().ok()).unwrap_or_default()
}

/// Waits until a process has the given number of children and they had time to start. Returns their `/proc` entries.
#[cfg(target_os = "linux")]
fn children(of: u32, count: usize) -> Vec<PathBuf> {
    let parent = |stat: &str| of_process(stat, 1)?.parse::<u32>().ok();
    let own = PathBuf::from(format!("/proc/{of}/stat"));
    loop {
        let processes = std::fs::read_dir("/proc").expect("there are processes");
        let files = processes.filter_map(|entry| Some(entry.ok()?.path().join("stat")));
        let is_child = |stat: &PathBuf| std::fs::read_to_string(stat).is_ok_and(|text| parent(&text) == Some(of));
        let children: Vec<PathBuf> = files.filter(is_child).collect();
        assert!(is_running(&own), "it ended before it had {count} children: {children:?}");
        std::thread::sleep(Duration::from_millis(300));
        if children.len() >= count {
            return children;
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupt_ends_the_run_and_its_solvers() {
    let folder = Folder::new("interrupt");
    let hard = folder.file("hard.vpr", &hard());
    let child = echis()
        .args(["verify", "--rlimit", "4000000000", &hard, &folder.file("good.vpr", GOOD)])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    children(child.id(), 1);
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(killed.is_ok_and(|status| status.success()));
    let output = child.wait_with_output().expect("it can be waited for");
    assert_eq!(output.status.code(), Some(1), "{}{}", text(&output.stdout), text(&output.stderr));
    assert!(text(&output.stderr).contains("interrupted"), "{}", text(&output.stderr));
    let found = text(&output.stdout);
    assert!(found.contains("undecided: the run was interrupted (while verifying m)"), "{found}");
    assert!(!found.contains("within the time limit"), "{found}");
    assert!(found.contains("good.vpr: undecided (not looked at)"), "{found}");
}

#[cfg(target_os = "linux")]
#[test]
fn solvers_do_not_outlive_a_run_that_is_killed() {
    let folder = Folder::new("killed");
    let hard = folder.file("hard.vpr", &hard());
    let mut child = echis()
        .args(["verify", "--rlimit", "4000000000", &hard])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the binary runs");
    // A solver, and the shell that terminates it.
    let children = children(child.id(), 2);
    child.kill().expect("it runs");
    child.wait().expect("it can be waited for");
    let before: u64 = children.iter().map(|stat| ticks(stat)).sum();
    while children.iter().any(|stat| is_running(stat)) {
        let since = children.iter().map(|stat| ticks(stat)).sum::<u64>().saturating_sub(before);
        assert!(since < 1_000, "still working: {children:?}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn formatting_changes_files_or_only_says_so() {
    let folder = Folder::new("fmt");
    let file = folder.file("messy.vpr", "method   m( )   {   assert true   } // kept\n");
    assert_eq!(code(&["fmt", "--check", &file]), Some(1));
    assert_eq!(code(&["fmt", &file]), Some(0));
    assert_eq!(code(&["fmt", "--check", &file]), Some(0));
    assert!(std::fs::read_to_string(&file).expect("it is still there").contains("// kept"));
    assert_eq!(code(&["fmt", &folder.file("broken.vpr", "method {")]), Some(2));
}

#[test]
fn every_stage_can_be_seen() {
    let folder = Folder::new("dump");
    let good = folder.file("good.vpr", GOOD);
    let stages = [
        ("ast", "method m"),
        ("program", "assert"),
        ("tree", "(node n0 - (root)"),
        ("smt", "(check-sat)"),
        ("boogie", "procedure m#m0()"),
    ];
    for (stage, part) in stages {
        let output = run(&["dump", stage, &good]);
        assert_eq!(output.status.code(), Some(0), "{stage}");
        assert!(text(&output.stdout).contains(part), "{stage}: {}", text(&output.stdout));
    }
    assert_eq!(code(&["dump", "program", &folder.file("invalid.vpr", INVALID)]), Some(2));
}

#[test]
fn a_dumped_script_gives_the_answer_of_the_run() {
    let folder = Folder::new("smt");
    let failing = folder.file("failing.vpr", FAILING);
    let script = run(&["dump", "smt", &failing]).stdout;
    let expected: Vec<bool> = text(&script)
        .lines()
        .filter(|line| line.contains(", check c") && !line.contains("not asked"))
        .map(|line| line.contains("Proved"))
        .collect();
    let Ok(solver) = solver() else { return };
    let mut child = Command::new(solver)
        .args(["-smt2", "-in"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("Z3 runs");
    child.stdin.take().expect("it is piped").write_all(&script).expect("Z3 reads");
    let output = child.wait_with_output().expect("it can be waited for");
    let answers: Vec<bool> = text(&output.stdout).lines().map(|line| line == "unsat").collect();
    assert_eq!(answers, expected);
}

/// Locates the bundled solver, which this or another test has unpacked from the tested binary.
fn solver() -> Result<PathBuf, echis::NoSolver> {
    echis::locate_solver(None)
}

#[test]
fn hostile_input_is_answered_like_any_other() {
    let folder = Folder::new("hostile");
    let deep = format!("method m() {{ assert {}true{} }}", "(".repeat(200_000), ")".repeat(200_000));
    let cases: Vec<(&str, Vec<u8>)> = vec![
        ("empty", Vec::new()),
        ("nul", b"\0\0\0".to_vec()),
        ("utf8", vec![0xff, 0xfe, 0xc3, 0x28]),
        ("open", "(".repeat(1 << 20).into_bytes()),
        ("deep", deep.into_bytes()),
        ("long", format!("method m() {{ assert 1 == 1{} }}", " && 1 == 1".repeat(100_000)).into_bytes()),
        ("self", b"import \"self.vpr\"\nmethod m() {}".to_vec()),
    ];
    for (name, bytes) in cases {
        let file = folder.bytes(&format!("{name}.vpr"), &bytes);
        let output = run(&["check", &file]);
        assert!(matches!(output.status.code(), Some(0 | 2)), "{name}: {:?}", output.status);
    }
}

/// A `refute` that behaves as expected does not count towards the error limit.
#[test]
fn refuted_goals_do_not_use_up_the_errors() {
    let folder = Folder::new("refuted");
    let file = folder.file("refuted.vpr", "method m() { refute false assert false }");
    for engine in ["symbolic", "vcg"] {
        let output = run(&["verify", "--engine", engine, "--errors", "1", &file]);
        assert_eq!(output.status.code(), Some(1), "{engine}: {}", text(&output.stdout));
    }
}

/// Options that an engine does not support are rejected, not ignored.
#[test]
fn options_that_an_engine_does_not_have_are_refused() {
    let folder = Folder::new("engines");
    let file = folder.file("good.vpr", GOOD);
    for (options, said) in [
        (&["--engine", "vcg", "--counterexample", "extended"][..], "no counterexamples"),
        (&["--engine", "both", "--profile"], "symbolic execution"),
        (&["--engine", "vcg", "--warn", "coverage"], "symbolic execution"),
    ] {
        let output = run(&[&["verify"], options, &[&file]].concat());
        assert_eq!(output.status.code(), Some(2), "{options:?}");
        assert!(text(&output.stderr).contains(said), "{options:?}: {}", text(&output.stderr));
    }
}
