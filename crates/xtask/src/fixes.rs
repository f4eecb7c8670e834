//! Measures how many mistakes are fixed: one thing is removed from a program that verifies, and `echis fix` should
//! offer a change with which it verifies again.
//!
//! A fix is *right* if the whole program verifies with it, nothing in it is proved from a new contradiction, and no
//! precondition is added unless one was removed. It is *wrong* if it introduces an error that it does not announce,
//! or a new contradiction. Both are determined by separate runs.

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

/// Maximum length of a program: longer ones take long and add little information.
const LONGEST: usize = 6_000;
/// Maximum number of mistakes in one program that are examined to find those that fail.
const LOOKED_AT: usize = 8;
/// The folders of the corpus with programs that verify.
const FOLDERS: [&str; 5] = ["viper", "lemmas", "dependency", "semantics", "frontends"];

#[derive(Args)]
pub struct Options {
    /// Programs or folders [default: the examples, the tests and the corpus]
    paths: Vec<PathBuf>,
    /// Number of mistakes
    #[arg(long, value_name = "N", default_value_t = 160)]
    mistakes: usize,
    /// Maximum number of mistakes in the repository's own programs, if there is a corpus
    #[arg(long, value_name = "N", default_value_t = 40)]
    own: usize,
    /// Maximum number of mistakes in one program
    #[arg(long, value_name = "N", default_value_t = 3)]
    most: usize,
    /// Seconds for one run
    #[arg(long, value_name = "S", default_value_t = 60)]
    limit: u64,
    /// Seed for choosing other mistakes
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Record measurements in this file, and skip those already recorded
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Repeat recorded measurements without a right fix
    #[arg(long, requires = "record")]
    retry: bool,
    /// Also try the actions that the editor had before `echis fix`
    #[arg(long)]
    editor: bool,
    /// Write the programs with mistakes to this folder
    #[arg(long, value_name = "FOLDER")]
    keep: Option<PathBuf>,
    /// Print each mistake and the offered fixes
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

/// The measured mistakes, which are the same in each run.
struct Sample<'a> {
    options: &'a Options,
    bench: &'a mut Bench,
    records: &'a mut Records,
    counts: BTreeMap<Kind, usize>,
    taken: usize,
}

impl Sample<'_> {
    /// Takes mistakes from programs, in an order unrelated to their names, up to a number.
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

    /// Prefers kinds that are rare so far.
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
    // Mutants are in a separate folder, where relative imports fail.
    text.len() < LONGEST && !text.contains("import \"") && !text.contains("ExpectedOutput") && !seeds(text).is_empty()
}

/// FNV-1a: a pseudorandom order that is the same everywhere.
fn scattered(seed: u64, text: &str) -> u64 {
    let start = 0xcbf2_9ce4_8422_2325 ^ seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    text.bytes().fold(start, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
