//! Parses a tree.

use super::names;
use crate::check::{Check, ErrorKind, GaveUp, Property, Reason, Role, Verdict};
use crate::origin::Origin;
use crate::premise::{CheckId, NodeId, Premise};
use crate::tree::{Because, Labelled, ProofTree, Step};
use crate::validate::InvalidTree;
use echis_base::{Key, SyntaxId};
use echis_term::{Reader, Sexp, Terms, TextError};
use std::fmt;

type Read<T> = Result<T, TextError>;

impl ProofTree {
    /// Parses a tree, or returns the first error in the text.
    pub fn from_text(text: &str) -> Result<ProofTree, TreeError> {
        let mut building = Building { reader: Reader::default(), tree: None };
        for (number, line) in Sexp::read_all(text).map_err(TreeError::Text)?.iter().enumerate() {
            building.line(line).map_err(|error| TreeError::Entry { number: number + 1, error })?;
        }
        let mut tree = building.tree.ok_or(TreeError::NoRoot)?;
        tree.terms = building.reader.terms;
        tree.validate().map_err(TreeError::Invalid)?;
        Ok(tree)
    }
}

/// Why a text is not a tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TreeError {
    Text(TextError),
    Entry { number: usize, error: TextError },
    NoRoot,
    Invalid(InvalidTree),
}

impl fmt::Display for TreeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TreeError::Text(error) => error.fmt(f),
            TreeError::Entry { number, error } => write!(f, "entry {number}: {error}"),
            TreeError::NoRoot => f.write_str("a tree has a root"),
            TreeError::Invalid(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for TreeError {}

struct Building {
    reader: Reader,
    /// Set once the root was read.
    tree: Option<ProofTree>,
}

impl Building {
    fn line(&mut self, line: &Sexp) -> Read<()> {
        if self.reader.line(line)? {
            return Ok(());
        }
        match line.list()? {
            [head, id, parent, step, origin, premises @ ..] if head.word()? == "node" => {
                self.node(id, parent, step, origin, premises)
            }
            [head, id, at, goal, role, origin, verdict, premises @ ..] if head.word()? == "check" => {
                let check = Check {
                    at: self.known_node(at)?,
                    goal: self.reader.term(goal)?,
                    role: role_of(role)?,
                    origin: self.tree()?.origin(origin_of(origin)?),
                    premises: self.premises(premises)?.into(),
                };
                let tree = self.tree()?;
                let added = tree.add_check(check);
                if let Some(verdict) = verdict_of(verdict)? {
                    tree.verdicts.set(added, verdict);
                }
                same(added, key(id, 'c')?)
            }
            [head, id, term, labels] if head.word()? == "labelled" => self.labelled(id, term, labels.list()?),
            [head, node] if head.word()? == "closed" => {
                let node = self.known_node(node)?;
                self.tree()?.closed.push(node);
                Ok(())
            }
            _ => Err(TextError::Shape("this is no entry of a tree")),
        }
    }

    fn node(&mut self, id: &Sexp, parent: &Sexp, step: &Sexp, origin: &Sexp, premises: &[Sexp]) -> Read<()> {
        let id: NodeId = key(id, 'n')?;
        let origin = origin_of(origin)?;
        if parent.word()? == "-" {
            if self.tree.is_some() {
                return Err(TextError::Shape("a tree has one root"));
            }
            let tree = ProofTree::new(Terms::new(), origin);
            let root = tree.root();
            self.tree = Some(tree);
            return same(root, id);
        }
        let parent = self.known_node(parent)?;
        let premises = self.premises(premises)?.into();
        let step = match step.list()? {
            [head, fact, because] if head.word()? == "assume" => {
                Step::Assume { fact: self.reader.term(fact)?, because: because_of(because)?, premises }
            }
            [head, fact, because] if head.word()? == "dead" => {
                Step::Dead { fact: self.reader.term(fact)?, because: because_of(because)?, premises }
            }
            [head, guard, side] if head.word()? == "split" => {
                Step::Split { guard: self.reader.term(guard)?, negated: side.word()? == "negated" }
            }
            _ => return Err(TextError::Shape("this is no step")),
        };
        same(self.tree()?.add(parent, step, origin), id)
    }

    fn labelled(&mut self, id: &Sexp, term: &Sexp, labels: &[Sexp]) -> Read<()> {
        let term = self.reader.term(term)?;
        let mut read = Vec::new();
        for label in labels {
            let [label, node] = label.list()? else { return Err(TextError::Shape("a label is a term and a node")) };
            read.push((self.reader.term(label)?, self.known_node(node)?));
        }
        let labelled = Labelled { term, labels: read.into() };
        if id.word()?.starts_with('n') {
            let node = self.known_node(id)?;
            self.tree()?.labelled_facts.replace(node, labelled);
        } else {
            let check = self.known_check(id)?;
            self.tree()?.labelled_goals.replace(check, labelled);
        }
        Ok(())
    }

    fn premises(&mut self, lists: &[Sexp]) -> Read<Vec<Premise>> {
        let mut premises = Vec::new();
        for list in lists {
            for premise in &list.list()?[1..] {
                premises.push(match premise.word()?.starts_with('n') {
                    true => Premise::Fact(self.known_node(premise)?),
                    false => Premise::Check(key(premise, 'c')?),
                });
            }
        }
        Ok(premises)
    }

    fn tree(&mut self) -> Read<&mut ProofTree> {
        self.tree.as_mut().ok_or(TextError::Shape("the root comes first"))
    }

    fn known_node(&mut self, id: &Sexp) -> Read<NodeId> {
        let id: NodeId = key(id, 'n')?;
        self.tree()?.nodes.get(id).map(|_| id).ok_or_else(|| TextError::Undeclared(id.to_string()))
    }

    fn known_check(&mut self, id: &Sexp) -> Read<CheckId> {
        let id: CheckId = key(id, 'c')?;
        self.tree()?.checks.get(id).map(|_| id).ok_or_else(|| TextError::Undeclared(id.to_string()))
    }
}

/// `n12`, `c3`, `@7`
fn key<K: Key>(sexp: &Sexp, prefix: char) -> Read<K> {
    let word = sexp.word()?;
    let number = word.strip_prefix(prefix).and_then(|number| number.parse::<u32>().ok());
    number.map(|number| K::new(number as usize)).ok_or_else(|| TextError::unknown(word, "key of this kind"))
}

fn same<K: Key>(added: K, written: K) -> Read<()> {
    if added == written { Ok(()) } else { Err(TextError::unknown(&format!("{written:?}"), "next key")) }
}

fn origin_of(sexp: &Sexp) -> Read<Origin> {
    let [head, clause, site, part] = sexp.list()? else { return Err(TextError::Shape("this is no origin")) };
    if head.word()? != "origin" {
        return Err(TextError::Shape("this is no origin"));
    }
    let site = if site.word()? == "-" { None } else { Some(key::<SyntaxId>(site, '@')?) };
    Ok(Origin { clause: key(clause, '@')?, site, part: names::part(part.word()?)? })
}

fn because_of(sexp: &Sexp) -> Read<Because> {
    match sexp {
        Sexp::List(items) => match &items[..] {
            [_, rule] => Ok(Because::Rule(names::rule(rule.word()?)?)),
            _ => Err(TextError::Shape("this is no reason for a fact")),
        },
        Sexp::Word(word) => match &**word {
            "Written" => Ok(Because::Written),
            "Checked" => Ok(Because::Checked),
            "Lifted" => Ok(Because::Lifted),
            "Recovered" => Ok(Because::Recovered),
            other => Err(TextError::unknown(other, "reason for a fact")),
        },
    }
}

fn role_of(sexp: &Sexp) -> Read<Role> {
    match sexp.list()? {
        [_, question] => Ok(Role::Probe(names::question(question.word()?)?)),
        [_, error, at, reason, offending] => {
            let (error, reason) = (error.word()?, reason.word()?);
            let kind = ErrorKind::ALL.iter().copied().find(|kind| kind.id() == error);
            let why = Reason::ALL.iter().copied().find(|why| why.id() == reason);
            Ok(Role::Obligation(Property {
                error: kind.ok_or_else(|| TextError::unknown(error, "error"))?,
                at: key(at, '@')?,
                reason: why.ok_or_else(|| TextError::unknown(reason, "reason"))?,
                offending: key(offending, '@')?,
            }))
        }
        _ => Err(TextError::Shape("this is no role")),
    }
}

fn verdict_of(sexp: &Sexp) -> Read<Option<Verdict>> {
    match sexp {
        Sexp::List(items) => match &items[..] {
            [_, text] => Ok(Some(Verdict::Unknown(GaveUp::Solver(text.word()?.to_string())))),
            _ => Err(TextError::Shape("this is no verdict")),
        },
        Sexp::Word(word) => match &**word {
            "open" => Ok(None),
            "Proved" => Ok(Some(Verdict::Proved)),
            "Refuted" => Ok(Some(Verdict::Refuted)),
            "Incomplete" => Ok(Some(Verdict::Unknown(GaveUp::Incomplete))),
            "Resources" => Ok(Some(Verdict::Unknown(GaveUp::Resources))),
            other => Err(TextError::unknown(other, "verdict")),
        },
    }
}
