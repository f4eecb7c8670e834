//! Joins the parts of a run to one report, which equals that of a single run over all members, except for times.

use super::read::{ByteRange, File, Part, Report};
use super::{VERDICTS, list, rank};
use crate::error::Fallible;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The joined report, or why the reports do not form a whole.
pub fn merge(reports: &[Report]) -> Fallible<Value> {
    let Some(first) = reports.first() else { return Err("there are no reports to join".into()) };
    let sharded = reports.iter().flat_map(|report| &report.files).any(|file| file.part.shard.is_some());
    for report in &reports[1..] {
        same_head(first, report)?;
        match sharded {
            true => same_files(first, report)?,
            false => known_files(first, report)?,
        }
    }
    let mut parts: BTreeMap<&str, Vec<Named<'_>>> = BTreeMap::new();
    for report in reports {
        for file in &report.files {
            parts.entry(&file.path).or_default().push(Named { report: &report.name, file });
        }
    }
    let mut merged = first.document.clone();
    let mut seen = BTreeSet::new();
    let paths = first.files.iter().map(|file| &*file.path).filter(|path| sharded || seen.insert(*path));
    merged["files"] =
        paths.map(|path| join(&parts[path]).map_err(|why| format!("{path}: {why}").into())).collect::<Fallible<_>>()?;
    Ok(merged)
}

/// A part, and the name of its report.
struct Named<'a> {
    report: &'a str,
    file: &'a File,
}

fn same_head(first: &Report, other: &Report) -> Fallible<()> {
    for key in ["version", "echis", "solver"] {
        let (ours, theirs) = (&first.document[key], &other.document[key]);
        if ours != theirs {
            let (one, two) = (&first.name, &other.name);
            return Err(format!("{one} and {two} are parts of different runs: {key} is {ours} and {theirs}").into());
        }
    }
    Ok(())
}

fn same_files(first: &Report, other: &Report) -> Fallible<()> {
    let paths = |report: &Report| report.files.iter().map(|file| file.path.clone()).collect::<Vec<_>>();
    let (ours, theirs) = (paths(first), paths(other));
    for (report, lacking, paths, others) in [(first, other, &ours, &theirs), (other, first, &theirs, &ours)] {
        if let Some(path) = paths.iter().find(|path| !others.contains(path)) {
            return Err(format!("{path} is in {} but not in {}", report.name, lacking.name).into());
        }
    }
    match ours == theirs {
        true => Ok(()),
        false => Err(format!("{} and {} list files in different orders", first.name, other.name).into()),
    }
}

/// Parts without shards are batches: the first report names all files, and the others contain some of them.
fn known_files(first: &Report, other: &Report) -> Fallible<()> {
    let known: BTreeSet<&str> = first.files.iter().map(|file| &*file.path).collect();
    match other.files.iter().find(|file| !known.contains(&*file.path)) {
        None => Ok(()),
        Some(file) => Err(format!("{} is in {} but not in {}", file.path, other.name, first.name).into()),
    }
}

fn join(parts: &[Named<'_>]) -> Fallible<Value> {
    for part in &parts[1..] {
        same_run(&parts[0], part)?;
    }
    all_shards(parts)?;
    let members = members(parts)?;
    let positions: BTreeMap<&str, usize> =
        members.iter().map(|(position, (member, _))| (name(member), *position)).collect();
    let position = |value: &Value, key: &str| value[key].as_str().and_then(|name| positions.get(name)).copied();
    let mut file = parts[0].file.entry.clone();
    let verdict = parts.iter().map(|part| rank(&part.file.entry["verdict"])).max().unwrap_or(0);
    let time: f64 = parts.iter().filter_map(|part| part.file.entry["time_ms"].as_f64()).sum();
    (file["verdict"], file["time_ms"]) = (json!(VERDICTS[verdict]), json!(time));
    file["members"] = members.values().map(|(member, _)| (*member).clone()).collect();
    file["errors"] = errors(parts, |error| position(error, "member")).into();
    file["warnings"] = warnings(parts).into();
    file["stopped"] = in_order(parts, "stopped", |stop| position(stop, "member")).into();
    if let Some(fields) = file.as_object_mut() {
        fields.shift_remove("left_out");
        fields.shift_remove("part");
    }
    if parts.iter().any(|part| part.file.entry["profile"].is_array()) {
        file["profile"] = in_order(parts, "profile", |member| position(member, "name")).into();
    }
    Ok(file)
}

/// Checks that two parts have the same program, version of Echis, solver and options.
fn same_run(first: &Named<'_>, other: &Named<'_>) -> Fallible<()> {
    let (one, two) = (&first.file.part, &other.file.part);
    let differ =
        |what: String| Err(format!("{} and {} are parts of different runs: {what}", first.report, other.report).into());
    if one.run.sources != two.run.sources {
        return differ(format!("{} differs", different_source(one, two)));
    }
    if one.run.code != two.run.code {
        return differ("they were made by different builds of Echis".into());
    }
    if one.run.options != two.run.options {
        return differ(format!("the options are `{}` and `{}`", one.run.options, two.run.options));
    }
    if one.run.solver != two.run.solver {
        return differ("the solver, or its settings (such as --rlimit), differ".into());
    }
    if one.run.members != two.run.members || one.total != two.total {
        return differ("they select different members (--member)".into());
    }
    let count = |part: &Part| part.shard.as_ref().and_then(|shard| Some(shard.split_once('/')?.1.to_string()));
    if count(one) != count(two) {
        let shard = |part: &Part| part.shard.clone().unwrap_or("no shard".into());
        return differ(format!("one is {}, the other {}", shard(one), shard(two)));
    }
    Ok(())
}

/// The first file that differs.
fn different_source<'a>(one: &'a Part, two: &'a Part) -> &'a str {
    let (ours, theirs) = (&one.run.sources, &two.run.sources);
    let differing = |a: &'a Part, b: &Part| a.run.sources.iter().find(|source| !b.run.sources.contains(source));
    let found = differing(one, two).or_else(|| differing(two, one));
    // A different order of the same files also makes a different program.
    found.or_else(|| ours.iter().zip(theirs).find(|(a, b)| a != b).map(|(a, _)| a)).map_or("", |source| &source.path)
}

fn all_shards(parts: &[Named<'_>]) -> Fallible<()> {
    let shards = parts.iter().filter_map(|part| part.file.part.shard.as_ref()?.split_once('/'));
    let shards: BTreeSet<(usize, usize)> =
        shards.filter_map(|(index, count)| Some((index.parse().ok()?, count.parse().ok()?))).collect();
    let Some((_, count)) = shards.first().copied() else { return Ok(()) };
    let missing: Vec<String> = (1..=count)
        .filter(|index| !shards.contains(&(*index, count)))
        .map(|index| format!("{index}/{count}"))
        .collect();
    match missing.is_empty() {
        true => Ok(()),
        false => Err(format!("there is no report of part {}", missing.join(", ")).into()),
    }
}

/// The members by position, without duplicates, each with the report it is from.
fn members<'a>(parts: &[Named<'a>]) -> Fallible<BTreeMap<usize, (&'a Value, &'a str)>> {
    let mut found: BTreeMap<usize, (&Named<'_>, &'a Value)> = BTreeMap::new();
    for part in parts {
        for (position, member) in part.file.members() {
            let Some((before, known)) = found.insert(position, (part, member)) else { continue };
            let (one, two) = (said(before.file, known), said(part.file, member));
            if one != two {
                return Err(format!(
                    "{} and {} disagree about {}: {} and {}",
                    before.report,
                    part.report,
                    name(member),
                    known["verdict"],
                    member["verdict"]
                )
                .into());
            }
        }
    }
    let total = parts.first().map_or(0, |part| part.file.part.total);
    if found.len() < total {
        let names: BTreeSet<&str> = found.values().map(|(_, member)| name(member)).collect();
        let left_out = parts.iter().flat_map(|part| list(&part.file.entry, "left_out")).filter_map(Value::as_str);
        let missing: BTreeSet<&str> = left_out.filter(|name| !names.contains(name)).collect();
        let missing: Vec<&str> = missing.into_iter().collect();
        return Err(
            format!("{} of {total} members are in no report: {}", total - found.len(), missing.join(", ")).into()
        );
    }
    Ok(found.into_iter().map(|(position, (part, member))| (position, (member, part.report))).collect())
}

fn name(member: &Value) -> &str {
    member["name"].as_str().unwrap_or_default()
}

/// The data about a member that is the same in all runs.
fn said<'a>(file: &'a File, member: &'a Value) -> (Vec<&'a Value>, Vec<[&'a Value; 4]>) {
    let errors = list(&file.entry, "errors").filter(|error| error["member"] == member["name"]);
    let errors = errors.map(|error| ["id", "position", "message", "undecided"].map(|key| &error[key]));
    (["name", "kind", "verdict"].map(|key| &member[key]).to_vec(), errors.collect())
}

/// The errors of all parts, sorted and merged like those of a single run (`echis_findings::merge`).
fn errors(parts: &[Named<'_>], member: impl Fn(&Value) -> Option<usize>) -> Vec<Value> {
    let placed = |part: &Named<'_>| -> Vec<(Option<ByteRange>, Value)> {
        part.file.part.errors.iter().copied().zip(list(&part.file.entry, "errors").cloned()).collect()
    };
    let mut found: Vec<(Option<ByteRange>, Value)> = parts.iter().flat_map(placed).collect();
    let text = |error: &Value, key: &str| error[key].as_str().unwrap_or_default().to_string();
    found.sort_by_cached_key(|(place, error)| {
        let start = place.map(|(file, start, _)| (file, start));
        (start, text(error, "id"), place.map(|(_, _, end)| end), text(error, "message"), member(error))
    });
    let mut merged: Vec<(Option<ByteRange>, Value)> = Vec::new();
    for (place, error) in found {
        match merged.last_mut() {
            Some((before, last))
                if *before == place && last["id"] == error["id"] && last["message"] == error["message"] =>
            {
                absorb(last, error);
            }
            _ => merged.push((place, error)),
        }
    }
    merged.into_iter().map(|(_, error)| error).collect()
}

/// Merges two findings with the same message.
fn absorb(into: &mut Value, other: Value) {
    into["cascade"] = json!(into["cascade"] == true && other["cascade"] == true);
    if other["undecided"] == false {
        into["undecided"] = json!(false);
        remove(into, "why_undecided");
    }
    if into["counterexample"].is_null() {
        into["counterexample"] = other["counterexample"].clone();
    }
    if !into["counterexample"].is_null() {
        remove(into, "no_counterexample");
    }
    if let (Some(paths), Value::Array(others)) = (into["paths"].as_array_mut(), &other["paths"]) {
        for path in others {
            if !paths.contains(path) {
                paths.push(path.clone());
            }
        }
    }
}

fn remove(value: &mut Value, key: &str) {
    if let Some(fields) = value.as_object_mut() {
        fields.shift_remove(key);
    }
}

/// Warnings about the whole program are in every part.
fn warnings(parts: &[Named<'_>]) -> Vec<Value> {
    let placed = |part: &Named<'_>| -> Vec<(Option<ByteRange>, Value)> {
        part.file.part.warnings.iter().copied().zip(list(&part.file.entry, "warnings").cloned()).collect()
    };
    let mut found: Vec<(Option<ByteRange>, Value)> = parts.iter().flat_map(placed).collect();
    let text = |warning: &Value, key: &str| warning[key].as_str().unwrap_or_default().to_string();
    found.sort_by_cached_key(|(place, warning)| (*place, text(warning, "id"), text(warning, "message")));
    found.dedup();
    found.into_iter().map(|(_, warning)| warning).collect()
}

/// The parts' entries about members, in member order, without duplicates.
fn in_order(parts: &[Named<'_>], key: &str, member: impl Fn(&Value) -> Option<usize>) -> Vec<Value> {
    let mut found: Vec<&Value> = parts.iter().flat_map(|part| list(&part.file.entry, key)).collect();
    found.sort_by_key(|value| member(value));
    found.dedup();
    found.into_iter().cloned().collect()
}
