//! What a predicate instance holds, by walking its body along its snapshot. Nested instances are opened too, as far
//! as the model knows their snapshots.

use super::heap::Heaps;
use super::names::perm_text;
use super::scalar::scalar;
use super::types::type_text;
use super::{CollectionKind, Entry, Shown, UNSPECIFIED};
use echis_program::program::{BinaryOp, ExprId, ExprKind, FieldId, LocalId, Location, PredicateId, Type, UnaryOp};
use echis_proof::Raw;
use echis_term::{Op, Rational};
use std::collections::BTreeMap;

/// Instances inside instances are opened to this depth.
pub const DEEPEST: usize = 6;

pub fn contents(
    heaps: &Heaps<'_>,
    predicate: PredicateId,
    args: &[Option<Raw>],
    snapshot: Option<&Raw>,
    depth: usize,
) -> Vec<Entry> {
    let declared = &heaps.program.predicates[predicate];
    let (Some(body), true) = (declared.body, depth > 0) else { return Vec::new() };
    let env = declared.params.iter().copied().zip(args.iter().cloned()).collect();
    let mut walk = Walk { heaps, env, fields: BTreeMap::new(), entries: Vec::new(), depth };
    walk.assertion(body, snapshot);
    walk.entries
}

struct Walk<'a> {
    heaps: &'a Heaps<'a>,
    env: BTreeMap<LocalId, Option<Raw>>,
    /// Fields met so far.
    fields: BTreeMap<(FieldId, Raw), Raw>,
    entries: Vec<Entry>,
    depth: usize,
}

impl Walk<'_> {
    fn assertion(&mut self, expr: ExprId, snapshot: Option<&Raw>) {
        let program = self.heaps.program;
        if program.is_pure(expr) {
            return;
        }
        stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || match program.kind(expr) {
            ExprKind::Binary(BinaryOp::And, left, right) => {
                let (first, second) = match snapshot {
                    Some(Raw::Combine(first, second)) => (Some(&**first), Some(&**second)),
                    _ => (None, None),
                };
                self.assertion(*left, first);
                self.assertion(*right, second);
            }
            ExprKind::Binary(BinaryOp::Implies, condition, body) if self.value(*condition) == Some(Raw::Bool(true)) => {
                self.assertion(*body, snapshot);
            }
            ExprKind::Conditional(condition, then, otherwise) => match self.value(*condition) {
                Some(Raw::Bool(true)) => self.assertion(*then, snapshot),
                Some(Raw::Bool(false)) => self.assertion(*otherwise, snapshot),
                _ => {}
            },
            ExprKind::Let { var, value, body } => {
                let value = self.value(*value);
                self.env.insert(*var, value);
                self.assertion(*body, snapshot);
            }
            ExprKind::InhaleExhale(assumed, _) => self.assertion(*assumed, snapshot),
            ExprKind::Acc { location, amount, .. } => {
                let amount = match self.value(*amount) {
                    Some(Raw::Perm(amount)) => perm_text(&amount),
                    _ => UNSPECIFIED.to_string(),
                };
                self.access(location, amount, snapshot);
            }
            _ => {}
        });
    }
    fn access(&mut self, location: &Location, perm: String, snapshot: Option<&Raw>) {
        let program = self.heaps.program;
        match location {
            Location::Field { receiver, field } => {
                let receiver = self.value(*receiver);
                let declared = &program.fields[*field];
                let value = snapshot.and_then(|snapshot| self.unwrapped(snapshot, &declared.ty));
                if let (Some(receiver), Some(value)) = (&receiver, &value) {
                    self.fields.insert((*field, receiver.clone()), value.clone());
                }
                let names = self.heaps.names;
                let collection = value.as_ref().and_then(|value| {
                    let kind = match declared.ty {
                        Type::Seq(_) => CollectionKind::Seq,
                        Type::Set(_) => CollectionKind::Set,
                        Type::Multiset(_) => CollectionKind::Multiset,
                        Type::Map(..) => CollectionKind::Map,
                        _ => return None,
                    };
                    Some(names.collection_of(value, kind, None))
                });
                self.entries.push(Entry::Field {
                    receiver: names.plain(receiver.as_ref()),
                    field: declared.name.to_string(),
                    value: Shown { text: names.plain(value.as_ref()), collection },
                    ty: type_text(program, &declared.ty),
                    perm,
                });
            }
            Location::Predicate { predicate, args } => {
                let args: Vec<Option<Raw>> = args.iter().map(|arg| self.value(*arg)).collect();
                self.entries.push(Entry::Predicate {
                    name: program.predicates[*predicate].name.to_string(),
                    args: args.iter().map(|arg| self.heaps.names.plain(arg.as_ref())).collect(),
                    perm,
                    contents: contents(self.heaps, *predicate, &args, snapshot, self.depth - 1),
                });
            }
            Location::Wand(_) => {}
        }
    }
    /// The value of a field in a snapshot.
    fn unwrapped(&self, snapshot: &Raw, ty: &Type) -> Option<Raw> {
        let table = format!("Snap.unwrap<{}>", sort_name(ty)?);
        self.heaps.tables.model.value(&table, std::slice::from_ref(snapshot)).cloned()
    }
    /// A pure expression's value, over the fields met so far.
    fn value(&self, expr: ExprId) -> Option<Raw> {
        let program = self.heaps.program;
        let value = |expr: ExprId| self.value(expr);
        stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || match program.kind(expr) {
            ExprKind::Bool(value) => Some(Raw::Bool(*value)),
            ExprKind::Int(value) => Some(Raw::Int(value.clone())),
            ExprKind::Null => self.heaps.tables.null().cloned(),
            ExprKind::Write => Some(Raw::Perm(Rational::ONE)),
            ExprKind::NonePerm => Some(Raw::Perm(Rational::ZERO)),
            ExprKind::Local(local) => self.env.get(local)?.clone(),
            ExprKind::Field { receiver, field } => self.fields.get(&(*field, value(*receiver)?)).cloned(),
            ExprKind::Unary(UnaryOp::Not, operand) => scalar(Op::Not, &[value(*operand)]),
            ExprKind::Unary(UnaryOp::Minus, operand) => scalar(Op::Neg, &[value(*operand)]),
            ExprKind::Binary(op, left, right) => {
                let (left, right) = (value(*left), value(*right));
                match op {
                    BinaryOp::And => scalar(Op::And, &[left, right]),
                    BinaryOp::Or => scalar(Op::Or, &[left, right]),
                    BinaryOp::Implies => scalar(Op::Implies, &[left, right]),
                    BinaryOp::Eq => scalar(Op::Eq, &[left, right]),
                    BinaryOp::Ne => scalar(Op::Not, &[scalar(Op::Eq, &[left, right])]),
                    BinaryOp::Lt => scalar(Op::Lt, &[left, right]),
                    BinaryOp::Le => scalar(Op::Le, &[left, right]),
                    BinaryOp::Gt => scalar(Op::Lt, &[right, left]),
                    BinaryOp::Ge => scalar(Op::Le, &[right, left]),
                    BinaryOp::Add => scalar(Op::Add, &[left, right]),
                    BinaryOp::Sub => scalar(Op::Sub, &[left, right]),
                    BinaryOp::Mul => scalar(Op::Mul, &[left, right]),
                    BinaryOp::IntDiv => scalar(Op::Div, &[left, right]),
                    BinaryOp::Mod => scalar(Op::Mod, &[left, right]),
                    BinaryOp::Fraction => {
                        scalar(Op::PermDiv, &[scalar(Op::ToPerm, &[left]), scalar(Op::ToPerm, &[right])])
                    }
                    _ => None,
                }
            }
            ExprKind::Conditional(condition, then, otherwise) => match value(*condition)? {
                Raw::Bool(true) => value(*then),
                _ => value(*otherwise),
            },
            _ => None,
        })
    }
}

/// The part of a name that a type contributes, for types whose name does not depend on the member.
pub fn sort_name(ty: &Type) -> Option<String> {
    Some(match ty {
        Type::Int => "Int".to_string(),
        Type::Bool => "Bool".to_string(),
        Type::Perm => "Real".to_string(),
        Type::Ref => "Ref".to_string(),
        Type::Seq(element) => format!("Seq<{}>", sort_name(element)?),
        Type::Set(element) => format!("Set<{}>", sort_name(element)?),
        Type::Multiset(element) => format!("Multiset<{}>", sort_name(element)?),
        Type::Map(key, value) => format!("Map<{}~{}>", sort_name(key)?, sort_name(value)?),
        Type::Domain(..) | Type::Parameter(_) | Type::PredicateInstance => return None,
    })
}
