//! Machine-readable output: the JSON of all commands, JSON lines, SARIF, annotations, and JUnit XML.

mod common;
#[path = "common/schema.rs"]
mod schema;

use common::{Folder, run};
use schema::Schema;
use serde_json::Value;

const PROGRAM: &str = "field f: Int
predicate P(x: Ref) { acc(x.f) && x.f > 0 }
function get(x: Ref): Int requires acc(x.f) ensures result == x.f { x.f }
method callee(x: Ref, n: Int) returns (r: Int) requires acc(x.f) && n > 0 ensures acc(x.f) { r := x.f + n }
method good(x: Ref, unused: Int) requires acc(x.f) && unused > 7 ensures acc(x.f) && x.f == 1
{
  x.f := 1
  assert get(x) > 0
}
";
const WRONG: &str = "field f: Int
method bad(x: Ref, b: Bool) requires acc(x.f) ensures acc(x.f)
{
  if (b) {
    x.f := x.f + 1
  }
  assert x.f > 3
}
";
const BOOGIE: &str = "procedure p(m: [int]int, x: int) requires x > 0;
{
  var y: int; y := m[x]; if (y > 3) { y := 1; }
  assert x >= 1;
  assert y < 3;
}
";
const INVALID: &str = "method m(count: Int) { assert coutn > 0 }\n";

fn text(args: &[&str]) -> String {
    String::from_utf8_lossy(&run(args).stdout).into_owned()
}

fn json(args: &[&str]) -> Value {
    let text = text(&[args, &["--format", "json"]].concat());
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{args:?}: {error}: {text}"))
}

fn files(folder: &Folder) -> [String; 3] {
    [("program.vpr", PROGRAM), ("wrong.vpr", WRONG), ("invalid.vpr", INVALID)]
        .map(|(name, text)| folder.file(name, text))
}

#[test]
fn all_documents_are_as_their_schemas_say() {
    let folder = Folder::new("schemas");
    let [program, wrong, invalid] = files(&folder);
    let all = [&*program, &*wrong, &*invalid, "no-such-file.vpr"];
    let verify = Schema::new("verify");
    verify.check(&json(&[&["check"][..], &all].concat()));
    verify.check(&json(&[&["verify"][..], &all].concat()));
    verify.check(&json(&["verify", "--counterexample", "trace", &wrong]));
    verify.check(&json(&["verify", "--warn", "coverage", &program]));
    verify.check(&json(&["verify", "--timeout", "0.000001", &wrong]));
    let boogie = folder.file("wrong.bpl", BOOGIE);
    verify.check(&json(&["verify", "--counterexample", "trace", &boogie]));
    Schema::new("prune").check(&json(&["prune", &boogie, "--keep", "4"]));
    let deps = Schema::new("deps");
    for question in [
        &["--all"][..],
        &["--of", "8"],
        &["--from", "5"],
        &["--between", "5,8"],
        &["--impact", "5"],
        &["--coverage"],
        &["--coverage-of", "8"],
        &["--test"],
        &["--all", "--definition", "execution"],
        &[],
    ] {
        deps.check(&json(&[&["deps", &*program][..], question].concat()));
    }
    deps.check(&json(&["deps", &wrong, "--all"]));
    deps.check(&json(&["deps", &invalid]));
    deps.check(&json(&["deps", &program, &wrong, &invalid]));
    let saved = folder.path("graph.json");
    deps.check(&json(&["deps", &program, "--save", &saved]));
    deps.check(&json(&["deps", "--load", &saved, "--coverage"]));
    deps.check(&json(&["deps", "--load", &saved]));
    let cover = Schema::new("cover");
    cover.check(&json(&["cover", &program]));
    cover.check(&json(&["cover", &program, &wrong, &invalid]));
    cover.check(&json(&["cover", &invalid]));
    let data = folder.path("report.json");
    run(&["report", "--data", "--profile", &program, &wrong, &invalid, &boogie, "-o", &data]);
    let report = serde_json::from_str(&folder.read("report.json")).expect("a report is JSON");
    Schema::new("report").check(&report);
    let prune = Schema::new("prune");
    prune.check(&json(&["prune", &program, "--keep", "8"]));
    prune.check(&json(&["prune", &program, &invalid, "--each", "-o", &folder.path("pruned")]));
}

#[test]
fn every_line_is_as_its_schema_says_and_members_come_before_their_file() {
    let folder = Folder::new("lines");
    let [program, wrong, invalid] = files(&folder);
    let schema = Schema::new("lines");
    let lines = |args: &[&str]| -> Vec<Value> {
        let text = text(&[args, &["--format", "jsonl"]].concat());
        let lines: Vec<Value> =
            text.lines().map(|line| serde_json::from_str(line).expect("each line is JSON")).collect();
        lines.iter().for_each(|line| schema.check(line));
        lines
    };
    let kinds = |lines: &[Value]| -> Vec<String> {
        lines.iter().map(|line| line["type"].as_str().unwrap_or("").to_string()).collect()
    };
    let found = lines(&["verify", "--hints", "off", &wrong, &invalid]);
    assert_eq!(kinds(&found), ["run", "error", "member", "file", "file", "end"]);
    assert_eq!(
        (&found[1]["id"], &found[1]["position"]),
        (&found[2]["errors"][0]["id"], &found[2]["errors"][0]["position"])
    );
    assert_eq!((&found[2]["name"], &found[2]["errors"]), (&"bad".into(), &found[3]["errors"]));
    assert_eq!(found[5]["exit_code"], 2);
    assert_eq!(kinds(&lines(&["check", &wrong])), ["run", "file", "end"]);
    assert_eq!(kinds(&lines(&["deps", &program, &wrong])), ["run", "file", "file", "end"]);
    assert_eq!(kinds(&lines(&["cover", &program])), ["run", "file", "end"]);
    assert_eq!(kinds(&lines(&["prune", &program, "--keep", "8"])), ["run", "file", "end"]);
}

#[test]
fn documents_tell_the_versions_and_one_program_stands_at_the_top_too() {
    let folder = Folder::new("versions");
    let [program, wrong, _] = files(&folder);
    for args in
        [&["verify", &*program][..], &["deps", &program], &["cover", &program], &["prune", &program, "--keep", "8"]]
    {
        let document = json(args);
        assert_eq!((&document["version"], &document["echis"]), (&1.into(), &env!("CARGO_PKG_VERSION").into()));
        assert_eq!((&document["command"], &document["solver"]["name"]), (&args[0].into(), &"Z3".into()));
        assert!(document["solver"]["version"].as_str().is_some_and(|version| version.starts_with(char::is_numeric)));
        assert_eq!(document["files"][0]["path"], *program);
    }
    let alone = json(&["deps", &program, "--all"]);
    assert_eq!((&alone["path"], &alone["nodes"]), (&program.clone().into(), &alone["files"][0]["nodes"]));
    // Only times.
    let times: Vec<&String> = alone["time_ms"].as_object().expect("times").keys().collect();
    assert_eq!(times, ["verify", "analyse", "waiting"]);
    let several = json(&["deps", &program, &wrong, "--all"]);
    assert!(several["nodes"].is_null() && several["files"][1]["nodes"].is_array());
}

#[test]
fn nothing_is_shortened() {
    let folder = Folder::new("long");
    let long: String = (0..60).map(|number| format!("x != {number} && ")).collect();
    let program =
        folder.file("long.vpr", &format!("method m(x: Int) {{ if ({long}x > 0) {{ assert !({long}x > 100) }} }}\n"));
    let error = &json(&["verify", &program])["files"][0]["errors"][0];
    let [message, condition] = [&error["message"], &error["branch_conditions"][0]["text"]].map(|text| text.to_string());
    assert!(message.len() > 600 && condition.len() > 600 && !message.contains('…') && !condition.contains('…'));
    assert!(text(&["verify", &program]).contains('…'));
}

#[test]
fn sarif_describes_its_rules_and_results() {
    let folder = Folder::new("sarif");
    let [program, wrong, invalid] = files(&folder);
    let sarif = |args: &[&str]| -> Value {
        serde_json::from_str(&text(&[args, &["--format", "sarif"]].concat())).expect("SARIF is JSON")
    };
    let run = &sarif(&["verify", "--counterexample", "trace", &wrong])["runs"][0];
    let rule = &run["tool"]["driver"]["rules"][0];
    assert_eq!(rule["id"], "assert.failed:assertion.false");
    assert!(rule["shortDescription"]["text"].as_str().is_some_and(|text| text.starts_with("An assert might fail")));
    assert!(rule["help"]["text"].is_string());
    let result = &run["results"][0];
    assert_eq!(result["ruleIndex"], 0);
    let uri = &result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
    assert!(uri.as_str().is_some_and(|uri| uri.starts_with("file:///")), "{uri}");
    let flows = result["codeFlows"].as_array().expect("paths and counterexample");
    assert_eq!(flows.len(), 2, "{flows:?}");
    let last = flows[1]["threadFlows"][0]["locations"].as_array().and_then(|steps| steps.last()).expect("the end");
    assert!(last["state"]["b"]["text"].is_string() || last["state"]["x"]["text"].is_string(), "{last}");
    // Fingerprints do not depend on line numbers.
    let moved = folder.file("wrong.vpr", &format!("// one more line\n{WRONG}"));
    let again = &sarif(&["verify", &moved])["runs"][0]["results"][0];
    assert_eq!(again["partialFingerprints"], result["partialFingerprints"]);
    assert_ne!(again["locations"], result["locations"]);
    let fix = &sarif(&["check", &invalid])["runs"][0]["results"][0]["fixes"][0];
    assert_eq!(fix["artifactChanges"][0]["replacements"][0]["insertedContent"]["text"], "count");
    let run = &sarif(&["cover", &program])["runs"][0];
    let unused =
        run["results"].as_array().expect("results").iter().find(|found| found["ruleId"] == "assumption.unused");
    assert!(unused.is_some_and(|found| found["fixes"][0]["artifactChanges"].is_array()), "{run}");
}

#[test]
fn relative_paths_start_where_the_run_did() {
    let folder = Folder::new("relative");
    files(&folder);
    let output = common::echis()
        .args(["verify", "--format", "sarif", "wrong.vpr"])
        .current_dir(folder.path("."))
        .output()
        .expect("the binary runs");
    let run = &serde_json::from_slice::<Value>(&output.stdout).expect("SARIF is JSON")["runs"][0];
    let base = run["originalUriBaseIds"]["%SRCROOT%"]["uri"].as_str().expect("a base");
    assert!(base.starts_with("file:///") && base.ends_with('/'), "{base}");
    let place = &run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"];
    assert_eq!((&place["uri"], &place["uriBaseId"]), (&"wrong.vpr".into(), &"%SRCROOT%".into()));
}

#[test]
fn github_shows_findings_at_their_places() {
    let folder = Folder::new("github");
    let [program, wrong, invalid] = files(&folder);
    let said = text(&["verify", "--format", "github", &program, &wrong, &invalid]);
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines.len(), 2, "{said}");
    let place = format!("::error file={wrong},line=7,col=10,endColumn=17,title=assert.failed%3Aassertion.false::");
    assert!(lines[0].starts_with(&place), "{said}");
    assert!(lines[1].contains("did you mean `count`?"), "{said}");
    assert!(text(&["cover", "--format", "github", &program]).contains("::warning file="));
}

#[test]
fn junit_has_a_case_for_each_member() {
    let folder = Folder::new("junit");
    let [program, wrong, invalid] = files(&folder);
    let said = text(&["verify", "--format", "junit", &program, &wrong, &invalid]);
    assert!(said.starts_with(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"Echis\" tests=\"6\" failures=\"2\" errors=\"0\""
    ));
    assert!(said.contains("name=\"good\" time=") && said.contains("<failure type=\"assert.failed:assertion.false\""));
    assert!(said.contains("Assertion x.f &gt; 3 might not hold."), "{said}");
    assert_eq!(said.matches("<testcase").count(), 6);
}

#[test]
fn what_has_no_form_is_refused() {
    let folder = Folder::new("forms");
    let [program, ..] = files(&folder);
    for format in ["sarif", "github", "junit"] {
        assert_eq!(run(&["deps", &program, "--format", format]).status.code(), Some(2));
        assert_eq!(run(&["prune", &program, "--keep", "8", "--format", format]).status.code(), Some(2));
    }
}
