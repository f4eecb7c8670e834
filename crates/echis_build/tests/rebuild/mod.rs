//! Rebuilds a parsed program node by node. The origin of a node is its range in the original text.

use echis_build::{
    Adt, Axiom, BinaryOp, Built, Constructor, Decreases, Domain, DomainFunction, Expr, Function, Loop, Method, Param,
    Predicate, Problem, ProgramBuilder, Stmt, Type,
};
use echis_syntax::ast::{
    self, Annotation, Block, CollectionKind, Contract, DecreasesKind, ExprId, ExprKind, Formal, Ident, Invariants,
    MemberKind, NewFields, OldLabel, PermLiteral, StmtKind, TypeKind,
};

/// The range of a node: its first byte, and the byte after its last.
pub type Place = (u32, u32);

/// Rebuilds the program.
pub fn rebuild(program: &ast::Program) -> Result<Built<Place>, Vec<Problem>> {
    let mut rebuilding = Rebuilding { program, builder: ProgramBuilder::new() };
    if program.derives_enabled {
        rebuilding.builder.import_library("adt/derives.vpr");
    }
    for member in program.members.iter().filter(|member| !(program.derives_enabled && is_derived(member))) {
        rebuilding.member(member);
    }
    rebuilding.builder.finish()
}

/// Whether a member is part of the built-in library, which is imported again.
fn is_derived(member: &ast::Member) -> bool {
    matches!(&member.kind, MemberKind::Domain(domain) if &*domain.name.name == "ContainsDomain")
}

struct Rebuilding<'p> {
    program: &'p ast::Program,
    builder: ProgramBuilder<Place>,
}

/// Sets the origin and annotations of a member or of a part of a member.
macro_rules! located {
    ($made:expr, $span:expr, $annotations:expr) => {{
        let mut made = $made.at(($span.start, $span.end));
        for Annotation { name, args, .. } in $annotations {
            made = made.annotate(name, args.iter().map(|arg| arg.to_string()));
        }
        made
    }};
}

impl Rebuilding<'_> {
    fn member(&mut self, member: &ast::Member) {
        let ast::Member { kind, span, annotations } = member;
        match kind {
            MemberKind::Import(_) | MemberKind::Define(_) => {}
            MemberKind::Fields(fields) => {
                fields.iter().for_each(|field| self.builder.field(&field.name.name, ty(&field.ty)))
            }
            MemberKind::Method(method) => {
                let mut made = Method::new(&*method.name.name);
                made = params(&method.params).into_iter().fold(made, |made, param| made.param(param.name, param.ty));
                made = params(&method.returns).into_iter().fold(made, |made, param| made.returns(param.name, param.ty));
                let (requires, ensures, decreases) = self.contract(&method.contract);
                made = requires.into_iter().fold(made, Method::requires);
                made = ensures.into_iter().fold(made, Method::ensures);
                made = decreases.into_iter().fold(made, Method::decreases);
                if let Some(body) = &method.body {
                    made = made.body(self.block(body));
                }
                self.builder.method(located!(made, span, annotations));
            }
            MemberKind::Function(function) => {
                let mut made = Function::new(&*function.name.name, ty(&function.result));
                made = params(&function.params).into_iter().fold(made, |made, param| made.param(param.name, param.ty));
                let (requires, ensures, decreases) = self.contract(&function.contract);
                made = requires.into_iter().fold(made, Function::requires);
                made = ensures.into_iter().fold(made, Function::ensures);
                made = decreases.into_iter().fold(made, Function::decreases);
                if let Some(body) = function.body {
                    made = made.body(self.expr(body));
                }
                self.builder.function(located!(made, span, annotations));
            }
            MemberKind::Predicate(predicate) => {
                let mut made = Predicate::new(&*predicate.name.name);
                made = params(&predicate.params).into_iter().fold(made, |made, param| made.param(param.name, param.ty));
                if let Some(body) = predicate.body {
                    made = made.body(self.expr(body));
                }
                self.builder.predicate(located!(made, span, annotations));
            }
            MemberKind::Domain(domain) => {
                let made = self.domain(domain);
                self.builder.domain(located!(made, span, annotations));
            }
            MemberKind::Adt(adt) => self.builder.adt(located!(data_type(adt), span, annotations)),
        }
    }
    fn contract(&mut self, contract: &Contract) -> (Vec<Expr>, Vec<Expr>, Vec<Decreases>) {
        (self.exprs(&contract.requires), self.exprs(&contract.ensures), self.measures(&contract.decreases))
    }
    fn measures(&mut self, clauses: &[ast::Decreases]) -> Vec<Decreases> {
        let mut measure = |clause: &ast::Decreases| match &clause.kind {
            DecreasesKind::Tuple(terms) => {
                Decreases::Terms(self.exprs(terms), clause.condition.map(|id| self.expr(id)))
            }
            DecreasesKind::Wildcard => Decreases::Assumed(clause.condition.map(|id| self.expr(id))),
            DecreasesKind::Star => Decreases::Unclaimed,
        };
        clauses.iter().map(&mut measure).collect()
    }
    fn domain(&mut self, domain: &ast::Domain) -> Domain<Place> {
        let mut made = Domain::new(&*domain.name.name);
        made = domain.params.iter().fold(made, |made, param| made.type_param(&*param.name));
        for interpretation in domain.interpretations.iter().flatten() {
            made = made.interpretation(&*interpretation.backend.name, &*interpretation.text);
        }
        for function in &domain.functions {
            let mut built = DomainFunction::new(&*function.name.name, ty(&function.result));
            for (index, param) in function.params.iter().enumerate() {
                let name = param.name.as_ref().map_or_else(|| format!("x{index}"), |name| name.name.to_string());
                built = built.param(name, ty(&param.ty));
            }
            if function.unique {
                built = built.unique();
            }
            if let Some(text) = &function.interpretation {
                built = built.interpretation(&**text);
            }
            made = made.function(located!(built, function.span, &function.annotations));
        }
        for axiom in &domain.axioms {
            let mut built = Axiom::new(self.expr(axiom.body));
            if let Some(name) = &axiom.name {
                built = built.named(&*name.name);
            }
            made = made.axiom(located!(built, axiom.span, &axiom.annotations));
        }
        made
    }
}

fn data_type(adt: &ast::Adt) -> Adt<Place> {
    let mut made = Adt::new(&*adt.name.name);
    made = adt.params.iter().fold(made, |made, param| made.type_param(&*param.name));
    for constructor in &adt.constructors {
        let mut built = Constructor::new(&*constructor.name.name);
        built = params(&constructor.args).into_iter().fold(built, |built, param| built.arg(param.name, param.ty));
        made = made.constructor(located!(built, constructor.span, &constructor.annotations));
    }
    for derive in &adt.derives {
        made = made.derives(&*derive.name.name, derive.arg.as_ref().map(ty), names(&derive.without));
    }
    made
}

/// Statements.
impl Rebuilding<'_> {
    fn block(&mut self, block: &Block) -> Vec<Stmt> {
        let mut stmts = Vec::new();
        for stmt in &block.stmts {
            let mut made = self.declared(&stmt.kind);
            made.extend(made.is_empty().then(|| self.stmt_of(&stmt.kind)));
            stmts.extend(made.into_iter().map(|made| self.located(stmt, made)));
        }
        stmts
    }
    /// Variables are declared one by one, and objects are created by separate statements.
    fn declared(&mut self, kind: &StmtKind) -> Vec<Stmt> {
        let StmtKind::Var { vars, init } = kind else { return Vec::new() };
        let is_plain = |init: &ExprId| !matches!(self.program.exprs[*init].kind, ExprKind::New(_));
        if let ([var], Some(init)) = (&vars[..], init.filter(is_plain)) {
            let value = self.expr(init);
            return vec![self.builder.declare_as(&var.name.name, &ty(&var.ty), value)];
        }
        let declare = |var: &Formal| self.builder.declare(&var.name.name, &ty(&var.ty));
        let mut made: Vec<Stmt> = vars.iter().map(declare).collect();
        if let Some(init) = init {
            let to = vars.iter().map(|var| self.builder.var(&var.name.name)).collect();
            made.push(self.assign(to, *init));
        }
        made
    }
    fn located(&mut self, stmt: &ast::Stmt, made: Stmt) -> Stmt {
        let made = stmt.annotations.iter().fold(made, |made, Annotation { name, args, .. }| {
            self.builder.annotate_stmt(made, name, args.iter().map(|arg| arg.to_string()))
        });
        self.builder.stmt_at(made, (stmt.span.start, stmt.span.end))
    }
    fn stmt_of(&mut self, kind: &StmtKind) -> Stmt {
        match kind {
            StmtKind::Fold(access) => self.on(*access, ProgramBuilder::fold),
            StmtKind::Unfold(access) => self.on(*access, ProgramBuilder::unfold),
            StmtKind::Inhale(assertion) => self.on(*assertion, ProgramBuilder::inhale),
            StmtKind::Exhale(assertion) => self.on(*assertion, ProgramBuilder::exhale),
            StmtKind::Assert(assertion) => self.on(*assertion, ProgramBuilder::assert),
            StmtKind::Assume(assertion) => self.on(*assertion, ProgramBuilder::assume),
            StmtKind::Refute(assertion) => self.on(*assertion, ProgramBuilder::refute),
            StmtKind::Apply(wand) => self.on(*wand, ProgramBuilder::apply_wand),
            StmtKind::If { arms, otherwise } => {
                let mut last = otherwise.as_ref().map(|block| self.block(block)).unwrap_or_default();
                for arm in arms.iter().rev() {
                    let (condition, then) = (self.expr(arm.condition), self.block(&arm.body));
                    last = vec![self.builder.if_else(condition, then, last)];
                }
                last.remove(0)
            }
            StmtKind::While { condition, invariants, body } => {
                let (condition, spec, body) = (self.expr(*condition), self.spec(invariants), self.block(body));
                self.builder.while_loop(condition, spec, body)
            }
            StmtKind::Goto(label) => self.builder.goto(&label.0.name),
            StmtKind::Label { name, invariants } => {
                let spec = self.spec(invariants);
                self.builder.label(&name.0.name, spec)
            }
            StmtKind::Package { wand, script } => {
                let wand = self.expr(*wand);
                let script = script.as_ref().map(|block| self.block(block)).unwrap_or_default();
                self.builder.package(wand, script)
            }
            StmtKind::Quasihavoc { condition, resource } => {
                let (condition, resource) = (condition.map(|id| self.expr(id)), self.expr(*resource));
                self.builder.quasihavoc(condition, resource)
            }
            StmtKind::QuasihavocAll { vars, condition, resource } => {
                let (condition, resource) = (condition.map(|id| self.expr(id)), self.expr(*resource));
                self.builder.quasihavoc_all(params(vars), condition, resource)
            }
            StmtKind::Block(block) => {
                let stmts = self.block(block);
                self.builder.block(stmts)
            }
            StmtKind::Assign { targets, value } => {
                let to = self.exprs(targets);
                self.assign(to, *value)
            }
            StmtKind::Call(call) => match &self.program.exprs[*call].kind {
                ExprKind::Call(call) => {
                    let args = self.exprs(&call.args);
                    self.builder.call(&call.callee.name, args, [])
                }
                kind => unreachable!("{kind:?} is no call"),
            },
            StmtKind::Var { .. } | StmtKind::Define(_) => unreachable!("declarations are made before, macros expanded"),
        }
    }
    fn assign(&mut self, to: Vec<Expr>, value: ExprId) -> Stmt {
        match &self.program.exprs[value].kind {
            ExprKind::New(NewFields::All) => self.builder.new_object_with_all_fields(to[0]),
            ExprKind::New(NewFields::Fields(fields)) => {
                self.builder.new_object(to[0], fields.iter().map(|field| &*field.name))
            }
            // Only methods have multiple results.
            ExprKind::Call(call) if to.len() > 1 => {
                let args = self.exprs(&call.args);
                self.builder.call(&call.callee.name, args, to)
            }
            _ => {
                let value = self.expr(value);
                self.builder.assign(to[0], value)
            }
        }
    }
    fn on(&mut self, operand: ExprId, make: fn(&mut ProgramBuilder<Place>, Expr) -> Stmt) -> Stmt {
        let operand = self.expr(operand);
        make(&mut self.builder, operand)
    }
    fn spec(&mut self, invariants: &Invariants) -> Loop {
        Loop { invariants: self.exprs(&invariants.exprs), decreases: self.measures(&invariants.decreases) }
    }
}

/// Expressions.
impl Rebuilding<'_> {
    fn exprs(&mut self, ids: &[ExprId]) -> Vec<Expr> {
        ids.iter().map(|id| self.expr(*id)).collect()
    }
    fn expr(&mut self, id: ExprId) -> Expr {
        let ast::Expr { kind, span, annotations, .. } = &self.program.exprs[id];
        let made = self.expr_of(kind);
        let made = annotations.iter().fold(made, |made, Annotation { name, args, .. }| {
            self.builder.annotate(made, name, args.iter().map(|arg| arg.to_string()))
        });
        self.builder.at(made, (span.start, span.end))
    }
    fn two(&mut self, a: ExprId, b: ExprId, make: fn(&mut ProgramBuilder<Place>, Expr, Expr) -> Expr) -> Expr {
        let (a, b) = (self.expr(a), self.expr(b));
        make(&mut self.builder, a, b)
    }
    fn three(
        &mut self,
        [a, b, c]: [ExprId; 3],
        make: fn(&mut ProgramBuilder<Place>, Expr, Expr, Expr) -> Expr,
    ) -> Expr {
        let (a, b, c) = (self.expr(a), self.expr(b), self.expr(c));
        make(&mut self.builder, a, b, c)
    }
    fn one(&mut self, a: ExprId, make: fn(&mut ProgramBuilder<Place>, Expr) -> Expr) -> Expr {
        let a = self.expr(a);
        make(&mut self.builder, a)
    }
    fn expr_of(&mut self, kind: &ExprKind) -> Expr {
        match kind {
            ExprKind::Bool(value) => self.builder.bool(*value),
            ExprKind::Null => self.builder.null(),
            ExprKind::Int(digits) => self.builder.int_text(digits),
            ExprKind::Perm(PermLiteral::Write) => self.builder.write(),
            ExprKind::Perm(PermLiteral::None) => self.builder.none(),
            ExprKind::Perm(PermLiteral::Wildcard) => self.builder.wildcard(),
            ExprKind::Perm(PermLiteral::Epsilon) => self.builder.epsilon(),
            ExprKind::Result => self.builder.result(),
            ExprKind::Ident(name) => self.builder.var(name),
            ExprKind::Call(call) => {
                let args = self.exprs(&call.args);
                match &call.ascription {
                    Some(result) => self.builder.apply_as(&call.callee.name, args, &ty(result)),
                    None => self.builder.apply(&call.callee.name, args),
                }
            }
            ExprKind::PredicateInstance(call) => {
                let args = self.exprs(&call.args);
                self.builder.predicate_instance(&call.callee.name, args)
            }
            ExprKind::Field { receiver, field } => {
                let receiver = self.expr(*receiver);
                self.builder.field_of(receiver, &field.name)
            }
            ExprKind::Unary { op, operand } => {
                let operand = self.expr(*operand);
                self.builder.unary(*op, operand)
            }
            ExprKind::Binary { op, left, right } => {
                let (left, right) = (self.expr(*left), self.expr(*right));
                self.builder.binary(*op, left, right)
            }
            ExprKind::Chain { first, links } => self.chain(*first, links),
            ExprKind::Conditional { condition, then, otherwise } => {
                self.three([*condition, *then, *otherwise], ProgramBuilder::conditional)
            }
            ExprKind::Old { label: OldLabel::Start, body } => self.one(*body, ProgramBuilder::old),
            ExprKind::Old { label: OldLabel::Lhs, body } => self.one(*body, ProgramBuilder::old_lhs),
            ExprKind::Old { label: OldLabel::Label(label), body } => {
                let body = self.expr(*body);
                self.builder.old_at(&label.name, body)
            }
            ExprKind::Acc { location, amount: Some(amount) } => self.two(*location, *amount, ProgramBuilder::acc),
            ExprKind::Acc { location, amount: None } => self.one(*location, ProgramBuilder::acc_full),
            ExprKind::CurrentPerm(resource) => self.one(*resource, ProgramBuilder::perm),
            ExprKind::Let { value, var, body } => {
                let (value, body) = (self.expr(*value), self.expr(*body));
                self.builder.let_in(&var.0.name, value, body)
            }
            ExprKind::Forall(quantifier) => {
                let (triggers, body) = self.quantified(quantifier);
                self.builder.forall(params(&quantifier.vars), triggers, body)
            }
            ExprKind::Exists(quantifier) => {
                let (triggers, body) = self.quantified(quantifier);
                self.builder.exists(params(&quantifier.vars), triggers, body)
            }
            ExprKind::Forperm(forperm) => {
                let (resource, body) = (self.expr(forperm.resource), self.expr(forperm.body));
                self.builder.forperm(params(&forperm.vars), resource, body)
            }
            ExprKind::Unfolding { access, body } => self.two(*access, *body, ProgramBuilder::unfolding),
            ExprKind::Applying { wand, body } => self.two(*wand, *body, ProgramBuilder::applying),
            ExprKind::Asserting { assertion, body } => self.two(*assertion, *body, ProgramBuilder::asserting),
            ExprKind::Collection(collection) => self.collection(collection),
            ExprKind::Map(map) => match &map.types {
                Some((key, value)) => self.builder.empty_map(&ty(key), &ty(value)),
                None => {
                    let entries: Vec<_> =
                        map.entries.iter().map(|(key, value)| (self.expr(*key), self.expr(*value))).collect();
                    self.builder.map(entries)
                }
            },
            ExprKind::MapDomain(map) => self.one(*map, ProgramBuilder::map_domain),
            ExprKind::MapRange(map) => self.one(*map, ProgramBuilder::map_range),
            ExprKind::New(_) => unreachable!("it is the right-hand side of an assignment"),
            ExprKind::Cardinality(collection) => self.one(*collection, ProgramBuilder::size),
            ExprKind::InhaleExhale { inhale, exhale } => self.two(*inhale, *exhale, ProgramBuilder::inhale_exhale),
            ExprKind::Range { low, high } => self.two(*low, *high, ProgramBuilder::range),
            ExprKind::Index { base, index } => self.two(*base, *index, ProgramBuilder::index),
            ExprKind::Update { base, index, value } => self.three([*base, *index, *value], ProgramBuilder::update),
            ExprKind::Take { base, end } => self.two(*base, *end, ProgramBuilder::take),
            ExprKind::Drop { base, start } => self.two(*base, *start, ProgramBuilder::drop_first),
            ExprKind::Slice { base, start, end } => self.three([*base, *start, *end], ProgramBuilder::slice),
        }
    }
    /// `a < b <= c` is `a < b && b <= c`.
    fn chain(&mut self, first: ExprId, links: &[(BinaryOp, ExprId)]) -> Expr {
        let mut left = self.expr(first);
        let mut links = links.iter().map(|(op, right)| {
            let right = self.expr(*right);
            let link = self.builder.binary(*op, left, right);
            left = right;
            link
        });
        let first = links.next().expect("a chain has links");
        let rest: Vec<Expr> = links.collect();
        rest.into_iter().fold(first, |all, link| self.builder.and(all, link))
    }
    fn quantified(&mut self, quantifier: &ast::Quantifier) -> (Vec<Vec<Expr>>, Expr) {
        let triggers = quantifier.triggers.iter().map(|trigger| self.exprs(&trigger.terms)).collect();
        (triggers, self.expr(quantifier.body))
    }
    fn collection(&mut self, collection: &ast::Collection) -> Expr {
        let elements = self.exprs(&collection.elements);
        match (collection.kind, &collection.element) {
            (CollectionKind::Seq, Some(element)) => self.builder.empty_seq(&ty(element)),
            (CollectionKind::Set, Some(element)) => self.builder.empty_set(&ty(element)),
            (CollectionKind::Multiset, Some(element)) => self.builder.empty_multiset(&ty(element)),
            (CollectionKind::Seq, None) => self.builder.seq(elements),
            (CollectionKind::Set, None) => self.builder.set(elements),
            (CollectionKind::Multiset, None) => self.builder.multiset(elements),
        }
    }
}

fn params(formals: &[Formal]) -> Vec<Param> {
    formals.iter().map(|formal| Param::new(&*formal.name.name, ty(&formal.ty))).collect()
}

fn names(idents: &[Ident]) -> Vec<String> {
    idents.iter().map(|ident| ident.name.to_string()).collect()
}

fn ty(written: &ast::Type) -> Type {
    match &written.kind {
        TypeKind::Int => Type::Int,
        TypeKind::Bool => Type::Bool,
        TypeKind::Perm => Type::Perm,
        TypeKind::Ref => Type::Ref,
        TypeKind::Rational => Type::Rational,
        TypeKind::Seq(element) => Type::seq(ty(element)),
        TypeKind::Set(element) => Type::set(ty(element)),
        TypeKind::Multiset(element) => Type::multiset(ty(element)),
        TypeKind::Map(key, value) => Type::map(ty(key), ty(value)),
        TypeKind::Named(name, args) => Type::Named(name.name.to_string(), args.iter().map(ty).collect()),
    }
}
