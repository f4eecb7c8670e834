//! Quantifiers, evaluated over the finitely many values that a guard allows.

use super::machine::Machine;
use super::state::{Checked, Resource, Run, Stop, Store, View};
use super::value::Value;
use echis_program::program::{BinaryOp, ExprId, ExprKind, LocalId, Location, Quantifier, Type};

/// Values to try for an unbounded variable: one counterexample suffices.
const SAMPLES: [i128; 7] = [0, 1, -1, 2, 3, 7, -4];
/// Maximum number of instances.
const MOST: usize = 300;

/// The candidate values of a variable.
struct Range {
    values: Vec<Value>,
    /// Whether the guard is false for all other values.
    complete: bool,
}

impl Machine<'_> {
    pub fn quantified(&mut self, quantifier: Quantifier, vars: &[LocalId], body: ExprId, view: &View) -> Run<Value> {
        let guard = match (quantifier, self.program.kind(body)) {
            (Quantifier::Forall, ExprKind::Binary(BinaryOp::Implies, guard, _)) => Some(*guard),
            (Quantifier::Forall, _) => None,
            (Quantifier::Exists, _) => Some(body),
        };
        let (stores, complete) = self.stores(vars, guard, view)?;
        let decisive = quantifier == Quantifier::Exists;
        for store in stores {
            if self.with_store(store, |machine| machine.truth(body, view))? == decisive {
                return Ok(Value::Bool(decisive));
            }
        }
        if complete {
            Ok(Value::Bool(!decisive))
        } else {
            Err(Stop::Unknown("a quantifier over infinitely many values"))
        }
    }

    /// All instances of the variables that satisfy the condition.
    pub fn instances(&mut self, vars: &[LocalId], condition: ExprId, view: &View) -> Run<Vec<Store>> {
        let (stores, complete) = self.stores(vars, Some(condition), view)?;
        if !complete {
            return Err(Stop::Unknown("a quantifier over infinitely many values"));
        }
        let mut instances = Vec::new();
        for store in stores {
            if self.with_store(store.clone(), |machine| machine.truth(condition, view))? {
                instances.push(store);
            }
        }
        Ok(instances)
    }

    /// The candidate assignments to the variables, and whether they cover all that may satisfy the guard.
    fn stores(&mut self, vars: &[LocalId], guard: Option<ExprId>, view: &View) -> Run<(Vec<Store>, bool)> {
        let conjuncts: Vec<ExprId> = guard
            .map(|guard| self.program.conjuncts(guard))
            .unwrap_or_default()
            .into_iter()
            .map(|(one, _)| one)
            .collect();
        let mut stores = vec![self.frame.store.clone()];
        let mut complete = true;
        for (index, var) in vars.iter().enumerate() {
            let mut extended = Vec::new();
            for store in stores {
                let range =
                    self.with_store(store.clone(), |machine| machine.range(*var, &vars[index..], &conjuncts, view))?;
                complete &= range.complete;
                for value in range.values {
                    let mut store = store.clone();
                    store.insert(*var, value);
                    extended.push(store);
                }
            }
            if extended.len() > MOST {
                return Err(Stop::Fuel);
            }
            stores = extended;
        }
        Ok((stores, complete))
    }

    fn range(&mut self, var: LocalId, unbound: &[LocalId], conjuncts: &[ExprId], view: &View) -> Run<Range> {
        let quiet = View { checked: Checked::No, ..view.clone() };
        let (mut low, mut high, mut among) = (None, None, None);
        for conjunct in conjuncts {
            let ExprKind::Binary(op, left, right) = self.program.kind(*conjunct) else { continue };
            let is_var = |expr: ExprId| matches!(self.program.kind(expr), ExprKind::Local(local) if *local == var);
            let (op, bound) = match (is_var(*left), is_var(*right)) {
                (true, false) => (*op, *right),
                (false, true) => (flipped(*op), *left),
                _ => continue,
            };
            let depends = |kind: &ExprKind| matches!(kind, ExprKind::Local(local) if unbound.contains(local));
            if self.program.any(bound, depends) {
                continue;
            }
            match (op, self.eval(bound, &quiet)) {
                (BinaryOp::Lt, Ok(Value::Int(bound))) => high = Some(high.map_or(bound, |high: i128| high.min(bound))),
                (BinaryOp::Le, Ok(Value::Int(bound))) => {
                    high = Some(high.map_or(bound + 1, |high: i128| high.min(bound + 1)));
                }
                (BinaryOp::Gt, Ok(Value::Int(bound))) => {
                    low = Some(low.map_or(bound + 1, |low: i128| low.max(bound + 1)));
                }
                (BinaryOp::Ge, Ok(Value::Int(bound))) => low = Some(low.map_or(bound, |low: i128| low.max(bound))),
                (BinaryOp::Eq, Ok(value)) => among = Some(vec![value]),
                (BinaryOp::SetContains, Ok(Value::Set(items))) => among = Some(items.into_iter().collect()),
                (BinaryOp::SeqContains, Ok(Value::Seq(items))) => among = Some(items),
                _ => {}
            }
        }
        let complete = |values| Range { values, complete: true };
        Ok(match (among, low, high) {
            (Some(mut values), _, _) => {
                values.sort();
                values.dedup();
                complete(values)
            }
            (None, Some(low), Some(high)) if high - low <= MOST as i128 => {
                complete((low..high).map(Value::Int).collect())
            }
            _ => match &self.program.locals[var].ty {
                Type::Bool => complete(vec![Value::Bool(false), Value::Bool(true)]),
                Type::Int => Range { values: SAMPLES.map(Value::Int).to_vec(), complete: false },
                Type::Ref => Range { values: (0..=self.objects).map(Value::Ref).collect(), complete: false },
                ty => {
                    let mut values = Vec::new();
                    for _ in 0..4 {
                        values.push(self.arbitrary(ty)?);
                    }
                    Range { values, complete: false }
                }
            },
        })
    }

    pub fn forperm(&mut self, vars: &[LocalId], location: &Location, body: ExprId, view: &View) -> Run<Value> {
        if !self.around.is_empty() {
            return Err(Stop::Unknown("permission inside a package"));
        }
        let held: Vec<Resource> = view.perms.keys().cloned().collect();
        for resource in held {
            let Some(store) = self.matching(vars, location, &resource) else { continue };
            // The body may read the location, for which there is permission.
            if !self.with_store(store?, |machine| machine.truth(body, view))? {
                return Ok(Value::Bool(false));
            }
        }
        Ok(Value::Bool(true))
    }

    /// Matches the variables against a resource. Only locations whose arguments are variables are supported.
    fn matching(&mut self, vars: &[LocalId], location: &Location, resource: &Resource) -> Option<Run<Store>> {
        let (parts, values) = match (location, resource) {
            (Location::Field { receiver, field }, Resource::Field(object, other)) if field == other => {
                (vec![*receiver], vec![Value::Ref(*object)])
            }
            (Location::Predicate { predicate, args }, Resource::Predicate(other, values)) if predicate == other => {
                (args.clone(), values.clone())
            }
            (Location::Wand(_), _) => return Some(Err(Stop::Unknown("wands"))),
            _ => return None,
        };
        let mut store = self.frame.store.clone();
        let mut bound = Vec::new();
        for (part, value) in parts.iter().zip(values) {
            match self.program.kind(*part) {
                ExprKind::Local(local) if vars.contains(local) && !bound.contains(local) => {
                    bound.push(*local);
                    store.insert(*local, value);
                }
                _ => return Some(Err(Stop::Unknown("a resource that is not made of variables"))),
            }
        }
        Some(Ok(store))
    }
}

fn flipped(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Lt => BinaryOp::Gt,
        BinaryOp::Le => BinaryOp::Ge,
        BinaryOp::Gt => BinaryOp::Lt,
        BinaryOp::Ge => BinaryOp::Le,
        BinaryOp::Eq => BinaryOp::Eq,
        // Membership is not symmetric, so no bound is derived.
        _ => BinaryOp::Ne,
    }
}
