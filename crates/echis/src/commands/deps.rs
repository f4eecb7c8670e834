//! `echis deps`

use crate::args::{self, Format, Minimize, Place};
use crate::commands::verify::prepare;
use crate::exit::Exit;
use crate::output::{Output, complain, print};
use crate::progress::Bar;
use echis_driver::Dependencies;
use echis_driver::depend::{Effort, UserId, ViewDependencies, check_annotations, dependencies, owner_name};
use echis_report::deps;
use std::collections::BTreeSet;

pub fn run(args: &args::Deps) -> Exit {
    if args.common.format == Format::Sarif {
        complain("dependencies have no SARIF form");
        return Exit::Invalid;
    }
    let found = match explain(args) {
        Ok(found) => found,
        Err(exit) => return exit,
    };
    let json = args.common.format == Format::Json;
    let path = args.file.to_string_lossy();
    if args.test {
        return test(&found, &path, json);
    }
    let verified = Exit::from(found.result.verdict);
    let text = match query(args, &found) {
        Ok(Query::Dependencies(answers)) if json => deps::json(&path, &found.view, &answers, times(&found)),
        Ok(Query::Dependencies(answers)) => deps::human(&found.view, &answers),
        Ok(Query::Dependents(answers)) if json => deps::json_dependents(&path, &found.view, &answers),
        Ok(Query::Dependents(answers)) => deps::human_dependents(&found.view, &answers),
        Ok(Query::Pairs(pairs)) if json => deps::json_pairs(&path, &found.view, &pairs),
        Ok(Query::Pairs(pairs)) => deps::human_pairs(&found.view, &pairs),
        Err(message) => {
            complain(&message);
            return Exit::Invalid;
        }
    };
    print(&text);
    verified
}

enum Query {
    Dependencies(Vec<ViewDependencies>),
    Dependents(Vec<(UserId, Vec<UserId>)>),
    /// Which node depends on which.
    Pairs(Vec<(UserId, UserId)>),
}

/// Verifies and explains. What is wrong with the program is reported here.
fn explain(args: &args::Deps) -> Result<Dependencies, Exit> {
    let (settings, solvers) = prepare(&args.solving, 0).map_err(|message| {
        complain(&message);
        Exit::Invalid
    })?;
    let output = Output::new(&args.common);
    let bar = Bar::new(output.shows_progress());
    let effort = match args.minimize {
        Minimize::Off => Effort::Off,
        Minimize::Fast => Effort::Fast,
        Minimize::Full => Effort::Full,
    };
    let found = echis_driver::dependencies(&args.file, &settings, &solvers, &bar, effort, |_, _| true);
    let found = found.map_err(|file| {
        output.file(&file);
        output.end(std::slice::from_ref(&file));
        Exit::from(file.verdict)
    })?;
    if args.common.format == Format::Human && !args.common.quiet {
        output.findings(&found.result);
    }
    Ok(found)
}

fn times(found: &Dependencies) -> deps::Times {
    let milliseconds = |time: std::time::Duration| time.as_secs_f64() * 1000.0;
    let work = &found.work;
    deps::Times {
        verify: milliseconds(found.verify_time),
        analyse: milliseconds(found.analyse_time),
        waiting: milliseconds(work.waiting),
        checks: work.checks,
        lost: work.lost,
        questions: work.questions,
        answers: work.answers,
        batches: work.batches,
        bytes: work.bytes,
    }
}

fn query(args: &args::Deps, found: &Dependencies) -> Result<Query, String> {
    let ignored: BTreeSet<UserId> = places(found, &args.ignore)?.into_iter().collect();
    if !args.of.is_empty() {
        let asserted: Vec<UserId> =
            places(found, &args.of)?.into_iter().filter(|user| found.graph.is_asserted(*user)).collect();
        if asserted.is_empty() {
            return Err("nothing there demands a proof".into());
        }
        let answer = |of| dependencies(&found.nodes, &found.graph, of, &ignored);
        return Ok(Query::Dependencies(asserted.into_iter().map(answer).collect()));
    }
    if !args.from.is_empty() {
        let assumed = places(found, &args.from)?;
        let dependents = |of: UserId| found.graph.dependents([of]).into_iter().collect();
        return Ok(Query::Dependents(assumed.into_iter().map(|of| (of, dependents(of))).collect()));
    }
    if !args.between.is_empty() {
        let all = places(found, &args.between)?;
        let mut pairs = Vec::new();
        for of in &all {
            let needed = dependencies(&found.nodes, &found.graph, *of, &ignored).all;
            pairs.extend(all.iter().filter(|on| *on != of && needed.contains(on)).map(|on| (*of, *on)));
        }
        return Ok(Query::Pairs(pairs));
    }
    if ignored.is_empty() {
        return Ok(Query::Dependencies(found.view.dependencies.clone()));
    }
    let answer = |known: &ViewDependencies| dependencies(&found.nodes, &found.graph, known.of, &ignored);
    Ok(Query::Dependencies(found.view.dependencies.iter().map(answer).collect()))
}

fn places(found: &Dependencies, places: &[Place]) -> Result<Vec<UserId>, String> {
    let mut users = Vec::new();
    for place in places {
        let there = found.view.at(place.line, place.column);
        if there.is_empty() {
            return Err(format!("there is no node at line {}", place.line));
        }
        users.extend(there);
    }
    users.sort();
    users.dedup();
    Ok(users)
}

fn test(found: &Dependencies, path: &str, json: bool) -> Exit {
    let tests = check_annotations(&found.nodes, &found.graph);
    let name = |owner| owner_name(&found.program, owner);
    print(&if json {
        deps::json_tests(path, &found.view, &tests, name)
    } else {
        deps::human_tests(&found.view, &tests, name)
    });
    let missing = tests.iter().any(|test| !test.missing.is_empty());
    Exit::from(found.result.verdict).max(if missing { Exit::Failed } else { Exit::Success })
}
