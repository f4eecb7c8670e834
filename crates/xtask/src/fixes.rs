//! Whether mistakes are mended: one thing is taken out of a program that verifies, and `echis fix` should offer a change with
//! which it verifies again.
//!
//! A fix is *right* if the whole program verifies with it, nothing in it is proved from a contradiction that was not there
//! before, and no precondition is added unless one was taken out. It is *wrong* if the program has an error with it that it did
//! not have without and that the fix does not announce, or a new contradiction. Both are found out by runs of their own.

mod editor;
mod measure;
mod record;
mod seed;
mod summary;

use crate::command::{Binary, Ended};
use crate::corpus::{corpus, programs};
use crate::echis::repository;
use clap::Args;
use measure::Bench;
use record::Records;
use seed::{Kind, Mistake, Seeded, seeds};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Programs that are longer take long, and say little more.
const LONGEST: usize = 6_000;
/// Mistakes in one program that are looked at to find those that fail.
const LOOKED_AT: usize = 8;
/// The folders of the corpus that have programs that verify.
const FOLDERS: [&str; 5] = ["viper", "lemmas", "dependency", "semantics", "frontends"];

#[derive(Args)]
pub struct Options {
    /// Programs or folders [default: the examples, the tests and the corpus]
    paths: Vec<PathBuf>,
    /// As many mistakes
    #[arg(long, value_name = "N", default_value_t = 160)]
    mistakes: usize,
    /// As many of them in the repository's own programs at most, if there is a corpus
    #[arg(long, value_name = "N", default_value_t = 40)]
    own: usize,
    /// As many mistakes in one program at most
    #[arg(long, value_name = "N", default_value_t = 3)]
    most: usize,
    /// Seconds for one run
    #[arg(long, value_name = "S", default_value_t = 60)]
    limit: u64,
    /// Start the sample elsewhere: other mistakes
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Keep what is measured in this file, and do not measure again what is in it
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Measure again what is recorded without a right fix
    #[arg(long, requires = "record")]
    retry: bool,
    /// Also try the actions that the editor had before `echis fix`
    #[arg(long)]
    editor: bool,
    /// Write the programs with mistakes into this folder
    #[arg(long, value_name = "FOLDER")]
    keep: Option<PathBuf>,
    /// Name each mistake and what is offered
    #[arg(long)]
    verbose: bool,
    #[command(flatten)]
    binary: Binary,
}

pub fn run(options: &Options) -> Ended {
    let mut bench = Bench::new(options.binary.find()?, options.limit, options.editor);
    let mut records = Records::open(options.record.clone(), options.retry)?;
    let mut sample = Sample { options, bench: &mut bench, records: &mut records, counts: BTreeMap::new(), taken: 0 };
    if options.paths.is_empty() {
        let own = ["examples", "tests/programs"].map(|folder| repository().join(folder));
        let there = corpus().filter(|corpus| corpus.is_dir());
        let most = if there.is_some() { options.own } else { options.mistakes };
        sample.take(own.iter().flat_map(|folder| programs(folder)).collect(), most)?;
        if let Some(corpus) = there {
            let all = FOLDERS.iter().flat_map(|folder| programs(&corpus.join(folder))).collect();
            sample.take(all, options.mistakes)?;
        }
    } else {
        sample.take(options.paths.iter().flat_map(|path| programs(path)).collect(), options.mistakes)?;
    }
    summary::report(records.measured(), options.editor)
}

/// The mistakes that are measured: the same ones in each run.
struct Sample<'a> {
    options: &'a Options,
    bench: &'a mut Bench,
    records: &'a mut Records,
    counts: BTreeMap<Kind, usize>,
    taken: usize,
}

impl Sample<'_> {
    /// Takes mistakes from programs, in an order that has nothing to do with their names, until there are so many.
    fn take(&mut self, mut programs: Vec<String>, until: usize) -> Result<(), String> {
        programs.sort_by_cached_key(|program| {
            let name = program.rsplit('/').take(3).collect::<Vec<_>>().join("/");
            scattered(self.options.seed, &name)
        });
        for program in programs {
            if self.taken >= until {
                break;
            }
            if let Some(text) = std::fs::read_to_string(&program).ok().filter(|text| is_useful(text)) {
                self.of_program(&program, &text, until)?;
            }
        }
        Ok(())
    }

    /// Kinds that are rare so far come first.
    fn of_program(&mut self, program: &str, text: &str, until: usize) -> Result<(), String> {
        let mut left = seeds(text);
        let (mut taken, mut looked_at) = (0, 0);
        while taken < self.options.most && looked_at < LOOKED_AT && self.taken < until {
            let rarity = |seed: &Seeded| {
                let count = self.counts.get(&seed.kind).copied().unwrap_or(0);
                (count, scattered(self.options.seed, &format!("{program}:{}", seed.start)))
            };
            let Some(next) = (0..left.len()).min_by_key(|index| rarity(&left[*index])) else { break };
            let seed = left.remove(next);
            looked_at += 1;
            let mistake = Mistake { program, original: text, seed: &seed };
            let record = match self.records.known(&mistake) {
                Some(record) => record,
                None => {
                    let record = self.bench.measure(&mistake);
                    self.records.add(record.clone())?;
                    record
                }
            };
            if self.options.verbose {
                print!("{}", record.shown());
            }
            let counts = record.is_mistake();
            taken += usize::from(counts);
            self.taken += usize::from(counts);
            if counts {
                self.keep(&mistake)?;
                *self.counts.entry(seed.kind).or_default() += 1;
            }
            if !record.verifies {
                break;
            }
        }
        Ok(())
    }

    fn keep(&self, mistake: &Mistake<'_>) -> Result<(), String> {
        let Some(folder) = &self.options.keep else { return Ok(()) };
        let name = mistake.program.rsplit('/').next().unwrap_or_default();
        let path = folder.join(format!("{:03}-{}-{name}", self.taken, mistake.seed.kind.name()));
        let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&path, &mistake.seed.text));
        written.map_err(|error| format!("{}: {error}", path.display()))
    }
}

fn is_useful(text: &str) -> bool {
    // Mutants lie in a folder of their own, where nothing could be imported from.
    text.len() < LONGEST && !text.contains("import \"") && !text.contains("ExpectedOutput") && !seeds(text).is_empty()
}

/// FNV-1a: an order without a meaning that is the same everywhere.
fn scattered(seed: u64, text: &str) -> u64 {
    let start = 0xcbf2_9ce4_8422_2325 ^ seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    text.bytes().fold(start, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
