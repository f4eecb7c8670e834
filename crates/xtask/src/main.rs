//! The project's chores: `cargo xtask test`, `cargo xtask bench` and others.

mod attack;
mod bench;
mod boogie;
mod counterexamples;
mod errors;
mod precision;
mod prune;
mod sweep;
mod test;

use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask attack [OPTIONS] tries to have wrong programs accepted (`attack --help`)
       cargo xtask test            everything that must hold before a change is accepted
       cargo xtask bench [OPTIONS] speed, beside Silicon where it can be had (`bench --help`)
       cargo xtask boogie          that Boogie's tests have errors on the lines that Boogie names
       cargo xtask errors [OPTIONS] that finding all errors finds what stopping at the first does
       cargo xtask counterexamples [OPTIONS] that confirmed counterexamples are right, and what they cost
       cargo xtask precision [OPTIONS] how many of the dependencies reported are real
       cargo xtask prune [OPTIONS] that what the graph names suffices to prove each assertion (`prune --help`)";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match args.split_first() {
        Some((command, [])) if command == "test" => test::run(),
        Some((command, rest)) if command == "attack" => attack::run(rest),
        Some((command, [])) if command == "boogie" => boogie::run(),
        Some((command, rest)) if command == "bench" => bench::run(rest),
        Some((command, rest)) if command == "prune" => prune::run(rest),
        Some((command, rest)) if command == "errors" => errors::run(rest),
        Some((command, rest)) if command == "counterexamples" => counterexamples::run(rest),
        Some((command, rest)) if command == "precision" => precision::run(rest),
        _ => {
            eprintln!("{USAGE}");
            ExitCode::from(2)
        }
    }
}
