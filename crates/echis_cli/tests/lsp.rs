//! The language server, tested through the protocol.

mod common;
#[path = "common/schema.rs"]
mod schema;

use common::{Folder, echis};
use schema::Schema;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

const PROGRAM: &str = "\
field f: Int
function one(): Int ensures result > 0 { 1 }
method good(r: Ref) requires acc(r.f) { r.f := one() assert r.f > 0 }
method bad(r: Ref) requires acc(r.f) { assert r.f > 0 }
";

/// A timeout that is generous even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

struct Editor {
    child: Child,
    input: Box<dyn Write>,
    heard: Receiver<Value>,
    next: u64,
    uri: String,
    version: i64,
}

impl Editor {
    fn open(folder: &Folder, path: &str, text: &str) -> Self {
        let mut child = echis()
            .env("ECHIS_CACHE", folder.path("cache"))
            .args(["lsp"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the binary runs");
        let (input, output) = (child.stdin.take().expect("it has one"), child.stdout.take().expect("it has one"));
        Editor::on(child, Box::new(input), output, path).opened(text)
    }
    fn on(child: Child, input: Box<dyn Write>, output: impl std::io::Read + Send + 'static, path: &str) -> Self {
        let (sender, heard) = channel();
        std::thread::spawn(move || {
            let mut output = BufReader::new(output);
            while let Some(message) = read(&mut output) {
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        Editor { child, input, heard, next: 0, uri: format!("file://{path}"), version: 1 }
    }
    fn opened(mut self, text: &str) -> Self {
        let editor = &mut self;
        let said = editor.ask("initialize", json!({ "capabilities": {} }));
        assert_eq!(said["capabilities"]["hoverProvider"], true);
        editor.tell("initialized", json!({}));
        let document = json!({ "uri": editor.uri, "languageId": "viper", "version": 1, "text": text });
        editor.tell("textDocument/didOpen", json!({ "textDocument": document }));
        self
    }
    fn tell(&mut self, method: &str, params: Value) {
        self.write(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }
    fn ask(&mut self, method: &str, params: Value) -> Value {
        let answer = self.answer(method, params);
        assert_eq!(answer["error"], Value::Null, "{answer}");
        answer["result"].clone()
    }
    /// Sends a request and returns the response, including an error.
    fn answer(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        let id = self.next;
        self.write(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        self.wait(|message| message["id"] == id && message["method"].is_null())
    }
    /// Sends a request about the whole document.
    fn about(&mut self, method: &str) -> Value {
        let everything = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 999, "character": 0 } });
        let document = json!({ "uri": self.uri });
        self.ask(method, json!({ "textDocument": document, "range": everything, "context": { "diagnostics": [] } }))
    }
    fn at(&mut self, method: &str, line: u32, character: u32) -> Value {
        let params = json!({
            "textDocument": { "uri": self.uri },
            "position": { "line": line, "character": character },
            "context": { "includeDeclaration": true },
            "newName": "other",
        });
        self.ask(method, params)
    }
    fn edit(&mut self, text: &str) {
        self.version += 1;
        let document = json!({ "uri": self.uri, "version": self.version });
        let params = json!({ "textDocument": document, "contentChanges": [{ "text": text }] });
        self.tell("textDocument/didChange", params);
    }
    /// Waits until the diagnostics of the current version are on these lines.
    fn lines(&mut self, wanted: &[u64]) {
        let version = self.version;
        self.wait(|message| {
            let params = &message["params"];
            if message["method"] != "textDocument/publishDiagnostics" || params["version"] != version {
                return false;
            }
            let found = params["diagnostics"].as_array().expect("it is a list");
            let mut lines: Vec<u64> = found.iter().filter_map(|one| one["range"]["start"]["line"].as_u64()).collect();
            lines.sort_unstable();
            lines == wanted
        });
    }
    fn write(&mut self, message: &Value) {
        if message["method"].as_str().is_some_and(|method| method.starts_with("echis/")) {
            Schema::new("editor").check(message);
        }
        let body = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{body}", body.len()).expect("the server listens");
        self.input.flush().expect("the server listens");
    }
    fn wait(&mut self, is_it: impl Fn(&Value) -> bool) -> Value {
        let start = Instant::now();
        while start.elapsed() < PATIENCE {
            let message = self.heard.recv_timeout(PATIENCE).expect("the server speaks");
            if message["method"] == "echis/status" {
                Schema::new("editor").check(&message);
            }
            if is_it(&message) {
                return message;
            }
        }
        panic!("the server did not say it in time");
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

#[test]
fn an_editor_opens_edits_asks_and_leaves() {
    let (folder, path) = Folder::with("lsp", PROGRAM);
    let mut editor = Editor::open(&folder, &path, PROGRAM);
    editor.lines(&[3]);
    // An unsaved text with a syntax error.
    editor.edit(&PROGRAM.replace("{ 1 }", "{ 1 "));
    editor.wait(|message| {
        let found = &message["params"]["diagnostics"];
        message["params"]["version"] == 2 && found[0]["code"].as_str().is_some_and(|code| code == "parser.error")
    });
    let hover = editor.at("textDocument/hover", 2, 48);
    assert!(hover["contents"]["value"].as_str().is_some_and(|text| text.contains("function one(): Int ensures")));
    editor.edit(&format!("\n{}", PROGRAM.replace("{ 1 }", "{ 0 }")));
    editor.lines(&[2, 4]);
    assert_eq!(editor.at("textDocument/definition", 3, 49)["range"]["start"], json!({ "line": 2, "character": 9 }));
    assert_eq!(editor.at("textDocument/references", 1, 6).as_array().map(Vec::len), Some(6));
    let symbols = editor.at("textDocument/documentSymbol", 0, 0);
    let names: Vec<&str> = symbols.as_array().expect("a list").iter().filter_map(|one| one["name"].as_str()).collect();
    assert_eq!(names, ["f", "one", "good", "bad"]);
    let uri = editor.uri.clone();
    assert_eq!(editor.at("textDocument/rename", 2, 10)["changes"][&uri].as_array().map(Vec::len), Some(2));
    let lenses = editor.at("textDocument/codeLens", 0, 0);
    assert!(lenses[0]["command"]["title"].as_str().is_some_and(|title| title.starts_with("failed")), "{lenses}");
    assert!(editor.at("textDocument/formatting", 0, 0).is_array());
    assert_eq!(editor.ask("shutdown", Value::Null), Value::Null);
    editor.tell("exit", Value::Null);
    assert!(editor.child.wait().expect("it ends").success());
}

/// The strings at a JSON pointer in each element of a list.
fn strings(list: &Value, pointer: &str) -> Vec<String> {
    let elements = list.as_array().unwrap_or_else(|| panic!("{list} is a list"));
    elements.iter().filter_map(|one| one.pointer(pointer)?.as_str().map(str::to_string)).collect()
}

#[test]
fn a_text_is_described() {
    let text = "import \"more.vpr\"\nfield f: Int\nmethod m(x: Ref,   y: Int)\nmethod n(x: Ref) { m(x, 1) }\n";
    let (folder, path) = Folder::with("lsp-text", text);
    folder.file("more.vpr", "method more() { }");
    let mut editor = Editor::open(&folder, &path, text);
    editor.lines(&[]);
    let links = editor.about("textDocument/documentLink");
    assert!(strings(&links, "/target")[0].ends_with("/more.vpr"), "{links}");
    assert_eq!(strings(&editor.about("textDocument/inlayHint"), "/label"), ["y:"]);
    let help = editor.at("textDocument/signatureHelp", 3, 24);
    assert_eq!(help["signatures"][0]["label"], "method m(x: Ref,   y: Int)");
    assert_eq!(help["activeParameter"], 1);
    let tokens = editor.about("textDocument/semanticTokens/full");
    assert_eq!(tokens["data"].as_array().map(|data| data.len() % 5), Some(0));
    let line =
        |line: u64| json!({ "start": { "line": line, "character": 0 }, "end": { "line": line, "character": 5 } });
    let params = json!({ "textDocument": { "uri": editor.uri }, "range": line(2), "options": {} });
    let edits = editor.ask("textDocument/rangeFormatting", params);
    assert_eq!(strings(&edits, "/newText"), ["method m(x: Ref, y: Int)"]);
    // A closed file is found only if it is in a workspace folder.
    assert_eq!(strings(&editor.ask("workspace/symbol", json!({ "query": "M" })), "/name"), ["m"]);
    let item = editor.at("textDocument/prepareCallHierarchy", 3, 19)[0].clone();
    let callers = editor.ask("callHierarchy/incomingCalls", json!({ "item": item }));
    assert_eq!(strings(&callers, "/from/name"), ["n"]);
    let caller = callers[0]["from"].clone();
    assert_eq!(strings(&editor.ask("callHierarchy/outgoingCalls", json!({ "item": caller })), "/to/name"), ["m"]);
}

#[test]
fn names_of_imported_files_are_known() {
    let text = "import \"./more.vpr\"\nmethod m() { assert two() == 2 }\n";
    let (folder, path) = Folder::with("lsp-imports", text);
    folder.file("more.vpr", "\nfunction two(): Int { 2 }\n");
    let mut editor = Editor::open(&folder, &path, text);
    editor.lines(&[]);
    let found = editor.at("textDocument/definition", 1, 21);
    assert!(found["uri"].as_str().is_some_and(|uri| uri.ends_with("/more.vpr") && !uri.contains("./")), "{found}");
    assert_eq!(found["range"]["start"], json!({ "line": 1, "character": 9 }));
    let hover = editor.at("textDocument/hover", 1, 21);
    assert!(hover.to_string().contains("function two(): Int"), "{hover}");
    let labels = strings(&editor.at("textDocument/completion", 1, 21), "/label");
    assert!(labels.contains(&"two".to_string()), "{labels:?}");
    let params = json!({
        "textDocument": { "uri": editor.uri }, "position": { "line": 1, "character": 21 }, "newName": "other",
    });
    let refused = editor.answer("textDocument/rename", params.clone());
    assert!(refused["error"].to_string().contains("more.vpr; rename it there"), "{refused}");
    // Renaming the declaration renames its uses in open documents.
    let more = found["uri"].clone();
    let document = json!({ "uri": more, "languageId": "viper", "version": 1, "text": "\nfunction two(): Int { 2 }\n" });
    editor.tell("textDocument/didOpen", json!({ "textDocument": document }));
    let params =
        json!({ "textDocument": { "uri": more }, "position": { "line": 1, "character": 9 }, "newName": "other" });
    let renamed = editor.ask("textDocument/rename", params);
    assert_eq!(renamed["changes"].as_object().map(serde_json::Map::len), Some(2), "{renamed}");
}

#[test]
fn changes_of_ranges_are_applied() {
    let text = "/* 😀 */ method m() { assert true }\n";
    let (folder, path) = Folder::with("lsp-ranges", text);
    let mut editor = Editor::open(&folder, &path, text);
    editor.lines(&[]);
    editor.version += 1;
    let range = json!({ "start": { "line": 0, "character": 29 }, "end": { "line": 0, "character": 33 } });
    let document = json!({ "uri": editor.uri, "version": editor.version });
    let changes = json!([{ "range": range, "text": "false" }]);
    editor.tell("textDocument/didChange", json!({ "textDocument": document, "contentChanges": changes }));
    editor.lines(&[0]);
}

const PROOFS: &str = "\
field f: Int
function one(): Int ensures result > 0
method good(r: Ref, s: Ref) requires acc(r.f) && acc(s.f) && s.f > 7
{
    r.f := one()
    assert r.f > 0
}
method bad(n: Int) requires n < 10
{
    var m: Int
    if (n > 3) {
        m := n + 1
        assert m < 10
    }
}
";

#[test]
fn proofs_are_shown() {
    let (folder, path) = Folder::with("lsp-proofs", PROOFS);
    let mut editor = Editor::open(&folder, &path, PROOFS);
    // The error, and the hint about unused code.
    editor.wait(|message| {
        let found = message["params"]["diagnostics"].as_array().cloned().unwrap_or_default();
        found.iter().any(|one| one["tags"] == json!([1]) && one["severity"] == 4)
    });
    let lenses = strings(&editor.about("textDocument/codeLens"), "/command/title");
    assert!(lenses.iter().any(|title| title.contains("rests on") && title.contains("trusted")), "{lenses:?}");
    assert!(lenses.iter().any(|title| title.starts_with("failed")), "{lenses:?}");
    let values = strings(&editor.about("textDocument/inlayHint"), "/label");
    assert!(values.iter().any(|label| label == "m = 10"), "{values:?}");
    // At the keyword `assert`: the dependencies of the assertion.
    let highlights = editor.at("textDocument/documentHighlight", 5, 6);
    assert!(highlights.as_array().is_some_and(|found| found.len() > 2), "{highlights}");
    let hover = editor.at("textDocument/hover", 5, 6);
    assert!(hover["contents"]["value"].as_str().is_some_and(|said| said.contains("result > 0")), "{hover}");
    let assertion = editor.at("textDocument/prepareCallHierarchy", 5, 15)[0].clone();
    let needs = editor.ask("callHierarchy/incomingCalls", json!({ "item": assertion }));
    assert!(strings(&needs, "/from/name").iter().any(|name| name == "r.f := one()"), "{needs}");
    let needed = needs.as_array().expect("a list").iter().find(|one| one["from"]["name"] == "r.f := one()");
    let needed = needed.expect("it was just there")["from"].clone();
    let supports = editor.ask("callHierarchy/outgoingCalls", json!({ "item": needed }));
    assert!(strings(&supports, "/to/name").contains(&"assert r.f > 0".to_string()), "{supports}");
    // The JSON documents of the commands.
    let document = json!({ "textDocument": { "uri": editor.uri } });
    let said = editor.ask("echis/dependencies", document.clone());
    Schema::new("deps").check(&said);
    Schema::new("cover").check(&editor.ask("echis/coverage", document.clone()));
    let examples = editor.ask("echis/counterexample", document.clone());
    Schema::new("verify").check(&examples);
    assert_eq!(examples["files"][0]["errors"][0]["counterexample"]["status"], "confirmed");
    let report = editor.ask("echis/report", document.clone());
    assert!(report["html"].as_str().is_some_and(|html| html.contains("id=\"data\"")), "{report}");
    let data = json!({ "textDocument": document["textDocument"], "as": "data" });
    Schema::new("report").check(&editor.ask("echis/report", data)["report"]);
    let assertion = json!({ "textDocument": document["textDocument"], "position": { "line": 5, "character": 15 } });
    let pruned = editor.ask("echis/prune", assertion);
    assert!(
        pruned["verdict"] == "verified" && pruned["text"].as_str().is_some_and(|text| text.contains("assert r.f > 0")),
        "{pruned}"
    );
    let at = json!({ "line": 5, "character": 15 });
    let params = json!({ "textDocument": document["textDocument"], "position": at, "direction": "needs" });
    assert_eq!(editor.ask("echis/dependencies", params)["dependencies"].as_array().map(Vec::len), Some(1));
    let nowhere = json!({ "textDocument": document["textDocument"], "position": { "line": 0, "character": 0 } });
    assert!(editor.answer("echis/dependencies", nowhere)["error"]["message"].is_string());
    // The code action that removes unused code.
    let actions = editor.about("textDocument/codeAction");
    assert!(strings(&actions, "/title").iter().any(|title| title.starts_with("Remove it")), "{actions}");
    assert!(strings(&actions, "/title").iter().any(|title| title.contains("@unused()")), "{actions}");
    // Results for one text are not shown for another.
    editor.edit(&PROOFS.replace("n + 1", "n + 2"));
    let values = strings(&editor.about("textDocument/inlayHint"), "/label");
    assert!(values.is_empty(), "{values:?}");
}

#[test]
fn changes_against_missing_permission_are_tried() {
    let text = "\
field f: Int
predicate P(x: Ref) { acc(x.f) }
method m(x: Ref) requires P(x)
{
    x.f := 1
}
";
    let (folder, path) = Folder::with("lsp-actions", text);
    let mut editor = Editor::open(&folder, &path, text);
    let version = editor.version;
    let said = editor.wait(|message| {
        message["params"]["version"] == version && message["params"]["diagnostics"][0]["code"].is_string()
    });
    let found = said["params"]["diagnostics"][0].clone();
    let params = json!({
        "textDocument": { "uri": editor.uri },
        "range": found["range"],
        "context": { "diagnostics": [found] },
    });
    let actions = editor.ask("textDocument/codeAction", params);
    let titles = strings(&actions, "/title");
    assert_eq!(titles[0], "Unfold P(x) first (tried: the program verifies)", "{titles:?}");
    let edit = &actions[0]["edit"]["changes"][&editor.uri][0];
    assert_eq!(
        (edit["range"]["start"]["line"].as_u64(), edit["newText"].as_str()),
        (Some(4), Some("unfold P(x)\n    "))
    );
    // With more than full permission, the precondition would be false.
    let titles = strings(&actions, "/title");
    assert!(titles.iter().all(|title| title.contains("tried: the program verifies")), "{titles:?}");
}

#[test]
fn questions_about_a_text_that_changed_are_refused() {
    let (folder, path) = Folder::with("lsp-changed", PROOFS);
    let mut editor = Editor::open(&folder, &path, PROOFS);
    editor.edit("method m( {");
    let document = json!({ "textDocument": { "uri": editor.uri } });
    let answer = editor.answer("echis/dependencies", document);
    assert_eq!(answer["error"]["message"], "the program has errors");
}

/// The exchange between Viper-IDE's client and its server, as implemented by both.
#[test]
fn viper_ide_is_served_on_a_port_of_this_machine() {
    let (folder, path) = Folder::with("lsp-viper-ide", PROGRAM);
    let version = echis().arg("-version").output().expect("the binary runs");
    assert!(version.status.success() && version.stdout.starts_with(b"echis "));
    let arguments = ["--serverMode", "LSP", "--singleClient", "--backendSpecificCache", "--logLevel", "ERROR"];
    let mut child = echis()
        .env("ECHIS_CACHE", folder.path("cache"))
        .args(["lsp", "--viper-ide"])
        .args(arguments)
        .args(["--logFile", &folder.path("log")])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    let mut line = String::new();
    BufReader::new(child.stdout.take().expect("it has one")).read_line(&mut line).expect("it says something");
    let port = line.trim().strip_prefix("<ViperServerPort:").and_then(|rest| rest.strip_suffix('>'));
    let port: u16 = port.and_then(|port| port.parse().ok()).unwrap_or_else(|| panic!("{line} has a port"));
    let stream = TcpStream::connect(("localhost", port)).expect("it listens");
    let output = stream.try_clone().expect("it has two ends");
    let mut editor = Editor::on(child, Box::new(stream), output, &path).opened(PROGRAM);
    let said = editor.ask("GetVersion", json!({ "clientVersion": "5.0.0" }));
    assert!(said["serverVersion"].is_string() && said["error"].is_null(), "{said}");
    assert_eq!(editor.ask("GetLanguageServerUrl", Value::Null)["url"], format!("localhost:{port}"));
    let uri = editor.uri.clone();
    let verify = |uri: &str| json!({ "uri": uri, "manuallyTriggered": true, "workspace": "/", "backend": "silicon", "customArgs": "", "content": PROGRAM });
    editor.tell("Verify", verify(&uri));
    let state = |editor: &mut Editor, wanted: u64| {
        let said = editor.wait(|message| message["method"] == "StateChange" && message["params"]["newState"] == wanted);
        said["params"].clone()
    };
    assert_eq!(state(&mut editor, 2)["filename"], "program.vpr");
    let ready = state(&mut editor, 6);
    // Verification failed and is complete.
    assert_eq!(
        (&ready["success"], &ready["verificationCompleted"], &ready["uri"]),
        (&json!(4), &json!(1), &json!(uri))
    );
    assert!(ready["time"].is_f64() && ready["manuallyTriggered"] == 1, "{ready}");
    // A text with a syntax error.
    editor.edit("method m( {");
    editor.tell("Verify", verify(&uri));
    assert_eq!(state(&mut editor, 6)["success"], 2);
    editor.edit(&PROGRAM.replace("{ assert r.f > 0 }", "{ }"));
    assert_eq!(editor.ask("FlushCache", json!({ "uri": null, "backend": "silicon" })), Value::Null);
    editor.tell("Verify", verify(&uri));
    assert_eq!(state(&mut editor, 6)["success"], 1);
    assert!(editor.ask("StopVerification", json!({ "uri": uri }))["success"].is_boolean());
    assert_eq!(editor.ask("RemoveDiagnostics", json!({ "uri": uri }))["success"], true);
    editor.tell("Verify", json!({ "uri": "untitled:1", "manuallyTriggered": false }));
    editor.wait(|message| message["method"] == "VerificationNotStarted" && message["params"]["uri"] == "untitled:1");
    editor.wait(|message| message["method"] == "Hint");
    assert_eq!(editor.ask("shutdown", Value::Null), Value::Null);
    editor.tell("exit", Value::Null);
    assert!(editor.child.wait().expect("it ends").success());
    assert!(!std::path::Path::new(&folder.path("log")).exists(), "nothing is written");
}
