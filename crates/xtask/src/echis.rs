//! Runs the release build of Echis.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

pub struct Echis {
    binary: PathBuf,
    /// The Z3 to use instead of the bundled one, for fair comparisons.
    solver: Option<PathBuf>,
}

/// One run of the program.
pub struct Run {
    pub seconds: f64,
    /// Maximum memory of Echis and its solvers together, in MB.
    pub memory: f64,
    pub output: String,
    pub code: Option<i32>,
}

impl Echis {
    /// The release build, new or existing; overridden by `ECHIS_BINARY`.
    pub fn find(build: bool) -> Result<Self, String> {
        if let Some(binary) = std::env::var_os("ECHIS_BINARY") {
            return Ok(Echis { binary: binary.into(), solver: None });
        }
        let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
        let built = || Command::new(cargo).args(["build", "--release", "--package", "echis_cli"]).status();
        if build && !built().is_ok_and(|status| status.success()) {
            return Err("the release build failed".into());
        }
        let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| repository().join("target"), PathBuf::from);
        let binary = target.join("release").join(format!("echis{}", std::env::consts::EXE_SUFFIX));
        if binary.is_file() { Ok(Echis { binary, solver: None }) } else { Err("there is no release build".into()) }
    }

    /// The binary at a path, made absolute.
    pub fn at(binary: PathBuf) -> Result<Self, String> {
        match binary.is_file() {
            true => Ok(Echis { binary: std::path::absolute(&binary).unwrap_or(binary), solver: None }),
            false => Err(format!("{} is no file", binary.display())),
        }
    }

    pub fn with_solver(&self, solver: Option<PathBuf>) -> Self {
        Echis { binary: self.binary.clone(), solver }
    }

    pub fn binary(&self) -> &Path {
        &self.binary
    }

    pub fn run(&self, args: &[&str]) -> Run {
        let mut command = Command::new(&self.binary);
        // Measure verification, not the cache.
        command.env("ECHIS_CACHE", "");
        command.args(args).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        if let Some(solver) = &self.solver {
            command.env("ECHIS_SOLVER", solver);
        }
        let start = Instant::now();
        let child = command.spawn().expect("the binary was built just now");
        let watched = Memory::watch(child.id());
        let output = child.wait_with_output().expect("the process can be waited for");
        let seconds = start.elapsed().as_secs_f64();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        Run { seconds, memory: watched.stop(), output: text, code: output.status.code() }
    }

    /// The output of a command, and the processor time of it and its solvers in seconds; without Bash, the elapsed
    /// time.
    pub fn timed(&self, args: &[&str]) -> (String, f64) {
        let mut command = Command::new("bash");
        command.args(["-c", "TIMEFORMAT='%U %S'; time \"$@\" 2>/dev/null", "timed"]).arg(&self.binary).args(args);
        let Ok(output) = command.env("ECHIS_CACHE", "").stdin(Stdio::null()).output() else {
            let run = self.run(args);
            return (run.output, run.seconds);
        };
        let times = String::from_utf8_lossy(&output.stderr).into_owned();
        let seconds = times.split_whitespace().filter_map(|time| time.parse::<f64>().ok()).sum();
        (String::from_utf8_lossy(&output.stdout).into_owned(), seconds)
    }

    /// The JSON output of a command.
    pub fn document(&self, args: &[&str]) -> Value {
        serde_json::from_str(&self.run(args).output).unwrap_or_default()
    }

    /// Its entry `files`.
    pub fn json(&self, args: &[&str]) -> Vec<Value> {
        self.document(args)["files"].as_array().cloned().unwrap_or_default()
    }
}

/// Monitors a process and its children while they run.
struct Memory {
    stop: std::sync::mpsc::Sender<()>,
    thread: std::thread::JoinHandle<f64>,
}

impl Memory {
    fn watch(process: u32) -> Self {
        let (stop, stopped) = std::sync::mpsc::channel();
        let thread = std::thread::spawn(move || {
            let mut most = 0.0f64;
            while stopped
                .recv_timeout(std::time::Duration::from_millis(20))
                .is_err_and(|end| end == std::sync::mpsc::RecvTimeoutError::Timeout)
            {
                most = most.max(memory_of(process));
            }
            most
        });
        Memory { stop, thread }
    }

    fn stop(self) -> f64 {
        let _ = self.stop.send(());
        self.thread.join().unwrap_or(f64::NAN)
    }
}

/// The memory of a process and its children in megabytes, if available.
fn memory_of(process: u32) -> f64 {
    let text = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let own = line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok()).unwrap_or(0.0) / 1024.0;
    let tasks = std::fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    let children = tasks.filter_map(|task| std::fs::read_to_string(task.path().join("children")).ok());
    let children: Vec<u32> = children
        .flat_map(|text| text.split_whitespace().filter_map(|id| id.parse().ok()).collect::<Vec<_>>())
        .collect();
    own + children.into_iter().map(memory_of).sum::<f64>()
}

/// The processor time of finished child processes and their descendants, in seconds, with a resolution of a
/// hundredth; 0 if unavailable.
pub fn processor_time() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The program's name, in parentheses, may contain anything.
    let fields = text.rsplit_once(')').map_or("", |(_, fields)| fields);
    let ticks = fields.split_whitespace().skip(13).take(2).filter_map(|field| field.parse::<f64>().ok());
    ticks.sum::<f64>() / 100.0
}

pub fn repository() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().and_then(Path::parent).expect("the crate lies two folders down").to_path_buf()
}

/// A folder for generated programs, deleted at the end.
pub struct Scratch(pub PathBuf);

impl Scratch {
    pub fn new() -> Self {
        let folder = std::env::temp_dir().join(format!("echis-bench-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("the temporary folder can be written");
        Scratch(folder)
    }

    pub fn write(&self, name: &str, text: &str) -> String {
        let path = self.0.join(name);
        std::fs::write(&path, text).expect("the temporary folder can be written");
        path.to_string_lossy().into_owned()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
