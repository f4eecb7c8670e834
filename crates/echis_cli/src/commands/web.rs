//! `echis web`: the web interface with a language server behind it.
//!
//! This module restricts what a page can do: it gets three files and a WebSocket, and only with the token and from an
//! accepted origin. The WebSocket carries requests of the language server protocol, about files in the folder.

mod http;
mod root;
mod server;
mod session;

use crate::args;
use crate::error::Fallible;
use crate::exit::Exit;
use crate::output::{complain, print};
use http::{Request, Response};
use root::Root;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// Data shared by all pages.
struct Shared {
    root: Root,
    token: String,
    /// Accepted values of `Host`.
    hosts: Vec<String>,
    /// Accepted values of `Origin`.
    origins: Vec<String>,
    access: Access,
    jobs: usize,
    limit: Option<Duration>,
    /// Memory limit of each page.
    megabytes: Option<u32>,
    most_sessions: usize,
    sessions: AtomicUsize,
    connections: AtomicUsize,
}

/// The file operations that pages may request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Access {
    ReadOnly,
    /// Texts may be edited in the page.
    Edit,
    /// Texts may also be saved.
    Write,
}

/// Maximum number of concurrent connections besides pages: a browser needs a handful.
const MOST_CONNECTIONS: usize = 64;

pub fn run(args: &args::Web) -> Exit {
    match prepared(args) {
        Ok((listener, shared)) => {
            let address = listener.local_addr().map(|address| address.port()).unwrap_or_default();
            let address = format!("http://127.0.0.1:{address}/{}/", shared.token);
            print(&format!("{address}\n"));
            if !args.no_open {
                open(&address);
            }
            serve(&listener, &shared);
            Exit::Success
        }
        Err(message) => {
            complain(&message);
            Exit::Invalid
        }
    }
}

fn prepared(args: &args::Web) -> Fallible<(TcpListener, Arc<Shared>)> {
    let limit = match args.timeout {
        Some(seconds) if !seconds.is_finite() || seconds < 0.0 => {
            return Err("--timeout takes a number of seconds that is not negative".into());
        }
        Some(seconds) if seconds > 0.0 => Some(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)),
        _ => None,
    };
    let root = Root::new(args.path.as_deref())?;
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, args.port.unwrap_or(0)))
        .map_err(|error| format!("there is no port to listen on: {error}"))?;
    let port = listener.local_addr().map_err(|error| error.to_string())?.port();
    let mut hosts = vec![format!("127.0.0.1:{port}"), format!("localhost:{port}")];
    let mut origins: Vec<String> = hosts.iter().map(|host| format!("http://{host}")).collect();
    if let Some(host) = &args.host {
        hosts.push(host.to_lowercase());
        origins.extend([format!("https://{}", host.to_lowercase()), format!("http://{}", host.to_lowercase())]);
    }
    let access = match (args.read_only, args.write) {
        (true, _) => Access::ReadOnly,
        (false, false) => Access::Edit,
        (false, true) => Access::Write,
    };
    let jobs = args.jobs.or_else(|| std::thread::available_parallelism().ok().map(|jobs| jobs.get()));
    let shared = Shared {
        root,
        token: args.token.clone().map_or_else(random_token, Ok)?,
        hosts,
        origins,
        access,
        jobs: jobs.unwrap_or(1).max(1),
        limit,
        megabytes: args.memory,
        most_sessions: args.sessions as usize,
        sessions: AtomicUsize::new(0),
        connections: AtomicUsize::new(0),
    };
    Ok((listener, Arc::new(shared)))
}

/// A random token of 128 bits.
fn random_token() -> Fallible<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| format!("the system has no random numbers: {error}"))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

fn open(address: &str) {
    let (program, first): (&str, &[&str]) = match std::env::consts::OS {
        "macos" => ("open", &[]),
        "windows" => ("cmd", &["/c", "start", ""]),
        _ => ("xdg-open", &[]),
    };
    let mut command = std::process::Command::new(program);
    let (null, other) = (std::process::Stdio::null(), std::process::Stdio::null());
    // If no browser can be started, the address is still printed.
    let _ = command.args(first).arg(address).stdout(null).stderr(other).spawn();
}

fn serve(listener: &TcpListener, shared: &Arc<Shared>) {
    for stream in listener.incoming().filter_map(Result::ok) {
        if shared.connections.fetch_add(1, Ordering::SeqCst) >= MOST_CONNECTIONS + shared.most_sessions {
            shared.connections.fetch_sub(1, Ordering::SeqCst);
            continue;
        }
        let own = shared.clone();
        let thread = std::thread::Builder::new().name("page".into());
        let started = thread.spawn(move || {
            connection(stream, &own);
            own.connections.fetch_sub(1, Ordering::SeqCst);
        });
        if started.is_err() {
            shared.connections.fetch_sub(1, Ordering::SeqCst);
        }
    }
}

/// Handles one request. Connections are not reused.
fn connection(mut stream: TcpStream, shared: &Shared) {
    let _ = stream.set_nodelay(true);
    let Some(request) = http::read(&mut stream) else { return };
    match answer(&request, shared) {
        Ok(response) => response.write(&mut stream),
        Err(key) => {
            if shared.sessions.fetch_add(1, Ordering::SeqCst) < shared.most_sessions {
                session::serve(stream, &key, shared);
            } else {
                Response::text(503, "there are too many pages; close one").write(&mut stream);
            }
            shared.sessions.fetch_sub(1, Ordering::SeqCst);
        }
    }
}

/// The response, or the key for opening a WebSocket.
fn answer(request: &Request, shared: &Shared) -> Result<Response, String> {
    let is_host = request.host.as_ref().is_some_and(|host| shared.hosts.contains(&host.to_lowercase()));
    let known = |origin: &String| shared.origins.contains(&origin.to_lowercase());
    if !is_host || !request.origin.as_ref().is_none_or(known) {
        return Ok(Response::text(403, "this request does not come from a page of Echis"));
    }
    if request.method != "GET" {
        return Ok(Response::text(405, "only GET is understood"));
    }
    let path = request.path.split('?').next().unwrap_or_default();
    let Some((token, file)) = path.strip_prefix('/').and_then(|path| path.split_once('/')) else {
        return Ok(Response::text(404, "there is no such page"));
    };
    if !is_same(token, &shared.token) {
        return Ok(Response::text(403, "the token in the address is not the right one"));
    }
    Ok(match (file, &request.websocket) {
        ("", _) => Response::page(),
        ("app.js", _) => Response::script(),
        ("app.css", _) => Response::style(),
        ("ws", Some(key)) if request.origin.is_some() => return Err(key.clone()),
        _ => Response::text(404, "there is no such page"),
    })
}

/// Compares in constant time.
fn is_same(given: &str, token: &str) -> bool {
    let difference = given.bytes().zip(token.bytes()).fold(0, |found, (a, b)| found | (a ^ b));
    given.len() == token.len() && difference == 0
}
