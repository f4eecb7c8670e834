//! Verifying a program in parts, on several machines.
//!
//! The members of a part are a function of the program, the selected members and the number of parts, so machines
//! need not communicate. Each part records what it belongs to ([`RunIdentity`]): the texts that were verified, the
//! code of Echis, the options and the solver. `echis merge` joins only parts that agree on all of these.

use crate::cache::{code_identity, hexadecimal};
use crate::limits::COST_OF_A_BYTE;
use crate::verify::settings::Settings;
use crate::verify::shard::{Kind, Shard, Share};
use crate::verify::solvers::Solvers;
use echis_base::{Name, SourceMap, Span, SyntaxId};
use echis_findings::{FileResult, FileVerdict, Part, RunIdentity};
use echis_proof::{Member, MemberId, Verifier};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Restricts the settings to the members that this run verifies. Returns that part, without the identity of the run.
pub(crate) fn restrict(
    engine: &impl Verifier,
    settings: &Settings,
    path: &str,
    span: impl Fn(SyntaxId) -> Span,
) -> (Settings, Option<Part>) {
    let Some(share) = &settings.share else { return (settings.clone(), None) };
    let mut all: Vec<(Span, MemberId, &Member)> = engine
        .members()
        .iter()
        .filter(|(_, member)| settings.is_selected(&member.name))
        .map(|(id, member)| (span(member.id), id, member))
        .collect();
    all.sort_by(|a, b| (a.0, &a.2.name, a.1).cmp(&(b.0, &b.2.name, b.1)));
    let mine: BTreeSet<usize> = match &share.kind {
        Kind::Shard(shard, costs) => {
            let cost = |(span, _, member): &(Span, MemberId, &Member)| {
                let length = f64::from(span.end - span.start);
                (member.name.clone(), costs.get(&*member.name).copied().unwrap_or(length * COST_OF_A_BYTE))
            };
            balanced(path, &all.iter().map(cost).collect::<Vec<_>>(), *shard)
        }
        Kind::At(positions) => positions.range(..all.len()).copied().collect(),
    };
    let members = mine.iter().map(|position| all[*position].1).collect();
    // Only empty parts and shards list the members they leave out.
    let names_others = mine.is_empty() || matches!(share.kind, Kind::Shard(..));
    let left_out = all.iter().enumerate().filter(|(position, _)| names_others && !mine.contains(position));
    let part = Part {
        shard: None,
        files: None,
        left_out: left_out.map(|(_, (_, _, member))| (member.name.clone(), member.kind)).collect(),
        at: mine.into_iter().collect(),
        total: all.len(),
        run: RunIdentity {
            members: digest_of(all.iter().map(|(_, _, member)| &*member.name)),
            ..RunIdentity::default()
        },
    };
    let share = Share { members: Some(Arc::new(members)), ..share.clone() };
    (Settings { share: Some(share), ..settings.clone() }, Some(part))
}

/// Adds the identity of the run to a result, if the run verifies only a part of the members.
pub(crate) fn identify(mut result: FileResult, settings: &Settings, solvers: &Solvers) -> FileResult {
    let Some(share) = &settings.share else { return result };
    let mut part = result.part.take().unwrap_or_default();
    if let Kind::Shard(Shard { index, count }, _) = &share.kind {
        part.shard = Some((*index, *count));
    }
    // Nothing was verified here; the other parts determine the verdict.
    if part.at.is_empty() && part.total > 0 && result.verdict == FileVerdict::Verified {
        result.verdict = FileVerdict::Valid;
    }
    part.run = RunIdentity {
        sources: sources(&result.sources),
        code: code_identity(),
        options: options(settings),
        solver: solvers.digest(),
        ..part.run
    };
    result.part = Some(part);
    result
}

fn sources(sources: &SourceMap) -> Vec<(Name, String)> {
    let digest = |text: &str| hexadecimal(&Sha256::digest(text));
    sources.files().map(|(_, file)| (file.path.clone(), digest(&file.text))).collect()
}

/// The options that affect verdicts or their reports.
fn options(settings: &Settings) -> String {
    let Settings { errors, recheck, injectivity, engine, counterexample, measure, .. } = settings;
    let injectivity = format!("{injectivity:?}").to_lowercase();
    let engine = format!("{engine:?}").to_lowercase();
    let counterexample = counterexample.map_or("off".into(), |view| format!("{view:?}").to_lowercase());
    format!(
        "engine {engine}, errors {errors}, injectivity {injectivity}, counterexample {counterexample}, profile {measure}, \
         recheck {recheck}"
    )
}

/// A digest of a list of texts, including their lengths to make it unambiguous.
fn digest_of<'a>(texts: impl Iterator<Item = &'a str>) -> String {
    let mut hasher = Sha256::new();
    for text in texts {
        hasher.update((text.len() as u64).to_le_bytes());
        hasher.update(text);
    }
    hexadecimal(&hasher.finalize())
}

/// The positions of the members of a part: the most expensive member first, each assigned to the part with the least
/// cost so far. Files start at different parts, so that single-member files do not all go to the first part.
fn balanced(path: &str, members: &[(Name, f64)], shard: Shard) -> BTreeSet<usize> {
    let digest = |text: &str| <[u8; 32]>::from(Sha256::digest(text));
    let mut order: Vec<(usize, [u8; 32])> =
        members.iter().enumerate().map(|(position, (name, _))| (position, digest(name))).collect();
    order.sort_by(|(a, a_digest), (b, b_digest)| {
        members[*b].1.total_cmp(&members[*a].1).then_with(|| a_digest.cmp(b_digest)).then_with(|| a.cmp(b))
    });
    let first = usize::from(u16::from_le_bytes([digest(path)[0], digest(path)[1]])) % shard.count;
    let mut loads = vec![0.0f64; shard.count];
    let mut mine = BTreeSet::new();
    for (position, _) in order {
        let lightest = (0..shard.count).map(|index| (index + first) % shard.count);
        let lightest = lightest.min_by(|a, b| loads[*a].total_cmp(&loads[*b])).unwrap_or(0);
        loads[lightest] += members[position].1.max(f64::MIN_POSITIVE);
        if lightest + 1 == shard.index {
            mine.insert(position);
        }
    }
    mine
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_member_is_in_one_part_and_parts_weigh_the_same() {
        let members: Vec<(Name, f64)> =
            (0..40u32).map(|number| (Name::from(format!("m{number}").as_str()), f64::from(number % 7 + 1))).collect();
        let parts: Vec<BTreeSet<usize>> =
            (1..=8).map(|index| balanced("a.vpr", &members, Shard { index, count: 8 })).collect();
        assert_eq!(parts.iter().map(BTreeSet::len).sum::<usize>(), 40);
        assert_eq!(parts.iter().flatten().collect::<BTreeSet<_>>().len(), 40);
        let weight = |part: &BTreeSet<usize>| -> f64 { part.iter().map(|position| members[*position].1).sum() };
        let weights: Vec<f64> = parts.iter().map(weight).collect();
        let (most, least) = (weights.iter().copied().fold(0.0, f64::max), weights.iter().copied().fold(99.0, f64::min));
        assert!(most - least <= 2.0, "{weights:?}");
    }
}
