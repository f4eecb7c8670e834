//! Outlines of proofs: what was assumed and checked on each path, read from the kept trees.

use crate::limits::{OUTLINE_CLAUSE, OUTLINE_STEPS};
use crate::verification::Verification;
use crate::verify::members::Proof;
use crate::verify::profile::verdict;
use crate::verify::run::Kept;
use echis_base::{Name, SourceMap, Span};
use echis_exec::Engine;
use echis_findings::diagnose::source_text;
use echis_findings::outline::{MemberOutline, OutlineStep, StepKind};
use echis_program::program::Program;
use echis_proof::{Because, CheckId, NodeId, OriginId, ProofTree, Role, Step, Verifier as _};
use echis_term::TermId;
use std::collections::{BTreeMap, HashMap};
use std::sync::PoisonError;

impl Verification {
    /// The proof of each member whose tree is kept, in the engine's order.
    pub fn outlines(&self) -> Vec<MemberOutline> {
        let Some(program) = self.checked().viper() else { return Vec::new() };
        let engine = Engine::new(program);
        let members = engine.members().iter().filter_map(|(id, member)| {
            let Kept { outcome, proofs } = self.kept(id)?;
            let mut efforts: HashMap<(NodeId, TermId), u64> = HashMap::new();
            for Proof { at, goal, first } in proofs {
                *efforts.entry((*at, *goal)).or_insert(0) += first.effort;
            }
            let outcome = outcome.lock().unwrap_or_else(PoisonError::into_inner);
            let tree = &outcome.tree;
            let reader = Reader { program, sources: self.checked().sources(), tree, efforts };
            Some(reader.outline(member.name.clone()))
        });
        members.collect()
    }
}

struct Reader<'a> {
    program: &'a Program,
    sources: &'a SourceMap,
    tree: &'a ProofTree,
    efforts: HashMap<(NodeId, TermId), u64>,
}

impl Reader<'_> {
    fn outline(&self, name: Name) -> MemberOutline {
        let mut children: BTreeMap<NodeId, Vec<NodeId>> = BTreeMap::new();
        for (id, node) in self.tree.nodes.iter() {
            if let Some(parent) = node.parent {
                children.entry(parent).or_default().push(id);
            }
        }
        let mut checks: BTreeMap<NodeId, Vec<CheckId>> = BTreeMap::new();
        for (id, check) in self.tree.checks.iter() {
            checks.entry(check.at).or_default().push(id);
        }
        let mut outline = MemberOutline { name, steps: Vec::new(), left_out: 0 };
        let mut pending = vec![(self.tree.root(), 0)];
        while let Some((node, depth)) = pending.pop() {
            let fact = self.fact(node, depth);
            let opens = matches!(self.tree.nodes[node].step, Step::Split { .. } | Step::Dead { .. });
            let below = depth + u32::from(opens);
            let asked = checks.get(&node).into_iter().flatten().filter_map(|check| self.check(*check, below));
            for step in fact.into_iter().chain(asked) {
                add(&mut outline, step);
            }
            pending.extend(children.get(&node).into_iter().flatten().rev().map(|child| (*child, below)));
        }
        outline
    }

    /// An outline step for a fact, except the engine's own bookkeeping.
    fn fact(&self, node: NodeId, depth: u32) -> Option<OutlineStep> {
        let found = &self.tree.nodes[node];
        let (kind, because) = match &found.step {
            Step::Root => return None,
            Step::Assume { because: Because::Rule(_), .. } => return None,
            Step::Assume { because, .. } => (StepKind::Fact, reason(because)),
            Step::Split { negated: true, .. } => (StepKind::Branch, "not taken"),
            Step::Split { .. } => (StepKind::Branch, "taken"),
            Step::Dead { .. } => (StepKind::Dead, "cannot be reached"),
        };
        Some(OutlineStep { depth, kind, because: because.into(), ..self.at(found.origin) })
    }

    /// An outline step for an obligation; probes are left out.
    fn check(&self, id: CheckId, depth: u32) -> Option<OutlineStep> {
        let check = &self.tree.checks[id];
        let Role::Obligation(property) = check.role else { return None };
        let because = format!("{}:{}", property.error.id(), property.reason.id());
        let effort = self.efforts.get(&(check.at, check.goal)).copied().unwrap_or(0);
        let verdict = self.tree.verdicts.get(id).map(verdict);
        Some(OutlineStep { depth, kind: StepKind::Check, because, verdict, effort, ..self.at(check.origin) })
    }

    fn at(&self, origin: OriginId) -> OutlineStep {
        let origin = self.tree.origins[origin];
        let span = |id| -> Span { self.program.syntax.span(id) };
        let text = source_text(self.sources, span(origin.clause));
        let text = match text.char_indices().nth(OUTLINE_CLAUSE) {
            Some((end, _)) => format!("{}…", &text[..end]),
            None => text,
        };
        OutlineStep {
            depth: 0,
            kind: StepKind::Fact,
            text,
            span: span(origin.clause),
            site: origin.site.map(span),
            because: String::new(),
            verdict: None,
            effort: 0,
            count: 1,
        }
    }
}

/// Adds a step, merging it with the previous one if both are about the same clause.
fn add(outline: &mut MemberOutline, step: OutlineStep) {
    if let Some(last) = outline.steps.last_mut()
        && matches!(step.kind, StepKind::Fact | StepKind::Check)
        && (last.kind, last.depth, last.span, last.site) == (step.kind, step.depth, step.span, step.site)
        && last.because == step.because
    {
        last.count += 1;
        last.effort += step.effort;
        last.verdict = last.verdict.max(step.verdict);
    } else if outline.steps.len() < OUTLINE_STEPS {
        outline.steps.push(step);
    } else {
        outline.left_out += 1;
    }
}

fn reason(because: &Because) -> &'static str {
    match because {
        Because::Written => "written",
        Because::Rule(_) => "rule",
        Because::Checked => "follows from checks",
        Because::Lifted => "learned in a branch",
        Because::Recovered => "assumed after a failure",
    }
}
