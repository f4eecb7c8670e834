//! The state of one execution, and its nondeterministic choices.

use super::state::{Fault, Mask, Run, State, Stop, Store};
use super::value::{NULL, Ratio, Value};
use crate::random::Random;
use echis_base::{Name, SyntaxId};
use echis_program::program::{DomainFunctionId, FieldId, LabelId, LocalId, Program, Type};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Maximum number of steps of one execution, and maximum nesting depth.
const FUEL: u32 = 20_000;
const DEPTH: u32 = 120;
/// Maximum number of references that are likely to be distinct by chance.
const MANY: usize = 8;

pub struct Machine<'p> {
    pub program: &'p Program,
    pub random: Random,
    pub state: State,
    pub frame: Frame,
    /// Objects are numbered from 1 to `objects`.
    pub objects: u32,
    /// In a package: what remains of the outer states, and what was taken from them.
    pub around: Vec<State>,
    pub taken: Mask,
    /// During an inhale: the locations that were not owned before, whose values are therefore arbitrary.
    pub fresh: Option<Fresh>,
    /// How often each candidate assertion held and failed. Failing candidates do not end the execution.
    pub probes: Option<BTreeMap<SyntaxId, Tally>>,
    fuel: u32,
    depth: u32,
}

/// Counts of successes and failures.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Tally {
    pub held: u32,
    pub failed: u32,
}

/// The state of one activation of a member.
#[derive(Clone)]
pub struct Frame {
    pub member: Name,
    pub store: Store,
    pub pre: State,
    pub labels: BTreeMap<LabelId, State>,
    pub lhs: Option<State>,
    pub result: Option<Value>,
}

impl Frame {
    pub fn new(member: Name) -> Self {
        Frame { member, store: Store::new(), pre: State::default(), labels: BTreeMap::new(), lhs: None, result: None }
    }
}

#[derive(Clone, Default)]
pub struct Fresh {
    pub owned: BTreeSet<(u32, FieldId)>,
    pub touched: BTreeSet<(u32, FieldId)>,
}

impl<'p> Machine<'p> {
    /// A heap with a few objects, with arbitrary field values and no permissions.
    pub fn new(program: &'p Program, member: Name, mut random: Random) -> Run<Self> {
        let objects = 2 + random.below(3) as u32;
        let mut machine = Machine {
            program,
            random,
            state: State::default(),
            frame: Frame::new(member),
            objects: 0,
            around: Vec::new(),
            taken: Mask::new(),
            fresh: None,
            probes: None,
            fuel: FUEL,
            depth: 0,
        };
        machine.objects = objects;
        for object in 1..=objects {
            machine.allocate(object)?;
        }
        Ok(machine)
    }

    /// Assigns a distinct object to each reference if there are many, since they are rarely distinct by chance.
    pub fn spread(&mut self, params: &[LocalId]) -> Run<()> {
        let is_ref = |local: &&LocalId| self.program.locals[**local].ty == Type::Ref;
        let references: Vec<LocalId> = params.iter().filter(is_ref).copied().collect();
        if references.len() <= MANY {
            return Ok(());
        }
        for local in references {
            self.objects += 1;
            self.allocate(self.objects)?;
            self.frame.store.insert(local, Value::Ref(self.objects));
        }
        Ok(())
    }

    /// Assigns arbitrary values to the fields of an object.
    pub fn allocate(&mut self, object: u32) -> Run<()> {
        for (field, declared) in self.program.fields.iter() {
            let value = self.arbitrary(&declared.ty)?;
            self.state.write(object, field, value);
        }
        Ok(())
    }

    pub fn violated<T>(&self, what: &'static str, at: SyntaxId) -> Run<T> {
        Err(Stop::Violated(Fault { what, at, member: self.frame.member.clone() }))
    }

    /// Consumes fuel, and bounds the nesting depth.
    pub fn nested<T>(&mut self, work: impl FnOnce(&mut Self) -> Run<T>) -> Run<T> {
        if self.fuel == 0 || self.depth >= DEPTH {
            return Err(Stop::Fuel);
        }
        self.fuel -= 1;
        self.depth += 1;
        let result = work(self);
        self.depth -= 1;
        result
    }

    /// Runs `work` in another frame, and restores the current one.
    pub fn within<T>(&mut self, frame: Frame, work: impl FnOnce(&mut Self) -> Run<T>) -> Run<(T, Frame)> {
        let kept = std::mem::replace(&mut self.frame, frame);
        let result = self.nested(work);
        let left = std::mem::replace(&mut self.frame, kept);
        Ok((result?, left))
    }

    /// Runs `work` with additional variables bound.
    pub fn with_store<T>(&mut self, store: Store, work: impl FnOnce(&mut Self) -> Run<T>) -> Run<T> {
        let kept = std::mem::replace(&mut self.frame.store, store);
        let result = self.nested(work);
        self.frame.store = kept;
        result
    }

    /// A small arbitrary value. Larger values rarely behave differently.
    pub fn arbitrary(&mut self, ty: &Type) -> Run<Value> {
        self.arbitrary_within(ty, 3)
    }

    fn arbitrary_within(&mut self, ty: &Type, size: usize) -> Run<Value> {
        let few = |machine: &mut Self| if size == 0 { 0 } else { machine.random.below(4) };
        Ok(match ty {
            Type::Int => Value::Int(match self.random.below(12) {
                0 => -7,
                1 => 11,
                2 => -1,
                3 => -2,
                _ => self.random.between(0, 4) as i128,
            }),
            Type::Bool => Value::Bool(self.random.once_in(2)),
            Type::Perm => {
                let (above, below) =
                    *self.random.pick(&[(0, 1), (1, 1), (1, 2), (1, 3), (2, 3), (1, 4), (-1, 2), (3, 2)]);
                Value::Perm(Ratio::new(above, below).expect("the denominators are positive"))
            }
            Type::Ref => match self.random.below(self.objects as usize + 1) {
                0 if self.random.once_in(2) => NULL,
                object => Value::Ref(object.max(1) as u32),
            },
            Type::Seq(item) => {
                let mut items = Vec::new();
                for _ in 0..few(self) {
                    items.push(self.arbitrary_within(item, size - 1)?);
                }
                Value::Seq(items)
            }
            Type::Set(item) => {
                let mut items = BTreeSet::new();
                for _ in 0..few(self) {
                    items.insert(self.arbitrary_within(item, size - 1)?);
                }
                Value::Set(items)
            }
            Type::Multiset(item) => {
                let mut items = BTreeMap::new();
                for _ in 0..few(self) {
                    *items.entry(self.arbitrary_within(item, size - 1)?).or_insert(0) += 1;
                }
                Value::Multiset(items)
            }
            Type::Map(key, value) => {
                let mut entries = BTreeMap::new();
                for _ in 0..few(self) {
                    let key = self.arbitrary_within(key, size - 1)?;
                    entries.insert(key, self.arbitrary_within(value, size - 1)?);
                }
                Value::Map(entries)
            }
            Type::Domain(domain, args) => {
                let Some(constructors) = &self.program.domains[*domain].adt else {
                    return Err(Stop::Unknown("a domain's values"));
                };
                let keys: Vec<DomainFunctionId> = constructors.iter().map(|one| one.constructor).collect();
                let plain = |key: &DomainFunctionId| {
                    !self.program.domain_functions[*key].params.iter().any(|param| matches!(param, Type::Domain(..)))
                };
                let small: Vec<DomainFunctionId> = keys.iter().copied().filter(plain).collect();
                let chosen = match size {
                    0 if !small.is_empty() => *self.random.pick(&small),
                    0 => return Err(Stop::Fuel),
                    _ => *self.random.pick(&keys),
                };
                let mut values = Vec::new();
                for param in &self.program.domain_functions[chosen].params {
                    values.push(self.arbitrary_within(&instance(param, args), size.saturating_sub(1))?);
                }
                Value::Adt(chosen, values)
            }
            Type::Parameter(_) | Type::PredicateInstance => return Err(Stop::Unknown("a type without values")),
        })
    }

    pub fn copy_mask(&self) -> Rc<Mask> {
        self.state.mask.clone()
    }
}

/// Substitutes the type arguments of a domain.
fn instance(ty: &Type, args: &[Type]) -> Type {
    let inside = |ty: &Type| Box::new(instance(ty, args));
    match ty {
        Type::Parameter(index) => args.get(*index as usize).cloned().unwrap_or(Type::Int),
        Type::Seq(item) => Type::Seq(inside(item)),
        Type::Set(item) => Type::Set(inside(item)),
        Type::Multiset(item) => Type::Multiset(inside(item)),
        Type::Map(key, value) => Type::Map(inside(key), inside(value)),
        Type::Domain(domain, own) => Type::Domain(*domain, own.iter().map(|ty| instance(ty, args)).collect()),
        other => other.clone(),
    }
}
