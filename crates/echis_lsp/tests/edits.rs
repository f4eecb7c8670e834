//! The cost of an edit: affected members are executed once, regardless of the requests about their proofs, and solvers
//! are reused across edits.

use echis::{Config, Remembering, Verifier, VerifierStatistics};
use echis_lsp::{Explain, ServerSettings, serve_on};
use lsp_server::{Connection, Message, Notification, Request, RequestId};
use serde_json::{Value, json};
use std::fmt::Write;
use std::time::Duration;

/// A timeout that is generous even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(300);
const URI: &str = "file:///generated.vpr";
const METHODS: usize = 110;
const EDITED: usize = 40;
const EDITS: usize = 10;

/// A program of about 1,200 lines; the edited method asserts something about a number.
fn program(edit: usize) -> String {
    let mut text = String::from("field f: Int\n\nfunction above(x: Int): Int\n  ensures result > x\n{\n  x + 1\n}\n");
    for index in 0..METHODS {
        let (number, failing) = match index == EDITED {
            true => (edit, if edit == EDITS { "0" } else { "old(r.f)" }),
            false => (index, "old(r.f)"),
        };
        let _ = write!(
            text,
            "\nmethod m{index}(r: Ref, n: Int) returns (s: Int)\n  requires acc(r.f)\n  requires n > {number}\n  \
             ensures acc(r.f)\n  ensures s > n\n{{\n  var t: Int := above(n)\n  r.f := r.f + {number}\n  \
             assert r.f == {failing} + {number}\n  s := above(t)\n}}\n"
        );
    }
    text
}

/// The client of a server in this process.
struct Editor {
    connection: Connection,
    next: i32,
}

impl Editor {
    fn tell(&self, method: &str, params: Value) {
        let notification = Notification::new(method.into(), params);
        self.connection.sender.send(Message::Notification(notification)).expect("the server listens");
    }
    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        let id = RequestId::from(self.next);
        let request = Request::new(id.clone(), method.into(), params);
        self.connection.sender.send(Message::Request(request)).expect("the server listens");
        self.wait(|message| match message {
            Message::Response(response) if response.id == id => {
                let answer = response.response_result.clone();
                Some(answer.unwrap_or_else(|error| panic!("{method}: {error:?}")))
            }
            _ => None,
        })
    }
    fn wait<T>(&self, wanted: impl Fn(&Message) -> Option<T>) -> T {
        loop {
            let message = self.connection.receiver.recv_timeout(PATIENCE).expect("the server answers");
            if let Some(found) = wanted(&message) {
                return found;
            }
        }
    }
    /// Waits until a version is verified, and sends every kind of request about its proofs.
    fn understand(&mut self, version: usize) -> (String, Value) {
        let state = self.wait(|message| match message {
            Message::Notification(told) if told.method == "echis/status" && told.params["version"] == version => {
                told.params["state"].as_str().filter(|state| *state != "verifying").map(str::to_string)
            }
            _ => None,
        });
        let document = json!({ "textDocument": { "uri": URI } });
        self.ask("echis/dependencies", document.clone());
        self.ask("echis/coverage", document.clone());
        (state, self.ask("echis/counterexample", document))
    }
}

#[test]
fn an_edit_executes_what_it_touches_once_and_keeps_solvers() {
    let text = program(0);
    assert!((1_150..1_350).contains(&text.lines().count()), "{} lines", text.lines().count());
    let verifier = Verifier::new(Config { memory: Remembering::On, ..Config::default() }).expect("there is a solver");
    let settings =
        ServerSettings { verifier: Ok(verifier.clone()), explain: Explain::Asked, ..ServerSettings::new(2, None) };
    let (server, connection) = Connection::memory();
    let serving = std::thread::spawn(move || serve_on(&server, settings).expect("the editor keeps to the protocol"));
    let mut editor = Editor { connection, next: 0 };
    editor.ask("initialize", json!({ "capabilities": {} }));
    editor.tell("initialized", json!({}));
    let opened = json!({ "uri": URI, "languageId": "viper", "version": 0, "text": text });
    editor.tell("textDocument/didOpen", json!({ "textDocument": opened }));
    assert_eq!(editor.understand(0).0, "verified");
    let first = verifier.statistics();
    assert_eq!(first.executions, METHODS + 1, "each member is executed once: {first:?}");
    let mut before = first;
    let mut variations = Vec::new();
    for edit in 1..=EDITS {
        let params = json!({
            "textDocument": { "uri": URI, "version": edit },
            "contentChanges": [{ "text": program(edit) }],
        });
        editor.tell("textDocument/didChange", params);
        let (state, examples) = editor.understand(edit);
        let now = verifier.statistics();
        let VerifierStatistics { executions, solver_starts, .. } = now;
        assert_eq!(executions - before.executions, 1, "edit {edit}: {before:?}, {now:?}");
        assert_eq!(solver_starts, before.solver_starts, "edit {edit}: {before:?}, {now:?}");
        variations.push(now.variations - before.variations);
        before = now;
        // The last edit fails, and its counterexample is found without another execution.
        let errors = &examples["files"][0]["errors"];
        assert_eq!(state, if edit == EDITS { "failed" } else { "verified" });
        assert_eq!(errors.as_array().map(Vec::len), Some(usize::from(edit == EDITS)));
        assert_eq!(errors[0]["counterexample"].is_null(), edit != EDITS, "{errors}");
    }
    println!("opened: {first:?}\nafter {EDITS} edits: {before:?}\nvariations of each edit: {variations:?}");
    editor.ask("shutdown", Value::Null);
    editor.tell("exit", Value::Null);
    serving.join().expect("the server ends");
}
