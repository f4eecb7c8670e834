//! A list of nodes without duplicates, with columns for how they relate to the queried node.

use super::{Group, line};
use echis_depend::{UserId, View, ViewNode};
use std::fmt::Write;

pub(super) struct Table<'a> {
    pub view: &'a View,
    pub all: &'a [UserId],
    /// The title of a column, and the nodes marked in it.
    pub columns: [(&'static str, &'a Vec<UserId>); 2],
    /// The nodes that matter on feasible paths. Others matter only because they exclude a path.
    pub certain: &'a [UserId],
    pub group: Group,
}

const EXCLUDES: &str = "excludes";

impl Table<'_> {
    pub fn write(&self, out: &mut String, title: &str) {
        let nodes: Vec<&ViewNode> = self.all.iter().filter_map(|user| self.view.node(*user)).collect();
        if nodes.is_empty() {
            let _ = writeln!(out, "  {title}: nothing");
            return;
        }
        let excludes: Vec<UserId> = self.all.iter().copied().filter(|user| !self.certain.contains(user)).collect();
        let excluding = (!excludes.is_empty()).then_some((EXCLUDES, &excludes));
        let columns: Vec<(&str, &Vec<UserId>)> = self.columns.into_iter().chain(excluding).collect();
        let titles: Vec<&str> = columns.iter().map(|(title, _)| *title).collect();
        let _ = writeln!(out, "  {}  {title}:", titles.join("  "));
        for (heading, nodes) in self.grouped(nodes) {
            if let Some(heading) = heading {
                let _ = writeln!(out, "  {heading} ({})", nodes.len());
            }
            for node in nodes {
                let marks = columns.iter().map(|(title, users)| {
                    let mark = if users.contains(&node.id) { "x" } else { "" };
                    format!("{mark:^width$}", width = title.len())
                });
                let marks = marks.collect::<Vec<_>>().join("  ");
                let _ = writeln!(out, "  {marks}  {}  (in {})", line(self.view, node), node.member);
            }
        }
        if !excludes.is_empty() {
            let _ = writeln!(out, "  ({EXCLUDES}: needed only to show that some path cannot be taken)");
        }
    }
    /// The nodes under their headings, in order of first occurrence.
    fn grouped<'n>(&self, nodes: Vec<&'n ViewNode>) -> Vec<(Option<String>, Vec<&'n ViewNode>)> {
        let heading = |node: &ViewNode| match self.group {
            Group::None => None,
            Group::Type => Some(node.assumption.map_or("asserted", |kind| kind.name()).to_string()),
            Group::Member => Some(format!("{}, {}", node.member, node.construct.name().replace('_', " "))),
        };
        let mut groups: Vec<(Option<String>, Vec<&ViewNode>)> = Vec::new();
        for node in nodes {
            let heading = heading(node);
            match groups.iter_mut().find(|(known, _)| *known == heading) {
                Some((_, nodes)) => nodes.push(node),
                None => groups.push((heading, vec![node])),
            }
        }
        groups
    }
}
