//! The language server: the only crate that knows the Language Server Protocol.
//!
//! One thread reads messages and answers immediately from the current text. Another verifies the latest text after a
//! pause, explains its proofs when idle, and stops when a newer version arrives. Open documents take precedence over
//! files. Requests about names work on tokens, so they also work in texts that do not parse; answers about proofs
//! always refer to the current text. The server never writes files: changes are offered to the editor as edits.

mod actions;
mod calls;
mod completion;
mod document_state;
mod imports;
mod job;
mod keywords;
mod layout;
mod outline;
mod progress;
mod proofs;
mod refusal;
mod requests;
mod symbols;
mod text;
mod tokens;
mod verifying;
mod viper_ide;
mod worker;

pub use lsp_server::Connection;
pub use refusal::ServeError;
pub use text::uri_of;
pub use viper_ide::serve_viper_ide;

use echis::{
    Buffers, Checked, Config, Diagnostic, FileResult, Finding, NoSolver, Reach, Remembering, Severity, Source,
    SourceMap, Span, Verifier,
};
use echis_report::explain::page_uri;
use job::{Asked, Job};
use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response};
use refusal::Refusal;
use requests::TextRequest;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use text::Text;
use verifying::Verifying;

/// Serves one editor on standard input and output until it disconnects. `Err` if the connection failed.
pub fn serve(settings: ServerSettings) -> Result<(), ServeError> {
    let (connection, threads) = Connection::stdio();
    let served = serve_on(&connection, settings);
    drop(connection);
    served?;
    Ok(threads.join()?)
}

/// Settings of the server.
#[derive(Clone)]
pub struct ServerSettings {
    pub jobs: usize,
    /// Verifies all documents for the lifetime of the server.
    pub verifier: Result<Verifier, NoSolver>,
    pub explain: Explain,
    pub trigger: Trigger,
    /// Refresh requests that the editor supports.
    pub refreshes: Vec<String>,
    /// The files that may be read besides open documents.
    pub reach: Reach,
    /// Time limit for verifying a document or answering a request about it.
    pub limit: Option<Duration>,
    /// Whether the editor shows progress.
    pub shows_progress: bool,
}

impl ServerSettings {
    /// A server with its own solvers, which remembers verified members.
    pub fn new(jobs: usize, cache: Option<Arc<echis::Cache>>) -> Self {
        let config = Config { cache, memory: Remembering::On, ..Config::default() };
        let verifier = Verifier::new(config);
        ServerSettings {
            jobs,
            verifier,
            explain: Explain::Idle,
            trigger: Trigger::Pause,
            refreshes: Vec::new(),
            reach: Reach::Everything,
            limit: None,
            shows_progress: false,
        }
    }
    /// Adapts the settings to the editor's capabilities and options.
    fn for_editor(mut self, params: &Value) -> Self {
        let workspace = &params["capabilities"]["workspace"];
        for (part, method) in [("codeLens", "workspace/codeLens/refresh"), ("inlayHint", "workspace/inlayHint/refresh")]
        {
            if workspace[part]["refreshSupport"] == true {
                self.refreshes.push(method.to_string());
            }
        }
        self.shows_progress = params["capabilities"]["window"]["workDoneProgress"] == true;
        if params["initializationOptions"]["explain"] == "request" {
            self.explain = Explain::Asked;
        }
        self
    }
}

/// When proofs are explained.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Explain {
    /// When the server is idle.
    Idle,
    /// On request.
    Asked,
}

/// When documents are verified.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trigger {
    /// After a pause in typing.
    Pause,
    /// When Viper-IDE, which listens on this port, requests it.
    ViperIde { port: u16 },
}

/// Serves one editor on the given connection.
pub fn serve_on(connection: &Connection, settings: ServerSettings) -> Result<(), ServeError> {
    let (id, params) = connection.initialize_start()?;
    let about = json!({ "name": "echis", "version": env!("CARGO_PKG_VERSION") });
    let said = json!({ "capabilities": capabilities(), "serverInfo": about });
    connection.initialize_finish(id, said)?;
    let (sender, trigger, reach) = (connection.sender.clone(), settings.trigger, settings.reach.clone());
    // Messages to a disconnected editor are dropped.
    let outbox = move |message| drop(sender.send(message));
    let verifying = Verifying::start(outbox, settings.for_editor(&params));
    let mut server = Server {
        connection,
        open: BTreeMap::new(),
        folders: folders(&params),
        trigger,
        reach,
        front: BTreeMap::new(),
        flushed: BTreeSet::new(),
        verifying,
    };
    for message in &connection.receiver {
        match message {
            Message::Request(request) => {
                // If the editor disconnects during shutdown, end as well.
                if connection.handle_shutdown(&request).unwrap_or(true) {
                    break;
                }
                server.answer(request);
            }
            Message::Notification(notification) => server.hear(&notification),
            Message::Response(_) => {}
        }
    }
    server.verifying.stop();
    Ok(())
}

/// The editor's workspace folders.
fn folders(params: &Value) -> Vec<PathBuf> {
    let several = params["workspaceFolders"].as_array().into_iter().flatten();
    let mut uris: Vec<&str> = several.filter_map(|folder| folder["uri"].as_str()).collect();
    if uris.is_empty() {
        uris.extend(params["rootUri"].as_str());
    }
    uris.into_iter().filter_map(text::path_of).map(PathBuf::from).collect()
}

/// Custom requests: the JSON documents of CLI commands, the report, and the part of a program that a proof needs.
const REQUESTS: &[&str] =
    &["echis/dependencies", "echis/coverage", "echis/counterexample", "echis/report", "echis/prune"];

fn capabilities() -> Value {
    let legend = json!({ "tokenTypes": tokens::KINDS, "tokenModifiers": tokens::MODIFIERS });
    json!({
        "textDocumentSync": { "openClose": true, "change": 2, "save": true },
        "definitionProvider": true,
        "referencesProvider": true,
        "documentHighlightProvider": true,
        "hoverProvider": true,
        "documentSymbolProvider": true,
        "workspaceSymbolProvider": true,
        "foldingRangeProvider": true,
        "documentLinkProvider": {},
        "documentFormattingProvider": true,
        "documentRangeFormattingProvider": true,
        "renameProvider": { "prepareProvider": true },
        "completionProvider": { "triggerCharacters": ["."] },
        "signatureHelpProvider": { "triggerCharacters": ["(", ","] },
        "semanticTokensProvider": { "legend": legend, "full": true },
        "inlayHintProvider": true,
        "codeLensProvider": {},
        "codeActionProvider": { "codeActionKinds": ["quickfix"] },
        "callHierarchyProvider": true,
        "experimental": { "echis": REQUESTS },
    })
}

struct Server<'a> {
    connection: &'a Connection,
    /// Open documents by URI.
    open: BTreeMap<String, Text>,
    folders: Vec<PathBuf>,
    trigger: Trigger,
    reach: Reach,
    /// The error ids of documents with front-end errors.
    front: BTreeMap<String, Vec<String>>,
    /// Documents whose results from earlier runs are ignored.
    flushed: BTreeSet<String>,
    verifying: Verifying,
}

impl Server<'_> {
    fn hear(&mut self, notification: &Notification) {
        if notification.method == "Verify" {
            return self.verify_for_viper_ide(&notification.params);
        }
        let document = &notification.params["textDocument"];
        let Some(uri) = document["uri"].as_str() else { return };
        let version = document["version"].as_i64();
        match notification.method.as_str() {
            "textDocument/didOpen" => self.changed(uri, document["text"].as_str(), version),
            "textDocument/didChange" => {
                let changes = notification.params["contentChanges"].as_array().into_iter().flatten();
                let before = self.open.get(uri).map_or_else(String::new, |text| text.text.to_string());
                let text = changes.fold(before, text::edited);
                self.changed(uri, Some(&text), version);
            }
            "textDocument/didClose" => {
                self.open.remove(uri);
                self.front.remove(uri);
                self.verifying.forget(uri);
                self.publish(uri, None, Vec::new());
            }
            _ => {}
        }
    }

    fn changed(&mut self, uri: &str, text: Option<&str>, version: Option<i64>) {
        let Some(text) = text else { return };
        self.open.insert(uri.to_string(), Text::of(uri, text));
        self.look(uri, version);
        // Programs that import it have changed as well.
        let imports = |other: &&String| {
            let links = self.open.get(*other).map(|text| layout::links(other, text));
            let links = links.as_ref().and_then(Value::as_array).into_iter().flatten();
            *other != uri && links.into_iter().any(|link| link["target"] == uri)
        };
        let importing: Vec<String> = self.open.keys().filter(imports).cloned().collect();
        for other in importing {
            self.look(&other, None);
        }
    }

    /// Publishes syntax and type errors immediately; verification follows after a pause.
    fn look(&mut self, uri: &str, version: Option<i64>) {
        let Some(path) = text::path_of(uri) else { return };
        let generation = self.verifying.next(uri);
        let buffers = self.buffers();
        let program = Arc::new(Checked::new(Source::file(&path).loaded_by(Arc::new(buffers.clone()))));
        let (checked, is_valid) = (program.result(), program.is_valid());
        let errors = checked.errors.iter().map(|finding| &finding.diagnostic);
        self.verifying.known.outdate(uri, actions::of_diagnostics(&checked.sources, errors.chain(&checked.warnings)));
        let front = diagnostics(uri, &checked);
        // Findings of the last program are kept until the new one is verified.
        let known = match (is_valid, self.open.get(uri)) {
            (true, Some(text)) => self.verifying.known.findings(uri, text),
            _ => Vec::new(),
        };
        self.publish(uri, version, front.iter().cloned().chain(known).collect());
        let ids = checked.errors.iter().map(|finding| finding.diagnostic.id.clone());
        self.front.insert(uri.to_string(), ids.collect());
        if is_valid {
            let asked = Asked::new(self.flushed.contains(uri));
            let job = Job { uri: uri.to_string(), path, version, generation, buffers, checked: program, front, asked };
            self.verifying.send(job, self.trigger);
        }
    }

    fn buffers(&self) -> Buffers {
        let texts = self.open.iter().filter_map(|(uri, text)| Some((text::path_of(uri)?, text.text.clone())));
        Buffers { texts: texts.collect(), reach: self.reach.clone() }
    }

    fn publish(&self, uri: &str, version: Option<i64>, found: Vec<Value>) {
        let _ = self.connection.sender.send(published(uri, version, found));
    }

    fn answer(&mut self, request: Request) {
        let Request { id, method, params } = request;
        if let Some(answer) = self.answer_viper_ide(&method, &params) {
            return self.respond(id, Ok(answer));
        }
        if method == "workspace/symbol" {
            let query = params["query"].as_str().unwrap_or_default();
            return self.respond(id, Ok(symbols::of_workspace(&self.open, &self.folders, query)));
        }
        let data = &params["item"]["data"]["document"];
        let named = [&params["textDocument"]["uri"], data, &params["item"]["uri"]];
        let uri = named.into_iter().find_map(Value::as_str).unwrap_or_default().to_string();
        if needs_proofs(&method, &params) && self.verifying.ask(id.clone(), &method, params.clone(), &uri) {
            return;
        }
        let known = method.starts_with("echis/") || requests::METHODS.contains(&&*method);
        let Some(text) = self.open.get(&uri).filter(|_| known) else {
            return if known { self.respond(id, Ok(Value::Null)) } else { self.refuse_unknown(id, &method) };
        };
        if method.starts_with("echis/") {
            return self.respond(id, Err(Refusal::Invalid));
        }
        let (method, verifying, open) = (method.as_str(), &self.verifying, &self.open);
        let request = TextRequest { method, params: &params, uri: &uri, text, verifying, open };
        match requests::answer(&request) {
            Some(answer) => self.respond(id, answer),
            None => self.refuse_unknown(id, method),
        }
    }

    fn refuse_unknown(&self, id: RequestId, method: &str) {
        let message = format!("unknown method {method}");
        let response = Response::new_err(id, ErrorCode::MethodNotFound as i32, message);
        let _ = self.connection.sender.send(Message::Response(response));
    }

    fn respond(&self, id: RequestId, answer: Result<Value, Refusal>) {
        let response = match answer {
            Ok(result) => Response::new_ok(id, result),
            Err(refusal) => Response::new_err(id, ErrorCode::RequestFailed as i32, refusal.to_string()),
        };
        let _ = self.connection.sender.send(Message::Response(response));
    }
}

/// Whether answering takes more than the text.
fn needs_proofs(method: &str, params: &Value) -> bool {
    match method {
        "textDocument/prepareCallHierarchy" => true,
        _ if REQUESTS.contains(&method) => true,
        "callHierarchy/incomingCalls" | "callHierarchy/outgoingCalls" => params["item"]["data"]["member"].is_null(),
        "textDocument/codeAction" => actions::is_about_errors(params),
        _ => false,
    }
}

pub(crate) fn published(uri: &str, version: Option<i64>, found: Vec<Value>) -> Message {
    let params = json!({ "uri": uri, "version": version, "diagnostics": found });
    Message::Notification(Notification::new("textDocument/publishDiagnostics".into(), params))
}

/// The diagnostics of a document, without those of imported files.
fn diagnostics(uri: &str, result: &FileResult) -> Vec<Value> {
    let errors = result.errors.iter().filter(|finding| !finding.cascade);
    let warnings = result.warnings.iter().map(|found| diagnostic(uri, &result.sources, found));
    errors.map(|finding| finding_diagnostic(uri, &result.sources, finding)).chain(warnings).collect()
}

/// A finding as a diagnostic, with the branches that lead to it. What was not decided is a warning that says so.
pub(crate) fn finding_diagnostic(uri: &str, sources: &SourceMap, finding: &Finding) -> Value {
    let mut found = finding.diagnostic.clone();
    let path = finding.paths.first().into_iter().flatten();
    for condition in path {
        found = found.related(condition.span, format!("on the path where {}", condition.text));
    }
    if let Some(why) = &finding.undecided {
        found.severity = Severity::Warning;
        found.message = format!("Undecided: {} ({why})", found.message);
    }
    diagnostic(uri, sources, &found)
}

pub(crate) fn diagnostic(uri: &str, sources: &SourceMap, found: &Diagnostic) -> Value {
    let main = sources.files().next().map(|(file, _)| file);
    let range = |span: Span| text::range(&sources.file(span.file).text, span.start as usize, span.end as usize);
    // Errors without a position in this document are reported at its start.
    let place = match found.span.filter(|span| Some(span.file) == main) {
        Some(span) => range(span),
        None => text::range("", 0, 0),
    };
    let related: Vec<Value> = found
        .related
        .iter()
        .map(|related| {
            let span = related.span;
            let uri =
                if Some(span.file) == main { uri.to_string() } else { text::uri_of(&sources.file(span.file).path) };
            json!({ "location": { "uri": uri, "range": range(span) }, "message": related.message })
        })
        .collect();
    let mut shown = json!({
        "range": place,
        "severity": if found.severity == Severity::Error { 1 } else { 2 },
        "code": found.id,
        "source": "echis",
        "message": found.message,
        "relatedInformation": related,
    });
    if let Some(page) = page_uri(&found.id) {
        shown["codeDescription"] = json!({ "href": page });
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn undecided_obligations_are_warnings() {
        let checked = Checked::new(Source::text("/a.vpr", "method m() { assert false }"));
        let sources = checked.sources();
        let (file, _) = sources.files().next().expect("there is one");
        let failed = Diagnostic::error("assert.failed:assertion.false", Span::new(file, 20, 25), "Assert might fail.");
        let mut finding = Finding::new(failed);
        assert_eq!(finding_diagnostic("file:///a.vpr", sources, &finding)["severity"], 1);
        finding.undecided = Some("the solver reached its limit".to_string());
        let shown = finding_diagnostic("file:///a.vpr", sources, &finding);
        assert_eq!(shown["severity"], 2);
        assert_eq!(shown["message"], "Undecided: Assert might fail. (the solver reached its limit)");
    }
}
