//! The project's chores: `cargo xtask test`, `cargo xtask bench` and others.

mod ablate;
mod attack;
mod attempts;
mod bench;
mod boogie;
mod cache;
mod cluster;
mod command;
mod corpus;
mod counterexamples;
mod dafny;
mod echis;
mod engines;
mod errors;
mod evaluate;
mod fixes;
mod mutants;
mod necessary;
mod precision;
mod prune;
mod ray;
mod recall;
mod release;
mod scale;
mod solvers;
mod suite;
mod sweep;
mod test;
mod translations;
mod web;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// The project's chores
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Cli {
    #[command(subcommand)]
    command: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Everything that must hold before a change is accepted
    Test,
    /// A part of the tests that takes under a minute once built
    Quick,
    /// What each budget of explanations is good for
    Ablate(ablate::Options),
    /// Tries to have wrong programs accepted
    Attack(attack::Options),
    /// Which ways to prove obligations pay
    Attempts(sweep::Options),
    /// Speed, beside Silicon where it can be had
    Bench(bench::Options),
    /// That Boogie's tests have errors on the lines that Boogie names
    Boogie,
    /// That verdicts of earlier runs are those of this one
    Cache(cache::Options),
    /// How long a run would take on a cluster, from the times of a real one
    Cluster(cluster::Options),
    /// That confirmed counterexamples are right, and what they cost
    Counterexamples(counterexamples::Options),
    /// That Dafny programs are judged as Dafny judges them
    Dafny(command::Binary),
    /// That verification conditions judge the shared corpus as symbolic execution does
    Engines,
    /// That finding all errors finds what stopping at the first does
    Errors(sweep::Options),
    /// What coverage costs, whether it makes proofs brittle, and what it warns of, with plots
    Evaluate(evaluate::Options),
    /// How many seeded mistakes `echis fix` mends
    Fixes(fixes::Options),
    /// That a program notices when a check is removed, for each check of the engines
    Mutants(mutants::Options),
    /// How many of the dependencies in larger programs are necessary
    Necessary(necessary::Options),
    /// The Debian package
    Package(release::Package),
    /// How many of the dependencies reported are real
    Precision(precision::Options),
    /// That what the graph names suffices to prove each assertion
    Prune(prune::Options),
    /// The tests of `echis.cluster` on three nodes, and of the cache in an object store (needs `pip install ray moto[server]`)
    Ray(command::Binary),
    /// How much of what can be taken away coverage reports
    Recall(recall::Options),
    /// Everything that is published, after all tests
    Release,
    /// Time, memory and output of programs with very many members
    Scale(scale::Options),
    /// Verdicts and times of other solvers
    Solvers(solvers::Options),
    /// What Boogie says about the translations of Viper programs
    Translations(command::Binary),
    /// The web interface in a browser, and that its bundle is what the sources give (needs Node and Chromium)
    Web(command::Binary),
}

fn main() -> ExitCode {
    let ended = match Cli::parse().command {
        Chore::Test => test::run(),
        Chore::Quick => test::quick(),
        Chore::Ablate(options) => ablate::run(&options),
        Chore::Attack(options) => attack::run(&options),
        Chore::Attempts(options) => attempts::run(&options),
        Chore::Bench(options) => bench::run(&options),
        Chore::Boogie => boogie::run(),
        Chore::Cache(options) => cache::run(&options),
        Chore::Cluster(options) => cluster::run(&options),
        Chore::Counterexamples(options) => counterexamples::run(&options),
        Chore::Dafny(binary) => dafny::run(&binary),
        Chore::Engines => engines::run(),
        Chore::Errors(options) => errors::run(&options),
        Chore::Evaluate(options) => evaluate::run(&options),
        Chore::Fixes(options) => fixes::run(&options),
        Chore::Necessary(options) => necessary::run(&options),
        Chore::Package(options) => release::package(&options),
        Chore::Precision(options) => precision::run(&options),
        Chore::Prune(options) => prune::run(&options),
        Chore::Mutants(options) => mutants::run(&options),
        Chore::Ray(binary) => ray::run(&binary),
        Chore::Recall(options) => recall::run(&options),
        Chore::Release => release::release(),
        Chore::Scale(options) => scale::run(&options),
        Chore::Solvers(options) => solvers::run(&options),
        Chore::Translations(binary) => translations::run(&binary),
        Chore::Web(binary) => web::run(&binary),
    };
    ended.unwrap_or_else(|message| {
        eprintln!("{message}");
        ExitCode::FAILURE
    })
}

#[cfg(test)]
mod tests {
    use super::Cli;
    use clap::{CommandFactory, Parser};

    #[test]
    fn options_are_what_people_write() {
        Cli::command().debug_assert();
        let fine = |line: &str| Cli::try_parse_from(line.split_whitespace()).is_ok();
        assert!(fine("xtask bench deps cover --sample 20 --no-build"));
        assert!(fine("xtask attack --seconds 5 --help"));
        assert!(fine("xtask necessary --minimize full --echis target/debug/echis examples"));
        assert!(!fine("xtask necessary --no-build --echis target/debug/echis"));
        assert!(!fine("xtask precision --every 0"));
        assert!(!fine("xtask bench everything"));
    }
}
