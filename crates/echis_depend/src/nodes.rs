//! The nodes of the user-level graph, which a user can point at: primitive statements, conditions, invariants, pre-
//! and postconditions, axioms and function bodies, each top-level conjunct separately.

use crate::callers::callers;
use crate::kind::{Assertion, Assumption, Construct};
use crate::owner::Owner;
use echis_base::{IndexVec, Name, Span, SyntaxId, key};
use echis_program::program::{Block, ExprId, ExprKind, FunctionId, MethodId, Part, Program, Role, Stmt, StmtKind};
use std::collections::{BTreeMap, HashMap, HashSet};

key!(
    /// A node of the user-level graph.
    UserId,
    "u"
);

#[derive(Clone, Debug)]
pub struct UserNode {
    pub owner: Owner,
    pub construct: Construct,
    pub span: Span,
    /// The conjunct, or the node's expression; `None` for whole statements.
    pub expr: Option<ExprId>,
    /// The statement of the node or of its conjunct.
    pub statement: Option<SyntaxId>,
    /// The kind of assumption, if it can be assumed.
    pub assumption: Option<Assumption>,
    /// The kind of assertion, if it can be asserted. The graph tells whether it actually demands anything.
    pub assertion: Option<Assertion>,
    /// Annotations on the statement and the expression, with what they are attached to.
    pub annotations: Vec<Annotation>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Annotation {
    pub on: SyntaxId,
    pub name: Name,
    pub args: Vec<Name>,
}

impl UserNode {
    pub fn annotation(&self, name: &str) -> Option<&Annotation> {
        self.annotations.iter().find(|annotation| &*annotation.name == name)
    }
    /// Whether the node is shown to users.
    pub fn is_shown(&self) -> bool {
        self.assumption != Some(Assumption::Internal)
    }
}

/// All nodes of a program, in source order within each member.
#[derive(Clone)]
pub struct Nodes {
    pub all: IndexVec<UserId, UserNode>,
    of: HashMap<SyntaxId, UserId>,
    /// The clauses of abstract members: each postcondition rests on each precondition.
    pub abstract_contracts: Vec<(Vec<UserId>, Vec<UserId>)>,
    /// Whether the program contains permission introspection, which depends on what was given away.
    pub introspect: bool,
    /// Annotations without effect, each with an explanation.
    pub mistakes: BTreeMap<SyntaxId, String>,
}

impl Nodes {
    /// Whether a node's demands are goals: assertions, postconditions of members with a body, and the safety of
    /// statements.
    pub fn is_goal(&self, program: &Program, user: UserId) -> bool {
        let node = &self.all[user];
        match node.construct {
            Construct::Precondition | Construct::Inhale | Construct::Invariant | Construct::Axiom => false,
            Construct::Postcondition => node.assertion == Some(Assertion::Explicit) && node.owner.has_body(program),
            _ => true,
        }
    }
    /// Whether coverage counts a node: assumptions, and explicit demands.
    pub fn counts(&self, program: &Program, user: UserId) -> bool {
        let node = &self.all[user];
        let assumed = node.assumption.is_some_and(|kind| kind != Assumption::Internal);
        match node.construct {
            Construct::Assert => true,
            // No proof assumes the preconditions of an abstract member, and only callers assume its postconditions.
            Construct::Precondition => assumed && node.owner.has_body(program),
            Construct::Postcondition if !node.owner.has_body(program) => {
                assumed && callers(program, node.owner).next().is_some()
            }
            _ => assumed,
        }
    }
    pub fn new(program: &Program) -> Self {
        let (all, introspect) = (IndexVec::new(), program.introspects());
        let (of, abstract_contracts, mistakes) = (HashMap::new(), Vec::new(), BTreeMap::new());
        let nodes = Nodes { all, of, abstract_contracts, introspect, mistakes };
        let mut builder = Builder { program, nodes, several: HashSet::new() };
        for axiom in program.axioms.values() {
            builder.axiom(axiom);
        }
        for id in program.functions.keys() {
            builder.function(id);
        }
        for id in program.methods.keys() {
            builder.method(id);
        }
        builder.nodes
    }
    /// The node that contains a piece of syntax. Generated syntax belongs to its cause.
    pub fn find(&self, program: &Program, mut id: SyntaxId) -> Option<UserId> {
        loop {
            if let Some(node) = self.of.get(&id) {
                return Some(*node);
            }
            id = program.syntax.node(id).cause?;
        }
    }
}

struct Builder<'a> {
    program: &'a Program,
    nodes: Nodes,
    /// Statements that were split into their conjuncts.
    several: HashSet<SyntaxId>,
}

impl Builder<'_> {
    fn axiom(&mut self, axiom: &echis_program::program::Axiom) {
        let syntax = self.program.syntax.node(axiom.id);
        let generated = syntax.cause.is_some();
        let kind = if generated { Assumption::Internal } else { Assumption::Axiom };
        let body = self.program.expr(axiom.body).id;
        let annotations = self.annotations([axiom.id, body]);
        let node = UserNode {
            owner: Owner::Domain(axiom.domain),
            construct: Construct::Axiom,
            span: syntax.span,
            expr: Some(axiom.body),
            statement: None,
            assumption: Some(kind),
            assertion: None,
            annotations,
        };
        let id = self.add(node);
        self.cover(id, axiom.id);
        self.cover_expr(id, axiom.body);
    }
    fn function(&mut self, id: FunctionId) {
        let function = &self.program.functions[id];
        let owner = Owner::Function(id);
        let pre =
            self.clauses(owner, &function.pre, Construct::Precondition, Assumption::Explicit, Assertion::Implicit);
        let promised = if function.body.is_some() { Assumption::Implicit } else { Assumption::Explicit };
        let post = self.clauses(owner, &function.post, Construct::Postcondition, promised, Assertion::Explicit);
        match function.body {
            Some(body) => {
                let kind = (Construct::FunctionBody, Some(Assumption::Implicit), Some(Assertion::Implicit));
                let node = self.expression(owner, body, kind, None, &[]);
                // What the body demands of a predicate it unfolds belongs to the function.
                self.cover(node, function.id);
            }
            None => self.nodes.abstract_contracts.push((post, pre)),
        }
    }
    fn method(&mut self, id: MethodId) {
        let method = &self.program.methods[id];
        let owner = Owner::Method(id);
        let pre = self.clauses(owner, &method.pre, Construct::Precondition, Assumption::Explicit, Assertion::Implicit);
        let promised = if method.body.is_some() { Assumption::Implicit } else { Assumption::Explicit };
        let post = self.clauses(owner, &method.post, Construct::Postcondition, promised, Assertion::Explicit);
        match &method.body {
            Some(body) => self.block(owner, body),
            None => self.nodes.abstract_contracts.push((post, pre)),
        }
    }
    fn block(&mut self, owner: Owner, block: &Block) {
        let mut seen = HashSet::new();
        block.visit_stmts(&mut |stmt| {
            if !seen.insert(stmt.id) {
                self.several.insert(stmt.id);
            }
        });
        block.visit_stmts(&mut |stmt| self.stmt(owner, stmt));
    }
    fn stmt(&mut self, owner: Owner, stmt: &Stmt) {
        let implicit = Some(Assertion::Implicit);
        let justified = |trusted: bool| Some(if trusted { Assumption::Explicit } else { Assumption::Implicit });
        match stmt.kind.role() {
            Role::Assign => {
                let trusts = stmt.kind.roots().into_iter().any(|root| self.trusts(root));
                self.whole(owner, stmt, Construct::Assignment, (justified(trusts), implicit));
            }
            Role::Call => {
                let mut trusts = false;
                stmt.kind.each_part(|part| {
                    trusts |= matches!(part, Part::Method(method) if self.program.methods[method].body.is_none());
                });
                self.whole(owner, stmt, Construct::Call, (justified(trusts), implicit));
            }
            Role::Rewrite => self.whole(owner, stmt, Construct::Rewrite, (Some(Assumption::Rewrite), implicit)),
            Role::Havoc => self.whole(owner, stmt, Construct::Havoc, (justified(false), implicit)),
            Role::Assume => {
                self.conjuncts(owner, stmt, (Construct::Inhale, Some(Assumption::Explicit), implicit));
            }
            Role::Assert | Role::Exhale | Role::Refute => {
                self.conjuncts(owner, stmt, (Construct::Assert, None, Some(Assertion::Explicit)));
            }
            Role::Control => self.control(owner, &stmt.kind),
        }
    }
    fn control(&mut self, owner: Owner, kind: &StmtKind) {
        if let StmtKind::If { condition, .. } | StmtKind::While { condition, .. } = kind {
            self.condition(owner, *condition);
        }
        if let StmtKind::While { invariants, .. } | StmtKind::Label { invariants, .. } = kind {
            self.clauses(owner, invariants, Construct::Invariant, Assumption::Invariant, Assertion::Implicit);
        }
    }
    /// Whether an expression relies on an abstract function.
    fn trusts(&self, expr: ExprId) -> bool {
        self.program.any(expr, |kind| match kind {
            ExprKind::FunctionApp { function, .. } => {
                let function = &self.program.functions[*function];
                function.body.is_none() && !function.post.is_empty()
            }
            _ => false,
        })
    }
    fn condition(&mut self, owner: Owner, condition: ExprId) {
        let kind = (Construct::Condition, Some(Assumption::PathCondition), Some(Assertion::Implicit));
        self.expression(owner, condition, kind, None, &[]);
    }
    /// Adds a statement as a single node. Statements generated for another one belong to that one.
    fn whole(
        &mut self,
        owner: Owner,
        stmt: &Stmt,
        construct: Construct,
        kind: (Option<Assumption>, Option<Assertion>),
    ) {
        let id = match self.program.syntax.node(stmt.id).cause {
            Some(_) => self.nodes.find(self.program, stmt.id),
            None => None,
        };
        let id = id.unwrap_or_else(|| {
            let (assumption, assertion) = kind;
            let (span, annotations) = (self.program.syntax.span(stmt.id), self.annotations([stmt.id]));
            let statement = Some(stmt.id);
            let node = UserNode { owner, construct, span, expr: None, statement, assumption, assertion, annotations };
            self.add(node)
        });
        self.cover(id, stmt.id);
        for root in stmt.kind.roots() {
            self.cover_expr(id, root);
        }
        stmt.kind.each_part(|part| part.syntax().into_iter().for_each(|syntax| self.cover(id, syntax)));
    }
    fn conjuncts(&mut self, owner: Owner, stmt: &Stmt, kind: Kind) {
        let roots = stmt.kind.roots();
        let parts: Vec<_> = roots.into_iter().flat_map(|root| self.program.conjuncts(root)).collect();
        let is_whole = !self.several.contains(&stmt.id) && !self.nodes.of.contains_key(&stmt.id);
        let single = parts.len() == 1 && is_whole;
        for (conjunct, around) in parts {
            let whole = single.then_some(stmt.id);
            let mut annotated = vec![stmt.id];
            annotated.extend(around.iter().map(|expr| self.program.expr(*expr).id));
            let id = self.expression(owner, conjunct, kind, whole, &annotated);
            self.nodes.all[id].statement = Some(stmt.id);
            self.cover(id, stmt.id);
            for expr in around {
                self.cover(id, self.program.expr(expr).id);
            }
        }
    }
    fn clauses(
        &mut self,
        owner: Owner,
        clauses: &[ExprId],
        construct: Construct,
        assumption: Assumption,
        assertion: Assertion,
    ) -> Vec<UserId> {
        let mut ids = Vec::new();
        for clause in clauses {
            for (conjunct, around) in self.program.conjuncts(*clause) {
                let annotated: Vec<SyntaxId> = around.iter().map(|expr| self.program.expr(*expr).id).collect();
                let kind = (construct, Some(assumption), Some(assertion));
                let id = self.expression(owner, conjunct, kind, None, &annotated);
                annotated.iter().for_each(|around| self.cover(id, *around));
                ids.push(id);
            }
        }
        ids
    }
    fn expression(
        &mut self,
        owner: Owner,
        expr: ExprId,
        (construct, assumption, assertion): Kind,
        whole: Option<SyntaxId>,
        around: &[SyntaxId],
    ) -> UserId {
        let syntax = self.program.expr(expr).id;
        let span = self.program.syntax.span(whole.unwrap_or(syntax));
        let annotations = self.annotations(around.iter().copied().chain([syntax]));
        let node =
            UserNode { owner, construct, span, expr: Some(expr), statement: None, assumption, assertion, annotations };
        let id = self.add(node);
        self.cover_expr(id, expr);
        id
    }
    fn add(&mut self, mut node: UserNode) -> UserId {
        if let Some(Annotation { on, args, .. }) = node.annotation("assumptionType") {
            let written = args.first().map_or("", |name| &**name);
            match (Assumption::parse(written), node.assumption) {
                (Some(written), Some(_)) => node.assumption = Some(written),
                (Some(_), None) => {}
                (None, _) => drop(self.nodes.mistakes.insert(*on, unknown_type(written))),
            }
        }
        self.nodes.all.push(node)
    }
    fn annotations(&self, ids: impl IntoIterator<Item = SyntaxId>) -> Vec<Annotation> {
        let mut all = Vec::new();
        for on in ids {
            let written = self.program.syntax.node(on).annotations.iter();
            all.extend(written.map(|(name, args)| Annotation { on, name: name.clone(), args: args.clone() }));
        }
        all
    }
    /// Maps a piece of syntax to a node; the first node to claim it keeps it.
    fn cover(&mut self, node: UserId, id: SyntaxId) {
        self.nodes.of.entry(id).or_insert(node);
    }
    fn cover_expr(&mut self, node: UserId, root: ExprId) {
        let program = self.program;
        let mut pending = vec![root];
        while let Some(expr) = pending.pop() {
            let kind = program.kind(expr);
            self.cover(node, program.expr(expr).id);
            kind.each_part(|part| part.syntax().into_iter().for_each(|id| self.cover(node, id)));
            pending.extend(kind.children());
            pending.extend(kind.triggers().iter().flatten());
        }
    }
}

fn unknown_type(written: &str) -> String {
    let there_are = "there are Explicit, Implicit, PathCondition, LoopInvariant, Rewrite, Axiom and Internal";
    format!("There is no assumption type `{written}`; {there_are}.")
}

type Kind = (Construct, Option<Assumption>, Option<Assertion>);
