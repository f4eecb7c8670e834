//! Viper-IDE's extension of the protocol, so that Viper-IDE can use Echis in place of ViperServer.
//!
//! The extension starts a process, reads a port from its standard output, and connects to that port with the Language
//! Server Protocol and some additional requests and notifications. It decides when to verify, and receives progress
//! and results.

use crate::job::{Job, Outbox};
use crate::refusal::ServeError;
use crate::{Server, ServerSettings, Trigger, layout, serve_on, text};
use lsp_server::{Connection, Message, Notification};
use serde_json::{Value, json};
use std::io::{BufReader, Write};
use std::net::{Ipv4Addr, Ipv6Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::Ordering;
use std::sync::mpsc::channel;
use std::time::Duration;

/// Verification states, with Viper-IDE's numbers.
const RUNNING: u8 = 2;
const POST_PROCESSING: u8 = 5;
const READY: u8 = 6;

/// Serves one client on a local port, which is printed to standard output.
pub fn serve_viper_ide(settings: ServerSettings) -> Result<(), ServeError> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map_err(ServeError::NoPort)?;
    let port = listener.local_addr().map_err(ServeError::NoPort)?.port();
    // `localhost` may also resolve to the IPv6 address.
    let other = TcpListener::bind((Ipv6Addr::LOCALHOST, port)).ok();
    let mut output = std::io::stdout().lock();
    writeln!(output, "<ViperServerPort:{port}>").and_then(|()| output.flush())?;
    drop(output);
    let stream = first_client(listener, other)?;
    let (connection, client) = Connection::memory();
    let Connection { sender, receiver } = client;
    let (reading, mut writing) = (stream.try_clone()?, stream.try_clone()?);
    std::thread::spawn(move || {
        let mut reading = BufReader::new(reading);
        while let Ok(Some(message)) = Message::read(&mut reading) {
            if sender.send(message).is_err() {
                return;
            }
        }
    });
    let writer = std::thread::spawn(move || receiver.iter().try_for_each(|message| message.write(&mut writing)));
    let served = serve_on(&connection, ServerSettings { trigger: Trigger::ViperIde { port }, ..settings });
    drop(connection);
    let _ = writer.join();
    let _ = stream.shutdown(Shutdown::Both);
    served
}

/// Accepts the first client on either listener; no other client is served.
fn first_client(listener: TcpListener, other: Option<TcpListener>) -> Result<TcpStream, ServeError> {
    let (sender, came) = channel();
    for listener in std::iter::once(listener).chain(other) {
        let sender = sender.clone();
        std::thread::spawn(move || {
            let accepted = listener.accept().map(|(stream, from): (TcpStream, SocketAddr)| (stream, from));
            let _ = sender.send(accepted);
        });
    }
    drop(sender);
    let (stream, from) = came.recv().map_err(|_| ServeError::NoClient)??;
    match from.ip().is_loopback() {
        true => Ok(stream),
        false => Err(ServeError::Stranger),
    }
}

impl Server<'_> {
    /// Answers a Viper-IDE request. `None` if it is not one.
    pub(crate) fn answer_viper_ide(&mut self, method: &str, params: &Value) -> Option<Value> {
        let Trigger::ViperIde { port } = self.trigger else { return None };
        let uri = params["uri"].as_str();
        Some(match method {
            "GetVersion" => json!({ "serverVersion": env!("CARGO_PKG_VERSION"), "error": null }),
            "GetLanguageServerUrl" => json!({ "url": format!("localhost:{port}") }),
            "StopVerification" => {
                let running = uri.is_some_and(|uri| self.verifying.cancel(uri));
                let ready =
                    json!({ "newState": READY, "verificationCompleted": 0, "verificationNeeded": 0, "uri": uri });
                self.say("StateChange", ready);
                json!({ "success": running })
            }
            "RemoveDiagnostics" => {
                uri.into_iter().for_each(|uri| self.publish(uri, None, Vec::new()));
                json!({ "success": uri.is_some() })
            }
            "FlushCache" => {
                let all = || self.open.keys().cloned().collect();
                let flushed: Vec<String> = uri.map_or_else(all, |uri| vec![uri.to_string()]);
                self.flushed.extend(flushed);
                self.say("Log", json!({ "data": "what was known is verified again", "logLevel": 2 }));
                Value::Null
            }
            "Reformat" => {
                let text = uri.and_then(|uri| Some((uri, self.open.get(uri)?)));
                let new = text.and_then(|(uri, text)| layout::formatting(uri, text).ok());
                new.map_or(Value::Null, |edits| edits[0]["newText"].clone())
            }
            _ => return None,
        })
    }

    /// `Verify`: verifies the current document.
    pub(crate) fn verify_for_viper_ide(&mut self, params: &Value) {
        let Some(uri) = params["uri"].as_str() else { return };
        if !self.open.contains_key(uri)
            && let Some(content) = params["content"].as_str()
        {
            self.open.insert(uri.to_string(), text::Text::of(uri, content));
        }
        if text::path_of(uri).is_none() || !self.open.contains_key(uri) {
            self.say("VerificationNotStarted", json!({ "uri": uri }));
            let message = "Only files that are open can be verified.";
            let hint = json!({ "message": message, "showSettingsButton": false, "showViperToolsUpdateButton": false });
            return self.say("Hint", hint);
        }
        self.look(uri, None);
        self.flushed.remove(uri);
        let manually = params["manuallyTriggered"] == true;
        if !self.verifying.verify(uri, manually) {
            // A document with front-end errors has already failed.
            let job = (uri, manually);
            let is_syntax = self.front.get(uri).is_some_and(|ids| ids.iter().any(|id| id == "parser.error"));
            let success = if is_syntax { 2 } else { 3 };
            self.say("StateChange", changed(RUNNING, job, json!({ "progress": 0 })));
            self.say(
                "StateChange",
                changed(READY, job, json!({ "success": success, "verificationCompleted": 1, "time": 0 })),
            );
        }
    }

    fn say(&self, method: &str, params: Value) {
        let _ = self.connection.sender.send(Message::Notification(Notification::new(method.into(), params)));
    }
}

fn changed(state: u8, (uri, manually): (&str, bool), more: Value) -> Value {
    let filename = uri.rsplit('/').next().unwrap_or(uri);
    let mut params =
        json!({ "newState": state, "uri": uri, "filename": filename, "manuallyTriggered": u8::from(manually) });
    if let (Some(params), Value::Object(more)) = (params.as_object_mut(), more) {
        params.extend(more);
    }
    params
}

/// Reports the progress of a verification to Viper-IDE, if it triggered it.
pub(crate) struct Told<'a, O> {
    pub outbox: &'a O,
    pub job: &'a Job,
    pub trigger: Trigger,
}

impl<O: Outbox> Told<'_, O> {
    fn state(&self, state: u8, more: Value) {
        if let Trigger::ViperIde { .. } = self.trigger {
            let params = changed(state, (&self.job.uri, self.job.asked.manually.load(Ordering::Relaxed)), more);
            self.outbox.send(Message::Notification(Notification::new("StateChange".into(), params)));
        }
    }
    pub fn begin(&self, members: usize) {
        self.job.asked.members.store(members, Ordering::Relaxed);
        self.state(RUNNING, json!({ "progress": 0 }));
    }
    pub fn member(&self) {
        let done = self.job.asked.done.fetch_add(1, Ordering::Relaxed) + 1;
        let all = self.job.asked.members.load(Ordering::Relaxed).max(done);
        self.state(RUNNING, json!({ "progress": 100 * done / all }));
    }
    /// Reports the end of a verification with Viper-IDE's number for its outcome.
    pub fn end(&self, verdict: echis::FileVerdict, timed_out: bool, time: Duration) {
        use echis::FileVerdict;
        let success = match verdict {
            FileVerdict::Valid | FileVerdict::Verified => 1,
            FileVerdict::Invalid => 3,
            FileVerdict::Undecided if timed_out => 7,
            FileVerdict::Undecided | FileVerdict::Failed => 4,
            FileVerdict::Error => 6,
        };
        self.state(POST_PROCESSING, json!({}));
        let more = json!({ "success": success, "verificationCompleted": 1, "time": time.as_secs_f64() });
        self.state(READY, more);
    }
    pub fn cancelled(&self) {
        self.state(READY, json!({ "success": 5, "verificationCompleted": 0, "verificationNeeded": 0 }));
    }
}
