//! A baseline of uncovered elements, so that a build can require not to exceed it.
//!
//! Lines move, so elements are identified by their file, member, kind and text, and counted.

use crate::unreadable::Unreadable;
use echis_depend::{Queries, UserId, ViewNode};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

const KIND: &str = "echis coverage baseline";
const VERSION: u32 = 1;
const WHAT: &str = "baseline";

#[derive(Default)]
pub struct Baseline {
    uncovered: BTreeMap<Element, usize>,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct Element {
    file: String,
    member: String,
    construct: String,
    text: String,
}

#[derive(Serialize, Deserialize)]
struct Document {
    kind: String,
    version: u32,
    uncovered: Vec<Entry>,
}

#[derive(Serialize, Deserialize)]
struct Entry {
    #[serde(flatten)]
    element: Element,
    count: usize,
}

impl Baseline {
    /// Adds the uncovered elements of a program.
    pub fn add(&mut self, queries: Queries<'_>) {
        for (_, element) in uncovered(queries) {
            *self.uncovered.entry(element).or_default() += 1;
        }
    }
    /// The uncovered elements of a program that are not in the baseline.
    pub fn newly_uncovered(&self, queries: Queries<'_>) -> Vec<UserId> {
        let mut seen: BTreeMap<Element, usize> = BTreeMap::new();
        let mut new = Vec::new();
        for (user, element) in uncovered(queries) {
            let allowed = self.uncovered.get(&element).copied().unwrap_or(0);
            let count = seen.entry(element).or_default();
            *count += 1;
            new.extend((*count > allowed).then_some(user));
        }
        new
    }
    pub fn to_text(&self) -> String {
        let entry = |(element, count): (&Element, &usize)| Entry { element: element.clone(), count: *count };
        let uncovered = self.uncovered.iter().map(entry).collect();
        let document = Document { kind: KIND.into(), version: VERSION, uncovered };
        serde_json::to_string_pretty(&document).expect("plain data has a JSON form") + "\n"
    }
    pub fn parse(text: &str) -> Result<Self, Unreadable> {
        let document: Document =
            serde_json::from_str(text).map_err(|error| Unreadable::Form { what: WHAT, reason: error.to_string() })?;
        if document.kind != KIND || document.version != VERSION {
            let again = "write it again with --write-baseline";
            return Err(Unreadable::Version { what: WHAT, version: VERSION, again });
        }
        let uncovered = document.uncovered.into_iter().map(|entry| (entry.element, entry.count)).collect();
        Ok(Baseline { uncovered })
    }
}

fn uncovered(queries: Queries<'_>) -> Vec<(UserId, Element)> {
    let element = |node: &ViewNode| Element {
        file: node.position.file.to_string(),
        member: node.member.to_string(),
        construct: node.construct.name().into(),
        text: node.text.clone(),
    };
    let elements = queries.elements().into_iter().filter(|(_, covered)| !covered);
    elements.filter_map(|(user, _)| Some((user, element(queries.view.node(user)?)))).collect()
}
