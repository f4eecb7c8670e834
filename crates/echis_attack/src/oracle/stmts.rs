//! Statements.

use super::eval::Amount;
use super::machine::{Frame, Machine};
use super::state::{Checked, Resource, Run, State, Stop, View, known};
use super::value::{Ratio, Value};
use echis_base::SyntaxId;
use echis_program::program::{Block, ExprId, ExprKind, LocalId, Location, MethodId, PredicateAccess, Stmt, StmtKind};

/// Maximum number of iterations of a loop.
const ITERATIONS: usize = 40;
/// Fractions to try for a wildcard, which leaves something of all that it is taken from.
const SMALL: [i128; 2] = [1 << 10, 1 << 20];

impl Machine<'_> {
    pub fn block(&mut self, block: &Block) -> Run<()> {
        for local in &block.locals {
            self.havoc(*local)?;
        }
        block.stmts.iter().try_for_each(|stmt| self.nested(|machine| machine.stmt(stmt)))
    }

    pub fn havoc(&mut self, local: LocalId) -> Run<()> {
        let value = self.arbitrary(&self.program.locals[local].ty)?;
        self.frame.store.insert(local, value);
        Ok(())
    }

    fn now(&self) -> View {
        View::of(&self.state, Checked::Yes)
    }

    fn stmt(&mut self, stmt: &Stmt) -> Run<()> {
        match &stmt.kind {
            StmtKind::Declare(local) => self.havoc(*local),
            StmtKind::Assign { target, value } => {
                let value = self.eval(*value, &self.now())?;
                self.frame.store.insert(*target, value);
                Ok(())
            }
            StmtKind::AssignField { receiver, field, value } => {
                let view = self.now();
                let object = self.object(*receiver, &view)?;
                let value = self.eval(*value, &view)?;
                if self.state.held(&Resource::Field(object, *field)) < Ratio::ONE {
                    return self.violated("a field is written without permission", stmt.id);
                }
                self.state.write(object, *field, value);
                Ok(())
            }
            StmtKind::New { target, fields } => {
                self.objects += 1;
                let object = self.objects;
                self.allocate(object)?;
                for field in fields {
                    self.state.set_held(Resource::Field(object, *field), Ratio::ONE);
                }
                self.frame.store.insert(*target, Value::Ref(object));
                Ok(())
            }
            StmtKind::Call { targets, method, args } => self.call(targets, *method, args, stmt.id),
            StmtKind::Inhale(assertion) => self.inhale(&[*assertion], Checked::Yes),
            StmtKind::Exhale(assertion) => self.exhale(&[*assertion]),
            StmtKind::Assert(assertion) => self.assert(*assertion, stmt.id),
            StmtKind::Assume(condition) => {
                if self.truth(*condition, &self.now())? {
                    Ok(())
                } else {
                    Err(Stop::Infeasible)
                }
            }
            // A `refute` only requires that the assertion is not provable, and an unprovable assertion may be true.
            StmtKind::Refute(_) => Ok(()),
            StmtKind::Fold(access) => self.fold(access, stmt.id),
            StmtKind::Unfold(access) => self.unfold(access, stmt.id),
            StmtKind::Package { wand, script } => self.package(*wand, script),
            StmtKind::Apply { wand } => self.apply(*wand, stmt.id),
            StmtKind::Quasihavoc { condition, location, .. } => {
                let view = self.now();
                if let Some(condition) = condition
                    && !self.truth(*condition, &view)?
                {
                    return Ok(());
                }
                self.quasihavoc(location, &view)
            }
            StmtKind::QuasihavocAll { vars, condition, location, .. } => {
                let view = self.now();
                let Some(condition) = condition else { return Err(Stop::Unknown("a havoc of everything")) };
                for store in self.instances(vars, *condition, &view)? {
                    let havocked = self.with_store(store, |machine| machine.resource(location, &view))?;
                    if self.state.held(&havocked).is_positive() {
                        self.quasihavoc_resource(&havocked)?;
                    }
                }
                Ok(())
            }
            StmtKind::If { condition, then, otherwise } => {
                let chosen = if self.truth(*condition, &self.now())? { then } else { otherwise };
                self.block(chosen)
            }
            StmtKind::While { condition, invariants, body, .. } => self.repeat(*condition, invariants, body),
            StmtKind::Label { invariants, .. } if !invariants.is_empty() => Err(Stop::Unknown("the head of a loop")),
            StmtKind::Label { label, .. } => {
                let state = self.state.clone();
                self.frame.labels.insert(*label, state);
                Ok(())
            }
            StmtKind::Goto(_) => Err(Stop::Unknown("goto")),
            StmtKind::Block(block) => self.block(block),
        }
    }

    fn assert(&mut self, assertion: ExprId, at: SyntaxId) -> Run<()> {
        let view = self.now();
        let result = self.assert_in(assertion, &view);
        let Some(probes) = &mut self.probes else { return result };
        let tally = probes.entry(at).or_default();
        match result {
            Ok(()) => tally.held += 1,
            Err(Stop::Violated(_)) => tally.failed += 1,
            Err(stop) => return Err(stop),
        }
        Ok(())
    }

    fn fold(&mut self, access: &PredicateAccess, at: SyntaxId) -> Run<()> {
        let view = self.now();
        let args = self.all(&access.args, &view)?;
        let amount = match self.amount(access.amount, &view)? {
            Amount::Exactly(amount) if !amount.is_positive() => return self.violated("an amount is not positive", at),
            Amount::Exactly(amount) => {
                self.consume_body(access.predicate, &args, amount).map_err(|stop| reported_at(stop, at))?;
                amount
            }
            Amount::Wildcard => self.consume_some(access, &args).map_err(|stop| reported_at(stop, at))?,
        };
        let resource = Resource::Predicate(access.predicate, args);
        let sum = known(self.state.held(&resource).add(amount))?;
        self.state.set_held(resource, sum);
        Ok(())
    }

    /// Consumes a small enough fraction of a predicate.
    fn consume_some(&mut self, access: &PredicateAccess, args: &[Value]) -> Run<Ratio> {
        let before = self.state.clone();
        let mut last = Err(Stop::Fuel);
        for below in SMALL {
            let amount = known(Ratio::new(1, below))?;
            match self.consume_body(access.predicate, args, amount) {
                Ok(()) => return Ok(amount),
                Err(stop @ Stop::Violated(_)) => last = Err(stop),
                Err(stop) => return Err(stop),
            }
            self.state = before.clone();
        }
        last
    }

    fn unfold(&mut self, access: &PredicateAccess, at: SyntaxId) -> Run<()> {
        let view = self.now();
        let args = self.all(&access.args, &view)?;
        let resource = Resource::Predicate(access.predicate, args.clone());
        let before = self.state.held(&resource);
        let amount = self.amount(access.amount, &view)?;
        if !amount.is_positive() {
            return self.violated("an amount is not positive", at);
        }
        self.lose(resource.clone(), amount, Ratio::ONE, access.amount)?;
        let taken = match amount {
            Amount::Exactly(amount) => amount,
            Amount::Wildcard => known(before.sub(self.state.held(&resource)))?,
        };
        self.produce_body(access.predicate, &args, taken)
    }

    /// Whether the clause contains an inhale-exhale assertion, whose inhaled part may be assumed without proof.
    pub fn is_one_sided(&self, clause: ExprId) -> bool {
        self.program.any(clause, |kind| matches!(kind, ExprKind::InhaleExhale(..)))
    }

    /// Has no effect without permission.
    fn quasihavoc(&mut self, location: &Location, view: &View) -> Run<()> {
        let resource = self.resource(location, view)?;
        if self.state.held(&resource).is_positive() {
            return self.quasihavoc_resource(&resource);
        }
        if self.around.is_empty() { Ok(()) } else { Err(Stop::Unknown("a havoc of what is around")) }
    }

    /// The value changes only with full permission: otherwise another owner may know it.
    fn quasihavoc_resource(&mut self, resource: &Resource) -> Run<()> {
        if let Resource::Field(object, field) = resource
            && self.state.held(resource) == Ratio::ONE
        {
            let value = self.arbitrary(&self.program.fields[*field].ty)?;
            self.state.write(*object, *field, value);
        }
        Ok(())
    }

    fn repeat(&mut self, condition: ExprId, invariants: &[ExprId], body: &Block) -> Run<()> {
        if invariants.iter().any(|invariant| self.is_one_sided(*invariant)) || !self.around.is_empty() {
            return Err(Stop::Unknown("an invariant of this form"));
        }
        let mut leaves = false;
        body.visit_stmts(&mut |stmt| leaves |= matches!(stmt.kind, StmtKind::Goto(_)));
        if leaves {
            return Err(Stop::Unknown("goto"));
        }
        let before = self.copy_mask();
        self.exhale(invariants)?;
        let mut inside = known(self.state.given_since(&before))?;
        let frame = self.state.clone();
        let labels = self.frame.labels.clone();
        if self.random.once_in(3) {
            return self.arbitrary_iteration(condition, invariants, body, frame);
        }
        for _ in 0..ITERATIONS {
            self.state = State {
                heap: self.state.heap.clone(),
                mask: std::rc::Rc::new(inside.clone()),
                wands: frame.wands.clone(),
            };
            if !self.truth(condition, &self.now())? {
                self.frame.labels = labels;
                self.state.mask = frame.mask.clone();
                return known(self.state.add_all(&inside));
            }
            self.block(body)?;
            let before = self.copy_mask();
            self.exhale(invariants)?;
            inside = known(self.state.given_since(&before))?;
        }
        Err(Stop::Fuel)
    }

    /// Models the loop by an arbitrary iteration: from any state that satisfies the invariants, the body must preserve
    /// them, and the code after the loop may rely on nothing else.
    fn arbitrary_iteration(&mut self, condition: ExprId, invariants: &[ExprId], body: &Block, frame: State) -> Run<()> {
        let mut assigned = Vec::new();
        body.visit_stmts(&mut |stmt| match &stmt.kind {
            StmtKind::Assign { target, .. } | StmtKind::New { target, .. } => assigned.push(*target),
            StmtKind::Call { targets, .. } => assigned.extend(targets),
            _ => {}
        });
        for local in assigned {
            self.havoc(local)?;
        }
        let labels = self.frame.labels.clone();
        let entered = self.random.once_in(2);
        // The body starts with the invariants only; the code after the loop also has the frame.
        let start = if entered { State { heap: frame.heap.clone(), ..State::default() } } else { frame };
        self.state = start;
        self.inhale(invariants, Checked::No)?;
        let goes_on = self.truth(condition, &self.now())?;
        if goes_on != entered {
            return Err(Stop::Infeasible);
        }
        if entered {
            self.block(body)?;
            self.exhale(invariants)?;
            return Err(Stop::Infeasible);
        }
        self.frame.labels = labels;
        Ok(())
    }

    fn call(&mut self, targets: &[LocalId], method: MethodId, args: &[ExprId], at: SyntaxId) -> Run<()> {
        let declared = &self.program.methods[method];
        let args = self.all(args, &self.now())?;
        let old = self.state.clone();
        let mut frame = Frame::new(self.frame.member.clone());
        frame.store = declared.params.iter().copied().zip(args).collect();
        let given = self.within(frame.clone(), |machine| {
            let before = machine.copy_mask();
            machine.exhale(&declared.pre).map_err(|stop| reported_at(stop, at))?;
            known(machine.state.given_since(&before))
        })?;
        let (given, _) = given;
        frame.member = declared.name.clone();
        for target in &declared.returns {
            let value = self.arbitrary(&self.program.locals[*target].ty)?;
            frame.store.insert(*target, value);
        }
        let mut contract = declared.pre.iter().chain(&declared.post);
        let plain = !contract.any(|clause| self.is_one_sided(*clause));
        let returned = match &declared.body {
            Some(body) if plain && self.around.is_empty() && !self.random.once_in(4) => {
                let rest = self.state.clone();
                self.state.mask = std::rc::Rc::new(given);
                frame.pre = self.state.clone();
                let (gained, frame) = self.within(frame, |machine| {
                    machine.block(body)?;
                    let before = machine.copy_mask();
                    machine.exhale(&declared.post)?;
                    known(machine.state.given_since(&before))
                })?;
                self.state.mask = rest.mask;
                known(self.state.add_all(&gained))?;
                frame
            }
            _ => {
                frame.pre = old;
                self.within(frame, |machine| machine.inhale(&declared.post, Checked::No))?.1
            }
        };
        for (target, value) in targets.iter().zip(&declared.returns) {
            let value = returned.store.get(value).cloned().ok_or(Stop::Unknown("a result without a value"))?;
            self.frame.store.insert(*target, value);
        }
        Ok(())
    }
}

fn reported_at(stop: Stop, at: SyntaxId) -> Stop {
    match stop {
        Stop::Violated(fault) => Stop::Violated(super::state::Fault { at, ..fault }),
        stop => stop,
    }
}
