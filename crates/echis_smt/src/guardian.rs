//! Kills solvers whose parent process died. A killed process cannot clean up after itself, and a solver in a long
//! search would continue for minutes. A shell therefore receives the ids of running solvers on a pipe that closes
//! when this process ends, and then kills them.

use std::io::Write;
use std::process::{ChildStdin, Command, Stdio};
use std::sync::OnceLock;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

/// Reads `+ PID` when a solver starts and `- PID` when it has exited.
const SCRIPT: &str = r#"
trap '' INT TERM HUP
running=
while read -r change pid; do
  if [ "$change" = + ]; then running="$running $pid"; continue; fi
  others=
  for other in $running; do [ "$other" = "$pid" ] || others="$others $other"; done
  running=$others
done
for pid in $running; do kill -9 "$pid"; done
"#;
/// If this process is killed before the delay has passed, the solver exits after its current question, which is
/// limited, or at the end of its input.
const LATE: Duration = Duration::from_millis(100);

enum Change {
    Started(u32),
    Ended(u32),
}

pub fn started(pid: u32) {
    tell(Change::Started(pid));
}

pub fn ended(pid: u32) {
    tell(Change::Ended(pid));
}

/// Notifies the guardian of the whole process. Starting it must not block anyone.
fn tell(change: Change) {
    static CHANGES: OnceLock<Option<Sender<Change>>> = OnceLock::new();
    let changes = CHANGES.get_or_init(|| {
        let (sender, receiver) = channel();
        let thread = std::thread::Builder::new().name("solver guardian".into()).spawn(move || serve(&receiver));
        (cfg!(unix) && thread.is_ok()).then_some(sender)
    });
    if let Some(changes) = changes {
        let _ = changes.send(change);
    }
}

fn serve(changes: &Receiver<Change>) {
    std::thread::sleep(LATE);
    let Some(mut shell) = start() else { return };
    while let Ok(change) = changes.recv() {
        let line = match change {
            Change::Started(pid) => format!("+ {pid}\n"),
            Change::Ended(pid) => format!("- {pid}\n"),
        };
        if shell.write_all(line.as_bytes()).is_err() {
            return;
        }
    }
}

fn start() -> Option<ChildStdin> {
    let mut shell = Command::new("sh");
    shell.args(["-c", SCRIPT]).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    shell.spawn().ok()?.stdin.take()
}
