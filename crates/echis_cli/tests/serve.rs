//! `echis serve`, tested as a front end uses it.

mod common;
#[path = "common/schema.rs"]
mod schema;

use common::{Folder, echis};
use schema::Schema;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// A timeout that is generous even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

struct Client {
    child: Child,
    input: Option<ChildStdin>,
    heard: Receiver<Value>,
}

impl Client {
    fn new(args: &[&str]) -> Self {
        let mut command = echis();
        command.arg("serve").args(args).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("the binary runs");
        let (input, output) = (child.stdin.take(), child.stdout.take().expect("it has one"));
        let (sender, heard) = channel();
        std::thread::spawn(move || {
            let schema = Schema::new("serve");
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                let line: Value = serde_json::from_str(&line).expect("each line is JSON");
                schema.check(&line);
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        let client = Client { child, input, heard };
        assert_eq!(client.hear()["type"], "run");
        client
    }
    fn say(&mut self, line: &str) {
        writeln!(self.input.as_mut().expect("it is open"), "{line}").expect("it listens");
    }
    fn ask(&mut self, request: Value) -> Value {
        self.say(&request.to_string());
        self.hear()
    }
    fn hear(&self) -> Value {
        self.heard.recv_timeout(PATIENCE).expect("it answers")
    }
    /// Closes the input and returns the exit code.
    fn end(mut self) -> Option<i32> {
        self.input = None;
        self.child.wait().expect("it ends").code()
    }
}

fn ids(answer: &Value) -> Vec<&str> {
    answer["errors"].as_array().into_iter().flatten().filter_map(|error| error["id"].as_str()).collect()
}

/// Takes far longer to verify than any test waits.
const ENDLESS: &str = "\
function f(x: Int, y: Int): Int { x * y * y + y * x * x }
method m(a: Int, b: Int, c: Int, d: Int)
  requires a > 1 && b > 1 && c > 1 && d > 1
{
  assert a * a * a * a + b * b * b * b + c * c * c * c != d * d * d * d * f(a, b) + 7919 * f(c, d) * f(a, d)
}
";

#[test]
fn many_programs_are_verified_in_one_process() {
    let mut client = Client::new(&[]);
    let good = client.ask(json!({"id": 1, "command": "verify", "text": "method m() { assert 1 + 1 == 2 }"}));
    assert_eq!((&good["id"], &good["verdict"], &good["path"]), (&1.into(), &"verified".into(), &"program.vpr".into()));
    let bad = client.ask(json!({
        "id": "own", "command": "verify", "path": "b.vpr",
        "text": "field f: Int\nmethod m(x: Ref) { @position(\"b.py\", \"7\") x.f := @id(\"3\") (1 / 0) }",
        "options": {"members": true},
    }));
    assert_eq!((&bad["type"], &bad["id"]), (&"member".into(), &"own".into()));
    let bad = client.hear();
    assert_eq!(ids(&bad), ["assignment.failed:division.by.zero", "assignment.failed:insufficient.permission"]);
    let [zero, permission] = [&bad["errors"][0], &bad["errors"][1]];
    assert_eq!(permission["offending"]["annotations"], json!([{"name": "position", "args": ["b.py", "7"]}]));
    assert_eq!(permission["reason"]["position"]["column"], 43);
    assert_eq!(zero["reason"]["id"], "division.by.zero");
    assert_eq!(zero["position"], zero["offending"]["position"]);
    let invalid = client.ask(json!({"id": null, "command": "check", "text": "method m() { x := 1 }"}));
    assert_eq!((&invalid["verdict"], ids(&invalid)[0]), (&"invalid".into(), "typechecker.error"));
    assert_eq!(client.end(), Some(0));
}

#[test]
fn what_is_cancelled_is_answered_and_the_next_program_is_verified() {
    let mut client = Client::new(&["--rlimit", "0"]);
    client.say(&json!({"id": 1, "command": "verify", "text": ENDLESS}).to_string());
    client.say(&json!({"id": 2, "command": "verify", "text": ENDLESS}).to_string());
    client.say(&json!({"id": 3, "command": "verify", "text": "method m() {}"}).to_string());
    client.say(r#"{"id": 2, "command": "cancel"}"#);
    std::thread::sleep(Duration::from_millis(300));
    client.say(r#"{"id": 1, "command": "cancel"}"#);
    for id in [1, 2] {
        let cancelled = client.hear();
        assert_eq!((&cancelled["id"], &cancelled["verdict"]), (&id.into(), &"undecided".into()));
        assert_eq!(cancelled["stopped"][0]["kind"], "interrupted");
    }
    assert_eq!((&client.hear()["verdict"], client.end()), (&"verified".into(), Some(0)));
}

#[test]
fn a_program_has_its_own_time() {
    let mut client = Client::new(&["--rlimit", "0", "--timeout", "1"]);
    for id in [1, 2] {
        let late = client.ask(json!({"id": id, "command": "verify", "text": ENDLESS}));
        assert_eq!((&late["verdict"], &late["stopped"][0]["kind"]), (&"undecided".into(), &"timeout".into()));
    }
    let quick = client.ask(json!({"id": 3, "command": "verify", "text": "method m() {}", "options": {"timeout": 60}}));
    assert_eq!(quick["verdict"], "verified");
}

#[test]
fn what_is_no_request_is_refused_with_a_reason() {
    let mut client = Client::new(&[]);
    let mut refused = |line: &str, why: &str| {
        client.say(line);
        let answer = client.hear();
        assert_eq!(answer["type"], "refused");
        let message = answer["message"].as_str().unwrap_or("");
        assert!(message.contains(why), "{message}");
    };
    refused("method m() {}", "not a request");
    refused(r#"{"id": 1, "command": "verify"}"#, "neither");
    refused(r#"{"id": 1, "command": "verify", "txt": ""}"#, "unknown field `txt`");
    refused(r#"{"id": 1, "command": "verify", "text": "", "silicon": ["--prover", "cvc5"]}"#, "uses Z3");
    refused(r#"{"id": 1, "command": "verify", "text": "method m() {}", "options": {"member": ["n"]}}"#, "n");
    refused(r#"{"id": 1, "command": "verify", "text": "", "options": {"timeout": -1}}"#, "seconds");
}

/// Responses match the output of the commands, except for times.
#[test]
fn proofs_are_explained_as_the_commands_do() {
    let program = "\
method m(a: Int, b: Int) returns (c: Int)
  requires a > 0
  requires b > 0
  ensures c > 0
{ c := a }
";
    let (_folder, path) = Folder::with("serve-explains", program);
    let wrong = Folder::with("serve-explains-wrong", "method m() { assert x }");
    let printed = |args: &[&str]| {
        let lines = common::run(&[args, &["--format", "jsonl", &path, &wrong.1]].concat());
        let lines = String::from_utf8_lossy(&lines.stdout).into_owned();
        let lines: Vec<Value> = lines.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        lines.into_iter().filter(|line| line["type"] == "file").map(timeless).collect::<Vec<_>>()
    };
    let mut client = Client::new(&[]);
    let mut asked = |command: &str, options: Value| {
        let request = |path: &str| json!({"id": 1, "command": command, "path": path, "options": options});
        [request(&path), request(&wrong.1)].map(|request| timeless(client.ask(request))).to_vec()
    };
    assert_eq!(asked("deps", json!({})), printed(&["deps", "--all"]));
    let covered = asked("cover", json!({}));
    assert_eq!(covered, printed(&["cover"]));
    assert_eq!(covered[0]["warnings"].as_array().map(Vec::len), Some(1), "{covered:?}");
    let counted = asked("cover", json!({"confirm": "skip"}));
    assert_eq!(counted, printed(&["cover", "--no-confirm"]));
    assert_eq!(counted[0]["warnings"], json!([]));
    let stable = asked("verify", json!({"stability": 2}));
    assert_eq!(stable[0]["stability"]["runs"], 2);
    assert_eq!(stable, printed(&["verify", "--stability", "2", "--hints", "off"]));
    let refused = client.ask(json!({"id": 1, "command": "cover", "path": "a.bpl", "text": "procedure p();"}));
    assert_eq!(refused["type"], "refused");
}

/// Removes ids, times and solver effort, which depends on earlier queries.
fn timeless(mut value: Value) -> Value {
    match &mut value {
        Value::Object(fields) => {
            fields.retain(|name, _| !matches!(&**name, "id" | "time_ms" | "times_ms" | "work" | "effort"));
            for field in fields.values_mut() {
                *field = timeless(field.take());
            }
        }
        Value::Array(parts) => parts.iter_mut().for_each(|part| *part = timeless(part.take())),
        _ => {}
    }
    value
}

/// Injectivity is assumed for inhaled permissions, but checked for exhaled ones.
#[test]
fn injectivity_is_assumed_on_inhale_only() {
    let program = "\
field f: Int
method given(s: Seq[Ref])
  requires |s| > 1
  requires forall i: Int :: 0 <= i && i < |s| ==> acc(s[i].f)
{
  assert s[0] != s[1]
  exhale forall i: Int :: 0 <= i && i < |s| ==> acc(s[i].f)
}
method taken(s: Seq[Ref], x: Ref)
  requires acc(x.f) && s == Seq(x, x)
{ exhale forall i: Int :: 0 <= i && i < |s| ==> acc(s[i].f, 1/2) }
";
    let mut client = Client::new(&[]);
    let request = |options: Value| json!({"id": 1, "command": "verify", "text": program, "options": options});
    let checked = client.ask(request(json!({})));
    assert_eq!(ids(&checked), ["not.wellformed:qp.not.injective", "exhale.failed:qp.not.injective"]);
    let assumed = client.ask(request(json!({"assume_injectivity_on_inhale": true})));
    assert_eq!(ids(&assumed), ["exhale.failed:qp.not.injective"]);
    let silicon = ["--assumeInjectivityOnInhale", "--z3Exe", "z3", "--exhaleMode=2"];
    let assumed = client.ask(json!({"id": 1, "command": "verify", "text": program, "silicon": silicon}));
    assert_eq!(ids(&assumed), ["exhale.failed:qp.not.injective"]);
    let (_folder, path) = Folder::with("injectivity", program);
    let flag = ["verify", &path, "--assume-injectivity-on-inhale", "--member", "given"];
    assert_eq!(common::run(&flag).status.code(), Some(0));
    assert_eq!(common::run(&["verify", &path, "--member", "given"]).status.code(), Some(1));
    // Dependencies on the injectivity assumption are attributed to the clause that it is made for.
    let why = common::out(&["deps", &path, "--of", "6", "--member", "given", "--assume-injectivity-on-inhale"]);
    assert!(why.contains("4:12"), "{why}");
}
