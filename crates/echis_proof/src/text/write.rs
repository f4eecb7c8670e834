//! Prints a tree.

use crate::check::{Check, GaveUp, Role, Verdict};
use crate::origin::OriginId;
use crate::premise::{CheckId, NodeId, Premise};
use crate::tree::{Because, Labelled, Node, ProofTree, Step};
use echis_term::{TermId, Writer, quoted};
use std::fmt::Write;

impl ProofTree {
    /// Everything that [`ProofTree::from_text`] needs to construct the same tree.
    pub fn to_text(&self) -> String {
        let writer = Writer::new(&self.terms, &self.roots());
        let mut text = writer.preamble();
        for (id, node) in self.nodes.iter() {
            self.write_node(&writer, id, node, &mut text);
        }
        for (id, check) in self.checks.iter() {
            self.write_check(&writer, id, check, &mut text);
        }
        for (id, labelled) in self.labelled_facts.iter() {
            write_labelled(&writer, &id.to_string(), labelled, &mut text);
        }
        for (id, labelled) in self.labelled_goals.iter() {
            write_labelled(&writer, &id.to_string(), labelled, &mut text);
        }
        for node in &self.closed {
            let _ = writeln!(text, "(closed {node})");
        }
        text
    }

    /// All terms that the tree refers to.
    fn roots(&self) -> Vec<TermId> {
        let facts = self.nodes.values().filter_map(|node| match &node.step {
            Step::Root => None,
            Step::Assume { fact, .. } | Step::Dead { fact, .. } => Some(*fact),
            Step::Split { guard, .. } => Some(*guard),
        });
        let goals = self.checks.values().map(|check| check.goal);
        let labelled = self.labelled_facts.iter().map(|(_, labelled)| labelled);
        let labelled = labelled.chain(self.labelled_goals.iter().map(|(_, labelled)| labelled));
        let labelled =
            labelled.flat_map(|labelled| labelled.labels.iter().map(|(label, _)| *label).chain([labelled.term]));
        facts.chain(goals).chain(labelled).collect()
    }

    fn write_node(&self, writer: &Writer<'_>, id: NodeId, node: &Node, out: &mut String) {
        let parent = node.parent.map_or("-".to_string(), |parent| parent.to_string());
        let (step, premises): (String, &[Premise]) = match &node.step {
            Step::Root => ("(root)".to_string(), &[]),
            Step::Assume { fact, because, premises } => {
                (format!("(assume {} {})", writer.term(*fact), because_text(because)), premises)
            }
            Step::Dead { fact, because, premises } => {
                (format!("(dead {} {})", writer.term(*fact), because_text(because)), premises)
            }
            Step::Split { guard, negated } => {
                let side = if *negated { "negated" } else { "taken" };
                (format!("(split {} {side})", writer.term(*guard)), &[])
            }
        };
        let _ =
            writeln!(out, "(node {id} {parent} {step} {}{})", self.origin_text(node.origin), premises_text(premises));
    }

    fn write_check(&self, writer: &Writer<'_>, id: CheckId, check: &Check, out: &mut String) {
        let role = match &check.role {
            Role::Obligation(property) => format!(
                "(obligation {} {} {} {})",
                property.error.id(),
                property.at,
                property.reason.id(),
                property.offending
            ),
            Role::Probe(question) => format!("(probe {question:?})"),
        };
        let verdict = self.verdicts.get(id).map_or("open".to_string(), verdict_text);
        let (goal, origin) = (writer.term(check.goal), self.origin_text(check.origin));
        let _ = writeln!(
            out,
            "(check {id} {} {goal} {role} {origin} {verdict}{})",
            check.at,
            premises_text(&check.premises)
        );
    }

    fn origin_text(&self, origin: OriginId) -> String {
        let origin = self.origins[origin];
        let site = origin.site.map_or("-".to_string(), |site| site.to_string());
        format!("(origin {} {site} {:?})", origin.clause, origin.part)
    }
}

fn because_text(because: &Because) -> String {
    match because {
        Because::Rule(rule) => format!("(Rule {rule:?})"),
        plain => format!("{plain:?}"),
    }
}

fn premises_text(premises: &[Premise]) -> String {
    if premises.is_empty() {
        return String::new();
    }
    let premises: Vec<String> = premises
        .iter()
        .map(|premise| match premise {
            Premise::Check(check) => check.to_string(),
            Premise::Fact(node) => node.to_string(),
        })
        .collect();
    format!(" (premises {})", premises.join(" "))
}

fn verdict_text(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Unknown(GaveUp::Solver(text)) => format!("(Solver {})", quoted(&text.replace('|', "/"))),
        Verdict::Unknown(gave_up) => format!("{gave_up:?}"),
        decided => format!("{decided:?}"),
    }
}

fn write_labelled(writer: &Writer<'_>, id: &str, labelled: &Labelled, out: &mut String) {
    let label = |(label, node): &(TermId, NodeId)| format!("({} {node})", writer.term(*label));
    let labels: Vec<String> = labelled.labels.iter().map(label).collect();
    let _ = writeln!(out, "(labelled {id} {} ({}))", writer.term(labelled.term), labels.join(" "));
}
