//! A cache in an object store, provided by a small S3-like server.
#![cfg(feature = "object-store")]

mod common;

use common::{Folder, echis};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

const PROGRAM: &str = "\
function one(): Int ensures result > 0 { 1 }
method good() { assert one() > 0 }
method bad() { assert one() > 1 + one() }
";

type Objects = Arc<Mutex<BTreeMap<String, Vec<u8>>>>;

/// Starts the server. Returns its port and the stored objects.
fn store() -> (u16, Objects) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("there is a free port");
    let port = listener.local_addr().expect("it has an address").port();
    let objects = Objects::default();
    let kept = objects.clone();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let kept = kept.clone();
            std::thread::spawn(move || while answer(&stream, &kept).is_some() {});
        }
    });
    (port, objects)
}

/// Answers one request. `None` when the connection is closed.
fn answer(stream: &TcpStream, kept: &Objects) -> Option<()> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).ok().filter(|read| *read > 0)?;
    let mut words = line.split_whitespace().map(String::from);
    let (method, path) = (words.next()?, words.next()?);
    let mut length = 0;
    loop {
        let mut header = String::new();
        reader.read_line(&mut header).ok()?;
        let header = header.trim().to_ascii_lowercase();
        if header.is_empty() {
            break;
        }
        if let Some(told) = header.strip_prefix("content-length:") {
            length = told.trim().parse().ok()?;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    let mut kept = kept.lock().expect("no thread panics while holding the lock");
    let (status, body) = match method.as_str() {
        "PUT" => {
            kept.insert(path, body);
            ("200 OK", Vec::new())
        }
        _ => match kept.get(&path) {
            Some(found) => ("200 OK", found.clone()),
            None => ("404 Not Found", b"<Error><Code>NoSuchKey</Code></Error>".to_vec()),
        },
    };
    let head = format!(
        "HTTP/1.1 {status}\r\nETag: \"1\"\r\nLast-Modified: Tue, 03 Nov 2026 10:00:00 GMT\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    (&mut &*stream).write_all(&[head.as_bytes(), &body].concat()).ok()
}

/// The number of cached members, the number of errors, and the exit code with the error output.
fn verify(folder: &Folder, path: &str, own: &str, port: u16, key: &str) -> (usize, usize, Option<i32>, String) {
    let output = echis()
        .env("ECHIS_CACHE", folder.path(own))
        .env("ECHIS_CACHE_KEY", key)
        .env("AWS_ENDPOINT", format!("http://127.0.0.1:{port}"))
        .env("AWS_ALLOW_HTTP", "true")
        .env("AWS_REGION", "nowhere")
        .env("AWS_ACCESS_KEY_ID", "user")
        .env("AWS_SECRET_ACCESS_KEY", "something")
        .args(["verify", "--format", "json", "--cache-url", "s3://proofs/echis", path])
        .output()
        .expect("the binary runs");
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    let members = found["files"][0]["members"].as_array().cloned().unwrap_or_default();
    let known = members.iter().filter(|member| member["cached"] == true).count();
    let errors = found["files"][0]["errors"].as_array().map_or(0, Vec::len);
    (known, errors, output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn proofs_are_shared_and_only_believed_if_they_are_signed() {
    let (folder, path) = Folder::with("objects", PROGRAM);
    let (port, kept) = store();
    let verify = |own: &str, key: &str| {
        let (known, errors, code, said) = verify(&folder, &path, own, port, key);
        assert_eq!((errors, code), (1, Some(1)), "{said}");
        known
    };
    assert_eq!(verify("a", "secret"), 0);
    let names: Vec<String> = kept.lock().expect("no thread panics while holding the lock").keys().cloned().collect();
    assert!(names.len() >= 3 && names.iter().all(|name| name.starts_with("/proofs/echis/")), "{names:?}");
    assert_eq!(verify("b", "secret"), 3);
    // Entries with missing or invalid signatures are ignored, and so are corrupt ones.
    assert_eq!(verify("c", "another"), 0);
    assert_eq!(verify("d", "another"), 3);
    for body in kept.lock().expect("no thread panics while holding the lock").values_mut() {
        let last = body.len() - 1;
        body[last] ^= 1;
    }
    assert_eq!(verify("e", "another"), 0);
    // An entry stored under another key is not accepted.
    let mut objects = kept.lock().expect("no thread panics while holding the lock");
    let bodies: Vec<Vec<u8>> = objects.values().cloned().collect();
    let turned = bodies.iter().cycle().skip(1);
    objects.values_mut().zip(turned).for_each(|(body, other)| body.clone_from(other));
    drop(objects);
    assert_eq!(verify("f", "another"), 0);
}

#[test]
fn a_store_that_does_not_answer_is_told_of() {
    let (folder, path) = Folder::with("no-objects", PROGRAM);
    let unused =
        TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).expect("there is a port").port();
    let (_, _, code, said) = verify(&folder, &path, "own", unused, "secret");
    assert_eq!(code, Some(2));
    assert!(said.contains("s3://proofs/echis cannot be used as a cache"), "{said}");
}
