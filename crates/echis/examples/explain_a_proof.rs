//! Why an assertion holds, what would fall with an assumption, and what no proof needs: all in terms of the caller's own
//! names for the nodes of the program.

use echis::build::{Method, ProgramBuilder, Type};
use echis::depend::Minimization;
use echis::{Config, Confirmation, Settings, Silent, Source, Trees, Verifier};
use std::error::Error;
use std::fmt::Write;

/// Builds, verifies and explains a program.
pub fn report() -> Result<String, Box<dyn Error>> {
    let mut b = ProgramBuilder::<&str>::new();
    b.field("balance", Type::Int);
    let account = b.var("account");
    let amount = b.var("amount");
    let balance = b.field_of(account, "balance");
    let (zero, hundred) = (b.int(0), b.int(100));

    let access = b.acc_full(balance);
    let access = b.at(access, "access to the account");
    let positive = b.gt(amount, zero);
    let positive = b.at(positive, "the amount is positive");
    let limited = b.le(amount, hundred);
    let limited = b.at(limited, "the amount is limited");

    let sum = b.add(balance, amount);
    let deposit = b.assign(balance, sum);
    let deposit = b.stmt_at(deposit, "the deposit");
    let before = b.old(balance);
    let more = b.gt(balance, before);
    let more = b.assert(more);
    let more = b.stmt_at(more, "there is more than before");
    let method = Method::new("deposit").param("account", Type::Ref).param("amount", Type::Int);
    b.method(method.requires(access).requires(positive).requires(limited).body([deposit, more]));
    let built = b.finish().map_err(|problems| format!("{problems:?}"))?;

    let verifier = Verifier::new(Config::default())?;
    // Trees are kept, so that no question executes the program again.
    let settings = Settings { trees: Trees::Kept, ..Settings::default() };
    let verification = verifier.verify(&verifier.check(Source::program(&built)), &settings, &Silent);
    let answers = verification.by_origin(&built.origins);
    let invalid = |errors| format!("{errors:?}");
    let dependencies = answers.dependencies(Minimization::Fast).map_err(invalid)?;
    let coverage = answers.coverage(Confirmation::Run).map_err(invalid)?;

    let mut report = String::new();
    writeln!(report, "verified: {}", verification.is_verified())?;
    writeln!(report, "why is \"there is more than before\"?")?;
    for needed in dependencies.of(&"there is more than before") {
        writeln!(report, "- {needed}")?;
    }
    writeln!(report, "what falls if not \"the amount is positive\"?")?;
    for fallen in dependencies.impact(&"the amount is positive") {
        writeln!(report, "- {fallen}")?;
    }
    writeln!(report, "what does no proof need?")?;
    for warning in &coverage.warnings {
        writeln!(report, "- {} ({})", warning.origin.unwrap_or("?"), warning.id.name())?;
    }
    let pruned = dependencies.prune(&["there is more than before"]);
    writeln!(report, "what is needed verifies alone: {}\n{}", pruned.is_verified, pruned.text)?;
    Ok(report)
}

fn main() -> Result<(), Box<dyn Error>> {
    print!("{}", report()?);
    Ok(())
}
