//! The project's chores: `cargo xtask test`, `cargo xtask bench` and others.

mod ablate;
mod attack;
mod bench;
mod boogie;
mod cache;
mod counterexamples;
mod dafny;
mod engines;
mod errors;
mod evaluate;
mod necessary;
mod precision;
mod prune;
mod recall;
mod release;
mod sweep;
mod test;
mod translations;

use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask ablate [OPTIONS] what each budget of explanations is good for
       cargo xtask attack [OPTIONS] tries to have wrong programs accepted (`attack --help`)
       cargo xtask test            everything that must hold before a change is accepted
       cargo xtask bench [OPTIONS] speed, beside Silicon where it can be had (`bench --help`)
       cargo xtask boogie          that Boogie's tests have errors on the lines that Boogie names
       cargo xtask cache [EDITS [SEED]] that verdicts of earlier runs are those of this one
       cargo xtask dafny [--no-build] that Dafny programs are judged as Dafny judges them
       cargo xtask engines         that verification conditions judge the shared corpus as symbolic execution does
       cargo xtask errors [OPTIONS] that finding all errors finds what stopping at the first does
       cargo xtask evaluate [OPTIONS] what coverage costs, whether it makes proofs brittle, and what it warns of, with plots
       cargo xtask counterexamples [OPTIONS] that confirmed counterexamples are right, and what they cost
       cargo xtask necessary [OPTIONS] how many of the dependencies in larger programs are necessary
       cargo xtask package [--binary FILE] the Debian package
       cargo xtask release         everything that is published, after all tests
       cargo xtask precision [OPTIONS] how many of the dependencies reported are real
       cargo xtask recall [OPTIONS] how much of what can be taken away coverage reports
       cargo xtask translations [--no-build] what Boogie says about the translations of Viper programs
       cargo xtask prune [OPTIONS] that what the graph names suffices to prove each assertion (`prune --help`)";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match args.split_first() {
        Some((command, [])) if command == "test" => test::run(),
        Some((command, rest)) if command == "ablate" => ablate::run(rest),
        Some((command, rest)) if command == "attack" => attack::run(rest),
        Some((command, [])) if command == "boogie" => boogie::run(),
        Some((command, rest)) if command == "cache" => cache::run(rest),
        Some((command, rest)) if command == "dafny" => dafny::run(rest),
        Some((command, [])) if command == "engines" => engines::run(),
        Some((command, rest)) if command == "translations" => translations::run(rest),
        Some((command, rest)) if command == "bench" => bench::run(rest),
        Some((command, rest)) if command == "prune" => prune::run(rest),
        Some((command, rest)) if command == "package" => release::package(rest),
        Some((command, rest)) if command == "release" => release::release(rest),
        Some((command, rest)) if command == "recall" => recall::run(rest),
        Some((command, rest)) if command == "errors" => errors::run(rest),
        Some((command, rest)) if command == "evaluate" => evaluate::run(rest),
        Some((command, rest)) if command == "counterexamples" => counterexamples::run(rest),
        Some((command, rest)) if command == "necessary" => necessary::run(rest),
        Some((command, rest)) if command == "precision" => precision::run(rest),
        _ => {
            eprintln!("{USAGE}");
            ExitCode::from(2)
        }
    }
}
