//! The language server of a page: a thread, or with `--memory` a separate process, so that a program that takes too
//! much memory ends one page and not all of them.

use super::Shared;
use echis_lsp::{Connection, ServerSettings, serve_on};
use lsp_server::Message;
use std::io::{BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::JoinHandle;

/// Number of threads of a server besides workers; the system counts their stacks as memory.
const OTHER_THREADS: usize = 4;

/// A running language server of a page.
pub enum Server {
    Thread(JoinHandle<()>),
    Process { child: Child, reader: JoinHandle<()>, writer: JoinHandle<()> },
}

impl Server {
    /// Starts a server, and returns the page's end of the connection to it.
    pub fn start(shared: &Shared) -> Option<(Server, Connection)> {
        let (server, page) = Connection::memory();
        let server = match shared.megabytes {
            Some(megabytes) => process(server, shared, megabytes)?,
            None => thread(server, shared)?,
        };
        Some((server, page))
    }

    /// Waits for it to end; its connection must be closed.
    pub fn end(self) {
        match self {
            Server::Thread(thread) => drop(thread.join()),
            Server::Process { mut child, reader, writer } => {
                let _ = child.kill();
                let _ = child.wait();
                let _ = (reader.join(), writer.join());
            }
        }
    }
}

fn thread(server: Connection, shared: &Shared) -> Option<Server> {
    let mut settings = ServerSettings::new(shared.jobs, None);
    (settings.reach, settings.limit) = (shared.root.reach(), shared.limit);
    let thread = std::thread::Builder::new().name("language server".into()).stack_size(echis::STACK);
    thread.spawn(move || drop(serve_on(&server, settings))).ok().map(Server::Thread)
}

/// `echis lsp` with limits, between pipes.
fn process(server: Connection, shared: &Shared, megabytes: u32) -> Option<Server> {
    let mut child = command(shared, megabytes).spawn().ok()?;
    let (mut input, output) = (child.stdin.take()?, child.stdout.take()?);
    let Connection { sender, receiver } = server;
    let writer = std::thread::spawn(move || {
        for message in receiver {
            if message.write(&mut input).and_then(|()| input.flush()).is_err() {
                return;
            }
        }
    });
    let reader = std::thread::spawn(move || {
        let mut output = BufReader::new(output);
        while let Ok(Some(message)) = Message::read(&mut output) {
            if sender.send(message).is_err() {
                return;
            }
        }
    });
    Some(Server::Process { child, reader, writer })
}

/// A shell sets the limit on the address space, since Rust has no safe way to do so.
fn command(shared: &Shared, megabytes: u32) -> Command {
    let stacks = (shared.jobs + OTHER_THREADS) * (echis::STACK >> 10);
    let kilobytes = stacks as u64 + (u64::from(megabytes) << 10);
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -v \"$0\" && exec \"$@\"", &kilobytes.to_string()]);
    command.arg(std::env::current_exe().unwrap_or_else(|_| "echis".into()));
    command.args(["lsp", "--no-cache", "--jobs", &shared.jobs.to_string()]);
    command.arg("--within").arg(shared.root.folder().unwrap_or(Path::new("")));
    if let Some(limit) = shared.limit {
        command.args(["--timeout", &limit.as_secs_f64().to_string()]);
    }
    // By default, glibc reserves memory for each thread.
    command.env("MALLOC_ARENA_MAX", "2");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    command
}
