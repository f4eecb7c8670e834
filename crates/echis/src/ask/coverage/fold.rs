//! Folds warnings into others, so that a person can read what is left: a consequence is mentioned by its cause.

use crate::limits::{ALIKE_SHOWN, LINES_NAMED, OF_A_MEMBER_SHOWN};
use echis_base::{Name, SourceMap, Span, counted};
use echis_cover::{Portion, Warning, WarningId};
use std::collections::{BTreeMap, BTreeSet};

/// Folds warnings that are in source order. In the hollow members, a contradiction reaches to the end of the body, so that
/// less is needed there.
pub(super) fn fold(warnings: &mut [Warning], hollow: &BTreeSet<Name>, sources: &SourceMap) {
    clauses_of_conditions(warnings, sources);
    hollow_members(warnings, hollow, sources);
    let text = |span: Option<Span>| span.map_or("", |span| sources.text(span));
    let alike = |warning: &Warning| {
        let Warning { id, diagnostic, .. } = warning;
        (*id, diagnostic.message.clone(), text(diagnostic.span).to_string())
    };
    groups(warnings, sources, ALIKE_SHOWN, alike, |_, count| {
        format!("The same is true of {} with this text", counted(count, "more place"))
    });
    let kind = |warning: &Warning| (warning.member.clone(), warning.id);
    groups(warnings, sources, OF_A_MEMBER_SHOWN, kind, |warning, count| {
        format!("There are {} of this kind in {}", counted(count, "more warning"), warning.member)
    });
}

/// A clause whose condition never holds is not needed, either.
fn clauses_of_conditions(warnings: &mut [Warning], sources: &SourceMap) {
    let never_holds = |warning: &Warning| {
        let is_vacuous = warning.id == WarningId::ProvedVacuously && warning.portion == Portion::Part;
        is_vacuous || warning.id == WarningId::PartUnused && warning.node.is_none()
    };
    for index in 0..warnings.len() {
        let clause = &warnings[index];
        if clause.id != WarningId::AssumptionUnused || clause.diagnostic.consequence {
            continue;
        }
        let is_its_condition = |part: &Warning| match (clause.diagnostic.span, part.diagnostic.span) {
            (Some(whole), Some(part)) if whole.contains(part) => {
                let before = Span { end: part.start, ..whole };
                sources.text(before).chars().all(|c| c == '(' || c.is_whitespace())
            }
            _ => false,
        };
        let condition =
            warnings.iter().position(|part| never_holds(part) && part.node == clause.node && is_its_condition(part));
        if let Some(condition) = condition {
            let fix = warnings[index].fix.clone();
            warnings[condition].fix = fix;
            warnings[index].diagnostic.consequence = true;
        }
    }
}

/// What is contradictory needs nothing else.
fn hollow_members(warnings: &mut [Warning], hollow: &BTreeSet<Name>, sources: &SourceMap) {
    for member in hollow {
        let is_cause = |warning: &Warning| {
            let is_whole = warning.id == WarningId::ProvedVacuously && warning.portion == Portion::Whole;
            warning.member == *member && is_whole && !warning.diagnostic.consequence
        };
        let Some(cause) = warnings.iter().position(is_cause) else { continue };
        let follows = |warning: &Warning| {
            let is_part = warning.id == WarningId::ProvedVacuously && warning.portion == Portion::Part;
            let about_needs = is_part
                || matches!(
                    warning.id,
                    WarningId::AssumptionUnused
                        | WarningId::AssumptionRedundant
                        | WarningId::AssertionRedundant
                        | WarningId::PartUnused
                        | WarningId::CodeUnconstrained
                );
            warning.member == *member && about_needs && !warning.diagnostic.consequence
        };
        let folded: Vec<usize> = (0..warnings.len()).filter(|index| follows(&warnings[*index])).collect();
        let says = format!("{} about {member} may follow from it", counted(folded.len(), "more warning"));
        into(warnings, cause, &folded, &says, sources);
    }
}

/// Where more warnings than are shown have the same key, keeps the first one.
fn groups<K: Ord>(
    warnings: &mut [Warning],
    sources: &SourceMap,
    shown: usize,
    key: impl Fn(&Warning) -> K,
    says: impl Fn(&Warning, usize) -> String,
) {
    let mut groups: BTreeMap<K, Vec<usize>> = BTreeMap::new();
    for (index, warning) in warnings.iter().enumerate().filter(|(_, warning)| !warning.diagnostic.consequence) {
        groups.entry(key(warning)).or_default().push(index);
    }
    for group in groups.into_values().filter(|group| group.len() > shown) {
        let (first, others) = (group[0], &group[1..]);
        let says = says(&warnings[first], others.len());
        into(warnings, first, others, &says, sources);
    }
}

/// Folds some warnings into another one, whose message says so and names their lines.
fn into(warnings: &mut [Warning], into: usize, folded: &[usize], says: &str, sources: &SourceMap) {
    if folded.is_empty() {
        return;
    }
    let spans = folded.iter().filter_map(|index| warnings[*index].diagnostic.span);
    let lines = lines(sources, spans);
    folded.iter().for_each(|index| warnings[*index].diagnostic.consequence = true);
    warnings[into].diagnostic.message += &format!(" {says}, in {lines}.");
}

/// The lines in which the ranges start, such as `lines 3, 5`.
pub(super) fn lines(sources: &SourceMap, spans: impl Iterator<Item = Span>) -> String {
    let lines: BTreeSet<u32> = spans.map(|span| sources.position(span).start.line).collect();
    let named: Vec<String> = lines.iter().take(LINES_NAMED).map(|line| line.to_string()).collect();
    let more = lines.len().saturating_sub(LINES_NAMED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let word = if lines.len() == 1 { "line" } else { "lines" };
    format!("{word} {}{more}", named.join(", "))
}
