//! The state of an exploration, and its commands.

use super::words::help;
use crate::args::LineSpec;
use crate::commands::deps::{asserted_at, load, nodes_at, not_exported};
use crate::error::Fallible;
use echis::depend::{Definition, Graph, Queries, UserId, View};
use echis::{Explained, FileVerdict, Repair, Verification};
use echis_report::export::{self, Exported, Tool};
use echis_report::{deps, prune as report, saved};
use std::collections::BTreeSet;
use std::path::Path;

/// Available only if a program was verified.
pub struct Program {
    pub verification: Verification,
    pub found: Explained,
}

pub struct Session {
    path: String,
    view: View,
    graph: Graph,
    program: Option<Program>,
    ignored: BTreeSet<UserId>,
}

pub enum Step {
    Say(String),
    Quit,
}

impl Session {
    pub fn new(path: String, view: View, graph: Graph, program: Option<Program>) -> Self {
        Session { path, view, graph, program, ignored: BTreeSet::new() }
    }

    pub fn greeting(&self) -> String {
        let (nodes, asserted) = (self.view.nodes.len(), self.graph.asserted().count());
        format!("{}: {nodes} nodes, {asserted} of them demand a proof. `help` lists what can be asked.\n", self.path)
    }

    pub fn view(&self) -> &View {
        &self.view
    }

    fn queries(&self) -> Queries<'_> {
        Queries { view: &self.view, graph: &self.graph }
    }

    pub fn step(&mut self, line: &str) -> Fallible<Step> {
        let mut words = line.split([' ', '\t', ',']).filter(|word| !word.is_empty());
        let Some(word) = words.next() else { return Ok(Step::Say(String::new())) };
        let rest: Vec<&str> = words.collect();
        let queries = self.queries();
        let said = match word {
            "of" => {
                let of = asserted_at(queries, &places(&rest)?)?.into_iter();
                let each: Vec<_> = of.map(|of| queries.dependencies(of, &self.ignored)).collect();
                deps::human(&self.view, &each, None, deps::Group::None)
            }
            "from" => {
                let of = nodes_at(&self.view, &places(&rest)?)?.into_iter();
                deps::human_dependents(&self.view, &of.map(|of| queries.dependents(of)).collect::<Vec<_>>())
            }
            "between" => {
                let among = nodes_at(&self.view, &places(&rest)?)?;
                deps::human_pairs(&self.view, &queries.between(&among, &self.ignored))
            }
            "why" => {
                let [of, on] = rest[..] else {
                    return Err("why takes two places: the dependent first".into());
                };
                let of = asserted_at(queries, &places(&[of])?)?;
                deps::human_chain(&self.view, queries.why(&of, &nodes_at(&self.view, &places(&[on])?)?).as_ref())
            }
            "flow" => {
                let of = nodes_at(&self.view, &places(&rest)?)?;
                let chosen = queries.flow((!rest.is_empty()).then_some(&of));
                deps::human_flow(&self.view, &self.graph.flow, &chosen)
            }
            "trusted" => deps::human_trusted(&self.view, &queries.trusted()),
            "progress" => deps::human_quality(&self.view, &queries.quality()),
            "impact" => {
                let of = nodes_at(&self.view, &places(&rest)?)?;
                deps::human_impact(&self.view, &of, &queries.impact(&of))
            }
            "coverage" if rest.is_empty() => {
                deps::human_coverage(&self.view, &queries.coverage(), Some(&queries.progress()))
            }
            "coverage" => {
                let of = asserted_at(queries, &places(&rest)?)?;
                deps::human_coverage(&self.view, &queries.coverage_of(&of), None)
            }
            "uncovered" => deps::human_nodes(&self.view, &queries.progress().uncovered),
            "nodes" => self.nodes(&rest)?,
            "members" => members(&self.view).into_iter().map(|member| format!("{member}\n")).collect(),
            "ignore" => self.ignore(&rest)?,
            "restore" => self.restore(&rest)?,
            "prune" => self.prune(&rest)?,
            "save" => {
                let [file] = rest[..] else { return Err("save takes a file".into()) };
                write(Path::new(file), &saved::save(&self.path, &self.view, &self.graph))?
            }
            "load" => {
                let [file] = rest[..] else { return Err("load takes a file".into()) };
                let (path, view, graph) = load(Path::new(file))?;
                *self = Session::new(path, view, graph, None);
                self.greeting()
            }
            "export" => self.export(&rest)?,
            "help" => help(rest.first().copied())?,
            "quit" | "exit" => return Ok(Step::Quit),
            other => return Err(format!("there is no command `{other}`; `help` lists all").into()),
        };
        Ok(Step::Say(said))
    }

    fn nodes(&self, rest: &[&str]) -> Fallible<String> {
        let all = self.view.nodes.iter();
        let chosen: Vec<UserId> = match rest.first() {
            None => all.map(|node| node.id).collect(),
            Some(place) if place.starts_with(|c: char| c.is_ascii_digit()) => nodes_at(&self.view, &places(rest)?)?,
            Some(member) => all.filter(|node| &*node.member == *member).map(|node| node.id).collect(),
        };
        match chosen.is_empty() {
            true => Err("there are no such nodes".into()),
            false => Ok(deps::human_nodes(&self.view, &chosen)),
        }
    }

    fn ignore(&mut self, rest: &[&str]) -> Fallible<String> {
        self.ignored.extend(nodes_at(&self.view, &places_or_none(rest)?)?);
        let ignored: Vec<UserId> = self.ignored.iter().copied().collect();
        Ok(match ignored.is_empty() {
            true => "nothing is ignored\n".into(),
            false => format!("ignored:\n{}", deps::human_nodes(&self.view, &ignored)),
        })
    }

    fn restore(&mut self, rest: &[&str]) -> Fallible<String> {
        if rest.is_empty() {
            self.ignored.clear();
        }
        for user in nodes_at(&self.view, &places_or_none(rest)?)? {
            self.ignored.remove(&user);
        }
        self.ignore(&[])
    }

    fn prune(&self, rest: &[&str]) -> Fallible<String> {
        let program = self.program.as_ref().ok_or("a saved graph has no program to prune; open the file itself")?;
        if self.graph.definition == Definition::Execution {
            return Err("what executions need does not make a program that verifies; explore with --definition \
                        verification to prune"
                .into());
        }
        let (goals, file) = match rest {
            [goals @ .., ">", file] => (goals, Some(*file)),
            goals => (goals, None),
        };
        let keep: BTreeSet<UserId> = asserted_at(self.queries(), &places(goals)?)?.into_iter().collect();
        let Program { verification, found } = program;
        let pruned = verification.prune(found, &keep, Repair::Add);
        let about = report::Program {
            keep: keep.into_iter().collect(),
            verdict: pruned.verdict,
            in_time: pruned.result.stopped.is_empty(),
            kept: &pruned.kept,
            added: &pruned.added,
            only_hints: pruned.only_hints,
            believed: pruned.believed(),
            necessity: None,
            output: None,
            text: None,
        };
        let about = report::human(&self.view, &about);
        match file {
            _ if pruned.verdict != FileVerdict::Verified => Err(format!("not written: {about}").into()),
            Some(file) => Ok(write(Path::new(file), &pruned.text)? + &about),
            None => Ok(pruned.text + "\n" + &about),
        }
    }

    fn export(&self, rest: &[&str]) -> Fallible<String> {
        let (folder, tool) = match rest {
            [folder] | [folder, "csv"] => (folder, Tool::Csv),
            [folder, "graphml"] => (folder, Tool::GraphMl),
            [folder, "dot"] => (folder, Tool::Dot),
            [folder, "neo4j"] => (folder, Tool::Neo4j),
            _ => return Err("export takes a folder and one of csv, graphml, dot, neo4j".into()),
        };
        if let Some(message) = not_exported(&self.graph) {
            return Err(message.into());
        }
        std::fs::create_dir_all(folder).map_err(|error| format!("{folder} cannot be created: {error}"))?;
        let exported = Exported { path: &self.path, view: &self.view, graph: &self.graph, internal: true };
        let mut said = String::new();
        for (name, text) in export::files(exported, tool) {
            said += &write(&Path::new(folder).join(name), &text)?;
        }
        Ok(said)
    }
}

/// The members of a program's nodes, in order.
pub fn members(view: &View) -> Vec<&str> {
    let mut members: Vec<&str> = Vec::new();
    for node in &view.nodes {
        if !members.contains(&&*node.member) {
            members.push(&node.member);
        }
    }
    members
}

fn write(path: &Path, text: &str) -> Fallible<String> {
    std::fs::write(path, text).map_err(|error| format!("{} cannot be written: {error}", path.display()))?;
    Ok(format!("{} is written\n", path.display()))
}

fn places(words: &[&str]) -> Fallible<Vec<LineSpec>> {
    match words.is_empty() {
        true => Err("which line?".into()),
        false => places_or_none(words),
    }
}

fn places_or_none(words: &[&str]) -> Fallible<Vec<LineSpec>> {
    words.iter().map(|word| Ok(word.parse()?)).collect()
}
