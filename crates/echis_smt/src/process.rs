//! A solver process on pipes.
//!
//! Reads and writes block; a watchdog thread kills the process when the time for an answer is over, which ends
//! whatever blocks. So an answer costs no hand-over between threads, and a process that stops reading is
//! noticed too.

use crate::backend::{Backend, Fault};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

pub struct Process {
    path: PathBuf,
    args: Vec<String>,
    running: Option<Running>,
    asked: u64,
    /// Raised by whoever wants all work to end; processes are killed then.
    stop: Arc<AtomicBool>,
}

struct Running {
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    guarded: Arc<Guarded>,
}

/// What the watchdog shares with the process's user.
struct Guarded {
    state: Mutex<Watch>,
    /// Tells the watchdog that the process is no longer needed.
    ended: Condvar,
}

struct Watch {
    child: Child,
    /// When to kill the process; `None` while nothing is asked.
    deadline: Option<Instant>,
    killed: bool,
    over: bool,
}

/// How often the watchdog looks. Deadlines are meant for processes that hang, so being late does no harm.
const WATCH_INTERVAL: Duration = Duration::from_millis(100);
/// The longest line that can be an answer; a process that floods its output is not read to the end.
const LONGEST_LINE: u64 = 1 << 20;

impl Process {
    /// A solver of the Z3 family. The process is started when it is first needed.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Process::with_args(path, ["-smt2", "-in"].map(String::from).to_vec())
    }
    pub fn with_args(path: impl Into<PathBuf>, args: Vec<String>) -> Self {
        Process { path: path.into(), args, running: None, asked: 0, stop: Arc::default() }
    }
    /// Kills the process, within a fraction of a second, when the flag is raised.
    pub fn stopped_by(mut self, stop: Arc<AtomicBool>) -> Self {
        self.stop = stop;
        self
    }
    fn start(&self) -> Result<Running, Fault> {
        let mut child = Command::new(&self.path)
            .args(&self.args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| Fault::Missing(format!("{}: {error}", self.path.display())))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(Fault::Missing("it has no pipes".into()));
        };
        let state = Mutex::new(Watch { child, deadline: None, killed: false, over: false });
        let guarded = Arc::new(Guarded { state, ended: Condvar::new() });
        let watched = guarded.clone();
        let stop = self.stop.clone();
        std::thread::Builder::new()
            .name("solver watchdog".into())
            .spawn(move || watched.watch(&stop))
            .map_err(|error| Fault::Missing(error.to_string()))?;
        Ok(Running { input, output: BufReader::new(output), guarded })
    }
}

impl Backend for Process {
    fn restart(&mut self) -> Result<(), Fault> {
        self.running = None;
        self.running = Some(self.start()?);
        Ok(())
    }
    fn ask(&mut self, commands: &str, limit: Duration) -> Result<Vec<String>, Fault> {
        self.asked += 1;
        let mark = format!("echis answer {}", self.asked);
        let Some(running) = &mut self.running else { return Err(Fault::Died("it is not running".into())) };
        running.guarded.lock().deadline = Some(Instant::now() + limit);
        let result = running.exchange(&format!("{commands}(echo \"{mark}\")\n"), &mark);
        let killed = {
            let mut state = running.guarded.lock();
            state.deadline = None;
            state.killed
        };
        if result.is_err() {
            self.running = None;
        }
        result.map_err(|fault| if killed { Fault::Hung(limit) } else { fault })
    }
}

impl Running {
    fn exchange(&mut self, commands: &str, mark: &str) -> Result<Vec<String>, Fault> {
        let died = |error: std::io::Error| Fault::Died(error.to_string());
        self.input.write_all(commands.as_bytes()).and_then(|()| self.input.flush()).map_err(died)?;
        let mut lines = Vec::new();
        loop {
            let mut line = Vec::new();
            (&mut self.output).take(LONGEST_LINE).read_until(b'\n', &mut line).map_err(died)?;
            if line.last() != Some(&b'\n') {
                let text = String::from_utf8_lossy(&line[..line.len().min(200)]).into_owned();
                return Err(if line.is_empty() {
                    Fault::Died("it closed its output".into())
                } else {
                    Fault::Garbage(text)
                });
            }
            let line = String::from_utf8_lossy(&line).trim_end().to_owned();
            if line == mark {
                return Ok(lines);
            }
            lines.push(line);
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let mut state = self.guarded.lock();
        state.over = true;
        state.end();
        drop(state);
        self.guarded.ended.notify_all();
    }
}

impl Guarded {
    fn lock(&self) -> MutexGuard<'_, Watch> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
    fn watch(&self, stop: &AtomicBool) {
        let mut state = self.lock();
        while !state.over {
            let late = state.deadline.is_some_and(|deadline| Instant::now() >= deadline);
            if (late || stop.load(Ordering::Relaxed)) && !state.killed {
                state.killed = true;
                state.end();
            }
            state = match self.ended.wait_timeout(state, WATCH_INTERVAL) {
                Ok((state, _)) => state,
                Err(poisoned) => poisoned.into_inner().0,
            };
        }
    }
}

impl Watch {
    /// Kills the process and waits for it, so that it does not stay behind as a zombie.
    fn end(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
