//! Permission that a call takes and does not return: the callee's postcondition is too weak.

use crate::clause::{Clause, Owner};
use crate::conjuncts::{Purity, conjuncts};
use crate::limits::POOL;
use crate::mirror::mirrored;
use crate::permission::{clause, resources};
use crate::pool::Pool;
use crate::site::Site;
use crate::text::{one_line, renamed, words};
use crate::{Candidate, effects};
use echis_program::program::{ExprKind, LocalId, Location, Method, MethodId, StmtKind, Type};
use std::collections::BTreeSet;

/// The methods with a body that are called before the failure, nearest first. A postcondition added to a method
/// without a body would be trusted.
pub(crate) fn before(site: &Site<'_>) -> Vec<MethodId> {
    let Some(body) = site.method().and_then(|method| method.body.as_ref()) else { return Vec::new() };
    let place = if site.is_at_end() || site.error == "invariant.not.preserved" { u32::MAX } else { site.at.start };
    let mut found = Vec::new();
    body.visit_stmts(&mut |stmt| {
        if let StmtKind::Call { method, .. } = &stmt.kind
            && site.span(stmt.id).end <= place
            && site.program.methods[*method].body.is_some()
            && site.span(site.program.methods[*method].id).file == site.main
        {
            found.retain(|known| known != method);
            found.insert(0, *method);
        }
    });
    found
}

/// Candidates for permission taken by a call.
pub(crate) fn candidates(site: &Site<'_>) -> Vec<Candidate> {
    if site.reason != "insufficient.permission" {
        return Vec::new();
    }
    let Some(location) = site.subject() else { return Vec::new() };
    let mut found = Vec::new();
    for callee in before(site).into_iter().take(2) {
        let mut given: Vec<String> =
            resources(site, location).into_iter().map(|text| in_callee(site, callee, &text)).collect();
        let name = Site::field(location).map_or(location.split('(').next().unwrap_or_default(), |(_, field)| field);
        let own = conjuncts(site, &site.program.methods[callee].pre, Purity::Any);
        given.extend(own.into_iter().filter(|text| words(text).any(|word| word == name)));
        given.dedup();
        found.extend(given.iter().filter_map(|text| clause(site, Owner::Method(callee), Clause::Ensures, text)));
    }
    found
}

/// Conjuncts that the postcondition of a method may lack.
pub(crate) fn of_postcondition(site: &Site<'_>, callee: MethodId) -> Pool {
    let method = &site.program.methods[callee];
    let mut pool = Pool::default();
    if site.reason == "assertion.false" {
        site.subject().into_iter().for_each(|subject| pool.conjuncts.push(in_callee(site, callee, subject)));
    }
    for (conjunct, _) in method.pre.iter().flat_map(|clause| site.program.conjuncts(*clause)) {
        if let ExprKind::Acc { location: Location::Field { .. }, location_id, .. } = site.program.kind(conjunct) {
            let location = one_line(site.text_of(*location_id));
            pool.conjuncts.push(format!("{location} == old({location})"));
        }
    }
    pool.conjuncts.extend(effects::of_body(site, method));
    pool.conjuncts.extend(of_similar(site, method));
    pool.conjuncts.extend(mirrored(site, &conjuncts(site, &method.post, Purity::Pure)));
    let known = conjuncts(site, &method.post, Purity::Any);
    let mut seen = BTreeSet::new();
    pool.conjuncts.retain(|text| !known.contains(text) && seen.insert(text.clone()));
    pool.conjuncts.truncate(POOL);
    pool
}

/// The postconditions of other methods that speak only of what this one has: parameters and results of the same names
/// and types. The failing method comes first.
fn of_similar(site: &Site<'_>, method: &Method) -> Vec<String> {
    let program = site.program;
    let declared = |method: &Method| -> Vec<(String, Type)> {
        let locals = method.params.iter().chain(&method.returns).map(|local| &program.locals[*local]);
        locals.map(|local| (local.name.to_string(), local.ty.clone())).collect()
    };
    let own = declared(method);
    let others = program.methods.values().filter(|other| other.id != method.id);
    let others = site.method().into_iter().filter(|caller| caller.id != method.id).chain(others);
    let mut found = Vec::new();
    for other in others {
        let foreign: Vec<String> =
            declared(other).into_iter().filter(|local| !own.contains(local)).map(|(name, _)| name).collect();
        let texts = conjuncts(site, &other.post, Purity::Pure);
        found.extend(texts.into_iter().filter(|text| !words(text).any(|word| foreign.iter().any(|name| name == word))));
    }
    found
}

/// The caller's assertion in terms of the callee: the arguments of the last call are replaced by parameters and
/// results.
fn in_callee(site: &Site<'_>, callee: MethodId, text: &str) -> String {
    let method = &site.program.methods[callee];
    let mut pairs: Vec<(String, &str)> = Vec::new();
    if let Some(body) = site.method().and_then(|method| method.body.as_ref()) {
        body.visit_stmts(&mut |stmt| {
            let StmtKind::Call { targets, method: called, args } = &stmt.kind else { return };
            if *called == callee && site.span(stmt.id).end <= site.at.start.max(site.at.end) {
                // Of several calls, the last one whose results the assertion speaks of.
                let speaks = |target: &LocalId| words(text).any(|word| word == &*site.program.locals[*target].name);
                if !pairs.is_empty() && !targets.iter().any(speaks) {
                    return;
                }
                let args = args
                    .iter()
                    .zip(&method.params)
                    .filter_map(|(arg, param)| Some((one_line(site.said(*arg)?), *param)));
                let targets = targets.iter().zip(&method.returns);
                let targets = targets.map(|(target, result)| (site.program.locals[*target].name.to_string(), *result));
                pairs = args.chain(targets).map(|(text, local)| (text, &*site.program.locals[local].name)).collect();
            }
        });
    }
    // Via fresh names, since a parameter may have the same name as another argument.
    let mut text = text.to_string();
    for (number, (actual, _)) in pairs.iter().enumerate() {
        text = renamed(&text, actual, &format!("parameter${number}$"));
    }
    for (number, (_, formal)) in pairs.iter().enumerate() {
        text = renamed(&text, &format!("parameter${number}$"), formal);
    }
    text
}
