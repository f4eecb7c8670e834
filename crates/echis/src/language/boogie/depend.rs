//! The dependencies of a Boogie program, as the same kind of graph as for Viper programs.

use super::explaining::{Explain, Explained, Explaining, apart};
use super::text::extent;
use super::walk::statements;
use super::{concluded, digest};
use crate::checked::Checked;
use crate::verify::members::{Progress, Verified, selects, verify_watched};
use crate::verify::results::{Digest, gather};
use crate::verify::settings::{Settings, Trees};
use crate::verify::solvers::Solvers;
use echis_base::{Key, LineColumn, Name, Position, SourceMap, Span, SyntaxId};
use echis_boogie::Program;
use echis_boogie::attributes::{Known, has_attribute};
use echis_boogie::program::{Clause, Meaning, Stmt, StmtKind};
use echis_cover::Coverage;
use echis_depend::{
    Assertion, Assumption, Attribution, Coarse, Construct, Graph, Needs, Queries, UserId, Via, View, ViewNode,
};
use echis_findings::FileResult;
use echis_proof::{Explainer, Member};
use echis_vcg::{Element, Engine, Explanation, Outcome};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Instant;

/// A verified Boogie program with the dependencies of its goals.
pub(crate) struct BoogieDependencies {
    pub result: FileResult,
    pub view: View,
    pub graph: Graph,
    /// The maximum cost of a procedure's proof, in solver units.
    pub effort: u64,
    pub(super) program: Arc<Program>,
    /// The nodes, by the syntax they were created from.
    pub(super) users: BTreeMap<SyntaxId, UserId>,
}

/// Verifies a Boogie program and explains its proofs. For an invalid program, returns its errors.
pub(crate) fn dependencies(
    checked: &Checked,
    settings: &Settings,
    solvers: &Solvers,
    attribution: Attribution,
    progress: &dyn Progress,
) -> Result<BoogieDependencies, Box<FileResult>> {
    let start = Instant::now();
    let Some(program) = checked.boogie().cloned() else { return Err(Box::new(checked.result())) };
    let program = &program;
    // The axioms of Dafny's prelude are not what its users wrote.
    let axioms =
        if attribution == Attribution::Overall && !program.places.is_empty() { Axioms::Given } else { Axioms::Nodes };
    let nodes = Nodes::new(program, checked.sources(), axioms);
    let explain = |member: &Member, explained: Explained<Vec<Explanation>>, ()| {
        let (outcome, explained) = apart(explained);
        (digest(program, member, outcome, None), explained.unwrap_or_default())
    };
    let finish = |verified: Verified<(Digest, Vec<Explanation>)>| {
        let Verified { member, time, result, found, reached } = verified;
        let (result, explained) = match result {
            Ok((digest, explained)) => (Ok(digest), explained),
            Err(ended) => (Err(ended), Vec::new()),
        };
        (concluded(program, Verified { member, time, result, found, reached }), explained)
    };
    // Goals that were not asked are not known to hold.
    let settings = Settings { errors: 0, counterexample: None, trees: Trees::Dropped, ..settings.clone() };
    let engine = Engine::new(program).eager();
    if !selects(&engine, &settings) {
        return Err(Box::new(checked.result()));
    }
    let explaining = Goals { nodes: &nodes, attribution };
    let engine = Explaining { engine, explain: explaining, solvers, cancel: &settings.cancel };
    let found = verify_watched(&engine, &settings, solvers, progress, || (), explain, finish);
    let (members, explained): (Vec<_>, Vec<_>) = found.into_iter().unzip();
    let effort = explained.iter().flatten().map(|explanation| explanation.effort).max().unwrap_or(0);
    let graph = nodes.graph(explained.into_iter().flatten());
    let mut result = checked.result();
    gather(members, &mut result);
    result.time += start.elapsed();
    let users = nodes.of.clone();
    let view = nodes.view(&graph);
    Ok(BoogieDependencies { result, view, graph, effort, program: program.clone(), users })
}

/// Explains goals by the nodes of a program.
struct Goals<'a> {
    nodes: &'a Nodes,
    attribution: Attribution,
}

impl Explain for Goals<'_> {
    type Found = Vec<Explanation>;
    fn prove(&self, outcome: &mut Outcome, explainer: &mut dyn Explainer, bound: u64) -> Option<Vec<Explanation>> {
        match self.attribution {
            Attribution::PerNode => None,
            Attribution::Overall => echis_vcg::prove_explained(outcome, explainer, &|id| self.nodes.has(id), bound),
        }
    }
    fn explain(&self, outcome: &mut Outcome, explainer: &mut dyn Explainer) -> Option<Vec<Explanation>> {
        let shown = |id| self.nodes.has(id);
        Some(match self.attribution {
            Attribution::PerNode => echis_vcg::explain(outcome, explainer, &shown),
            Attribution::Overall => echis_vcg::explain_together(outcome, explainer, &shown),
        })
    }
}

impl BoogieDependencies {
    /// The coverage of each procedure's goals, from the graph alone.
    pub fn coverage(&self) -> Coverage {
        let goals: BTreeSet<UserId> = self.view.nodes.iter().filter(|node| node.goal).map(|node| node.id).collect();
        let vacuous = self.users.iter().filter(|(_, user)| self.graph.vacuous.contains(user));
        Coverage {
            covered: echis_cover::covered_by(&self.graph, |user| goals.contains(&user)),
            members: echis_cover::members(Queries { view: &self.view, graph: &self.graph }),
            vacuous: vacuous.map(|(id, _)| extent(&self.program, *id)).collect(),
            ..Coverage::default()
        }
    }
}

/// The nodes that a user can point at.
struct Nodes {
    /// The program's main file.
    main: Name,
    all: Vec<ViewNode>,
    of: BTreeMap<SyntaxId, UserId>,
}

/// Whether axioms and definitions of functions are nodes, or taken for granted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Axioms {
    Nodes,
    Given,
}

impl Nodes {
    fn new(program: &Program, sources: &SourceMap, axioms: Axioms) -> Self {
        let main = sources.files().next().map_or_else(|| Name::from(""), |(_, file)| Name::from(&*file.path));
        let mut builder = Builder { program, sources, nodes: Nodes { main, all: Vec::new(), of: BTreeMap::new() } };
        if axioms == Axioms::Nodes {
            builder.axioms();
        }
        builder.procedures();
        builder.nodes
    }
    fn has(&self, id: SyntaxId) -> bool {
        self.of.contains_key(&id)
    }
    fn is_call(&self, id: SyntaxId) -> bool {
        self.construct(id) == Some(Construct::Call)
    }
    fn construct(&self, id: SyntaxId) -> Option<Construct> {
        self.of.get(&id).map(|user| self.all[user.index()].construct)
    }
    /// The nodes of an element: the clause and, if it is used at a call, the call.
    fn users(&self, element: Element) -> impl Iterator<Item = UserId> {
        let site = element.site.filter(|site| self.is_call(*site));
        [Some(element.clause), site].into_iter().flatten().filter_map(|id| self.of.get(&id).copied())
    }
    /// The node that demands a goal: the call for a callee's precondition, otherwise the clause.
    fn owner(&self, goal: Element) -> Option<UserId> {
        let at_call = goal.site.filter(|_| self.construct(goal.clause) == Some(Construct::Precondition));
        self.of.get(&at_call.unwrap_or(goal.clause)).copied()
    }

    fn graph(&self, explained: impl Iterator<Item = Explanation>) -> Graph {
        let mut needs: BTreeMap<UserId, Needs> = BTreeMap::new();
        let mut coarse = BTreeMap::new();
        let (mut failed, mut vacuous, mut sound) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        for Explanation { goal, proved, vacuous: is_vacuous, lost, needs: elements, .. } in explained {
            let Some(owner) = self.owner(goal) else { continue };
            let known = needs.entry(owner).or_default();
            let via = if is_vacuous { Via::Infeasibility } else { Via::Value };
            for user in elements.into_iter().flat_map(|element| self.users(element)).filter(|user| *user != owner) {
                known.entry(user).and_modify(|known| *known = (*known).min(via)).or_insert(via);
            }
            if lost {
                coarse.insert(owner, Coarse::Lost);
            }
            match (proved, is_vacuous) {
                (false, _) => drop(failed.insert(owner)),
                (true, true) => drop(vacuous.insert(owner)),
                (true, false) => drop(sound.insert(owner)),
            }
        }
        let vacuous = vacuous.difference(&sound).copied().collect();
        let needs = needs.into_iter().map(|(user, needs)| (user, Arc::new(needs)));
        let mut graph = Graph::from_parts(needs, failed, vacuous);
        graph.coarse = coarse;
        graph
    }
    fn view(self, graph: &Graph) -> View {
        let mut all = self.all;
        for node in &mut all {
            node.failed = graph.failed.contains(&node.id);
            node.coarse = graph.coarse.get(&node.id).copied();
            node.vacuous = graph.vacuous.contains(&node.id);
            node.assertion = node.assertion.filter(|_| graph.is_asserted(node.id));
        }
        let mut view = View::of(self.main, all);
        view.dependencies = Queries { view: &view, graph }.all(&BTreeSet::new());
        view
    }
}

struct Builder<'a> {
    program: &'a Program,
    sources: &'a SourceMap,
    nodes: Nodes,
}

impl Builder<'_> {
    fn axioms(&mut self) {
        let program = self.program;
        for axiom in program.axioms.values() {
            self.add(axiom.id, &"axioms".into(), Construct::Axiom, Assumption::Axiom, None);
        }
        for function in program.functions.values().filter(|function| function.meaning == Meaning::Axiom) {
            if function.body.is_some() {
                self.add(function.id, &function.name, Construct::FunctionBody, Assumption::Implicit, None);
            }
        }
    }
    fn procedures(&mut self) {
        let program = self.program;
        for (id, procedure) in program.procedures.iter() {
            let bodies: Vec<_> = program.implementations.values().filter(|body| body.procedure == id).collect();
            let name = &procedure.name;
            for clause in &procedure.requires {
                self.add(clause.id, name, Construct::Precondition, Assumption::Explicit, None);
            }
            for clause in &procedure.ensures {
                let is_shown = !clause.free && !bodies.is_empty();
                let assumption = if is_shown { Assumption::Implicit } else { Assumption::Explicit };
                let assertion = is_shown.then_some(Assertion::Explicit);
                self.add(clause.id, name, Construct::Postcondition, assumption, assertion);
            }
            bodies.into_iter().flat_map(|body| statements(&body.body)).for_each(|stmt| self.stmt(stmt, name));
        }
    }
    fn stmt(&mut self, stmt: &Stmt, member: &Name) {
        let implicit = Some(Assertion::Implicit);
        match &stmt.kind {
            StmtKind::Assert(_) => {
                self.add(stmt.id, member, Construct::Assert, Assumption::Implicit, Some(Assertion::Explicit));
            }
            // A statement that only marks where checking starts is needed by the user, not by a proof.
            StmtKind::Assume(_) if has_attribute(&stmt.attributes, Known::StartCheckingHere) => {}
            StmtKind::Assume(_) => self.add(stmt.id, member, Construct::Inhale, Assumption::Explicit, None),
            StmtKind::Assign { .. } => self.add(stmt.id, member, Construct::Assignment, Assumption::Implicit, None),
            StmtKind::Unpack { .. } => {
                self.add(stmt.id, member, Construct::Assignment, Assumption::Implicit, implicit);
            }
            StmtKind::Call { .. } => self.add(stmt.id, member, Construct::Call, Assumption::Implicit, implicit),
            StmtKind::If { condition, .. } | StmtKind::While { condition, .. } => {
                if condition.is_some() {
                    self.add(stmt.id, member, Construct::Condition, Assumption::PathCondition, None);
                }
                if let StmtKind::While { invariants, .. } = &stmt.kind {
                    invariants.iter().for_each(|clause| self.invariant(clause, member));
                }
            }
            _ => {}
        }
    }
    fn invariant(&mut self, clause: &Clause, member: &Name) {
        let (assumption, assertion) = match clause.free {
            true => (Assumption::Explicit, None),
            false => (Assumption::Invariant, Some(Assertion::Explicit)),
        };
        self.add(clause.id, member, Construct::Invariant, assumption, assertion);
    }

    fn add(
        &mut self,
        id: SyntaxId,
        member: &Name,
        construct: Construct,
        assumption: Assumption,
        assertion: Option<Assertion>,
    ) {
        let span = self.program.syntax.span(id);
        let whole = self.program.extents.get(&id).copied().unwrap_or(span);
        let user = UserId::new(self.nodes.all.len());
        self.nodes.of.insert(id, user);
        self.nodes.all.push(ViewNode {
            id: user,
            position: self.dafny_position(span).unwrap_or_else(|| self.sources.position(whole)),
            text: self.sources.text(whole).split_whitespace().collect::<Vec<_>>().join(" "),
            member: member.clone(),
            construct,
            assumption: Some(assumption),
            assertion,
            vacuous: false,
            failed: false,
            dead: false,
            goal: assertion == Some(Assertion::Explicit),
            counts: true,
            coarse: None,
            annotations: Vec::new(),
        });
    }
    /// `name.dfy(12,3)`, if a statement has that origin.
    fn dafny_position(&self, span: Span) -> Option<Position> {
        let place = self.program.places.of(span)?;
        let (file, position) = place.strip_suffix(')')?.rsplit_once('(')?;
        let (line, column) = position.split_once(',')?;
        let start = LineColumn { line: line.parse().ok()?, column: column.parse().ok()? };
        Some(Position { file: file.into(), start, end: start })
    }
}
