//! Computes from the program text what the branch of a case distinction could change.

use crate::blame::Facts;
use crate::kind::Construct;
use crate::nodes::{Nodes, UserId};
use crate::owner::Owner;
use echis_base::SyntaxId;
use echis_program::program::{
    Block, ExprId, ExprKind, FieldId, LabelId, LocalId, Location, Method, OldState, Part, PredicateId, Program, Role,
    Stmt, StmtKind,
};
use std::collections::{BTreeMap, BTreeSet};

/// The nodes that the exclusion of a side may affect.
#[derive(Debug)]
pub enum Influence {
    Everything,
    Side(Side),
}

#[derive(Debug)]
pub struct Side {
    /// Nodes on the side, or possibly reached only through it.
    pub inside: BTreeSet<UserId>,
    /// Nodes that state something on one side only, and later ones that mention what the side may change.
    pub marked: BTreeSet<UserId>,
    /// The last node before both sides join.
    last: UserId,
}

impl Side {
    /// Whether a node is reached after both sides have joined. Nodes are in text order, but postconditions and
    /// invariants are checked at the end.
    pub fn is_behind(&self, nodes: &Nodes, user: UserId) -> bool {
        user > self.last || matches!(nodes.all[user].construct, Construct::Postcondition | Construct::Invariant)
    }
}

/// The variables and resources that statements change or expressions mention.
#[derive(Clone, Default, Debug)]
struct Touched {
    locals: BTreeSet<LocalId>,
    resources: BTreeSet<Resource>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Resource {
    Field(FieldId),
    Predicate(PredicateId),
    /// Anything: wands take permissions that the text does not mention.
    Anything,
}

impl Touched {
    fn meets(&self, other: &Touched) -> bool {
        let anything =
            |one: &Touched, other: &Touched| one.resources.contains(&Resource::Anything) && !other.resources.is_empty();
        !self.locals.is_disjoint(&other.locals)
            || !self.resources.is_disjoint(&other.resources)
            || anything(self, other)
            || anything(other, self)
    }
    fn add(&mut self, other: Touched) {
        self.locals.extend(other.locals);
        self.resources.extend(other.resources);
    }
}

/// The text of the tree's member.
pub struct Syntax<'a> {
    facts: Facts<'a>,
    /// The statements in text order.
    stmts: Vec<&'a Stmt>,
    position: BTreeMap<SyntaxId, usize>,
    /// For each statement, the block that contains it, its index there, and the enclosing statement.
    around: BTreeMap<SyntaxId, (&'a Block, usize, Option<&'a Stmt>)>,
    /// The nodes of packages and their proof scripts, each with its outermost package.
    packages: BTreeMap<UserId, &'a Stmt>,
    labels: BTreeMap<LabelId, usize>,
    /// Labels that a jump targets or an `old` expression refers to.
    used_labels: BTreeSet<LabelId>,
    /// The nodes of the member, with what they mention.
    own: BTreeMap<UserId, Touched>,
}

impl<'a> Syntax<'a> {
    pub fn new(facts: Facts<'a>) -> Self {
        let program = facts.program;
        let mut syntax = Syntax {
            facts,
            stmts: Vec::new(),
            position: BTreeMap::new(),
            around: BTreeMap::new(),
            packages: BTreeMap::new(),
            labels: BTreeMap::new(),
            used_labels: BTreeSet::new(),
            own: BTreeMap::new(),
        };
        let owner = facts.owner();
        if let Some(Owner::Method(method)) = owner
            && let Some(body) = &program.methods[method].body
        {
            syntax.enter(body, None);
            body.visit_stmts(&mut |stmt| syntax.note(stmt));
            let roots = program.method_roots(method);
            roots.into_iter().for_each(|root| {
                program.visit(root, |expr| {
                    if let ExprKind::Old { state: OldState::Label(label), .. } = program.kind(expr) {
                        syntax.used_labels.insert(*label);
                    }
                    true
                })
            });
        }
        let own = facts.nodes.all.iter().filter(|(_, node)| Some(node.owner) == owner);
        let own: Vec<UserId> = own.map(|(user, _)| user).collect();
        syntax.own = own.into_iter().map(|user| (user, syntax.spoken_of(user))).collect();
        syntax
    }
    fn enter(&mut self, block: &'a Block, around: Option<&'a Stmt>) {
        let stmts = block.stmts.iter().enumerate();
        self.around.extend(stmts.map(|(index, stmt)| (stmt.id, (block, index, around))));
    }
    fn note(&mut self, stmt: &'a Stmt) {
        stmt.kind.blocks().into_iter().for_each(|block| self.enter(block, Some(stmt)));
        let position = self.stmts.len();
        self.stmts.push(stmt);
        self.position.insert(stmt.id, position);
        match &stmt.kind {
            StmtKind::Label { label, .. } => drop(self.labels.insert(*label, position)),
            StmtKind::Goto(label) => drop(self.used_labels.insert(*label)),
            StmtKind::Package { script, .. } => {
                let mut stmts = self.within(&[script]);
                stmts.push(stmt);
                for user in self.users_of(&stmts) {
                    self.packages.entry(user).or_insert(stmt);
                }
            }
            _ => {}
        }
    }
    /// The nodes that the positive or negative side of a case distinction may affect.
    pub fn influence(&self, clause: SyntaxId, site: Option<SyntaxId>, taken_is_negative: Option<bool>) -> Influence {
        // Observing that permission is absent also observes what the other branch would have taken.
        if self.facts.nodes.introspect {
            return Influence::Everything;
        }
        if let Some(package) = self.package_around(clause, site) {
            return self.script(package).map_or(Influence::Everything, Influence::Side);
        }
        let condition = |stmt: &&&Stmt| match &stmt.kind {
            StmtKind::If { condition, .. } | StmtKind::While { condition, .. } => {
                self.facts.program.expr(*condition).id == clause
            }
            _ => false,
        };
        let side = match self.stmts.iter().find(condition).filter(|_| site.is_none()) {
            Some(stmt) => match &stmt.kind {
                StmtKind::If { then, otherwise, .. } => {
                    let (dead, live) = match taken_is_negative {
                        Some(true) => (vec![then], vec![otherwise]),
                        Some(false) => (vec![otherwise], vec![then]),
                        None => (vec![then, otherwise], Vec::new()),
                    };
                    self.branch(stmt, &dead, &live)
                }
                StmtKind::While { invariants, body, .. } if taken_is_negative == Some(true) => {
                    self.body(stmt, invariants, body)
                }
                _ => None,
            },
            None => self.clause(clause, site),
        };
        side.map_or(Influence::Everything, Influence::Side)
    }
    /// The outermost package that contains a clause or its use.
    pub fn package_around(&self, clause: SyntaxId, site: Option<SyntaxId>) -> Option<&'a Stmt> {
        let user = self.facts.nodes.find(self.facts.program, site.unwrap_or(clause))?;
        self.packages.get(&user).copied()
    }
    /// A path of a package that ended: if it were feasible, the wand might not hold, or need a larger footprint.
    fn script(&self, package: &'a Stmt) -> Option<Side> {
        let StmtKind::Package { script, .. } = &package.kind else { return None };
        let mut stmts = self.within(&[script]);
        if stmts.iter().any(|stmt| self.is_used_label(stmt)) {
            return None;
        }
        stmts.push(package);
        let inside = self.users_of(&stmts);
        let changed = self.changed_by(package);
        let last = *inside.last()?;
        Some(self.side(inside.clone(), inside, last, &changed, &BTreeMap::new()))
    }
    /// A branch that is infeasible, beside a feasible one.
    fn branch(&self, stmt: &Stmt, dead: &[&'a Block], live: &[&'a Block]) -> Option<Side> {
        let (dead, live) = (self.within(dead), self.within(live));
        let mut between: Vec<&Stmt> = Vec::new();
        let both: Vec<&Stmt> = dead.iter().chain(&live).copied().collect();
        // A jump out of a branch skips what is in between.
        if let Some(target) = self.farthest_target(&both)? {
            let inside: BTreeSet<SyntaxId> = both.iter().map(|stmt| stmt.id).collect();
            let start = self.position[&stmt.id] + 1;
            let passed = self.stmts.get(start..target)?;
            between.extend(passed.iter().filter(|stmt| !inside.contains(&stmt.id)));
        }
        if both.iter().chain(&between).any(|stmt| self.is_used_label(stmt)) {
            return None;
        }
        let condition = self.users_of(&[stmt]);
        let inside: BTreeSet<UserId> = self.users_of(&dead).union(&self.users_of(&between)).copied().collect();
        let mut around = self.users_of(&both);
        around.extend(self.users_of(&between));
        around.extend(condition);
        let mut changed = Touched::default();
        dead.iter().chain(&between).for_each(|stmt| changed.add(self.changed_by(stmt)));
        let last = *around.last()?;
        Some(self.side(inside, around, last, &changed, &self.overwritten(stmt)))
    }
    /// The body of a loop that is never entered: later code is not reached from it.
    fn body(&self, stmt: &Stmt, invariants: &[ExprId], body: &'a Block) -> Option<Side> {
        let stmts = self.within(&[body]);
        if stmts.iter().any(|stmt| self.is_used_label(stmt) || matches!(stmt.kind, StmtKind::Goto(_))) {
            return None;
        }
        let mut inside = self.users_of(&stmts);
        inside.extend(invariants.iter().flat_map(|clause| self.users_of_expr(*clause)));
        let last = self.users_of(&[stmt]).union(&inside).copied().last()?;
        Some(Side { inside, marked: BTreeSet::new(), last })
    }
    /// An alternative within an assertion: both join at its end.
    fn clause(&self, clause: SyntaxId, site: Option<SyntaxId>) -> Option<Side> {
        let found = |id: SyntaxId| self.facts.nodes.find(self.facts.program, id);
        let around: BTreeSet<UserId> = site.into_iter().chain([clause]).filter_map(found).collect();
        let inside: BTreeSet<UserId> = around.iter().copied().filter(|user| self.own.contains_key(user)).collect();
        let mut changed = Touched::default();
        for user in &inside {
            changed.resources.extend(&self.own[user].resources);
        }
        let last = *inside.last()?;
        Some(self.side(inside, around, last, &changed, &BTreeMap::new()))
    }
    fn side(
        &self,
        inside: BTreeSet<UserId>,
        around: BTreeSet<UserId>,
        last: UserId,
        changed: &Touched,
        overwritten: &BTreeMap<LocalId, UserId>,
    ) -> Side {
        let mut side = Side { inside, marked: around, last };
        let behind = self.own.iter().filter(|(user, _)| side.is_behind(self.facts.nodes, **user));
        // Checks at the end come after all writes in between.
        let is_later = |user: UserId, than: UserId| user > than || user <= last;
        let speaking = behind.filter(|(user, spoken)| {
            let still = |local: &&LocalId| overwritten.get(local).is_none_or(|by| !is_later(**user, *by));
            let locals = changed.locals.iter().filter(still).copied().collect();
            spoken.meets(&Touched { locals, resources: changed.resources.clone() })
        });
        let speaking: Vec<UserId> = speaking.map(|(user, _)| *user).collect();
        side.marked.extend(speaking);
        side
    }
}

/// Statements.
impl<'a> Syntax<'a> {
    fn within(&self, blocks: &[&'a Block]) -> Vec<&'a Stmt> {
        let mut stmts = Vec::new();
        blocks.iter().for_each(|block| block.visit_stmts(&mut |stmt| stmts.push(stmt)));
        stmts
    }
    /// Variables that are overwritten on every path after a branch, each with the node that does it.
    fn overwritten(&self, branch: &Stmt) -> BTreeMap<LocalId, UserId> {
        let mut overwritten = BTreeMap::new();
        if !self.used_labels.is_empty() {
            return overwritten;
        }
        let mut inner = Some(branch.id);
        while let Some((block, index, around)) = inner.and_then(|id| self.around.get(&id)) {
            for stmt in &block.stmts[index + 1..] {
                let user = self.facts.nodes.find(self.facts.program, stmt.id);
                let written = stmt.kind.written().iter();
                written
                    .zip(user.iter().cycle())
                    .for_each(|(local, user)| _ = overwritten.entry(*local).or_insert(*user));
            }
            // The body of a loop is followed by another iteration.
            let passes = |stmt: &&&Stmt| matches!(stmt.kind, StmtKind::If { .. } | StmtKind::Block(_));
            inner = around.as_ref().filter(passes).map(|stmt| stmt.id);
        }
        overwritten
    }
    /// The farthest target of jumps out of the statements; `None` if one goes back or to an unknown place.
    fn farthest_target(&self, stmts: &[&Stmt]) -> Option<Option<usize>> {
        let mut farthest = None;
        for stmt in stmts {
            if let StmtKind::Goto(label) = &stmt.kind {
                let (from, to) = (self.position[&stmt.id], *self.labels.get(label)?);
                if to <= from {
                    return None;
                }
                farthest = farthest.max(Some(to));
            }
        }
        Some(farthest)
    }
    fn is_used_label(&self, stmt: &Stmt) -> bool {
        matches!(&stmt.kind, StmtKind::Label { label, .. } if self.used_labels.contains(label))
    }
    /// The nodes of the statements themselves, without nested statements.
    fn users_of(&self, stmts: &[&Stmt]) -> BTreeSet<UserId> {
        let mut users = BTreeSet::new();
        for stmt in stmts {
            users.extend(self.facts.nodes.find(self.facts.program, stmt.id));
            users.extend(stmt.kind.roots().into_iter().flat_map(|root| self.users_of_expr(root)));
        }
        users
    }
    fn users_of_expr(&self, root: ExprId) -> BTreeSet<UserId> {
        let program = self.facts.program;
        let conjuncts = program.conjuncts(root).into_iter().map(|(conjunct, _)| program.expr(conjunct).id);
        conjuncts.filter_map(|id| self.facts.nodes.find(program, id)).collect()
    }
    /// The variables and resources that a statement may change for later ones. More permission or more facts cannot
    /// break a proof.
    fn changed_by(&self, stmt: &Stmt) -> Touched {
        let program = self.facts.program;
        let mut changed = Touched { locals: stmt.kind.written().iter().copied().collect(), ..Touched::default() };
        let mut resources_of = |exprs: &[ExprId]| {
            exprs.iter().for_each(|expr| changed.resources.extend(spoken_of(program, *expr).resources));
        };
        match stmt.kind.role() {
            Role::Assume | Role::Assert | Role::Refute => {}
            Role::Exhale => resources_of(&stmt.kind.roots()),
            Role::Control => {
                if let StmtKind::While { invariants, .. } | StmtKind::Label { invariants, .. } = &stmt.kind {
                    resources_of(invariants);
                }
            }
            Role::Rewrite => match &stmt.kind {
                StmtKind::Fold(access) => changed.resources.extend(predicate_resources(program, access.predicate)),
                StmtKind::Unfold(access) => drop(changed.resources.insert(Resource::Predicate(access.predicate))),
                _ => drop(changed.resources.insert(Resource::Anything)),
            },
            Role::Assign if matches!(stmt.kind, StmtKind::New { .. }) => {}
            // Everything it names.
            Role::Assign | Role::Call | Role::Havoc => stmt.kind.each_part(|part| match part {
                Part::Field(field) => drop(changed.resources.insert(Resource::Field(field))),
                Part::Location(location) => changed.resources.extend(location_resource(location)),
                Part::Access(access) => drop(changed.resources.insert(Resource::Predicate(access.predicate))),
                Part::Method(method) => {
                    let Method { pre, post, .. } = &program.methods[method];
                    let clauses = pre.iter().chain(post);
                    clauses.for_each(|expr| changed.resources.extend(spoken_of(program, *expr).resources));
                }
                _ => {}
            }),
        }
        changed
    }
    /// The variables and resources that a node of the member mentions.
    fn spoken_of(&self, user: UserId) -> Touched {
        let (program, node) = (self.facts.program, &self.facts.nodes.all[user]);
        let mut spoken = node.expr.map(|expr| spoken_of(program, expr)).unwrap_or_default();
        let stmt = node.statement.filter(|_| node.expr.is_none()).and_then(|id| self.position.get(&id));
        if let Some(stmt) = stmt.map(|position| self.stmts[*position]) {
            let changed = self.changed_by(stmt);
            spoken.resources.extend(changed.resources);
            stmt.kind.roots().into_iter().for_each(|root| spoken.add(spoken_of(program, root)));
            stmt.kind.each_part(|part| {
                if let Part::Access(access) = part {
                    spoken.resources.insert(Resource::Predicate(access.predicate));
                    spoken.resources.extend(predicate_resources(program, access.predicate));
                }
            });
        }
        spoken
    }
}

fn spoken_of(program: &Program, root: ExprId) -> Touched {
    let mut spoken = Touched::default();
    program.visit(root, |expr| {
        let kind = program.kind(expr);
        match kind {
            ExprKind::Local(local) => drop(spoken.locals.insert(*local)),
            ExprKind::Applying { .. } | ExprKind::Wand { .. } => drop(spoken.resources.insert(Resource::Anything)),
            _ => {}
        }
        kind.each_part(|part| match part {
            Part::Field(field) => drop(spoken.resources.insert(Resource::Field(field))),
            Part::Predicate(predicate) => drop(spoken.resources.insert(Resource::Predicate(predicate))),
            Part::Function(function) => {
                for pre in &program.functions[function].pre {
                    spoken.resources.extend(held(program, *pre));
                }
            }
            Part::Access(access) => {
                spoken.resources.insert(Resource::Predicate(access.predicate));
                spoken.resources.extend(predicate_resources(program, access.predicate));
            }
            Part::Location(location) => spoken.resources.extend(location_resource(location)),
            _ => {}
        });
        true
    });
    spoken
}

/// The resources that an assertion grants.
fn held(program: &Program, root: ExprId) -> BTreeSet<Resource> {
    let mut resources = BTreeSet::new();
    program.visit(root, |expr| {
        if let ExprKind::Acc { location, .. } | ExprKind::ForallAcc { location, .. } = program.kind(expr) {
            resources.extend(location_resource(location));
        }
        true
    });
    resources
}

fn predicate_resources(program: &Program, predicate: PredicateId) -> BTreeSet<Resource> {
    program.predicates[predicate].body.map(|body| held(program, body)).unwrap_or_default()
}

fn location_resource(location: &Location) -> Option<Resource> {
    Some(match location {
        Location::Field { field, .. } => Resource::Field(*field),
        Location::Predicate { predicate, .. } => Resource::Predicate(*predicate),
        Location::Wand(_) => Resource::Anything,
    })
}
