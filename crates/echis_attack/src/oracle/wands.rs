//! Wands: packaging takes the permissions that sampled left-hand sides need from the current state; applying runs the
//! proof script on the actual left-hand side. If the script fails then, the package was accepted wrongly.

use super::machine::{Frame, Machine};
use super::state::{Checked, Closure, Mask, Resource, Run, State, Stop, View, held, known};
use super::value::{Ratio, Value};
use echis_base::SyntaxId;
use echis_program::program::{Block, ExprId, ExprKind, LocalId};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::rc::Rc;

/// Number of left-hand sides to try for a package.
const SAMPLES: usize = 4;

impl Machine<'_> {
    /// The wand with its heap-independent subexpressions evaluated.
    pub fn shape(&mut self, wand: ExprId, view: &View) -> Run<String> {
        let view = View { checked: Checked::No, ..view.clone() };
        let mut shape = String::new();
        self.write_shape(wand, &view, &mut Vec::new(), &mut shape)?;
        Ok(shape)
    }

    /// Writes the shape of an expression. Bound variables are named by binding order.
    fn write_shape(&mut self, expr: ExprId, view: &View, bound: &mut Vec<LocalId>, shape: &mut String) -> Run<()> {
        let is_bound = |kind: &ExprKind| matches!(kind, ExprKind::Local(local) if bound.contains(local));
        let fixed = self.program.is_pure(expr)
            && !self.program.any(expr, is_bound)
            && !self.program.any(expr, |kind| {
                matches!(
                    kind,
                    ExprKind::Field { .. }
                        | ExprKind::FunctionApp { .. }
                        | ExprKind::Unfolding { .. }
                        | ExprKind::Applying { .. }
                        | ExprKind::PermOf(_)
                        | ExprKind::ForPerm { .. }
                        | ExprKind::Old { .. }
                        | ExprKind::Quantified { .. }
                        | ExprKind::Let { .. }
                        | ExprKind::Wildcard
                        | ExprKind::Bool(_)
                )
            });
        if fixed && let Ok(value) = self.eval(expr, view) {
            let _ = write!(shape, "{value} ");
            return Ok(());
        }
        match self.program.kind(expr) {
            ExprKind::Local(local) => {
                let _ = match bound.iter().position(|other| other == local) {
                    Some(index) => write!(shape, "bound{index} "),
                    None => write!(shape, "{local} "),
                };
            }
            ExprKind::Quantified { .. } | ExprKind::Let { .. } | ExprKind::Old { .. } => {
                return Err(Stop::Unknown("a wand of this form"));
            }
            kind => {
                let text = format!("{kind:?}");
                let head = text.split(['(', ' ', '{']).next().unwrap_or_default().to_string();
                bound.extend(kind.bound());
                let _ = match kind {
                    ExprKind::ForallAcc { location: echis_program::program::Location::Field { field, .. }, .. } => {
                        write!(shape, "{head} {field}(")
                    }
                    ExprKind::Field { field, .. } => write!(shape, "{head} {field}("),
                    ExprKind::Acc { location: echis_program::program::Location::Field { field, .. }, .. } => {
                        write!(shape, "{head} {field}(")
                    }
                    ExprKind::Acc {
                        location: echis_program::program::Location::Predicate { predicate, .. }, ..
                    } => {
                        write!(shape, "{head} {predicate}(")
                    }
                    ExprKind::FunctionApp { function, .. } => write!(shape, "{head} {function}("),
                    ExprKind::Binary(op, ..) => write!(shape, "{op:?}("),
                    ExprKind::Unary(op, ..) => write!(shape, "{op:?}("),
                    ExprKind::Bool(value) => write!(shape, "{value}("),
                    _ => write!(shape, "{head}("),
                };
                for child in kind.children() {
                    self.write_shape(child, view, bound, shape)?;
                }
                shape.push(')');
            }
        }
        Ok(())
    }

    pub fn package(&mut self, wand: ExprId, script: &Block) -> Run<()> {
        let ExprKind::Wand { left, right } = *self.program.kind(wand) else { return Err(Stop::Unknown("no wand")) };
        if !self.around.is_empty() {
            return Err(Stop::Unknown("a package in a package"));
        }
        let shape = self.shape(wand, &View::of(&self.state, Checked::No))?;
        let mut footprint = Mask::new();
        for sample in 0..SAMPLES {
            for (resource, amount) in self.sample(left, right, script, sample == 0)? {
                let most = held(&footprint, &resource).max(amount);
                footprint.insert(resource, most);
            }
        }
        for (resource, amount) in &footprint {
            let left = known(self.state.held(resource).sub(*amount))?;
            self.state.set_held(resource.clone(), left);
        }
        let closure = Closure {
            wand,
            script: Some(script.clone()),
            footprint,
            store: self.frame.store.clone(),
            pre: self.frame.pre.clone(),
            labels: self.frame.labels.clone(),
        };
        Rc::make_mut(&mut self.state.wands).entry(shape.clone()).or_default().push(Rc::new(closure));
        let sum = known(self.state.held(&Resource::Wand(shape.clone())).add(Ratio::ONE))?;
        self.state.set_held(Resource::Wand(shape), sum);
        Ok(())
    }

    /// Runs the script on an arbitrary left-hand side and returns the permissions taken from the current state. If
    /// `agrees`, the left-hand side has the same values as the current state, so any permission may be taken;
    /// otherwise, taking one whose value differs ends the run.
    fn sample(&mut self, left: ExprId, right: ExprId, script: &Block, agrees: bool) -> Run<Mask> {
        let kept = self.state.clone();
        let owned = if agrees { self.owned()? } else { BTreeSet::new() };
        let frame = self.frame.clone();
        self.state = State { heap: kept.heap.clone(), ..State::default() };
        let result = self.inhale_beside(owned, &[left], Checked::No).and_then(|()| {
            self.around = vec![kept.clone()];
            self.taken.clear();
            self.frame.lhs = Some(self.state.clone());
            self.block(script)?;
            self.exhale(&[right])
        });
        let taken = self.around.first().map(|around| around.given_since(&kept.mask));
        self.around.clear();
        self.state = kept;
        self.frame = frame;
        match result {
            // Permissions taken before the script reached an impossible state count as taken.
            Ok(()) | Err(Stop::Infeasible) => known(taken.unwrap_or_else(|| Some(Mask::new()))),
            Err(stop) => Err(stop),
        }
    }

    pub fn apply(&mut self, wand: ExprId, at: SyntaxId) -> Run<()> {
        let ExprKind::Wand { left, right } = *self.program.kind(wand) else { return Err(Stop::Unknown("no wand")) };
        let before = View::of(&self.state, Checked::Yes);
        let shape = self.shape(wand, &before)?;
        let resource = Resource::Wand(shape.clone());
        if self.state.held(&resource) < Ratio::ONE {
            if !self.around.is_empty() {
                return Err(Stop::Unknown("a wand that is taken from around"));
            }
            return self.violated("a wand is applied that is not held", at);
        }
        let closure = self.state.wands.get(&shape).and_then(|closures| closures.last()).cloned();
        let left_amount = known(self.state.held(&resource).sub(Ratio::ONE))?;
        self.state.set_held(resource, left_amount);
        if let Some(closures) = Rc::make_mut(&mut self.state.wands).get_mut(&shape) {
            closures.pop();
        }
        let full = self.state.clone();
        self.consume(left, Ratio::ONE, &before)?;
        let given = known(self.state.given_since(&full.mask))?;
        let Some(closure) = closure else {
            let kept = self.frame.lhs.replace(full);
            let result = self.inhale(&[right], Checked::No);
            self.frame.lhs = kept;
            return result;
        };
        let gained = self.run_script(&closure, given)?;
        known(self.state.add_all(&gained))
    }

    /// Runs the script on the given left-hand side and returns the permissions that the right-hand side provides.
    /// Changes values in the state.
    fn run_script(&mut self, closure: &Closure, given: Mask) -> Run<Mask> {
        let ExprKind::Wand { right, .. } = *self.program.kind(closure.wand) else {
            return Err(Stop::Unknown("no wand"));
        };
        let rest = self.state.clone();
        let around = std::mem::take(&mut self.around);
        let lhs = State { heap: rest.heap.clone(), mask: Rc::new(given.clone()), ..State::default() };
        let frame = Frame {
            store: closure.store.clone(),
            pre: closure.pre.clone(),
            labels: closure.labels.clone(),
            lhs: Some(lhs),
            ..Frame::new(self.frame.member.clone())
        };
        self.state.mask = Rc::new(given.clone());
        known(self.state.add_all(&closure.footprint))?;
        let result = self.within(frame, |machine| {
            // Packaging checked that the left-hand side and the wand's footprint can be owned together.
            machine.settle()?;
            if let Some(script) = &closure.script {
                machine.block(script).map_err(unread)?;
            }
            let before = machine.copy_mask();
            machine.exhale(&[right]).map_err(unread)?;
            let mut gained = known(machine.state.given_since(&before))?;
            // Keep the part of the footprint that the right-hand side does not use.
            for resource in closure.footprint.keys() {
                let surplus = machine.state.held(resource);
                if surplus.is_positive() {
                    if held(&given, resource).is_positive() {
                        return Err(Stop::Unknown("whose surplus it is"));
                    }
                    let sum = known(held(&gained, resource).add(surplus))?;
                    gained.insert(resource.clone(), sum);
                }
            }
            Ok(gained)
        });
        self.around = around;
        self.state = State { heap: self.state.heap.clone(), ..rest };
        Ok(result?.0)
    }

    /// Stops at an inhaled wand. Its effect on a left-hand side is unknown, but would have to be the same each time.
    fn is_packaged(&mut self, wand: ExprId) -> Run<()> {
        let shape = self.shape(wand, &View::of(&self.state, Checked::No))?;
        let is_held = self.state.held(&Resource::Wand(shape.clone())).is_positive();
        let packaged = self.state.wands.get(&shape).is_some_and(|closures| !closures.is_empty());
        if is_held && !packaged { Err(Stop::Unknown("applying a wand that was inhaled")) } else { Ok(()) }
    }

    pub fn applying(&mut self, wand: ExprId, body: ExprId, view: &View) -> Run<Value> {
        if view.checked == Checked::No {
            return Err(Stop::Unknown("applying in a definition"));
        }
        let kept = (self.state.clone(), self.around.clone());
        self.state.heap = view.heap.clone();
        self.state.mask = view.reads.clone();
        let at = self.program.expr(wand).id;
        let result = self.is_packaged(wand).and_then(|()| self.apply(wand, at)).and_then(|()| {
            let inside = View::of(&self.state, view.checked);
            self.eval(body, &inside)
        });
        (self.state, self.around) = kept;
        result
    }
}

/// Whether a script may read locations that it does not own is not modelled.
fn unread(stop: Stop) -> Stop {
    match stop {
        Stop::Violated(fault) if fault.what.contains("permission") => Stop::Unknown("what a footprint is"),
        stop => stop,
    }
}
