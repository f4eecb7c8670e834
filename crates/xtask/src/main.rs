//! The project's tasks: `cargo xtask test`, `cargo xtask bench` and others.

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

/// The project's tasks
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Cli {
    #[command(subcommand)]
    command: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Run everything that must pass before a change is accepted
    Test,
    /// Run the tests that take under a minute once built
    Quick,
    /// Measure the effect of each budget for explanations
    Ablate(ablate::Options),
    /// Try to have wrong programs accepted
    Attack(attack::Options),
    /// Measure which ways to prove obligations are worth their cost
    Attempts(sweep::Options),
    /// Measure speed, compared with Silicon where available
    Bench(bench::Options),
    /// Check that Boogie's tests have errors on the lines that Boogie reports
    Boogie,
    /// Check that cached verdicts equal fresh ones
    Cache(cache::Options),
    /// Estimate the time of a run on a cluster, from the times of a real one
    Cluster(cluster::Options),
    /// Check that confirmed counterexamples are right, and measure their cost
    Counterexamples(counterexamples::Options),
    /// Check that Echis agrees with Dafny on Dafny programs
    Dafny(command::Binary),
    /// Compare verification conditions with symbolic execution on the shared corpus
    Engines,
    /// Check that finding all errors finds those found when stopping at the first
    Errors(sweep::Options),
    /// Measure the cost of coverage, its brittleness and its warnings, with plots
    Evaluate(evaluate::Options),
    /// Measure how many seeded mistakes `echis fix` fixes
    Fixes(fixes::Options),
    /// Check that removing any check of the engines makes a test fail
    Mutants(mutants::Options),
    /// Measure how many dependencies in larger programs are necessary
    Necessary(necessary::Options),
    /// Build the Debian package
    Package(release::Package),
    /// Measure how many of the reported dependencies are real
    Precision(precision::Options),
    /// Check that the reported dependencies suffice to prove each assertion
    Prune(prune::Options),
    /// Run the tests of `echis.cluster` on three nodes, and of the cache in an object store (needs `pip install ray
    /// moto[server]`)
    Ray(command::Binary),
    /// Measure how much of the removable code coverage reports
    Recall(recall::Options),
    /// Build everything that is published, after all tests
    Release,
    /// Measure time, memory and output for programs with very many members
    Scale(scale::Options),
    /// Measure verdicts and times of other solvers
    Solvers(solvers::Options),
    /// Compare Boogie's verdicts on the translations of Viper programs
    Translations(command::Binary),
    /// Test the web interface in a browser, and that its bundle is up to date (needs Node and Chromium)
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
