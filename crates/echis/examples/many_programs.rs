//! A thousand programs, verified by several threads that share one verifier and its solvers, with progress.

use echis::build::{Built, Method, ProgramBuilder, Type};
use echis::{Cancel, Config, MemberResult, Progress, Settings, Source, SourceMap, Verifier};
use std::error::Error;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Counts what was done.
#[derive(Default)]
struct Counted {
    members: AtomicUsize,
    failed: AtomicUsize,
}

impl Progress for Counted {
    fn member_verified(
        &self,
        _path: &str,
        _sources: &SourceMap,
        _member: &MemberResult,
        errors: &[echis::Finding],
        _stopped: Option<&echis::Stopped>,
    ) {
        let done = self.members.fetch_add(1, Ordering::Relaxed) + 1;
        self.failed.fetch_add(usize::from(!errors.is_empty()), Ordering::Relaxed);
        if done.is_multiple_of(100) {
            eprintln!("{done} members");
        }
    }
}

/// `method m(x: Int) returns (y: Int) requires x > number ensures y > number + 1`; every tenth one is wrong.
fn program(number: u32) -> Result<Built<()>, String> {
    let mut b = ProgramBuilder::new();
    let (x, y, n, one) = (b.var("x"), b.var("y"), b.int(number), b.int(1));
    let next = b.add(n, one);
    let (requires, ensures) = (b.gt(x, n), b.gt(y, next));
    let value = if number.is_multiple_of(10) { x } else { b.add(x, one) };
    let body = b.assign(y, value);
    let method = Method::new("m").param("x", Type::Int).returns("y", Type::Int);
    b.method(method.requires(requires).ensures(ensures).body([body]));
    b.finish().map_err(|problems| format!("{problems:?}"))
}

/// Verifies programs on threads. How many members there were, how many of them failed, and how long it took.
pub fn verify(programs: u32, threads: u32) -> Result<(usize, usize, Duration), Box<dyn Error>> {
    let built = (0..programs).map(program).collect::<Result<Vec<_>, String>>()?;
    let verifier = Verifier::new(Config::default())?;
    let (counted, next, start) = (Counted::default(), AtomicUsize::new(0), Instant::now());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                // Each thread is a worker, and each program is small.
                let settings = Settings { jobs: 1, ..Settings::new(Cancel::never().within(Duration::from_secs(600))) };
                while let Some(built) = built.get(next.fetch_add(1, Ordering::Relaxed)) {
                    verifier.verify(&verifier.check(Source::program(built)), &settings, &counted);
                }
            });
        }
    });
    Ok((counted.members.into_inner(), counted.failed.into_inner(), start.elapsed()))
}

fn main() -> Result<(), Box<dyn Error>> {
    let (members, failed, time) = verify(1000, 2)?;
    let rate = members as f64 / time.as_secs_f64();
    println!("{members} programs, {failed} of them wrong, in {:.1} s: {rate:.0} per second", time.as_secs_f64());
    Ok(())
}
