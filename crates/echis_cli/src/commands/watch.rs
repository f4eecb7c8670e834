//! `echis watch`: verifies programs whenever they change, and reports differences.

use crate::args;
use crate::exit::Exit;
use crate::output::{Output, complain, hide_cascades};
use crate::paths::{programs, shown};
use crate::settings::prepare;
use echis::{FileResult, FileVerdict, Files, Loader, MemberResult, ReadError, Settings, Silent, Source, Verifier};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

/// Interval between checks of the files.
const LOOK: Duration = Duration::from_millis(200);
/// A file modified within this interval may change again without a new modification time.
const RECENT: Duration = Duration::from_secs(2);

/// The last verification of a program.
struct LastRun {
    /// Its files.
    files: BTreeMap<PathBuf, Seen>,
    /// The verdict of each member.
    verdicts: BTreeMap<String, &'static str>,
}

/// The contents of a file, if it could be read, and its metadata afterwards.
struct Seen {
    bytes: Option<Vec<u8>>,
    written: Option<(SystemTime, u64)>,
}

pub fn run(args: &args::Watch) -> Exit {
    let output = Output::new(&args.common, "verify");
    let (settings, verifier) = match prepare(&args.solving, 0, args.caching.open().map(Arc::new)) {
        Ok(prepared) => prepared,
        Err(message) => {
            complain(&message);
            return Exit::Invalid;
        }
    };
    let mut known: BTreeMap<PathBuf, LastRun> = BTreeMap::new();
    while !settings.cancel.is_over() {
        let paths = match programs(&args.files) {
            Ok(paths) => paths,
            // The files are being rewritten, or will be recreated.
            Err(_) if !known.is_empty() => Vec::new(),
            Err(message) => {
                complain(&message);
                return Exit::Invalid;
            }
        };
        for path in paths {
            if known.get_mut(&path).is_some_and(|before| before.files.iter_mut().all(|(path, seen)| seen.is_same(path)))
            {
                continue;
            }
            let before = known.remove(&path);
            let now = verify(&path, &settings, &verifier, &output, before.as_ref());
            known.insert(path, now);
        }
        std::thread::sleep(LOOK);
    }
    Exit::Success
}

/// Reads files, recording their contents.
#[derive(Default)]
struct Reading {
    read: Mutex<BTreeMap<PathBuf, Option<Vec<u8>>>>,
}

impl Loader for Reading {
    fn read(&self, path: &str) -> Result<Vec<u8>, ReadError> {
        self.open(Path::new(path))
    }
    fn open(&self, path: &Path) -> Result<Vec<u8>, ReadError> {
        let read = Files.open(path);
        let mut all = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        all.insert(path.to_path_buf(), read.as_ref().ok().cloned());
        read
    }
}

impl Seen {
    fn new(path: &Path, bytes: Option<Vec<u8>>) -> Self {
        let mut seen = Seen { bytes, written: None };
        // Changes during verification are detected next time.
        let _ = seen.is_same(path);
        seen
    }
    /// Whether the file still has the recorded contents. It is read again only if necessary.
    fn is_same(&mut self, path: &Path) -> bool {
        let found = std::fs::metadata(path).and_then(|found| Ok((found.modified()?, found.len()))).ok();
        let settled = found.is_some_and(|(when, _)| when.elapsed().is_ok_and(|age| age > RECENT));
        if settled && found == self.written {
            return true;
        }
        let is_same = std::fs::read(path).ok() == self.bytes;
        self.written = found.filter(|_| is_same);
        is_same
    }
}

/// Reports the results for a program, and how they differ from before.
fn verify(path: &Path, settings: &Settings, verifier: &Verifier, output: &Output, before: Option<&LastRun>) -> LastRun {
    let reading = Arc::new(Reading::default());
    let source = Source::file(path).loaded_by(reading.clone());
    let mut file: FileResult = verifier.verify_source(source, settings, &Silent);
    let hidden = hide_cascades(&mut file);
    output.file(&file);
    output.hidden_cascades(hidden);
    let mut read = std::mem::take(&mut *reading.read.lock().unwrap_or_else(PoisonError::into_inner));
    read.entry(path.to_path_buf()).or_insert_with(|| std::fs::read(path).ok());
    let files = read.into_iter().map(|(path, bytes)| (path.clone(), Seen::new(&path, bytes))).collect();
    let verdicts = file.members.iter().map(|member| (member.name.to_string(), member.verdict.name())).collect();
    let now = LastRun { files, verdicts };
    if !file.members.is_empty() {
        complain(format!("{}: {}", shown(path), told(&file.members, before.map(|before| &before.verdicts))));
    }
    now
}

/// `1 of 3 members checked (good), 2 known; 1 failed: good (was verified)`
fn told(members: &[MemberResult], before: Option<&BTreeMap<String, &'static str>>) -> String {
    let anew: Vec<&str> = members.iter().filter(|member| !member.cached).map(|member| &*member.name).collect();
    let names = if before.is_some() && !anew.is_empty() { format!(" ({})", anew.join(", ")) } else { String::new() };
    let known = members.len() - anew.len();
    let mut told = vec![format!("{} of {} members checked{names}, {known} known", anew.len(), members.len())];
    let change = |member: &MemberResult| match before.map(|before| before.get(&*member.name)) {
        Some(None) => Some("new".to_string()),
        Some(Some(was)) if *was != member.verdict.name() => Some(format!("was {was}")),
        _ => None,
    };
    for verdict in [FileVerdict::Failed, FileVerdict::Undecided, FileVerdict::Error, FileVerdict::Verified] {
        let with = || members.iter().filter(|member| member.verdict == verdict);
        let named = with().filter_map(|member| match (verdict, change(member)) {
            (_, Some(change)) => Some(format!("{} ({change})", member.name)),
            (FileVerdict::Verified, None) => None,
            (_, None) => Some(member.name.to_string()),
        });
        let named: Vec<String> = named.collect();
        if !named.is_empty() {
            let count = if verdict == FileVerdict::Verified { named.len() } else { with().count() };
            told.push(format!("{count} {}: {}", verdict.name(), named.join(", ")));
        }
    }
    let gone = before.into_iter().flat_map(BTreeMap::keys);
    let gone = gone.filter(|name| members.iter().all(|member| *member.name != ***name));
    told.extend(gone.map(|name| format!("{name}: gone")));
    told.join("; ")
}
