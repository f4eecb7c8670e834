//! Executes procedures on small random values.
//!
//! An execution whose result Boogie leaves unspecified (division by zero, the head of an empty list) proves nothing.

use super::{Condition, Expr, Field, GLOBALS, Op, Procedure, Program, Stmt, Type};
use crate::random::Random;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, PartialEq, Eq, Debug)]
enum Value {
    Int(i64),
    Bool(bool),
    /// The entries that differ from the default, and the default.
    Ints(BTreeMap<i64, i64>, i64),
    List(Vec<i64>),
    /// The values of the fields, and a number for all other fields.
    Record {
        size: i64,
        rank: i64,
        flag: bool,
        rest: u64,
    },
}

/// The reason why an execution ends early.
enum Stop {
    /// An assumption is false, the result is unspecified, or the step limit is reached.
    Nothing,
    /// A condition is false: its number, and the index of its procedure.
    Fault(usize, usize),
}
type Run<T> = Result<T, Stop>;

/// The results of executing a procedure.
#[derive(Default)]
pub struct Runs {
    pub ended: u64,
    pub fault: Option<String>,
    /// The conditions that were false in some execution, of this procedure or of its callees.
    pub broken: BTreeSet<usize>,
}

/// Executes a procedure from random states that satisfy its precondition.
pub fn runs(program: &Program, index: usize, random: &mut Random, count: usize) -> Runs {
    let procedure = &program.procedures[index];
    let mut found = Runs::default();
    for _ in 0..count {
        let values: Vec<Value> = procedure.vars.iter().map(|(_, ty)| any(*ty, random)).collect();
        let mut machine = Machine { program, random, fuel: 3_000 };
        let mut frame = Frame { index, old: values[..GLOBALS.len()].to_vec(), values, bound: BTreeMap::new() };
        if !procedure.requires.iter().all(|one| matches!(frame.holds(&one.expr), Ok(true))) {
            continue;
        }
        match machine.body(&mut frame) {
            Ok(()) => found.ended += 1,
            Err(Stop::Nothing) => {}
            Err(Stop::Fault(number, at)) => {
                found.ended += 1;
                found.broken.insert(number);
                if at == index && found.fault.is_none() {
                    found.fault = Some(format!("condition {number} of {} does not hold", procedure.name));
                }
            }
        }
    }
    found
}

fn any(ty: Type, random: &mut Random) -> Value {
    let mut int = || random.between(-2, 4);
    match ty {
        Type::Int => Value::Int(int()),
        Type::Bool => Value::Bool(int() > 0),
        Type::Ints => {
            let default = int();
            let entries: Vec<(i64, i64)> = (-2..5).map(|index| (index, int())).collect();
            ints(entries.into_iter().collect(), default)
        }
        Type::List => {
            let length = random.below(4);
            Value::List((0..length).map(|_| random.between(-2, 4)).collect())
        }
        Type::Record => Value::Record { size: int(), rank: int(), flag: int() > 0, rest: random.below(2) as u64 },
    }
}

/// Builds a map in canonical form: equal maps have equal representations.
fn ints(mut entries: BTreeMap<i64, i64>, default: i64) -> Value {
    entries.retain(|_, value| *value != default);
    Value::Ints(entries, default)
}

struct Machine<'a> {
    program: &'a Program,
    random: &'a mut Random,
    fuel: usize,
}

struct Frame {
    index: usize,
    values: Vec<Value>,
    old: Vec<Value>,
    bound: BTreeMap<usize, i64>,
}

impl Machine<'_> {
    /// Executes the body and checks the postcondition.
    fn body(&mut self, frame: &mut Frame) -> Run<()> {
        let procedure: &Procedure = &self.program.procedures[frame.index];
        self.block(&procedure.body, frame)?;
        procedure.ensures.iter().try_for_each(|condition| check(condition, frame, frame.index))
    }
    fn block(&mut self, stmts: &[Stmt], frame: &mut Frame) -> Run<()> {
        stmts.iter().try_for_each(|stmt| self.stmt(stmt, frame))
    }
    fn stmt(&mut self, stmt: &Stmt, frame: &mut Frame) -> Run<()> {
        self.fuel = self.fuel.checked_sub(1).ok_or(Stop::Nothing)?;
        match stmt {
            Stmt::Assign(var, value) => frame.values[*var] = frame.eval(value)?,
            Stmt::Havoc(var) => {
                let ty = self.program.procedures[frame.index].vars[*var].1;
                frame.values[*var] = any(ty, self.random);
            }
            Stmt::Assume(condition) => {
                if !frame.holds(condition)? {
                    return Err(Stop::Nothing);
                }
            }
            Stmt::Assert(condition) => check(condition, frame, frame.index)?,
            Stmt::If { condition, then, otherwise, .. } => {
                let taken = match condition {
                    Some(condition) => frame.holds(condition)?,
                    None => self.random.once_in(2),
                };
                self.block(if taken { then } else { otherwise }, frame)?;
            }
            Stmt::While { condition, invariants, free, body, .. } => loop {
                self.fuel = self.fuel.checked_sub(1).ok_or(Stop::Nothing)?;
                invariants.iter().try_for_each(|invariant| check(invariant, frame, frame.index))?;
                for believed in free {
                    if !frame.holds(believed)? {
                        return Err(Stop::Nothing);
                    }
                }
                if !frame.holds(condition)? {
                    break;
                }
                self.block(body, frame)?;
            },
            Stmt::Call { procedure, args, result } => {
                let args: Vec<Value> = args.iter().map(|arg| frame.eval(arg)).collect::<Run<_>>()?;
                let callee = &self.program.procedures[*procedure];
                let mut values = frame.values[..GLOBALS.len()].to_vec();
                let old = values.clone();
                values.extend(args);
                for (_, ty) in &callee.vars[values.len()..] {
                    values.push(any(*ty, self.random));
                }
                let mut inner = Frame { index: *procedure, values, old, bound: BTreeMap::new() };
                // A violated precondition is the caller's fault.
                callee.requires.iter().try_for_each(|condition| check(condition, &mut inner, frame.index))?;
                self.body(&mut inner)?;
                frame.values[..GLOBALS.len()].clone_from_slice(&inner.values[..GLOBALS.len()]);
                frame.values[*result] = inner.values[GLOBALS.len() + callee.params].clone();
            }
        }
        Ok(())
    }
}

fn check(condition: &Condition, frame: &mut Frame, blamed: usize) -> Run<()> {
    if frame.holds(&condition.expr)? { Ok(()) } else { Err(Stop::Fault(condition.number, blamed)) }
}

impl Frame {
    fn holds(&mut self, expr: &Expr) -> Run<bool> {
        match self.eval(expr)? {
            Value::Bool(value) => Ok(value),
            _ => Err(Stop::Nothing),
        }
    }
    fn int(&mut self, expr: &Expr) -> Run<i64> {
        match self.eval(expr)? {
            Value::Int(value) => Ok(value),
            _ => Err(Stop::Nothing),
        }
    }
    fn eval(&mut self, expr: &Expr) -> Run<Value> {
        Ok(match expr {
            Expr::Int(value) => Value::Int(*value),
            Expr::Bool(value) => Value::Bool(*value),
            Expr::Var(var) => self.values[*var].clone(),
            Expr::Old(var) => self.old[*var].clone(),
            Expr::Not(inner) => Value::Bool(!self.holds(inner)?),
            Expr::Negate(inner) => Value::Int(self.int(inner)?.checked_neg().ok_or(Stop::Nothing)?),
            Expr::Binary(op, left, right) => self.binary(*op, left, right)?,
            Expr::If(condition, then, otherwise) => {
                let taken = if self.holds(condition)? { then } else { otherwise };
                self.eval(taken)?
            }
            Expr::Select(map, index) => match (self.eval(map)?, self.int(index)?) {
                (Value::Ints(entries, default), index) => Value::Int(entries.get(&index).copied().unwrap_or(default)),
                _ => return Err(Stop::Nothing),
            },
            Expr::Store(map, index, value) => match (self.eval(map)?, self.int(index)?, self.int(value)?) {
                (Value::Ints(mut entries, default), index, value) => {
                    entries.insert(index, value);
                    ints(entries, default)
                }
                _ => return Err(Stop::Nothing),
            },
            Expr::Read(record, field) => match (self.eval(record)?, field) {
                (Value::Record { size, .. }, Field::Size) => Value::Int(size),
                (Value::Record { rank, .. }, Field::Rank) => Value::Int(rank),
                (Value::Record { flag, .. }, Field::Flag) => Value::Bool(flag),
                _ => return Err(Stop::Nothing),
            },
            Expr::Write(record, field, value) => {
                let (record, value) = (self.eval(record)?, self.eval(value)?);
                let Value::Record { size, rank, flag, rest } = record else { return Err(Stop::Nothing) };
                match (field, value) {
                    (Field::Size, Value::Int(size)) => Value::Record { size, rank, flag, rest },
                    (Field::Rank, Value::Int(rank)) => Value::Record { size, rank, flag, rest },
                    (Field::Flag, Value::Bool(flag)) => Value::Record { size, rank, flag, rest },
                    _ => return Err(Stop::Nothing),
                }
            }
            Expr::Nil => Value::List(Vec::new()),
            Expr::Cons(head, tail) => {
                let (head, mut list) = (self.int(head)?, self.list(tail)?);
                list.insert(0, head);
                Value::List(list)
            }
            Expr::IsCons(list) => Value::Bool(!self.list(list)?.is_empty()),
            Expr::Head(list) => Value::Int(*self.list(list)?.first().ok_or(Stop::Nothing)?),
            Expr::Tail(list) => Value::List(self.list(list)?.get(1..).ok_or(Stop::Nothing)?.to_vec()),
            Expr::Twice(value) => Value::Int(self.int(value)?.checked_mul(2).ok_or(Stop::Nothing)?),
            Expr::Quantified { all, bound, from, to, body } => {
                let mut held = *all;
                for value in *from..*to {
                    self.bound.insert(*bound, value);
                    let holds = self.holds(body)?;
                    held = if *all { held && holds } else { held || holds };
                }
                self.bound.remove(bound);
                Value::Bool(held)
            }
            Expr::Bound(bound) => Value::Int(*self.bound.get(bound).ok_or(Stop::Nothing)?),
        })
    }
    fn list(&mut self, expr: &Expr) -> Run<Vec<i64>> {
        match self.eval(expr)? {
            Value::List(list) => Ok(list),
            _ => Err(Stop::Nothing),
        }
    }
    fn binary(&mut self, op: Op, left: &Expr, right: &Expr) -> Run<Value> {
        let short = match op {
            Op::And | Op::Or | Op::Implies => Some(self.holds(left)?),
            _ => None,
        };
        Ok(match (op, short) {
            (Op::And, Some(false)) => Value::Bool(false),
            (Op::Or, Some(true)) | (Op::Implies, Some(false)) => Value::Bool(true),
            (Op::And | Op::Or | Op::Implies, _) => Value::Bool(self.holds(right)?),
            (Op::Equal, _) => Value::Bool(self.eval(left)? == self.eval(right)?),
            (Op::Differ, _) => Value::Bool(self.eval(left)? != self.eval(right)?),
            (Op::Iff, _) => Value::Bool(self.holds(left)? == self.holds(right)?),
            _ => {
                let (left, right) = (self.int(left)?, self.int(right)?);
                let number = |value: Option<i64>| value.map(Value::Int).ok_or(Stop::Nothing);
                match op {
                    Op::Add => number(left.checked_add(right))?,
                    Op::Sub => number(left.checked_sub(right))?,
                    Op::Mul => number(left.checked_mul(right))?,
                    Op::Div => number(left.checked_div_euclid(right))?,
                    Op::Mod => number(left.checked_rem_euclid(right))?,
                    Op::Less => Value::Bool(left < right),
                    _ => Value::Bool(left <= right),
                }
            }
        })
    }
}
