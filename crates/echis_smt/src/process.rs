//! A solver process on pipes.
//!
//! A thread reads the output, so that waiting can end: the process may hang, and if it is a script around a solver, a
//! child may keep the pipes open after it was killed.

use crate::backend::{Backend, Fault};
use crate::dialect::{Dialect, Z3};
use crate::guardian;
use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

pub struct Process {
    dialect: &'static Dialect,
    path: PathBuf,
    args: Vec<String>,
    running: Option<Running>,
    sent: u64,
    /// Set to end all work.
    stop: Arc<AtomicBool>,
    /// The flag of the current user of the process.
    user_stop: Arc<AtomicBool>,
    /// Whether commands are sent before earlier answers have been read.
    ahead: bool,
}

/// A solver process that is not in use.
pub struct IdleProcess(Running);

impl IdleProcess {
    /// Whether it still runs.
    pub fn is_alive(&mut self) -> bool {
        matches!(self.0.child.try_wait(), Ok(None))
    }
}

struct Running {
    child: Child,
    /// The exit code when out of memory.
    out_of_memory: Option<i32>,
    input: Input,
    lines: Receiver<Result<Vec<String>, Fault>>,
    /// The lines that end the outstanding answers.
    due: VecDeque<String>,
}

enum Input {
    /// If one answer is awaited at a time, direct writes do not block.
    Direct(Arc<Mutex<ChildStdin>>),
    /// If the process may still be busy, a thread writes in order.
    Queued(Sender<String>),
}

/// Maximum length of a line and number of lines of an answer, so that a flood is not read to the end.
const LONGEST_LINE: u64 = 1 << 24;
const MOST_LINES: usize = 10_000;
/// Memory limit of a process: several run at once, and a runaway query must not exhaust the machine.
const MOST_MEGABYTES: u32 = 4096;
/// Maximum number of answers read ahead.
const ANSWERS_AHEAD: usize = 100;
/// The prefix of lines that end answers.
const MARK: &str = "echis answer ";
/// Interval at which a waiting thread checks whether to stop.
const LOOK_AT_STOP: Duration = Duration::from_millis(100);
/// A size that fits into an empty pipe, so that writing it does not block.
const FITS_INTO_PIPE: usize = 8 << 10;

impl Process {
    /// A solver of the Z3 family. The process is started when it is first needed.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Process::speaking(&Z3, path)
    }
    /// A solver with another dialect.
    pub fn speaking(dialect: &'static Dialect, path: impl Into<PathBuf>) -> Self {
        Process { dialect, ..Process::with_args(path, dialect.arguments(MOST_MEGABYTES)) }
    }
    pub fn with_args(path: impl Into<PathBuf>, args: Vec<String>) -> Self {
        Process {
            dialect: &Z3,
            path: path.into(),
            args,
            running: None,
            sent: 0,
            stop: Arc::default(),
            user_stop: Arc::default(),
            ahead: false,
        }
    }
    /// Sets a flag that, when raised, soon ends waiting and the process.
    pub fn stopped_by(mut self, stop: Arc<AtomicBool>) -> Self {
        self.stop = stop;
        self
    }
    /// Sets a second such flag, which may change with each use of the process.
    pub fn set_user_stop(&mut self, stop: Arc<AtomicBool>) {
        self.user_stop = stop;
    }
    /// Allows sending commands while answers are outstanding.
    pub fn ahead(mut self) -> Self {
        self.ahead = true;
        self
    }
    /// Takes the process out as an idle one, reset to the state of a new one.
    pub fn take_idle(&mut self) -> Option<IdleProcess> {
        let mut running = self.running.take_if(|running| running.due.is_empty())?;
        running.write(self.dialect.reset()).ok()?;
        Some(IdleProcess(running))
    }
    /// Uses an idle process instead of starting one.
    pub fn adopt(&mut self, idle: IdleProcess) -> Result<(), Fault> {
        self.running = None;
        let IdleProcess(mut running) = idle;
        if let (true, Input::Direct(input)) = (self.ahead, &running.input) {
            running.input = queue(input.clone()).map_err(|error| Fault::Died(error.to_string()))?;
        }
        self.running = Some(running);
        Ok(())
    }
    fn start(&self) -> Result<Running, Fault> {
        let missing = |error: std::io::Error| Fault::Missing(format!("{}: {error}", self.path.display()));
        let mut child = Command::new(&self.path)
            .args(&self.args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(missing)?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(Fault::Missing("it has no pipes".into()));
        };
        guardian::started(child.id());
        let (sender, lines) = sync_channel(ANSWERS_AHEAD);
        let input = Arc::new(Mutex::new(input));
        let input = if self.ahead { queue(input).map_err(missing)? } else { Input::Direct(input) };
        let running = Running { child, out_of_memory: self.dialect.out_of_memory, input, lines, due: VecDeque::new() };
        std::thread::Builder::new()
            .name("solver output".into())
            .spawn(move || read(output, &sender))
            .map_err(missing)?;
        Ok(running)
    }
}

impl Backend for Process {
    fn restart(&mut self) -> Result<(), Fault> {
        self.running = None;
        self.running = Some(self.start()?);
        Ok(())
    }
    fn send(&mut self, commands: &str) -> Result<(), Fault> {
        self.sent += 1;
        let running = self.running.as_mut().ok_or_else(|| Fault::Died("it is not running".into()))?;
        let mark = format!("{MARK}{}", self.sent);
        let sent = running.write(format!("{commands}(echo \"{mark}\")\n"));
        running.due.push_back(mark);
        self.settle(sent)
    }
    fn receive(&mut self, limit: Duration) -> Result<Vec<String>, Fault> {
        let running = self.running.as_mut().ok_or_else(|| Fault::Died("it is not running".into()))?;
        let answer = running.answer(limit, &[&self.stop, &self.user_stop]);
        self.settle(answer)
    }
}

impl Process {
    fn settle<T>(&mut self, result: Result<T, Fault>) -> Result<T, Fault> {
        if result.is_err() {
            self.running = None;
        }
        result
    }
}

impl Running {
    /// Writes commands. At most one small answer is outstanding, so the pipe is almost empty. What might not fit into
    /// it is written by a thread, since the process might not read it.
    fn write(&mut self, commands: String) -> Result<(), Fault> {
        let input = match &self.input {
            Input::Direct(input) => input,
            Input::Queued(queue) => {
                return queue.send(commands).map_err(|_| Fault::Died("it closed its input".into()));
            }
        };
        if commands.len() <= FITS_INTO_PIPE {
            return write(input, &commands);
        }
        let input = input.clone();
        let spawned = std::thread::Builder::new().name("solver input".into()).spawn(move || {
            // A failure shows as a missing answer.
            let _ = write(&input, &commands);
        });
        spawned.map(drop).map_err(|error| Fault::Died(error.to_string()))
    }
    fn answer(&mut self, limit: Duration, stops: &[&AtomicBool]) -> Result<Vec<String>, Fault> {
        let deadline = Instant::now() + limit;
        let mark = self.due.pop_front().ok_or_else(|| Fault::Died("nothing was asked".into()))?;
        let mut answer = Vec::new();
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let lines = match self.lines.recv_timeout(left.min(LOOK_AT_STOP)) {
                Ok(lines) => lines?,
                Err(RecvTimeoutError::Timeout)
                    if left > LOOK_AT_STOP && !stops.iter().any(|stop| stop.load(Ordering::Relaxed)) =>
                {
                    continue;
                }
                Err(RecvTimeoutError::Timeout) => return Err(Fault::Hung(limit)),
                Err(RecvTimeoutError::Disconnected) => return Err(Fault::Died(self.last_words())),
            };
            answer.extend(lines);
            if answer.pop_if(|last| *last == mark).is_some() {
                return Ok(answer);
            }
            let repeats_input = answer.last().is_some_and(|last| last.contains(MARK) && !last.starts_with(MARK));
            if answer.len() > MOST_LINES || repeats_input {
                let last = answer.pop().unwrap_or_default();
                return Err(Fault::Garbage(last.chars().take(200).collect()));
            }
        }
    }
}

impl Running {
    /// Why the process closed its output, as far as its exit code tells.
    fn last_words(&mut self) -> String {
        let end = Instant::now() + LOOK_AT_STOP;
        while Instant::now() < end {
            match self.child.try_wait() {
                Ok(Some(status)) if status.code().is_some() && status.code() == self.out_of_memory => {
                    return format!("it needs more memory than the {MOST_MEGABYTES} MB it may have");
                }
                Ok(None) => std::thread::sleep(Duration::from_millis(5)),
                _ => break,
            }
        }
        "it closed its output".into()
    }
}

/// Kills the process and waits for it, so that it does not stay behind as a zombie.
impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        guardian::ended(self.child.id());
    }
}

fn write(input: &Mutex<ChildStdin>, commands: &str) -> Result<(), Fault> {
    let mut input = input.lock().unwrap_or_else(PoisonError::into_inner);
    input.write_all(commands.as_bytes()).and_then(|()| input.flush()).map_err(|error| Fault::Died(error.to_string()))
}

/// Writes queued commands until the process or its user is gone.
fn queue(input: Arc<Mutex<ChildStdin>>) -> std::io::Result<Input> {
    let (queue, commands) = channel::<String>();
    std::thread::Builder::new().name("solver input".into()).spawn(move || {
        for commands in commands {
            if write(&input, &commands).is_err() {
                return;
            }
        }
    })?;
    Ok(Input::Queued(queue))
}

/// Some solvers print marks with quotes, as the standard requires, and others without.
fn unquoted(line: &str) -> &str {
    let inner = line.strip_prefix('"').and_then(|line| line.strip_suffix('"'));
    inner.filter(|inner| inner.starts_with(MARK)).unwrap_or(line)
}

/// Sends answers, or output too long for one, until the process or its user is gone. A waiting thread is woken once
/// per answer, not per line.
fn read(output: ChildStdout, answers: &SyncSender<Result<Vec<String>, Fault>>) {
    let mut output = BufReader::new(output);
    let mut answer = Vec::new();
    let mut length = 0;
    loop {
        let mut line = Vec::new();
        let read = (&mut output).take(LONGEST_LINE).read_until(b'\n', &mut line);
        let found = match read {
            Ok(0) => return,
            Ok(_) if line.last() == Some(&b'\n') => {
                let line = unquoted(String::from_utf8_lossy(&line).trim_end()).to_owned();
                length += line.len() as u64 + 1;
                // Also if the line contains more than the mark: a program that echoes its input is not a solver, and
                // is not waited for.
                let is_over = line.contains(MARK) || answer.len() >= MOST_LINES || length > LONGEST_LINE;
                answer.push(line);
                is_over.then(|| Ok(std::mem::take(&mut answer)))
            }
            Ok(_) => Some(Err(Fault::Garbage(String::from_utf8_lossy(&line[..line.len().min(200)]).into_owned()))),
            Err(error) => Some(Err(Fault::Died(error.to_string()))),
        };
        if let Some(found) = found {
            length = 0;
            if answers.send(found).is_err() {
                return;
            }
        }
    }
}
