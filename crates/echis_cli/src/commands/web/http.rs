//! The part of HTTP needed for three files and the WebSocket handshake. Parsing is done by `httparse`.

use echis_report::web;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// Maximum length of a request head, and time limit for receiving it.
const LONGEST: usize = 16 * 1024;
const PATIENCE: Duration = Duration::from_secs(10);
const MOST_HEADERS: usize = 64;

pub struct Request {
    pub method: String,
    pub path: String,
    pub host: Option<String>,
    pub origin: Option<String>,
    /// The key, if a WebSocket is requested.
    pub websocket: Option<String>,
}

pub struct Response {
    status: u16,
    kind: &'static str,
    body: String,
}

/// Reads the head of a request. Supported requests have no body.
pub fn read(stream: &mut TcpStream) -> Option<Request> {
    let (start, mut bytes, mut part) = (Instant::now(), Vec::new(), [0; 2048]);
    stream.set_read_timeout(Some(PATIENCE)).ok()?;
    stream.set_write_timeout(Some(PATIENCE)).ok()?;
    while start.elapsed() < PATIENCE && bytes.len() < LONGEST {
        let read = stream.read(&mut part).ok().filter(|read| *read > 0)?;
        bytes.extend_from_slice(&part[..read]);
        if let Some(request) = parse(&bytes)? {
            return Some(request);
        }
    }
    None
}

/// The request, once its head is complete. `None` if it is invalid.
fn parse(bytes: &[u8]) -> Option<Option<Request>> {
    let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
    let mut parsed = httparse::Request::new(&mut headers);
    if parsed.parse(bytes).ok()?.is_partial() {
        return Some(None);
    }
    // A duplicate header counts as missing: a proxy may have used the other one.
    let value = |name: &str| {
        let mut found = parsed.headers.iter().filter(|header| header.name.eq_ignore_ascii_case(name));
        let first = found.next().and_then(|header| std::str::from_utf8(header.value).ok());
        first.filter(|_| found.next().is_none()).map(str::to_string)
    };
    let upgrades = value("Upgrade").is_some_and(|upgrade| upgrade.eq_ignore_ascii_case("websocket"));
    let is_current = value("Sec-WebSocket-Version").as_deref() == Some("13");
    Some(Some(Request {
        method: parsed.method?.to_string(),
        path: parsed.path?.to_string(),
        host: value("Host"),
        origin: value("Origin"),
        websocket: value("Sec-WebSocket-Key").filter(|_| upgrades && is_current),
    }))
}

impl Response {
    pub fn text(status: u16, body: &str) -> Self {
        Response { status, kind: "text/plain; charset=utf-8", body: format!("{body}\n") }
    }
    pub fn page() -> Self {
        Response { status: 200, kind: "text/html; charset=utf-8", body: web::live_page() }
    }
    pub fn script() -> Self {
        Response { status: 200, kind: "text/javascript; charset=utf-8", body: web::SCRIPT.to_string() }
    }
    pub fn style() -> Self {
        Response { status: 200, kind: "text/css; charset=utf-8", body: web::STYLE.to_string() }
    }
    /// Sends the response. If the client is gone, there is nothing to do.
    pub fn write(&self, stream: &mut TcpStream) {
        let Response { status, kind, body } = self;
        let head = format!(
            "HTTP/1.1 {status} {}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\
             Cache-Control: no-store\r\nContent-Security-Policy: {}\r\nX-Content-Type-Options: nosniff\r\n\
             Referrer-Policy: no-referrer\r\nCross-Origin-Resource-Policy: same-origin\r\n\
             Cross-Origin-Opener-Policy: same-origin\r\n\r\n",
            reason(*status),
            body.len(),
            web::LIVE_POLICY
        );
        let written = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body.as_bytes()));
        let _ = written.and_then(|()| stream.flush());
    }
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        _ => "Service Unavailable",
    }
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn heads_are_complete_partial_or_wrong() {
        let whole = b"GET /t/ HTTP/1.1\r\nHost: a\r\norigin: http://a\r\n\r\n";
        let request = parse(whole).flatten().expect("it is complete");
        assert_eq!((request.method.as_str(), request.path.as_str()), ("GET", "/t/"));
        assert_eq!((request.host.as_deref(), request.origin.as_deref()), (Some("a"), Some("http://a")));
        assert!(request.websocket.is_none());
        assert!(parse(&whole[..20]).is_some_and(|request| request.is_none()));
        assert!(parse(b"\x16\x03\x01 \r\n\r\n").is_none());
    }

    #[test]
    fn headers_that_stand_there_twice_do_not_count() {
        let request = parse(b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n").flatten().expect("it is complete");
        assert_eq!(request.host, None);
    }
}
