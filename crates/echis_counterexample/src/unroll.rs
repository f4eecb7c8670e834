//! The contents of predicate instances as terms: their bodies with the field values that their snapshots determine.
//! They can be queried and evaluated like any other term.

use crate::limits::LIMITS;
use echis_base::SyntaxId;
use echis_program::program::{
    BinaryOp, Defined, ExprId, ExprKind, FieldId, LocalId, Location, PredicateId, Program, Type, UnaryOp,
};
use echis_proof::{Extent, HeapView, ResourceView, StateView};
use echis_term::{Op, Sort, SortId, SymbolId, SymbolRole, TermId, Terms};
use std::collections::{BTreeMap, HashMap};

/// A part of a heap: a field or a predicate instance that is held under conditions.
#[derive(Clone, Debug)]
pub struct Piece {
    pub resource: PieceOf,
    pub args: Vec<TermId>,
    /// `None`: a wildcard, or an unsupported amount.
    pub perm: Option<TermId>,
    /// The field's value or the instance's snapshot.
    pub value: Option<TermId>,
    pub conditions: Vec<TermId>,
    pub contents: Vec<Piece>,
    /// Facts about values in the instance's body, with their conditions.
    pub facts: Vec<(Vec<TermId>, TermId)>,
    /// Whether the instance has a body that was not opened.
    pub closed: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum PieceOf {
    Field(FieldId),
    Predicate(PredicateId),
}

/// Nested instances are opened to the first of these depths at which there are not too many.
const DEPTHS: [usize; 5] = [12, 7, 5, 4, 3];

/// For each heap, by chunk index: the contents of instances that are not quantified.
pub fn heaps(program: &Program, terms: &mut Terms, state: &StateView) -> Vec<BTreeMap<usize, Piece>> {
    let symbols: HashMap<SymbolRole, SymbolId> =
        terms.symbols().map(|(id, symbol)| (symbol.role.clone(), id)).collect();
    let mut walker = Walker { program, terms, symbols: &symbols, left: LIMITS.unrolled, deepest: 0 };
    state.heaps.iter().map(|heap| walker.heap(heap)).collect()
}

struct Walker<'a> {
    program: &'a Program,
    terms: &'a mut Terms,
    symbols: &'a HashMap<SymbolRole, SymbolId>,
    left: usize,
    deepest: usize,
}

/// The context within one instance.
#[derive(Clone, Default)]
struct Inside {
    locals: BTreeMap<LocalId, TermId>,
    fields: BTreeMap<(FieldId, TermId), TermId>,
    conditions: Vec<TermId>,
}

impl Walker<'_> {
    fn heap(&mut self, heap: &HeapView) -> BTreeMap<usize, Piece> {
        let mut pieces = BTreeMap::new();
        for deepest in DEPTHS {
            (self.left, self.deepest) = (LIMITS.unrolled, deepest);
            pieces = self.pieces(heap);
            if self.left > 0 {
                break;
            }
        }
        pieces
    }
    fn pieces(&mut self, heap: &HeapView) -> BTreeMap<usize, Piece> {
        let mut pieces = BTreeMap::new();
        for (position, chunk) in heap.chunks.iter().enumerate() {
            if let (ResourceView::Predicate(id), Extent::One(args)) = (chunk.resource, &chunk.extent)
                && let Some(predicate) = self.declared(id)
            {
                let value = Some(chunk.value);
                pieces
                    .insert(position, self.instance((predicate, args.clone()), Some(chunk.perm), value, Vec::new(), 0));
            }
        }
        pieces
    }
    fn declared(&self, id: SyntaxId) -> Option<PredicateId> {
        self.program.predicates.iter().find(|(_, predicate)| predicate.id == id).map(|(key, _)| key)
    }
    fn instance(
        &mut self,
        (predicate, args): (PredicateId, Vec<TermId>),
        perm: Option<TermId>,
        value: Option<TermId>,
        conditions: Vec<TermId>,
        depth: usize,
    ) -> Piece {
        let declared = &self.program.predicates[predicate];
        let mut piece = Piece {
            resource: PieceOf::Predicate(predicate),
            args: args.clone(),
            perm,
            value,
            conditions,
            contents: Vec::new(),
            facts: Vec::new(),
            closed: declared.body.is_some(),
        };
        if let (Some(body), Some(snapshot), true) = (declared.body, value, depth < self.deepest && self.left > 0) {
            let locals = declared.params.iter().copied().zip(args).collect();
            let mut inside = Inside { locals, ..Inside::default() };
            piece.closed = false;
            self.assertion(body, snapshot, &mut inside, &mut piece, depth);
        }
        piece
    }
    fn assertion(&mut self, expr: ExprId, snapshot: TermId, inside: &mut Inside, into: &mut Piece, depth: usize) {
        let program = self.program;
        if program.is_pure(expr) {
            if let Some(fact) = self.value(expr, inside) {
                into.facts.push((inside.conditions.clone(), fact));
            }
            return;
        }
        stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || match program.kind(expr) {
            ExprKind::Binary(BinaryOp::And, left, right) => {
                let (first, second) = (self.terms.first(snapshot), self.terms.second(snapshot));
                self.assertion(*left, first, inside, into, depth);
                self.assertion(*right, second, inside, into, depth);
            }
            ExprKind::Binary(BinaryOp::Implies, condition, body) => {
                let Some(condition) = self.value(*condition, inside) else { return };
                self.under(condition, *body, snapshot, inside, into, depth);
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                let Some(condition) = self.value(*condition, inside) else { return };
                self.under(condition, *then, snapshot, inside, into, depth);
                let negated = self.terms.not(condition);
                self.under(negated, *otherwise, snapshot, inside, into, depth);
            }
            ExprKind::Let { var, value, body } => {
                if let Some(value) = self.value(*value, inside) {
                    inside.locals.insert(*var, value);
                }
                self.assertion(*body, snapshot, inside, into, depth);
            }
            ExprKind::InhaleExhale(assumed, _) => self.assertion(*assumed, snapshot, inside, into, depth),
            ExprKind::Acc { location, amount, .. } => {
                let amount = self.value(*amount, inside);
                self.access(location, amount, snapshot, inside, into, depth);
            }
            _ => {}
        });
    }
    fn under(
        &mut self,
        condition: TermId,
        body: ExprId,
        snapshot: TermId,
        inside: &mut Inside,
        into: &mut Piece,
        depth: usize,
    ) {
        if self.terms.is_false(condition) {
            return;
        }
        inside.conditions.push(condition);
        self.assertion(body, snapshot, inside, into, depth);
        inside.conditions.pop();
    }
    fn access(
        &mut self,
        location: &Location,
        perm: Option<TermId>,
        snapshot: TermId,
        inside: &mut Inside,
        into: &mut Piece,
        depth: usize,
    ) {
        self.left = self.left.saturating_sub(1);
        let conditions = inside.conditions.clone();
        match location {
            Location::Field { receiver, field } => {
                let (Some(receiver), Some(sort)) =
                    (self.value(*receiver, inside), self.sort(&self.program.fields[*field].ty))
                else {
                    return;
                };
                let value = self.terms.unwrap(snapshot, sort);
                inside.fields.insert((*field, receiver), value);
                into.contents.push(Piece {
                    resource: PieceOf::Field(*field),
                    args: vec![receiver],
                    perm,
                    value: Some(value),
                    conditions,
                    contents: Vec::new(),
                    facts: Vec::new(),
                    closed: false,
                });
            }
            Location::Predicate { predicate, args } => {
                let args: Option<Vec<TermId>> = args.iter().map(|arg| self.value(*arg, inside)).collect();
                let Some(args) = args else { return };
                let piece = self.instance((*predicate, args), perm, Some(snapshot), conditions, depth + 1);
                into.contents.push(piece);
            }
            Location::Wand(_) => {}
        }
    }
    fn sort(&mut self, ty: &Type) -> Option<SortId> {
        Some(match ty {
            Type::Int => self.terms.int_sort(),
            Type::Bool => self.terms.bool_sort(),
            Type::Perm => self.terms.perm_sort(),
            Type::Ref => self.terms.ref_sort(),
            Type::Seq(element) => {
                let element = self.sort(element)?;
                self.terms.sort(Sort::Seq(element))
            }
            Type::Set(element) => {
                let element = self.sort(element)?;
                self.terms.sort(Sort::Set(element))
            }
            Type::Multiset(element) => {
                let element = self.sort(element)?;
                self.terms.sort(Sort::Multiset(element))
            }
            Type::Map(key, value) => {
                let (key, value) = (self.sort(key)?, self.sort(value)?);
                self.terms.sort(Sort::Map(key, value))
            }
            Type::Domain(domain, args) if args.is_empty() => {
                self.terms.sort(Sort::User(format!("sort.{}", self.program.domains[*domain].name).into()))
            }
            Type::Domain(..) | Type::Parameter(_) | Type::PredicateInstance => return None,
        })
    }
    /// The value of a pure expression, over the fields found so far. `None` if it mentions anything else.
    fn value(&mut self, expr: ExprId, inside: &Inside) -> Option<TermId> {
        stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || self.kind(expr, inside))
    }
    fn kind(&mut self, expr: ExprId, inside: &Inside) -> Option<TermId> {
        let program = self.program;
        Some(match program.kind(expr) {
            ExprKind::Bool(value) => self.terms.bool(*value),
            ExprKind::Int(value) => self.terms.int(value.clone()),
            ExprKind::Null => self.terms.null(),
            ExprKind::Write => self.terms.write(),
            ExprKind::NonePerm => self.terms.no_perm(),
            ExprKind::Local(local) => *inside.locals.get(local)?,
            ExprKind::Field { receiver, field } => {
                let receiver = self.value(*receiver, inside)?;
                *inside.fields.get(&(*field, receiver))?
            }
            ExprKind::Unary(op, operand) => {
                let operand = self.value(*operand, inside)?;
                match op {
                    UnaryOp::Not => self.terms.not(operand),
                    UnaryOp::Minus => self.terms.neg(operand),
                    UnaryOp::SeqLength => self.terms.op(Op::SeqLength, [operand]),
                    UnaryOp::SetCardinality => self.terms.op(Op::SetCardinality, [operand]),
                    UnaryOp::MultisetCardinality => self.terms.op(Op::MultisetCardinality, [operand]),
                    _ => return None,
                }
            }
            ExprKind::Binary(op, left, right) => {
                let (left, right) = (self.value(*left, inside)?, self.value(*right, inside)?);
                self.binary(*op, left, right)?
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                let condition = self.value(*condition, inside)?;
                let (then, otherwise) = (self.value(*then, inside)?, self.value(*otherwise, inside)?);
                self.terms.ite(condition, then, otherwise)
            }
            // An application that reads no heap is its symbol at the arguments.
            ExprKind::FunctionApp { function, args, .. } => {
                let declared = &program.functions[*function];
                self.application(&SymbolRole::Function(declared.name.clone()), args, inside)?
            }
            ExprKind::DomainApp { function, type_args, args } if type_args.is_empty() => {
                let function = program.domain_functions[*function].name.clone();
                self.application(&SymbolRole::DomainFunction { function, type_args: "".into() }, args, inside)?
            }
            _ => return None,
        })
    }
    fn application(&mut self, role: &SymbolRole, args: &[ExprId], inside: &Inside) -> Option<TermId> {
        let symbol = *self.symbols.get(role)?;
        let args: Vec<TermId> = args.iter().map(|arg| self.value(*arg, inside)).collect::<Option<_>>()?;
        let params = self.terms.symbol(symbol).params.clone();
        let fits = params.len() == args.len()
            && params.iter().zip(&args).all(|(param, arg)| self.terms.sort_of(*arg) == *param);
        fits.then(|| self.terms.app(symbol, args))
    }
    fn binary(&mut self, op: BinaryOp, left: TermId, right: TermId) -> Option<TermId> {
        let has_value = match op.row().defined {
            Defined::Always | Defined::Index => true,
            Defined::Divisor => self.terms.as_int(right).is_some_and(|divisor| *divisor != echis_term::Integer::ZERO),
            Defined::Key => false,
        };
        has_value.then(|| op.term(self.terms, left, right))
    }
}

impl Piece {
    /// The terms to query.
    pub fn watched(&self, into: &mut Vec<TermId>) {
        into.extend(self.args.iter().chain(&self.perm).chain(&self.conditions));
        if let PieceOf::Field(_) = self.resource {
            into.extend(self.value);
        }
        self.contents.iter().for_each(|piece| piece.watched(into));
    }
    /// Soft constraints for a small heap that can exist: at this many levels, instances contain no further ones.
    pub fn wishes(&self, terms: &mut Terms, given: &[TermId], levels: usize, into: &mut Vec<TermId>) {
        let given: Vec<TermId> = given.iter().chain(&self.conditions).copied().collect();
        if levels == 0 && !self.conditions.is_empty() && matches!(self.resource, PieceOf::Predicate(_)) {
            let here = terms.and(given.iter().copied());
            into.push(terms.not(here));
            return;
        }
        if let (PieceOf::Field(_), [receiver]) = (self.resource, self.args.as_slice()) {
            let (here, null) = (terms.and(given.iter().copied()), terms.null());
            let some = terms.ne(*receiver, null);
            into.push(terms.implies(here, some));
        }
        for (conditions, fact) in &self.facts {
            let here = terms.and(given.iter().chain(conditions).copied());
            into.push(terms.implies(here, *fact));
        }
        self.contents.iter().for_each(|piece| piece.wishes(terms, &given, levels.saturating_sub(1), into));
    }
    /// The fields in it, with all conditions under which they are held.
    pub fn fields(&self, given: &[TermId], into: &mut Vec<(FieldId, TermId, Vec<TermId>)>) {
        let given: Vec<TermId> = given.iter().chain(&self.conditions).copied().collect();
        if let (PieceOf::Field(field), [receiver]) = (self.resource, self.args.as_slice()) {
            into.push((field, *receiver, given.clone()));
        }
        if given.len() <= LIMITS.shallow {
            self.contents.iter().for_each(|piece| piece.fields(&given, into));
        }
    }
}
