//! Procedures as text, with the origin of each statement.

use crate::Goal;
use echis_base::{SyntaxId, mutation};
use echis_proof::{ErrorKind, Property, Reason};
use std::collections::BTreeMap;

/// The error kind and location to report for a failure.
#[derive(Clone, Copy, Debug)]
pub struct Blame {
    pub error: ErrorKind,
    pub at: SyntaxId,
}

impl Blame {
    pub fn property(self, reason: Reason, offending: SyntaxId) -> Property {
        Property { error: self.error, at: self.at, reason, offending }
    }
}

struct Line {
    depth: usize,
    text: String,
    goal: Option<Goal>,
}

/// The body of one procedure.
pub struct Body {
    vars: BTreeMap<String, String>,
    lines: Vec<Line>,
    depth: usize,
    /// Whether assertions were proved elsewhere.
    trusts: bool,
}

impl Body {
    pub fn new() -> Self {
        Body { vars: BTreeMap::new(), lines: Vec::new(), depth: 1, trusts: false }
    }
    pub fn declare(&mut self, name: &str, ty: &str) {
        if !self.vars.contains_key(name) {
            self.vars.insert(name.to_string(), ty.to_string());
        }
    }
    /// Sets whether subsequent assertions were proved elsewhere, so that they are assumed; returns the previous
    /// setting.
    pub fn trust(&mut self, trusts: bool) -> bool {
        std::mem::replace(&mut self.trusts, trusts)
    }
    pub fn line(&mut self, text: impl Into<String>) {
        self.push(text.into(), None);
    }
    pub fn assume(&mut self, condition: &str) {
        if condition != "true" {
            self.line(format!("assume {condition};"));
        }
    }
    #[track_caller]
    pub fn assert(&mut self, condition: &str, property: Property) {
        if self.trusts {
            self.assume(condition);
        } else if condition != "true" && !mutation::is_removed() {
            self.push(format!("assert {condition};"), Some(Goal { property, refuted: false }));
        }
    }
    /// A goal that is not assumed afterwards.
    #[track_caller]
    pub fn demand(&mut self, condition: &str, property: Property) {
        if !self.trusts && condition != "true" && !mutation::is_removed() {
            let goal = Some(Goal { property, refuted: false });
            self.push(format!("assert {{:subsumption 0}} {condition};"), goal);
        }
    }
    /// A goal that is an error if it holds.
    pub fn refute(&mut self, condition: &str, property: Property) {
        self.push(format!("assert {condition};"), Some(Goal { property, refuted: true }));
    }
    fn push(&mut self, text: String, goal: Option<Goal>) {
        self.lines.push(Line { depth: self.depth, text, goal });
    }
    pub fn begin(&mut self, head: &str) {
        self.line(format!("{head} {{"));
        self.depth += 1;
    }
    pub fn otherwise(&mut self) {
        self.depth -= 1;
        self.line("} else {");
        self.depth += 1;
    }
    pub fn end(&mut self) {
        self.depth -= 1;
        self.line("}");
    }
    /// The current position.
    pub fn mark(&self) -> usize {
        self.lines.len()
    }
    /// Deletes everything after a mark.
    pub fn rewind(&mut self, mark: usize) {
        self.lines.truncate(mark);
    }
    /// Moves everything after a mark to an earlier one.
    pub fn move_to(&mut self, from: usize, to: usize) {
        let moved = self.lines.split_off(from);
        self.lines.splice(to..to, moved);
    }
    /// Deletes everything after a mark if it is only the start of a block.
    pub fn end_unless_empty(&mut self, mark: usize) {
        if self.lines.len() == mark + 1 {
            self.lines.truncate(mark);
            self.depth -= 1;
        } else {
            self.end();
        }
    }

    pub fn write(&self, name: &str, out: &mut Output) {
        out.text += &format!("procedure {name}()\n{{\n");
        for (var, ty) in &self.vars {
            out.text += &format!("  var {var}: {ty};\n");
        }
        for Line { depth, text, goal } in &self.lines {
            out.text.extend(std::iter::repeat_n("  ", *depth));
            if let Some(goal) = goal {
                out.goals.insert(out.text.len(), *goal);
            }
            out.text += text;
            out.text.push('\n');
        }
        out.text += "}\n\n";
    }
}

/// The complete output.
#[derive(Default)]
pub struct Output {
    pub text: String,
    pub goals: BTreeMap<usize, Goal>,
}

pub fn and(parts: impl IntoIterator<Item = String>) -> String {
    let mut parts: Vec<String> = parts.into_iter().filter(|part| part != "true").collect();
    parts.dedup();
    match parts.len() {
        0 => "true".into(),
        1 => parts.swap_remove(0),
        _ => format!("({})", parts.join(" && ")),
    }
}
pub fn implies(left: &str, right: &str) -> String {
    match (left, right) {
        (_, "true") | ("false", _) => "true".into(),
        ("true", _) => right.into(),
        _ => format!("({left} ==> {right})"),
    }
}
pub fn not(inner: &str) -> String {
    format!("!({inner})")
}
