//! Profiles and stability, as text and as part of the JSON document.

use crate::position::{Position, position};
use echis_base::{SourceMap, Span};
use echis_findings::FileResult;
use echis_findings::diagnose::source_text;
use echis_findings::profile::{
    AttemptProfile, MemberProfile, MemberStability, ObligationEffort, ObligationStability, QuantifierProfile, Spread,
    Stability,
};
use serde::Serialize;
use std::fmt::Write;

/// Maximum number of lines for users; the JSON document has all.
const MOST_LINES: usize = 12;
/// Maximum length of a clause.
const LONGEST_CLAUSE: usize = 72;

/// Measurements for users. Empty if none were requested.
pub fn measures(file: &FileResult) -> String {
    let mut out = String::new();
    for member in file.profile.iter().flatten() {
        write_profile(&file.sources, member, &mut out);
    }
    if let Some(stability) = &file.stability {
        write_stability(&file.sources, stability, &mut out);
    }
    out
}

fn write_profile(sources: &SourceMap, member: &MemberProfile, out: &mut String) {
    let MemberProfile { name, kind, obligations, probes, probe_effort, attempts, quantifiers, .. } = member;
    let proving: u64 = obligations.iter().map(|obligation| obligation.effort).sum();
    let _ = writeln!(
        out,
        "profile of {} {name}: effort {} ({} obligations {proving}, {probes} probes {probe_effort}), {} instances of {} quantifiers",
        kind.name(),
        member.effort(),
        obligations.len(),
        member.instances(),
        quantifiers.len()
    );
    let mut dear: Vec<&ObligationEffort> = obligations.iter().filter(|obligation| obligation.effort > 0).collect();
    dear.sort_by_key(|obligation| (std::cmp::Reverse(obligation.effort), obligation.span));
    if !dear.is_empty() {
        let _ = writeln!(out, "    effort  obligation");
    }
    for obligation in dear.iter().take(MOST_LINES) {
        let ObligationEffort { id, span, verdict, effort, .. } = obligation;
        let _ = writeln!(out, "{effort:>10}  {} {id} ({})", place(sources, *span), verdict.name());
    }
    write_more(dear.len(), "obligations", out);
    if attempts.iter().any(|attempt| attempt.name != "usual") {
        let _ = writeln!(out, "    effort  asked otherwise");
    }
    for AttemptProfile { name, tried, proved, effort, .. } in attempts.iter().filter(|attempt| attempt.name != "usual")
    {
        let _ = writeln!(out, "{effort:>10}  {name}: proved {proved} of {tried}");
    }
    if !quantifiers.is_empty() {
        let _ = writeln!(out, " instances  generation    cost  quantifier");
    }
    for quantifier in quantifiers.iter().take(MOST_LINES) {
        let QuantifierProfile { name, span, instances, generation, cost } = quantifier;
        let what = match span {
            Some(span) => format!("{} {name} of {}", place(sources, *span), clause(sources, *span)),
            None => format!("background law {name}"),
        };
        let _ = writeln!(out, "{instances:>10}  {generation:>10}  {cost:>6.1}  {what}");
    }
    write_more(quantifiers.len(), "quantifiers", out);
}

fn write_more(count: usize, things: &str, out: &mut String) {
    if count > MOST_LINES {
        let _ = writeln!(out, "            and {} more {things} (`--format json` lists all)", count - MOST_LINES);
    }
}

fn write_stability(sources: &SourceMap, stability: &Stability, out: &mut String) {
    let all =
        || stability.members.iter().flat_map(|member| member.obligations.iter().map(move |found| (member, found)));
    let unstable: Vec<_> = all().filter(|(_, found)| found.is_unstable()).collect();
    let runs = stability.runs;
    let _ =
        writeln!(out, "stability over {runs} runs: {} of {} obligations are unstable", unstable.len(), all().count());
    for (member, found) in unstable {
        let ObligationStability { id, span, proved, failed, undecided, effort } = found;
        let _ = writeln!(
            out,
            "  {} {id} (in {}): proved {proved}, failed {failed}, undecided {undecided} times; effort {}",
            place(sources, *span),
            member.name,
            spread(effort)
        );
    }
    for member in &stability.members {
        let _ = writeln!(
            out,
            "  {} {}: verified in {} of {runs} runs, effort {}",
            member.kind.name(),
            member.name,
            member.verified,
            spread(&member.effort)
        );
    }
}

fn spread(effort: &Spread) -> String {
    format!("{} to {}, median {}", effort.least, effort.most, effort.median)
}

fn place(sources: &SourceMap, span: Span) -> String {
    let position = sources.position(span);
    format!("{}:{}:{}", position.file, position.start.line, position.start.column)
}

fn clause(sources: &SourceMap, span: Span) -> String {
    let text = source_text(sources, span);
    if text.chars().count() <= LONGEST_CLAUSE {
        return text;
    }
    text.chars().take(LONGEST_CLAUSE - 1).chain(['…']).collect()
}

#[derive(Serialize)]
pub(crate) struct ProfileJson<'a> {
    name: &'a str,
    kind: &'static str,
    effort: u64,
    probes: usize,
    probe_effort: u64,
    obligations: Vec<EffortJson<'a>>,
    attempts: Vec<AttemptJson>,
    quantifiers: Vec<QuantifierJson<'a>>,
}

#[derive(Serialize)]
struct EffortJson<'a> {
    id: &'a str,
    position: Position,
    verdict: &'static str,
    checks: usize,
    effort: u64,
}

#[derive(Serialize)]
struct AttemptJson {
    name: &'static str,
    tried: u64,
    proved: u64,
    effort: u64,
    effort_of_proofs: u64,
}

#[derive(Serialize)]
struct QuantifierJson<'a> {
    name: &'a str,
    /// The clause that it comes from; null for axioms of background theories.
    position: Option<Position>,
    instances: u64,
    max_generation: u64,
    max_cost: f64,
}

#[derive(Serialize)]
pub(crate) struct StabilityJson<'a> {
    runs: usize,
    obligations: usize,
    unstable: usize,
    members: Vec<StableMemberJson<'a>>,
}

#[derive(Serialize)]
struct StableMemberJson<'a> {
    name: &'a str,
    kind: &'static str,
    verified: usize,
    effort: SpreadJson,
    obligations: Vec<StableJson<'a>>,
}

#[derive(Serialize)]
struct StableJson<'a> {
    id: &'a str,
    position: Position,
    unstable: bool,
    proved: usize,
    failed: usize,
    undecided: usize,
    effort: SpreadJson,
}

#[derive(Serialize)]
struct SpreadJson {
    min: u64,
    median: u64,
    max: u64,
}

pub(crate) fn profile_json<'a>(sources: &SourceMap, member: &'a MemberProfile) -> ProfileJson<'a> {
    let effort = |found: &'a ObligationEffort| EffortJson {
        id: &found.id,
        position: position(sources, found.span),
        verdict: found.verdict.name(),
        checks: found.checks,
        effort: found.effort,
    };
    let quantifier = |found: &'a QuantifierProfile| QuantifierJson {
        name: &found.name,
        position: found.span.map(|span| position(sources, span)),
        instances: found.instances,
        max_generation: found.generation,
        max_cost: found.cost,
    };
    let attempt = |found: &AttemptProfile| AttemptJson {
        name: found.name,
        tried: found.tried,
        proved: found.proved,
        effort: found.effort,
        effort_of_proofs: found.effort_of_proofs,
    };
    ProfileJson {
        name: &member.name,
        kind: member.kind.name(),
        effort: member.effort(),
        probes: member.probes,
        probe_effort: member.probe_effort,
        obligations: member.obligations.iter().map(effort).collect(),
        attempts: member.attempts.iter().map(attempt).collect(),
        quantifiers: member.quantifiers.iter().map(quantifier).collect(),
    }
}

pub(crate) fn stability_json<'a>(sources: &SourceMap, stability: &'a Stability) -> StabilityJson<'a> {
    let all = || stability.members.iter().flat_map(|member| &member.obligations);
    let obligation = |found: &'a ObligationStability| StableJson {
        id: &found.id,
        position: position(sources, found.span),
        unstable: found.is_unstable(),
        proved: found.proved,
        failed: found.failed,
        undecided: found.undecided,
        effort: spread_json(found.effort),
    };
    let member = |found: &'a MemberStability| StableMemberJson {
        name: &found.name,
        kind: found.kind.name(),
        verified: found.verified,
        effort: spread_json(found.effort),
        obligations: found.obligations.iter().map(obligation).collect(),
    };
    StabilityJson {
        runs: stability.runs,
        obligations: all().count(),
        unstable: all().filter(|found| found.is_unstable()).count(),
        members: stability.members.iter().map(member).collect(),
    }
}

fn spread_json(spread: Spread) -> SpreadJson {
    SpreadJson { min: spread.least, median: spread.median, max: spread.most }
}
