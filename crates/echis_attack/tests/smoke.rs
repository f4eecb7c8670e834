//! The campaign with a fixed seed accepts no wrong program and tries enough programs to be meaningful.

use echis_attack::campaign::{Kind, Plan, run};
use std::time::Duration;

/// Programs of each kind.
const PROGRAMS: usize = 6;

#[test]
fn no_wrong_program_is_accepted() {
    let plan = Plan {
        time: Duration::from_secs(600),
        first: 0,
        programs: PROGRAMS,
        seed: 23,
        kinds: Kind::ALL.to_vec(),
        bases: Vec::new(),
        folder: None,
    };
    // The executor is recursive.
    let attack = move || run(&plan, &|line| eprintln!("{line}")).expect("there is a solver");
    let thread = std::thread::Builder::new().stack_size(512 << 20).spawn(attack).expect("a thread can be started");
    let outcome = thread.join().expect("the campaign ends");
    eprint!("{}", outcome.table());
    for finding in &outcome.findings {
        eprintln!("{}: {:?}\n{}", finding.kind.name(), finding.wrong, finding.text);
    }
    let wrong: usize = outcome.rows.values().map(|row| row.wrong).sum();
    assert!(outcome.findings.is_empty() && wrong == 0, "{wrong} wrong members are accepted");
    for (kind, row) in &outcome.rows {
        assert!(row.invalid * 5 <= row.programs, "{}: {} programs are not valid", kind.name(), row.invalid);
        // Contracts that mention each other, or whose halves differ, are wrong most of the time.
        if !matches!(kind, Kind::Metamorphic | Kind::Contracts | Kind::Pairs) {
            assert!(row.verified * 3 >= row.trials, "{}: only {} of {} verify", kind.name(), row.verified, row.trials);
            assert!(row.refuted > 0 && row.executions > 300, "{}: executions say too little", kind.name());
        }
    }
}
