//! A page's session: messages of the language server protocol over a WebSocket. Every page has its own server.

use super::server::Server;
use super::{Access, Shared};
use echis_lsp::Connection;
use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response};
use serde_json::{Value, json};
use std::io::{ErrorKind, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};
use tungstenite::handshake::derive_accept_key;
use tungstenite::protocol::frame::coding::CloseCode;
use tungstenite::protocol::{CloseFrame, Role, WebSocketConfig};
use tungstenite::{Error, Message as Frame, WebSocket};

/// Maximum delay of a server message while the page is idle.
const TURN: Duration = Duration::from_millis(15);
/// Time after which an idle page is disconnected.
const IDLE: Duration = Duration::from_secs(3600);
/// Maximum length of a message: a large program, with every character escaped.
const LONGEST: usize = 8 << 20;

/// The requests that pages may send to the language server. All others are for editors.
const METHODS: [&str; 14] = [
    "initialized",
    "textDocument/didOpen",
    "textDocument/didChange",
    "textDocument/didClose",
    "textDocument/completion",
    "textDocument/hover",
    "textDocument/documentSymbol",
    "textDocument/formatting",
    "echis/report",
    "echis/prune",
    "echis/dependencies",
    "echis/coverage",
    "echis/counterexample",
    "textDocument/documentHighlight",
];

pub fn serve(mut stream: TcpStream, key: &str, shared: &Shared) {
    let accepted = format!(
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: {}\r\n\r\n",
        derive_accept_key(key.as_bytes())
    );
    if stream.write_all(accepted.as_bytes()).is_err() || stream.set_read_timeout(Some(TURN)).is_err() {
        return;
    }
    let limits = WebSocketConfig::default().max_message_size(Some(LONGEST)).max_frame_size(Some(LONGEST));
    let mut socket = WebSocket::from_raw_socket(stream, Role::Server, Some(limits));
    let Some((server, page)) = Server::start(shared) else { return };
    let end = exchange(&mut socket, &page, shared);
    // The server ends when its channel is closed.
    drop(page);
    server.end();
    let _ = socket.close(end.frame(shared));
    let _ = socket.flush();
}

/// Why a session ended.
enum End {
    PageIsGone,
    Idle,
    ServerDied,
}

impl End {
    /// The close frame sent to the page.
    fn frame(&self, shared: &Shared) -> Option<CloseFrame> {
        let reason = match (self, shared.megabytes) {
            (End::PageIsGone, _) => return None,
            (End::Idle, _) => "This page was idle for an hour. Reload it to continue.".to_string(),
            (End::ServerDied, Some(megabytes)) => {
                format!(
                    "This needs more than the {megabytes} MB of memory that a page may use. Reload the page to continue."
                )
            }
            (End::ServerDied, None) => "Echis failed. Reload the page to continue.".to_string(),
        };
        Some(CloseFrame { code: CloseCode::Error, reason: reason.into() })
    }
}

/// Forwards messages until one side is gone.
fn exchange(socket: &mut WebSocket<TcpStream>, page: &Connection, shared: &Shared) -> End {
    let mut heard = Instant::now();
    while heard.elapsed() < IDLE {
        loop {
            match page.receiver.try_recv() {
                Ok(message) if send(socket, &message).is_ok() => {}
                Ok(_) => return End::PageIsGone,
                Err(error) if error.is_disconnected() => return End::ServerDied,
                Err(_) => break,
            }
        }
        match socket.read() {
            Ok(Frame::Text(text)) => {
                heard = Instant::now();
                match judge(&text, shared) {
                    Verdict::Pass(message) => drop(page.sender.send(message)),
                    Verdict::Answer(response) => {
                        if send(socket, &Message::Response(response)).is_err() {
                            return End::PageIsGone;
                        }
                    }
                    Verdict::Ignore => {}
                }
            }
            Ok(Frame::Close(_)) => return End::PageIsGone,
            Ok(_) => {}
            Err(Error::Io(error)) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
            Err(_) => return End::PageIsGone,
        }
    }
    End::Idle
}

fn send(socket: &mut WebSocket<TcpStream>, message: &Message) -> Result<(), Error> {
    let text = serde_json::to_string(message).unwrap_or_default();
    socket.send(Frame::text(text))
}

/// How a message is handled.
enum Verdict {
    Pass(Message),
    Answer(Response),
    Ignore,
}

fn judge(text: &str, shared: &Shared) -> Verdict {
    match serde_json::from_str(text) {
        Ok(Message::Request(request)) => judge_request(request, shared),
        Ok(Message::Notification(notification)) => {
            let Notification { method, params } = notification;
            match METHODS.contains(&&*method).then(|| confined(&method, params, shared)).flatten() {
                Some(params) => Verdict::Pass(Message::Notification(Notification { method, params })),
                None => Verdict::Ignore,
            }
        }
        Ok(Message::Response(_)) | Err(_) => Verdict::Ignore,
    }
}

fn judge_request(request: Request, shared: &Shared) -> Verdict {
    let Request { id, method, params } = request;
    let root = &shared.root;
    let name = params["path"].as_str().unwrap_or_default();
    match &*method {
        // Folders sent by the page are ignored.
        "initialize" => {
            let params = json!({ "processId": null, "capabilities": {} });
            Verdict::Pass(Message::Request(Request { id, method, params }))
        }
        "echis/files" => {
            let file = |name: String| Some(json!({ "uri": root.uri(&name)?, "path": name }));
            let files: Vec<Value> = root.files().into_iter().filter_map(file).collect();
            let (writable, read_only) = (shared.access == Access::Write, shared.access == Access::ReadOnly);
            Verdict::Answer(Response::new_ok(
                id,
                json!({ "files": files, "writable": writable, "readOnly": read_only }),
            ))
        }
        "echis/read" => Verdict::Answer(match root.read(name) {
            Some(text) => Response::new_ok(id, json!({ "text": text })),
            None => refused(id, "there is no such program"),
        }),
        "echis/write" => Verdict::Answer(match (shared.access, params["text"].as_str()) {
            (Access::Write, Some(text)) => match root.write(name, text) {
                Ok(()) => Response::new_ok(id, Value::Null),
                Err(error) => refused(id, &error.to_string()),
            },
            _ => refused(id, "files cannot be saved: Echis was started without --write"),
        }),
        _ if METHODS.contains(&&*method) => match confined(&method, params, shared) {
            Some(params) => Verdict::Pass(Message::Request(Request { id, method, params })),
            None => Verdict::Answer(refused(id, "there is no such program")),
        },
        _ => Verdict::Answer(refused(id, "pages cannot ask this")),
    }
}

fn refused(id: RequestId, why: &str) -> Response {
    Response::new_err(id, ErrorCode::RequestFailed as i32, why.to_string())
}

/// The parameters, if they are about a program in the folder, with its original text if it must not be changed.
fn confined(method: &str, mut params: Value, shared: &Shared) -> Option<Value> {
    if method == "initialized" {
        return Some(json!({}));
    }
    let name = shared.root.name_of(params["textDocument"]["uri"].as_str()?)?;
    if shared.access == Access::ReadOnly {
        match method {
            "textDocument/didChange" => return None,
            "textDocument/didOpen" => params["textDocument"]["text"] = Value::String(shared.root.read(&name)?),
            _ => {}
        }
    }
    Some(params)
}
