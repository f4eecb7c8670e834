//! What commands that run over many programs share: their options, the binary, and several programs at once.

use crate::bench::{Echis, collect, repository};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Programs to run, and how.
pub struct Sweep {
    pub echis: Echis,
    /// The time limit of one run.
    pub seconds: String,
    pub jobs: usize,
    pub files: Vec<String>,
    /// Those of the command's own flags that were given.
    flags: Vec<String>,
}

impl Sweep {
    /// Reads the options that all such commands have, and flags of one's own. A wrong one, or no binary, ends the command.
    pub fn parse(args: &[String], flags: &[&str], usage: &str) -> Result<Self, ExitCode> {
        let options = Options::parse(args, flags).ok_or_else(|| {
            eprintln!("{usage}");
            ExitCode::from(2)
        })?;
        let echis = Echis::find(options.build).map_err(|message| {
            eprintln!("{message}");
            ExitCode::FAILURE
        })?;
        let folder = options.folder.or_else(|| Some(corpus()?.join("viper")));
        let files = folder.map(|folder| programs(&folder)).unwrap_or_default();
        let files = files.into_iter().step_by(options.every).collect();
        Ok(Sweep { echis, seconds: options.seconds, jobs: options.jobs, files, flags: options.flags })
    }
    pub fn has(&self, flag: &str) -> bool {
        self.flags.iter().any(|given| given == flag)
    }
    /// Looks at every program, several at a time. The number is the program's place in the list.
    pub fn each(&self, look: impl Fn(usize, &str) + Sync) {
        each(&self.files, self.jobs, |number, file| look(number, file));
    }
}

/// Works on every item, several at a time.
pub fn each<T: Sync>(items: &[T], jobs: usize, work: impl Fn(usize, &T) + Sync) {
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(number) else { break };
                    work(number, item);
                }
            });
        }
    });
}

/// The collections of programs beside the repository.
pub fn corpus() -> Option<PathBuf> {
    repository().parent().map(|parent| parent.join("shared").join("corpus"))
}

/// Every program below a folder, in order.
pub fn programs(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    collect(folder, &mut found);
    found.sort();
    found
}

struct Options {
    seconds: String,
    jobs: usize,
    every: usize,
    build: bool,
    folder: Option<PathBuf>,
    flags: Vec<String>,
}

impl Options {
    fn parse(args: &[String], flags: &[&str]) -> Option<Self> {
        let mut options =
            Options { seconds: "20".into(), jobs: 2, every: 1, build: true, folder: None, flags: Vec::new() };
        let mut args = args.iter();
        let positive = |text: &String| text.parse().ok().filter(|number| *number > 0);
        while let Some(arg) = args.next() {
            match arg.as_str() {
                "--no-build" => options.build = false,
                "--seconds" => options.seconds = args.next().filter(|text| text.parse::<u64>().is_ok())?.clone(),
                "--jobs" => options.jobs = positive(args.next()?)?,
                "--every" => options.every = positive(args.next()?)?,
                flag if flags.contains(&flag) => options.flags.push(arg.clone()),
                path if !path.starts_with('-') => options.folder = Some(path.into()),
                _ => return None,
            }
        }
        Some(options)
    }
}
