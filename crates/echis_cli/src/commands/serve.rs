//! `echis serve`: many programs in one process, for front ends. Requests and answers are lines of JSON.
//!
//! One thread reads requests, others verify. A response has the id of its request; responses to different requests
//! may come in any order. Options that a request omits have the values of the command line.

mod explain;

use crate::args;
use crate::error::Fallible;
use crate::exit::Exit;
use crate::output::complain;
use crate::settings::prepare;
use echis::silicon::{self, Asked};
use echis::{
    Buffers, Cancel, Checked, Confirmation, Ended, FileResult, Finding, Injectivity, MemberResult, Pattern, Progress,
    STACK, Settings, Share, Source, SourceMap, Stopped, Verifier, View, guarded,
};
use echis_report::{Run, Solver, lines};
use serde::Deserialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, Read, Write};
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Maximum length of a request: a program of the maximum size, with every character escaped.
const LONGEST: u64 = 1 << 28;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Request {
    /// Any value by which the client identifies the request.
    id: Value,
    command: Command,
    /// The program's name in responses; it is read from this path if there is no text, and imports are relative to
    /// it.
    path: Option<String>,
    text: Option<String>,
    /// The texts of other files by path, such as imports; other files are read from disk.
    #[serde(default)]
    files: BTreeMap<String, String>,
    #[serde(default)]
    options: Options,
    /// Options in the syntax of Silicon's command line.
    #[serde(default)]
    silicon: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Command {
    Verify,
    Check,
    /// Returns the dependencies of the proofs.
    Deps,
    /// Returns what no proof needs.
    Cover,
    /// Ends the request with this id, which then returns its results so far.
    Cancel,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Options {
    assume_injectivity_on_inhale: Option<bool>,
    counterexample: Option<Shown>,
    errors: Option<usize>,
    member: Option<Vec<String>>,
    /// Only the members at these positions, counted from 0 in source order among the selected ones; the response is a
    /// part that `echis merge` joins.
    at: Option<BTreeSet<usize>>,
    /// In seconds, from the start of work on the program.
    timeout: Option<f64>,
    /// Whether to send a response for each finished member.
    #[serde(default)]
    members: bool,
    /// Verify this many times, with different random seeds.
    stability: Option<NonZeroUsize>,
    /// How `cover` confirms its warnings.
    confirm: Option<Confirm>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Confirm {
    Run,
    Thorough,
    Smoke,
    Skip,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Shown {
    Off,
    Variables,
    Intermediate,
    Extended,
    Trace,
}

/// A valid request.
struct Task {
    /// As JSON.
    id: String,
    request: Request,
    cancel: Cancel,
}

/// Data shared by all threads.
struct Server {
    settings: Settings,
    verifier: Verifier,
    /// In seconds, per program.
    timeout: Option<f64>,
    /// Requests without a response, by their ids as JSON.
    open: Mutex<BTreeMap<String, Cancel>>,
}

pub fn run(args: &args::Serve) -> Exit {
    let solving = args::Solving { timeout: None, ..args.solving.clone() };
    let prepared = args.sharing.open(&args.caching).and_then(|cache| prepare(&solving, 0, cache));
    let (settings, verifier) = match prepared {
        Ok(prepared) => prepared,
        Err(message) => {
            complain(&message);
            return Exit::Invalid;
        }
    };
    let server = Server { settings, verifier, timeout: args.solving.timeout, open: Mutex::default() };
    server.greet();
    let (sender, receiver) = channel();
    let receiver = Mutex::new(receiver);
    std::thread::scope(|scope| {
        for _ in 0..args.programs {
            let worker = std::thread::Builder::new().name("program".into()).stack_size(STACK);
            if let Err(error) = worker.spawn_scoped(scope, || server.work(&receiver)) {
                complain(format!("a thread cannot be started: {error}"));
                return Exit::Defect;
            }
        }
        let mut input = std::io::stdin().lock();
        while let Some(line) = read_line(&mut input) {
            if let Some(task) = server.accept(&line)
                && sender.send(task).is_err()
            {
                break;
            }
        }
        // The input has ended; pending requests are still answered.
        drop(sender);
        Exit::Success
    })
}

/// The next nonempty line; `None` at the end of the input. Reading stops at a line that is too long.
fn read_line(input: &mut impl BufRead) -> Option<Vec<u8>> {
    loop {
        let mut line = Vec::new();
        let read = input.take(LONGEST).read_until(b'\n', &mut line).ok()?;
        if read == 0 || read as u64 == LONGEST {
            return None;
        }
        if !line.trim_ascii().is_empty() {
            return Some(line);
        }
    }
}

impl Server {
    fn greet(&self) {
        let version = self.verifier.solver();
        let solver = Solver { name: &version.name, version: version.version.as_deref() };
        self.say(&lines::run(Run { command: "serve", solver: Some(solver), second: None }));
    }

    /// Sends a line. If the client is gone, there is nothing to do.
    fn say(&self, line: &str) {
        let mut out = std::io::stdout().lock();
        if out.write_all(line.as_bytes()).and_then(|()| out.flush()).is_err() {
            self.open().values().for_each(Cancel::cancel);
        }
    }

    /// Sends a response, given as the text of an object.
    fn answer(&self, id: &str, line: &str) {
        self.say(&format!("{{\"id\":{id},{}", &line[1..]));
    }

    fn refuse(&self, id: &str, message: &str) {
        self.answer(id, &format!("{{\"type\":\"refused\",\"message\":{}}}\n", Value::from(message)));
    }

    fn open(&self) -> MutexGuard<'_, BTreeMap<String, Cancel>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Handles a line. Returns the task, if it is not completed immediately.
    fn accept(&self, line: &[u8]) -> Option<Task> {
        let request: Request = match serde_json::from_slice(line) {
            Ok(request) => request,
            Err(error) => {
                let id = serde_json::from_slice(line).ok().and_then(|value: Value| value.get("id").cloned());
                self.refuse(&id.unwrap_or_default().to_string(), &format!("this is not a request: {error}"));
                return None;
            }
        };
        let id = request.id.to_string();
        if request.command == Command::Cancel {
            // A request that already has a response cannot be cancelled.
            self.open().get(&id).inspect(|cancel| cancel.cancel());
            return None;
        }
        if request.text.is_none() && request.path.is_none() {
            self.refuse(&id, "there is neither a `text` nor a `path`");
            return None;
        }
        let cancel = Cancel::after(None);
        if self.open().contains_key(&id) {
            self.refuse(&id, "a request with this id is not answered yet");
            return None;
        }
        self.open().insert(id.clone(), cancel.clone());
        Some(Task { id, request, cancel })
    }

    fn work(&self, tasks: &Mutex<Receiver<Task>>) {
        loop {
            let next = tasks.lock().unwrap_or_else(PoisonError::into_inner).recv();
            let Ok(Task { id, request, cancel }) = next else { return };
            let result = guarded(|| self.serve(&id, &request, cancel));
            self.open().remove(&id);
            match result {
                Ok(Ok(line)) => self.answer(&id, &line),
                Ok(Err(error)) => self.refuse(&id, &error.to_string()),
                Err(Ended::Defect(text)) => self.refuse(&id, &format!("internal failure: {text}")),
                Err(Ended::GaveUp(_)) => self.refuse(&id, "the work was given up"),
            }
        }
    }

    /// The response to a request.
    fn serve(&self, id: &str, request: &Request, cancel: Cancel) -> Fallible<String> {
        let settings = self.settings(request, cancel)?;
        let path = request.path.as_deref().unwrap_or(UNNAMED);
        let texts = request.files.iter().map(|(path, text)| (path.clone(), Arc::from(&**text))).collect();
        let source = Source::file(path).loaded_by(Arc::new(Buffers { texts, ..Buffers::default() }));
        let source = match &request.text {
            Some(text) => source.with_text(&**text),
            None => source,
        };
        if request.command != Command::Check && settings.cancel.is_cancelled() {
            return Ok(lines::of_file(&echis::not_looked_at(Path::new(path))));
        }
        let telling = Telling { server: self, id, told: request.options.members };
        let verifier = &self.verifier;
        let line = match request.command {
            Command::Check | Command::Cancel => return Ok(lines::of_file(&Checked::new(source).result())),
            Command::Verify => lines::of_file(&self.verified(source, request, &settings, &telling)),
            Command::Deps => explain::dependencies(source, &settings, verifier, &telling),
            Command::Cover => {
                let confirmation = request.options.confirm.map_or(Confirmation::Run, Confirm::confirmation);
                explain::coverage(source, &settings, verifier, &telling, confirmation)?
            }
        };
        match settings.members.iter().flat_map(Pattern::complaints).next() {
            Some(complaint) => Err(complaint.into()),
            None => Ok(line),
        }
    }

    fn verified(&self, source: Source, request: &Request, settings: &Settings, telling: &Telling<'_>) -> FileResult {
        let Some(runs) = request.options.stability else {
            return self.verifier.verify_source(source, settings, telling);
        };
        let file = self.verifier.verify_repeatedly(&self.verifier.check(source), settings, telling, runs.get());
        FileResult { profile: None, ..file }
    }

    /// The settings of the request, from its own options and those in Silicon's syntax; the former take precedence.
    fn settings(&self, request: &Request, cancel: Cancel) -> Fallible<Settings> {
        let Asked { injectivity, counterexample, errors, timeout } = silicon::understand(&request.silicon)?;
        let options = &request.options;
        let mut settings = Settings { cancel, ..self.settings.clone() };
        settings.injectivity = match options.assume_injectivity_on_inhale {
            Some(true) => Injectivity::Assumed,
            Some(false) => Injectivity::Checked,
            None => injectivity.unwrap_or(settings.injectivity),
        };
        settings.counterexample = options.counterexample.map_or(counterexample, Shown::view);
        settings.errors = options.errors.or(errors).unwrap_or(settings.errors);
        if let Some(members) = options.member.as_ref().filter(|members| !members.is_empty()) {
            settings.members = Some(Pattern::new(members.iter().map(|pattern| &**pattern)));
        }
        if let Some(seconds) = options.timeout.or(timeout).or(self.timeout).filter(|seconds| *seconds != 0.0) {
            let limit = Duration::try_from_secs_f64(seconds).map_err(|_| "`timeout` is a number of seconds")?;
            settings.cancel = settings.cancel.within(limit);
        }
        settings.share = options.at.clone().map(Share::at);
        Ok(settings)
    }
}

/// The name of a program without a path.
const UNNAMED: &str = "program.vpr";

impl Confirm {
    fn confirmation(self) -> Confirmation {
        match self {
            Confirm::Run => Confirmation::Run,
            Confirm::Thorough => Confirmation::Thorough,
            Confirm::Smoke => Confirmation::Smoke,
            Confirm::Skip => Confirmation::Skip,
        }
    }
}

impl Shown {
    fn view(self) -> Option<View> {
        match self {
            Shown::Off => None,
            Shown::Variables => Some(View::Variables),
            Shown::Intermediate => Some(View::Intermediate),
            Shown::Extended => Some(View::Extended),
            Shown::Trace => Some(View::Trace),
        }
    }
}

/// Sends a response for each finished member.
struct Telling<'a> {
    server: &'a Server,
    id: &'a str,
    told: bool,
}

impl Progress for Telling<'_> {
    fn member_verified(
        &self,
        path: &str,
        sources: &SourceMap,
        member: &MemberResult,
        errors: &[Finding],
        stopped: Option<&Stopped>,
    ) {
        if self.told {
            let stopped = stopped.map_or(&[][..], std::slice::from_ref);
            self.server.answer(self.id, &lines::of_member(path, sources, member, errors, stopped));
        }
    }
}
