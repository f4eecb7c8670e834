//! Editor latency: for syntax errors, for the verdict of the edited member, for a second run; and the memory of the
//! server after many edits.

use super::median;
use crate::corpus::programs;
use crate::echis::{Echis, Scratch, repository};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(600);
const EDITS: usize = 20;
const MANY: usize = 1000;

pub fn run(echis: &Echis) {
    let scratch = Scratch::new();
    let program = forty_members();
    let lines = program.lines().count();
    edits(echis, &scratch, &format!("{lines} lines, 40 members"), &program);
    second_run(echis, &scratch, &format!("{lines} lines, 40 members"), &program);
    memory(echis, &scratch, &program);
    match largest() {
        Some((name, program)) => {
            let name = format!("{name}, {} lines", program.lines().count());
            edits(echis, &scratch, &name, &program);
            second_run(echis, &scratch, &name, &program);
        }
        None => println!("editor: the largest program of the corpus is skipped: there is no ../shared/corpus"),
    }
}

/// Successive edits in one body.
fn edits(echis: &Echis, scratch: &Scratch, name: &str, program: &str) {
    let Some((before, after)) = in_a_body(program) else { return println!("editor: {name}: there is no body to edit") };
    let mut editor = Editor::new(echis, scratch, program);
    let opened = Instant::now();
    let verdict = editor.verified();
    println!("editor: {name}: opened, {verdict} after {:.0} ms", ms(opened));
    let (mut syntax, mut verdicts, mut anew) = (Vec::new(), Vec::new(), Vec::new());
    for number in 0..EDITS {
        let start = Instant::now();
        editor.edit(&format!("{before} assert {number} < {} {after}", number + 1));
        editor.diagnosed();
        syntax.push(ms(start));
        editor.verified();
        verdicts.push(ms(start));
        anew.push(editor.anew());
        // The user pauses to read; explaining continues meanwhile, and is cancelled by the next edit.
        std::thread::sleep(Duration::from_millis(100));
    }
    let most = |times: &[f64]| times.iter().copied().fold(0.0, f64::max);
    println!(
        "editor: {name}: an edit in one body: diagnostics {:.1} ms (at most {:.1}), verdict {:.1} ms (at most {:.1}), \
         members verified {} (at most {})",
        median(syntax.clone()),
        most(&syntax),
        median(verdicts.clone()),
        most(&verdicts),
        median(anew.clone()),
        most(&anew),
    );
}

fn second_run(echis: &Echis, scratch: &Scratch, name: &str, program: &str) {
    let file = scratch.write("second.vpr", program);
    let cache = scratch.0.join("second-cache");
    let times: Vec<f64> = (0..6)
        .map(|_| {
            let start = Instant::now();
            let status = Command::new(echis.binary())
                .args(["verify", "-q", &file])
                .env("ECHIS_CACHE", &cache)
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .status();
            assert!(status.is_ok(), "the binary runs");
            ms(start)
        })
        .collect();
    println!("editor: {name}: verify {:.0} ms, again {:.1} ms", times[0], median(times[1..].to_vec()));
}

/// Edits at typing speed, without waiting for verdicts.
fn memory(echis: &Echis, scratch: &Scratch, program: &str) {
    let Some((before, after)) = in_a_body(program) else { return };
    let mut editor = Editor::new(echis, scratch, program);
    editor.verified();
    let mut held = Vec::new();
    for number in 0..=MANY {
        editor.edit(&format!("{before} assert {number} < {} {after}", number + 1));
        editor.diagnosed();
        if number % 20 == 0 {
            editor.verified();
        }
        if number % (MANY / 5) == 0 {
            held.push(format!("{:.0}", memory(editor.child.id())));
        }
    }
    println!("editor: MB held after 0, {}, … {MANY} edits: {}", MANY / 5, held.join(", "));

    fn memory(process: u32) -> f64 {
        let text = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok()).unwrap_or(f64::NAN) / 1024.0
    }
}

fn ms(start: Instant) -> f64 {
    start.elapsed().as_secs_f64() * 1000.0
}

/// The text before and after the start of the first method body.
fn in_a_body(program: &str) -> Option<(&str, &str)> {
    let method = program.find("\nmethod ")?;
    let body = method + program[method..].find("\n{")? + 2;
    Some(program.split_at(body))
}

/// About a thousand lines: lists, and methods that traverse them.
fn forty_members() -> String {
    let mut text = String::from(
        "field next: Ref\nfield value: Int\npredicate list(x: Ref)\n{\n  x != null ==> acc(x.next) && acc(x.value) && list(x.next)\n}\n\
         function length(x: Ref): Int\n  requires list(x)\n  ensures result >= 0\n{\n  unfolding list(x) in x == null ? 0 : 1 + length(x.next)\n}\n",
    );
    for number in 0..36 {
        text += &format!(
            "\nmethod work{number}(x: Ref, n: Int) returns (sum: Int)\n  requires list(x) && n >= 0\n  ensures list(x) && sum >= n\n{{\n"
        );
        text += "  var left: Int := n\n  var steps: Int := 0\n  sum := n\n  while (left > 0)\n    invariant list(x) && left >= 0 && sum >= n && steps >= 0\n";
        text += "  {\n    left := left - 1\n    steps := steps + 1\n    sum := sum + 1\n  }\n  assert left == 0\n";
        for step in 0..5 {
            text += &format!("  if (n > {step}) {{\n    sum := sum + {step}\n  }}\n");
        }
        text += "  assert sum >= n\n}\n";
    }
    text
}

/// The longest program of the corpus that verifies in reasonable time.
fn largest() -> Option<(String, String)> {
    let files = programs(&repository().join("../shared/corpus/frontends"));
    let longest = files.into_iter().max_by_key(|path| std::fs::metadata(path).map_or(0, |found| found.len()))?;
    let name = Path::new(&longest).file_name()?.to_string_lossy().into_owned();
    Some((name, std::fs::read_to_string(longest).ok()?))
}

struct Editor {
    child: Child,
    input: ChildStdin,
    heard: Receiver<Value>,
    uri: String,
    version: i64,
}

impl Editor {
    fn new(echis: &Echis, scratch: &Scratch, text: &str) -> Self {
        let path = scratch.write("edited.vpr", text);
        let mut child = Command::new(echis.binary())
            .arg("lsp")
            .env("ECHIS_CACHE", scratch.0.join(format!("cache-{}", text.len())))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the binary was built just now");
        let (input, output) = (child.stdin.take().expect("it has one"), child.stdout.take().expect("it has one"));
        let (sender, heard) = channel();
        std::thread::spawn(move || {
            let mut output = BufReader::new(output);
            while let Some(message) = read(&mut output) {
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        let mut editor = Editor { child, input, heard, uri: format!("file://{path}"), version: 1 };
        editor.say(json!({ "id": 0, "method": "initialize", "params": { "capabilities": {} } }));
        editor.wait(|message| message["id"] == 0);
        editor.say(json!({ "method": "initialized", "params": {} }));
        let document = json!({ "uri": editor.uri, "languageId": "viper", "version": 1, "text": text });
        editor.say(json!({ "method": "textDocument/didOpen", "params": { "textDocument": document } }));
        editor
    }
    fn edit(&mut self, text: &str) {
        self.version += 1;
        let document = json!({ "uri": self.uri, "version": self.version });
        let params = json!({ "textDocument": document, "contentChanges": [{ "text": text }] });
        self.say(json!({ "method": "textDocument/didChange", "params": params }));
    }
    /// Waits for the first diagnostics of the current version.
    fn diagnosed(&mut self) {
        let version = self.version;
        self.wait(|message| {
            message["method"] == "textDocument/publishDiagnostics" && message["params"]["version"] == version
        });
    }
    /// Waits for the verdict of the current version.
    fn verified(&mut self) -> String {
        let version = self.version;
        let said = self.wait(|message| {
            let state = &message["params"]["state"];
            message["method"] == "echis/status" && message["params"]["version"] == version && state != "verifying"
        });
        said["params"]["state"].as_str().unwrap_or_default().to_string()
    }
    /// Number of members verified this time.
    fn anew(&mut self) -> f64 {
        let id = self.version;
        let params = json!({ "textDocument": { "uri": self.uri } });
        self.say(json!({ "id": id, "method": "textDocument/codeLens", "params": params }));
        let said = self.wait(|message| message["id"] == id);
        let lenses = said["result"].as_array().cloned().unwrap_or_default();
        let titles = lenses.iter().filter_map(|lens| lens["command"]["title"].as_str());
        titles.filter(|title| title.ends_with(" s)") && !title.starts_with("verifying")).count() as f64
    }
    fn say(&mut self, mut message: Value) {
        message["jsonrpc"] = json!("2.0");
        let body = message.to_string();
        let written = write!(self.input, "Content-Length: {}\r\n\r\n{body}", body.len());
        written.and_then(|()| self.input.flush()).expect("the server listens");
    }
    fn wait(&self, is_it: impl Fn(&Value) -> bool) -> Value {
        loop {
            let message = self.heard.recv_timeout(PATIENCE).expect("the server speaks");
            if is_it(&message) {
                return message;
            }
        }
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn read(output: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        output.read_line(&mut line).ok().filter(|read| *read > 0)?;
        match line.trim().split_once(": ") {
            Some(("Content-Length", number)) => length = number.parse().ok()?,
            Some(_) => {}
            None => break,
        }
    }
    let mut body = vec![0; length];
    output.read_exact(&mut body).ok()?;
    serde_json::from_slice(&body).ok()
}
