//! A declaration as a list of words without locations. Keys of things inside it are identified by their order, other
//! declarations by their names. Every field of every syntactic form is written or explicitly ignored.

use super::ranks;
use crate::program::{
    AdtConstructor, Axiom, Block, Decreases, DecreasesTuple, DecreasesWildcard, Domain, DomainFunction, Expr, ExprId,
    ExprKind, Field, Function, LabelId, Local, LocalId, Location, Method, Part, Predicate, PredicateAccess, Program,
    Stmt, Type,
};
use crate::walk::guarded;
use echis_base::{Key, Span, SyntaxId};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};

pub(super) struct Form<'a> {
    program: &'a Program,
    words: Vec<Word<'a>>,
    /// Locations by order of occurrence: engines may distinguish nodes by whether they have the same location.
    places: BTreeMap<Span, usize>,
}

enum Word<'a> {
    Text(&'a str),
    Owned(String),
    Number(u64),
    /// A key of a table.
    Key(Table, usize),
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Table {
    Syntax,
    Expr,
    Local,
    Label,
}

impl<'a> Form<'a> {
    pub fn new(program: &'a Program) -> Self {
        Form { program, words: Vec::new(), places: BTreeMap::new() }
    }

    /// The digest, and the syntax nodes in order.
    pub fn finish(self) -> ([u8; 32], Vec<SyntaxId>) {
        let mut keys: BTreeMap<Table, BTreeSet<usize>> = BTreeMap::new();
        for word in &self.words {
            if let Word::Key(table, key) = word {
                keys.entry(*table).or_default().insert(*key);
            }
        }
        let rank: BTreeMap<Table, BTreeMap<usize, u32>> = keys
            .iter()
            .map(|(table, keys)| {
                let keys: Vec<usize> = keys.iter().copied().collect();
                (*table, keys.iter().copied().zip(ranks(&keys)).collect())
            })
            .collect();
        let mut hasher = Sha256::new();
        for word in &self.words {
            let (tag, number, text) = match word {
                Word::Text(text) => (0u8, text.len() as u64, *text),
                Word::Owned(text) => (0, text.len() as u64, text.as_str()),
                Word::Number(number) => (1, *number, ""),
                Word::Key(table, key) => (2 + *table as u8, u64::from(rank[table][key]), ""),
            };
            hasher.update([tag]);
            hasher.update(number.to_le_bytes());
            hasher.update(text);
        }
        let nodes = keys.remove(&Table::Syntax).unwrap_or_default();
        (hasher.finalize().into(), nodes.into_iter().map(SyntaxId::new).collect())
    }

    pub fn field(&mut self, field: &'a Field) {
        let Field { name, ty, id } = field;
        self.text(name);
        self.ty(ty);
        self.syntax(*id);
    }

    pub fn domain(&mut self, domain: &'a Domain) {
        let Domain { name, id, parameters, interpretation, functions, axioms, adt } = domain;
        self.text(name);
        self.syntax(*id);
        self.list(parameters, |form, parameter| form.text(parameter));
        self.list(interpretation.as_slice(), |form, text| form.text(text));
        let program = self.program;
        self.list(functions, |form, function| form.domain_function(&program.domain_functions[*function]));
        self.list(axioms, |form, axiom| form.axiom(&program.axioms[*axiom]));
        self.list(adt.as_slice(), |form, constructors| {
            form.list(constructors, |form, AdtConstructor { constructor, destructors, tag_function, tag }| {
                form.text(&program.domain_functions[*constructor].name);
                form.list(destructors, |form, one| form.text(&program.domain_functions[*one].name));
                form.text(&program.domain_functions[*tag_function].name);
                form.number(*tag as usize);
            });
        });
    }

    fn domain_function(&mut self, function: &'a DomainFunction) {
        let DomainFunction { name, id, domain: _, params, result, unique, interpretation } = function;
        self.text(name);
        self.syntax(*id);
        self.list(params, |form, ty| form.ty(ty));
        self.ty(result);
        self.number(usize::from(*unique));
        self.list(interpretation.as_slice(), |form, text| form.text(text));
    }

    pub fn axiom(&mut self, axiom: &'a Axiom) {
        let Axiom { name, id, domain: _, body } = axiom;
        self.list(name.as_slice(), |form, name| form.text(name));
        self.syntax(*id);
        self.expr(*body);
    }

    /// Heights are compared, so the order of the visible functions is part of the form.
    pub fn function(&mut self, function: &'a Function) {
        let Function { name, id, params, result, pre, post, body, decreases, opaque, height: _, recursive } = function;
        self.text(name);
        self.syntax(*id);
        self.locals(params);
        self.ty(result);
        self.exprs(pre);
        self.exprs(post);
        self.exprs(body.as_slice());
        self.decreases(decreases);
        self.number(usize::from(*opaque));
        self.number(usize::from(*recursive));
    }

    pub fn predicate(&mut self, predicate: &'a Predicate) {
        let Predicate { name, id, params, body } = predicate;
        self.text(name);
        self.syntax(*id);
        self.locals(params);
        self.exprs(body.as_slice());
    }

    /// A caller does not see the body of a method, but may see whether there is one.
    pub fn contract(&mut self, method: &'a Method) {
        let Method { name, id, params, returns, pre, post, body, decreases, cycle: _ } = method;
        self.text(name);
        self.syntax(*id);
        self.locals(params);
        self.locals(returns);
        self.exprs(pre);
        self.exprs(post);
        self.decreases(decreases);
        self.number(usize::from(body.is_some()));
    }

    pub fn body(&mut self, method: &'a Method) {
        method.body.iter().for_each(|body| self.block(body));
    }

    fn block(&mut self, block: &'a Block) {
        let Block { locals, stmts } = block;
        guarded(|| {
            self.locals(locals);
            self.list(stmts, |form, stmt| form.stmt(stmt));
        });
    }

    fn stmt(&mut self, stmt: &'a Stmt) {
        let Stmt { kind, id } = stmt;
        self.syntax(*id);
        self.text(kind.word());
        kind.each_part(|part| self.part(part));
        self.exprs(&kind.roots());
        kind.blocks().into_iter().for_each(|block| self.block(block));
    }

    fn decreases(&mut self, decreases: &'a Decreases) {
        let Decreases { tuple, wildcard, star } = decreases;
        self.list(tuple.as_slice(), |form, DecreasesTuple { id, measures, condition }| {
            form.syntax(*id);
            form.exprs(measures);
            form.exprs(condition.as_slice());
        });
        self.list(wildcard.as_slice(), |form, DecreasesWildcard { id, condition }| {
            form.syntax(*id);
            form.exprs(condition.as_slice());
        });
        self.list(star.as_slice(), |form, id| form.syntax(*id));
    }

    fn exprs(&mut self, exprs: &[ExprId]) {
        self.number(exprs.len());
        exprs.iter().for_each(|expr| self.expr(*expr));
    }

    pub fn expr_over(&mut self, params: &[LocalId], expr: ExprId) {
        self.locals(params);
        self.expr(expr);
    }

    /// Parents first, followed by the parts of each node, so that the list determines the tree.
    fn expr(&mut self, root: ExprId) {
        let mut pending = vec![root];
        while let Some(expr) = pending.pop() {
            self.words.push(Word::Key(Table::Expr, expr.index()));
            let Expr { kind, ty, id, pure } = self.program.expr(expr);
            self.syntax(*id);
            self.ty(ty);
            self.number(usize::from(*pure));
            self.text(kind.row());
            match kind {
                // More is written where it is bound.
                ExprKind::Local(local) => self.words.push(Word::Key(Table::Local, local.index())),
                kind => kind.each_part(|part| self.part(part)),
            }
            let children = kind.children_with_triggers();
            self.number(children.len());
            pending.extend(children.into_iter().rev());
        }
    }

    /// Writes the parts of a node other than expressions and blocks, which follow.
    fn part(&mut self, part: Part<'a>) {
        let program = self.program;
        match part {
            Part::Expr(_) | Part::Block(_) => {}
            Part::Triggers(triggers) => self.list(triggers, |form, set| form.number(set.len())),
            Part::Locals(locals) => self.locals(locals),
            Part::Label(label) => self.label(label),
            Part::Field(field) => self.text(&program.fields[field].name),
            Part::Function(function) => self.text(&program.functions[function].name),
            Part::DomainFunction(function) => self.text(&program.domain_functions[function].name),
            Part::Predicate(predicate) => self.text(&program.predicates[predicate].name),
            Part::Method(method) => self.text(&program.methods[method].name),
            Part::Types(types) => self.list(types, |form, ty| form.ty(ty)),
            Part::Location(location) => self.location(location),
            Part::Access(access) => self.access(access),
            Part::Decreases(decreases) => self.decreases(decreases),
            Part::Syntax(id) => self.syntax(id),
            Part::Integer(value) => self.words.push(Word::Owned(value.to_string())),
            Part::Number(number) => self.number(number),
        }
    }

    fn access(&mut self, access: &'a PredicateAccess) {
        let PredicateAccess { predicate, args, amount: _, id } = access;
        self.text(&self.program.predicates[*predicate].name);
        self.number(args.len());
        self.syntax(*id);
    }

    fn location(&mut self, location: &'a Location) {
        match location {
            Location::Field { receiver: _, field } => {
                self.text("field");
                self.text(&self.program.fields[*field].name);
            }
            Location::Predicate { predicate, args } => {
                self.text("predicate");
                self.text(&self.program.predicates[*predicate].name);
                self.number(args.len());
            }
            Location::Wand(_) => self.text("wand"),
        }
    }

    fn locals(&mut self, locals: &[LocalId]) {
        self.list(locals, |form, local| form.local(*local));
    }

    /// A variable where it is bound or written.
    fn local(&mut self, local: LocalId) {
        self.words.push(Word::Key(Table::Local, local.index()));
        let Local { name, ty, id } = &self.program.locals[local];
        self.text(name);
        self.ty(ty);
        self.syntax(*id);
    }

    fn label(&mut self, label: LabelId) {
        self.words.push(Word::Key(Table::Label, label.index()));
        let declared = &self.program.labels[label];
        self.text(&declared.name);
        self.syntax(declared.id);
    }

    fn ty(&mut self, ty: &'a Type) {
        match ty {
            Type::Int => self.text("Int"),
            Type::Bool => self.text("Bool"),
            Type::Perm => self.text("Perm"),
            Type::Ref => self.text("Ref"),
            Type::Seq(element) => {
                self.text("Seq");
                self.ty(element);
            }
            Type::Set(element) => {
                self.text("Set");
                self.ty(element);
            }
            Type::Multiset(element) => {
                self.text("Multiset");
                self.ty(element);
            }
            Type::Map(key, value) => {
                self.text("Map");
                self.ty(key);
                self.ty(value);
            }
            Type::Domain(domain, args) => {
                self.text("domain");
                self.text(&self.program.domains[*domain].name);
                self.list(args, |form, arg| form.ty(arg));
            }
            Type::Parameter(index) => {
                self.text("parameter");
                self.number(*index as usize);
            }
            Type::PredicateInstance => self.text("instance"),
        }
    }

    fn syntax(&mut self, id: SyntaxId) {
        self.words.push(Word::Key(Table::Syntax, id.index()));
        let node = self.program.syntax.node(id);
        let next = self.places.len();
        let place = *self.places.entry(node.span).or_insert(next);
        self.number(place);
        self.list(&node.annotations, |form, (name, args)| {
            form.text(name);
            form.list(args, |form, arg| form.text(arg));
        });
    }

    fn list<'t, T>(&mut self, items: &'t [T], mut write: impl FnMut(&mut Self, &'t T)) {
        self.number(items.len());
        items.iter().for_each(|item| write(self, item));
    }
    fn text(&mut self, text: &'a str) {
        self.words.push(Word::Text(text));
    }
    fn number(&mut self, number: usize) {
        self.words.push(Word::Number(number as u64));
    }
}
