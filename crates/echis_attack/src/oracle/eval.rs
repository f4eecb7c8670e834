//! Evaluates expressions. An expression that is not well-defined violates an obligation.

use super::machine::{Frame, Machine};
use super::state::{Checked, Resource, Run, Stop, Store, View, held, known};
use super::value::{NULL, Ratio, Value, euclidean};
use echis_base::SyntaxId;
use echis_program::program::{
    BinaryOp, DomainFunctionId, ExprId, ExprKind, FunctionId, Location, OldState, PredicateAccess, UnaryOp,
};
use std::collections::{BTreeMap, BTreeSet};

/// A permission amount.
#[derive(Clone, Copy, Debug)]
pub enum Amount {
    Exactly(Ratio),
    Wildcard,
}

impl Amount {
    pub fn is_positive(self) -> bool {
        match self {
            Amount::Exactly(amount) => amount.is_positive(),
            Amount::Wildcard => true,
        }
    }
}

impl Machine<'_> {
    pub fn eval(&mut self, expr: ExprId, view: &View) -> Run<Value> {
        self.nested(|machine| machine.eval_kind(expr, view))
    }

    pub fn truth(&mut self, expr: ExprId, view: &View) -> Run<bool> {
        match self.eval(expr, view)? {
            Value::Bool(value) => Ok(value),
            _ => Err(Stop::Unknown("a truth value was expected")),
        }
    }

    pub fn int(&mut self, expr: ExprId, view: &View) -> Run<i128> {
        match self.eval(expr, view)? {
            Value::Int(value) if value.abs() < 1 << 100 => Ok(value),
            _ => Err(Stop::Unknown("a number was expected")),
        }
    }

    pub fn object(&mut self, expr: ExprId, view: &View) -> Run<u32> {
        match self.eval(expr, view)? {
            Value::Ref(object) => Ok(object),
            _ => Err(Stop::Unknown("a reference was expected")),
        }
    }

    pub fn all(&mut self, exprs: &[ExprId], view: &View) -> Run<Vec<Value>> {
        exprs.iter().map(|expr| self.eval(*expr, view)).collect()
    }

    /// Handles an undefined value: a violation if this is an obligation here, otherwise evidence of another violation.
    fn partial<T>(&self, view: &View, what: &'static str, at: SyntaxId) -> Run<T> {
        match view.checked {
            Checked::Yes => self.violated(what, at),
            Checked::No => Err(Stop::Unknown("a value that is not defined")),
        }
    }

    pub fn amount(&mut self, expr: ExprId, view: &View) -> Run<Amount> {
        match self.program.kind(expr) {
            ExprKind::Wildcard => Ok(Amount::Wildcard),
            ExprKind::Conditional(condition, then, otherwise) => {
                let chosen = if self.truth(*condition, view)? { *then } else { *otherwise };
                self.amount(chosen, view)
            }
            _ => match self.eval(expr, view)? {
                Value::Perm(amount) => Ok(Amount::Exactly(amount)),
                Value::Int(amount) => Ok(Amount::Exactly(known(Ratio::new(amount, 1))?)),
                _ => Err(Stop::Unknown("an amount was expected")),
            },
        }
    }

    pub fn resource(&mut self, location: &Location, view: &View) -> Run<Resource> {
        Ok(match location {
            Location::Field { receiver, field } => Resource::Field(self.object(*receiver, view)?, *field),
            Location::Predicate { predicate, args } => Resource::Predicate(*predicate, self.all(args, view)?),
            Location::Wand(wand) => Resource::Wand(self.shape(*wand, view)?),
        })
    }

    fn eval_kind(&mut self, expr: ExprId, view: &View) -> Run<Value> {
        let at = self.program.expr(expr).id;
        Ok(match self.program.kind(expr) {
            ExprKind::Bool(value) => Value::Bool(*value),
            ExprKind::Int(value) => {
                Value::Int(i128::try_from(value).map_err(|_| Stop::Unknown("a number is too large"))?)
            }
            ExprKind::Null => NULL,
            ExprKind::Write => Value::Perm(Ratio::ONE),
            ExprKind::NonePerm => Value::Perm(Ratio::ZERO),
            ExprKind::Wildcard | ExprKind::Epsilon => return Err(Stop::Unknown("an amount inside an expression")),
            ExprKind::Local(local) => {
                self.frame.store.get(local).cloned().ok_or(Stop::Unknown("a variable without a value"))?
            }
            ExprKind::Result => self.frame.result.clone().ok_or(Stop::Unknown("no result"))?,
            ExprKind::Unary(op, operand) => {
                let operand = self.eval(*operand, view)?;
                unary(*op, operand)?
            }
            ExprKind::Binary(op, left, right) => self.binary(*op, *left, *right, at, view)?,
            ExprKind::Conditional(condition, then, otherwise) => {
                let chosen = if self.truth(*condition, view)? { *then } else { *otherwise };
                self.eval(chosen, view)?
            }
            ExprKind::Let { var, value, body } => {
                let value = self.eval(*value, view)?;
                let before = self.frame.store.insert(*var, value);
                let result = self.eval(*body, view);
                if let Some(before) = before {
                    self.frame.store.insert(*var, before);
                }
                result?
            }
            ExprKind::Quantified { quantifier, vars, body, .. } => self.quantified(*quantifier, vars, *body, view)?,
            ExprKind::Field { receiver, field } => {
                let object = self.object(*receiver, view)?;
                if view.checked == Checked::Yes && !held(&view.reads, &Resource::Field(object, *field)).is_positive() {
                    if !self.around.is_empty() {
                        return Err(Stop::Unknown("a read outside of what a wand owns"));
                    }
                    return self.violated("a field is read without permission", at);
                }
                view.heap.get(&(object, *field)).cloned().ok_or(Stop::Unknown("a location without a value"))?
            }
            ExprKind::FunctionApp { function, args, .. } => {
                let args = self.all(args, view)?;
                self.apply_function(*function, args, at, view)?
            }
            ExprKind::DomainApp { function, args, .. } => {
                let args = self.all(args, view)?;
                self.domain_app(*function, args)?
            }
            ExprKind::PredicateInstance { .. } => return Err(Stop::Unknown("a predicate instance as a value")),
            ExprKind::Old { state, body } => {
                let state = match state {
                    OldState::Pre => self.frame.pre.clone(),
                    OldState::Label(label) => match self.frame.labels.get(label) {
                        Some(state) => state.clone(),
                        None => return self.partial(view, "a label was not reached", at),
                    },
                    OldState::Lhs => self.frame.lhs.clone().ok_or(Stop::Unknown("no left side"))?,
                };
                self.eval(*body, &View::of(&state, view.checked))?
            }
            ExprKind::Unfolding { access, body } => {
                let inside = self.unfolded(access, at, view)?;
                self.eval(*body, &inside)?
            }
            ExprKind::Applying { wand, body } => self.applying(*wand, *body, view)?,
            ExprKind::Asserting { assertion, body } => {
                if view.checked == Checked::Yes {
                    self.assert_in(*assertion, view)?;
                }
                self.eval(*body, view)?
            }
            ExprKind::PermOf(location) => {
                let resource = self.resource(location, view)?;
                if !self.around.is_empty() {
                    return Err(Stop::Unknown("permission inside a package"));
                }
                Value::Perm(held(&view.perms, &resource))
            }
            ExprKind::ForPerm { vars, location, body, .. } => self.forperm(vars, location, *body, view)?,
            ExprKind::SeqLiteral(items) => Value::Seq(self.all(items, view)?),
            ExprKind::SetLiteral(items) => Value::Set(self.all(items, view)?.into_iter().collect()),
            ExprKind::MultisetLiteral(items) => {
                let mut counts = BTreeMap::new();
                for item in self.all(items, view)? {
                    *counts.entry(item).or_insert(0) += 1;
                }
                Value::Multiset(counts)
            }
            ExprKind::MapLiteral(entries) => {
                let mut map = BTreeMap::new();
                for (key, value) in entries {
                    let key = self.eval(*key, view)?;
                    map.insert(key, self.eval(*value, view)?);
                }
                Value::Map(map)
            }
            ExprKind::SeqUpdate(base, index, value) => {
                let (base, index) = (self.eval(*base, view)?, self.int(*index, view)?);
                let value = self.eval(*value, view)?;
                let Value::Seq(mut items) = base else { return Err(mistyped()) };
                match usize::try_from(index).ok().filter(|index| *index < items.len()) {
                    Some(index) => items[index] = value,
                    None => return self.partial(view, "an index is outside of a sequence", at),
                }
                Value::Seq(items)
            }
            ExprKind::MapUpdate(base, key, value) => {
                let Value::Map(mut entries) = self.eval(*base, view)? else { return Err(mistyped()) };
                let key = self.eval(*key, view)?;
                entries.insert(key, self.eval(*value, view)?);
                Value::Map(entries)
            }
            ExprKind::Acc { .. }
            | ExprKind::Wand { .. }
            | ExprKind::ForallAcc { .. }
            | ExprKind::InhaleExhale(..)
            | ExprKind::TriggerLocation(_) => return Err(Stop::Unknown("an assertion as a value")),
        })
    }

    fn binary(&mut self, op: BinaryOp, left: ExprId, right: ExprId, at: SyntaxId, view: &View) -> Run<Value> {
        match op {
            BinaryOp::And => return Ok(Value::Bool(self.truth(left, view)? && self.truth(right, view)?)),
            BinaryOp::Or => return Ok(Value::Bool(self.truth(left, view)? || self.truth(right, view)?)),
            BinaryOp::Implies => return Ok(Value::Bool(!self.truth(left, view)? || self.truth(right, view)?)),
            _ => {}
        }
        let (left, right) = (self.eval(left, view)?, self.eval(right, view)?);
        match (op, &left, &right) {
            (BinaryOp::IntDiv | BinaryOp::Mod | BinaryOp::Fraction | BinaryOp::PermDivInt, _, Value::Int(0)) => {
                self.partial(view, "a division by zero", at)
            }
            (BinaryOp::PermDivPerm, _, Value::Perm(Ratio::ZERO)) => self.partial(view, "a division by zero", at),
            (BinaryOp::SeqIndex, Value::Seq(items), Value::Int(index)) => {
                match usize::try_from(*index).ok().and_then(|index| items.get(index)) {
                    Some(item) => Ok(item.clone()),
                    None => self.partial(view, "an index is outside of a sequence", at),
                }
            }
            (BinaryOp::MapLookup, Value::Map(entries), key) => match entries.get(key) {
                Some(value) => Ok(value.clone()),
                None => self.partial(view, "a key is not in a map", at),
            },
            _ => total(op, left, right),
        }
    }

    /// Applies a function by evaluating its body. The precondition is an obligation here; the body's own obligations
    /// are not.
    fn apply_function(&mut self, function: FunctionId, args: Vec<Value>, at: SyntaxId, view: &View) -> Run<Value> {
        let declared = &self.program.functions[function];
        let Some(body) = declared.body else { return Err(Stop::Unknown("a function without a body")) };
        if declared.pre.iter().chain(&declared.post).any(|clause| self.is_one_sided(*clause)) {
            return Err(Stop::Unknown("a promise of one side"));
        }
        let frame = Frame {
            member: self.frame.member.clone(),
            store: declared.params.iter().copied().zip(args).collect(),
            ..Frame::new(self.frame.member.clone())
        };
        let (value, _) = self.within(frame, |machine| {
            for pre in &declared.pre {
                if !machine.readable(*pre, view)? {
                    return machine.partial(view, "a function's precondition does not hold", at);
                }
            }
            machine.eval(body, &View { checked: Checked::No, ..view.clone() })
        })?;
        Ok(value)
    }

    /// Whether a function's precondition holds. Permissions only need to be positive.
    fn readable(&mut self, assertion: ExprId, view: &View) -> Run<bool> {
        if self.program.is_pure(assertion) {
            let view = View { checked: Checked::No, ..view.clone() };
            return self.truth(assertion, &view);
        }
        let quiet = View { checked: Checked::No, ..view.clone() };
        match self.program.kind(assertion) {
            ExprKind::Binary(BinaryOp::And, left, right) => {
                Ok(self.readable(*left, view)? && self.readable(*right, view)?)
            }
            ExprKind::Binary(BinaryOp::Implies, left, right) => {
                Ok(!self.truth(*left, &quiet)? || self.readable(*right, view)?)
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                let chosen = if self.truth(*condition, &quiet)? { *then } else { *otherwise };
                self.readable(chosen, view)
            }
            ExprKind::Acc { location, amount, .. } => {
                let amount = self.amount(*amount, &quiet)?;
                let resource = self.resource(location, &quiet)?;
                let is_held = held(&view.reads, &resource).is_positive();
                Ok(view.checked == Checked::No || !amount.is_positive() || is_held)
            }
            ExprKind::ForallAcc { vars, condition, location, amount, .. } => {
                let (location, amount) = (location.clone(), *amount);
                let instances = self.instances(vars, *condition, &quiet)?;
                for store in instances {
                    let (resource, amount) = self.with_store(store, |machine| {
                        Ok((machine.resource(&location, &quiet)?, machine.amount(amount, &quiet)?))
                    })?;
                    if view.checked == Checked::Yes
                        && amount.is_positive()
                        && !held(&view.reads, &resource).is_positive()
                    {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            _ => Err(Stop::Unknown("a precondition of this form")),
        }
    }

    /// The view inside `unfolding`: the predicate is replaced by its body.
    fn unfolded(&mut self, access: &PredicateAccess, at: SyntaxId, view: &View) -> Run<View> {
        let args = self.all(&access.args, view)?;
        if view.checked == Checked::No {
            return Ok(view.clone());
        }
        let resource = Resource::Predicate(access.predicate, args.clone());
        let have = held(&view.reads, &resource);
        let amount = match self.amount(access.amount, view)? {
            Amount::Exactly(amount) if !amount.is_positive() => {
                return self.violated("an amount is not positive", at);
            }
            Amount::Exactly(amount) => amount,
            Amount::Wildcard => known(have.mul(known(Ratio::new(1, 2))?))?,
        };
        if have < amount || !have.is_positive() {
            return self.violated("a predicate is unfolded that is not held", at);
        }
        let kept = self.state.clone();
        let kept_fresh = self.fresh.take();
        self.state.heap = view.heap.clone();
        self.state.mask = view.reads.clone();
        let left = known(have.sub(amount))?;
        self.state.set_held(resource, left);
        let result = self.produce_body(access.predicate, &args, amount);
        let inside = View::of(&self.state, view.checked);
        self.state = kept;
        self.fresh = kept_fresh;
        result?;
        Ok(inside)
    }

    fn domain_app(&mut self, function: DomainFunctionId, args: Vec<Value>) -> Run<Value> {
        let domain = self.program.domain_functions[function].domain;
        let Some(constructors) = &self.program.domains[domain].adt else {
            return Err(Stop::Unknown("a domain function"));
        };
        if constructors.iter().any(|one| one.constructor == function) {
            return Ok(Value::Adt(function, args));
        }
        let [Value::Adt(constructor, parts)] = &args[..] else { return Err(Stop::Unknown("a domain function")) };
        let made = constructors.iter().find(|one| one.constructor == *constructor).ok_or(mistyped())?;
        if constructors.iter().any(|one| one.destructors.contains(&function)) {
            let index = made.destructors.iter().position(|one| *one == function);
            let index = index.ok_or(Stop::Unknown("a destructor of another constructor"))?;
            return Ok(parts[index].clone());
        }
        Ok(Value::Int(made.tag as i128))
    }

    pub fn predicate_store(&self, predicate: echis_program::program::PredicateId, args: &[Value]) -> Store {
        self.program.predicates[predicate].params.iter().copied().zip(args.iter().cloned()).collect()
    }
}

fn mistyped() -> Stop {
    Stop::Unknown("a value of another type was expected")
}

fn unary(op: UnaryOp, operand: Value) -> Run<Value> {
    Ok(match (op, operand) {
        (UnaryOp::Not, Value::Bool(value)) => Value::Bool(!value),
        (UnaryOp::Minus, Value::Int(value)) => Value::Int(-value),
        (UnaryOp::Minus, Value::Perm(value)) => Value::Perm(value.minus()),
        (UnaryOp::SeqLength, Value::Seq(items)) => Value::Int(items.len() as i128),
        (UnaryOp::SetCardinality, Value::Set(items)) => Value::Int(items.len() as i128),
        (UnaryOp::MultisetCardinality, Value::Multiset(counts)) => Value::Int(counts.values().sum()),
        (UnaryOp::MapCardinality, Value::Map(entries)) => Value::Int(entries.len() as i128),
        (UnaryOp::MapDomain, Value::Map(entries)) => Value::Set(entries.into_keys().collect()),
        (UnaryOp::MapRange, Value::Map(entries)) => Value::Set(entries.into_values().collect()),
        _ => return Err(mistyped()),
    })
}

/// Operators that are total on their operands.
fn total(op: BinaryOp, left: Value, right: Value) -> Run<Value> {
    use BinaryOp as Op;
    use Value as V;
    Ok(match (op, left, right) {
        (Op::Eq, left, right) => V::Bool(left == right),
        (Op::Ne, left, right) => V::Bool(left != right),
        (Op::Lt, V::Int(left), V::Int(right)) => V::Bool(left < right),
        (Op::Le, V::Int(left), V::Int(right)) => V::Bool(left <= right),
        (Op::Gt, V::Int(left), V::Int(right)) => V::Bool(left > right),
        (Op::Ge, V::Int(left), V::Int(right)) => V::Bool(left >= right),
        (Op::Lt, V::Perm(left), V::Perm(right)) => V::Bool(left < right),
        (Op::Le, V::Perm(left), V::Perm(right)) => V::Bool(left <= right),
        (Op::Gt, V::Perm(left), V::Perm(right)) => V::Bool(left > right),
        (Op::Ge, V::Perm(left), V::Perm(right)) => V::Bool(left >= right),
        (Op::Add, V::Int(left), V::Int(right)) => V::Int(known(left.checked_add(right))?),
        (Op::Sub, V::Int(left), V::Int(right)) => V::Int(known(left.checked_sub(right))?),
        (Op::Mul, V::Int(left), V::Int(right)) => V::Int(known(left.checked_mul(right))?),
        (Op::Add, V::Perm(left), V::Perm(right)) => V::Perm(known(left.add(right))?),
        (Op::Sub, V::Perm(left), V::Perm(right)) => V::Perm(known(left.sub(right))?),
        (Op::Mul, V::Perm(left), V::Perm(right)) => V::Perm(known(left.mul(right))?),
        (Op::IntPermMul, V::Int(left), V::Perm(right)) => V::Perm(known(known(Ratio::new(left, 1))?.mul(right))?),
        (Op::IntDiv, V::Int(left), V::Int(right)) => V::Int(known(euclidean(left, right))?.0),
        (Op::Mod, V::Int(left), V::Int(right)) => V::Int(known(euclidean(left, right))?.1),
        (Op::Fraction, V::Int(left), V::Int(right)) => V::Perm(known(Ratio::new(left, right))?),
        (Op::PermDivInt, V::Perm(left), V::Int(right)) => V::Perm(known(left.div(known(Ratio::new(right, 1))?))?),
        (Op::PermDivPerm, V::Perm(left), V::Perm(right)) => V::Perm(known(left.div(right))?),
        (Op::SeqAppend, V::Seq(mut left), V::Seq(right)) => {
            left.extend(right);
            V::Seq(left)
        }
        (Op::SeqTake, V::Seq(items), V::Int(count)) => {
            V::Seq(items[..count.clamp(0, items.len() as i128) as usize].to_vec())
        }
        (Op::SeqDrop, V::Seq(items), V::Int(count)) => {
            V::Seq(items[count.clamp(0, items.len() as i128) as usize..].to_vec())
        }
        (Op::SeqRange, V::Int(low), V::Int(high)) if high - low < 200 => V::Seq((low..high).map(V::Int).collect()),
        (Op::SeqContains, item, V::Seq(items)) => V::Bool(items.contains(&item)),
        (Op::SetContains, item, V::Set(items)) => V::Bool(items.contains(&item)),
        (Op::SetUnion, V::Set(left), V::Set(right)) => V::Set(left.union(&right).cloned().collect()),
        (Op::SetIntersection, V::Set(left), V::Set(right)) => V::Set(left.intersection(&right).cloned().collect()),
        (Op::SetDifference, V::Set(left), V::Set(right)) => V::Set(left.difference(&right).cloned().collect()),
        (Op::SetSubset, V::Set(left), V::Set(right)) => V::Bool(left.is_subset(&right)),
        (Op::MultisetCount, item, V::Multiset(counts)) => V::Int(counts.get(&item).copied().unwrap_or(0)),
        (Op::MultisetUnion, V::Multiset(left), V::Multiset(right)) => counted(&left, &right, |a, b| a + b),
        (Op::MultisetIntersection, V::Multiset(left), V::Multiset(right)) => counted(&left, &right, i128::min),
        (Op::MultisetDifference, V::Multiset(left), V::Multiset(right)) => counted(&left, &right, |a, b| a - b),
        (Op::MultisetSubset, V::Multiset(left), V::Multiset(right)) => {
            V::Bool(left.iter().all(|(item, count)| right.get(item).is_some_and(|other| other >= count)))
        }
        (Op::MapContains, key, V::Map(entries)) => V::Bool(entries.contains_key(&key)),
        _ => return Err(mistyped()),
    })
}

fn counted(left: &BTreeMap<Value, i128>, right: &BTreeMap<Value, i128>, join: impl Fn(i128, i128) -> i128) -> Value {
    let items: BTreeSet<&Value> = left.keys().chain(right.keys()).collect();
    let count = |item: &Value| {
        let of = |counts: &BTreeMap<Value, i128>| counts.get(item).copied().unwrap_or(0);
        join(of(left), of(right))
    };
    let joined = items.into_iter().map(|item| (item.clone(), count(item))).filter(|(_, count)| *count > 0);
    Value::Multiset(joined.collect())
}
