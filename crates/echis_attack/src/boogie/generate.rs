//! Generates random programs.
//!
//! Most random conditions are false, and a program in which everything is false tests little. Conditions refuted by
//! executions are therefore mostly replaced by their negations or by `true`.

use super::execute::runs;
use super::{Condition, Expr, Field, GLOBALS, Op, Procedure, Program, Stmt, Type};
use crate::random::Random;
use std::collections::BTreeSet;

/// Number of executions that a condition must survive to be kept.
const TRIED: usize = 40;

pub fn program(random: &mut Random) -> Program {
    let mut program = Program { procedures: Vec::new() };
    let mut conditions = 0;
    for index in 0..2 + random.below(3) {
        let mut maker = Maker {
            random,
            program: &program,
            vars: Vec::new(),
            conditions,
            bound: Vec::new(),
            bounds: 0,
            has_old: false,
        };
        let procedure = maker.procedure(index);
        conditions = maker.conditions;
        program.procedures.push(procedure);
        for _ in 0..4 {
            let broken = runs(&program, index, random, TRIED).broken;
            mend(&mut program.procedures[index], &broken, random);
        }
    }
    program
}

/// Replaces most of the conditions that were refuted.
fn mend(procedure: &mut Procedure, broken: &BTreeSet<usize>, random: &mut Random) {
    let mut mend = |condition: &mut Condition| {
        if broken.contains(&condition.number) && random.percent(85) {
            let wrong = std::mem::replace(&mut condition.expr, Expr::Bool(true));
            if random.percent(60) {
                condition.expr = Expr::Not(Box::new(wrong));
            }
        }
    };
    procedure.ensures.iter_mut().for_each(&mut mend);
    fn block(stmts: &mut [Stmt], mend: &mut impl FnMut(&mut Condition)) {
        for stmt in stmts {
            match stmt {
                Stmt::Assert(condition) => mend(condition),
                Stmt::If { then, otherwise, .. } => {
                    block(then, mend);
                    block(otherwise, mend);
                }
                Stmt::While { invariants, body, .. } => {
                    invariants.iter_mut().for_each(&mut *mend);
                    block(body, mend);
                }
                Stmt::Assign(..) | Stmt::Havoc(_) | Stmt::Assume(_) | Stmt::Call { .. } => {}
            }
        }
    }
    block(&mut procedure.body, &mut mend);
}

struct Maker<'a> {
    random: &'a mut Random,
    /// The procedures generated so far, which may be called.
    program: &'a Program,
    vars: Vec<(String, Type)>,
    conditions: usize,
    /// Bound variables in scope.
    bound: Vec<usize>,
    bounds: usize,
    /// Whether `old` is allowed: not in preconditions.
    has_old: bool,
}

const TYPES: [Type; 5] = [Type::Int, Type::Bool, Type::Ints, Type::List, Type::Record];

impl Maker<'_> {
    fn procedure(&mut self, index: usize) -> Procedure {
        self.vars = GLOBALS.iter().map(|(name, ty)| (name.to_string(), *ty)).collect();
        let params = self.random.below(3);
        for param in 0..params {
            let ty = *self.random.pick(&TYPES);
            self.vars.push((format!("p{param}"), ty));
        }
        // Only the parameters are in scope in preconditions; in postconditions, also the result.
        let requires = (0..self.random.below(2)).map(|_| self.condition()).collect();
        self.has_old = true;
        let ty = *self.random.pick(&TYPES);
        self.vars.push(("r".to_string(), ty));
        let known = self.vars.len();
        for local in 0..2 + self.random.below(3) {
            let ty = *self.random.pick(&TYPES);
            self.vars.push((format!("v{local}"), ty));
        }
        let length = 3 + self.random.below(5);
        let body = self.block(length, 2, GLOBALS.len() + params);
        let locals = self.vars.split_off(known);
        let ensures = (0..self.random.below(3)).map(|_| self.condition()).collect();
        self.vars.extend(locals);
        let vars = std::mem::take(&mut self.vars);
        Procedure { name: format!("proc{index}"), vars, params, requires, ensures, body }
    }

    fn condition(&mut self) -> Condition {
        self.conditions += 1;
        Condition { number: self.conditions, expr: self.expr(Type::Bool, 3) }
    }

    /// Generates statements. Parameters, which have indices below `assignable`, are not assigned.
    fn block(&mut self, length: usize, depth: usize, assignable: usize) -> Vec<Stmt> {
        (0..length).map(|_| self.stmt(depth, assignable)).collect()
    }
    fn stmt(&mut self, depth: usize, assignable: usize) -> Stmt {
        match self.random.below(if depth == 0 { 8 } else { 12 }) {
            0..4 => {
                let var = self.target(assignable);
                let ty = self.vars[var].1;
                Stmt::Assign(var, self.expr(ty, 2))
            }
            4 => Stmt::Havoc(self.target(assignable)),
            5 if self.random.once_in(2) => Stmt::Assume(self.expr(Type::Bool, 2)),
            5..7 => Stmt::Assert(self.condition()),
            7 => self.call(assignable),
            8..11 => {
                let condition = (!self.random.once_in(4)).then(|| self.expr(Type::Bool, 2));
                let (first, second) = (1 + self.random.below(3), self.random.below(3));
                let then = self.block(first, depth - 1, assignable);
                let otherwise = self.block(second, depth - 1, assignable);
                Stmt::If { condition, then, otherwise, as_jumps: self.random.once_in(3) }
            }
            _ => {
                let condition = self.expr(Type::Bool, 2);
                let invariants = (0..1 + self.random.below(2)).map(|_| self.condition()).collect();
                let believed = usize::from(self.random.once_in(3));
                let free = (0..believed).map(|_| self.expr(Type::Bool, 2)).collect();
                let length = 1 + self.random.below(3);
                let body = self.block(length, depth - 1, assignable);
                Stmt::While { condition, invariants, free, body, as_jumps: self.random.once_in(3) }
            }
        }
    }
    fn call(&mut self, assignable: usize) -> Stmt {
        if self.program.procedures.is_empty() {
            return Stmt::Assert(self.condition());
        }
        let procedure = self.random.below(self.program.procedures.len());
        let callee = &self.program.procedures[procedure];
        let ty = callee.vars[GLOBALS.len() + callee.params].1;
        let fitting: Vec<usize> = (assignable..self.vars.len()).filter(|var| self.vars[*var].1 == ty).collect();
        if fitting.is_empty() {
            return Stmt::Assert(self.condition());
        }
        let result = *self.random.pick(&fitting);
        let types: Vec<Type> = callee.vars[GLOBALS.len()..][..callee.params].iter().map(|(_, ty)| *ty).collect();
        let args = types.into_iter().map(|ty| self.expr(ty, 1)).collect();
        Stmt::Call { procedure, args, result }
    }
    /// A variable to assign to: a global, the result or a local.
    fn target(&mut self, assignable: usize) -> usize {
        let locals = self.vars.len() - assignable;
        let chosen = self.random.below(GLOBALS.len() + locals);
        if chosen < GLOBALS.len() { chosen } else { chosen - GLOBALS.len() + assignable }
    }

    fn boxed(&mut self, ty: Type, depth: usize) -> Box<Expr> {
        Box::new(self.expr(ty, depth))
    }
    fn expr(&mut self, ty: Type, depth: usize) -> Expr {
        if depth == 0 || self.random.once_in(4) {
            return self.leaf(ty);
        }
        let less = depth - 1;
        match ty {
            Type::Int => match self.random.below(9) {
                0..3 => {
                    let op = *self.random.pick(&[Op::Add, Op::Sub, Op::Mul, Op::Div, Op::Mod, Op::Add]);
                    Expr::Binary(op, self.boxed(Type::Int, less), self.boxed(Type::Int, less))
                }
                3 => Expr::Negate(self.boxed(Type::Int, less)),
                4 => Expr::Select(self.boxed(Type::Ints, less), self.boxed(Type::Int, less)),
                5 => {
                    let field = *self.random.pick(&[Field::Size, Field::Rank]);
                    Expr::Read(self.boxed(Type::Record, less), field)
                }
                6 => Expr::Head(self.boxed(Type::List, less)),
                7 => Expr::Twice(self.boxed(Type::Int, less)),
                _ => self.choice(ty, less),
            },
            Type::Bool => self.proposition(less),
            Type::Ints => match self.random.below(3) {
                0 => self.choice(ty, less),
                _ => Expr::Store(self.boxed(ty, less), self.boxed(Type::Int, less), self.boxed(Type::Int, less)),
            },
            Type::List => match self.random.below(4) {
                0 => Expr::Tail(self.boxed(ty, less)),
                1 => self.choice(ty, less),
                _ => Expr::Cons(self.boxed(Type::Int, less), self.boxed(ty, less)),
            },
            Type::Record => match self.random.below(4) {
                0 => self.choice(ty, less),
                1 => Expr::Write(self.boxed(ty, less), Field::Flag, self.boxed(Type::Bool, less)),
                _ => {
                    let field = *self.random.pick(&[Field::Size, Field::Rank]);
                    Expr::Write(self.boxed(ty, less), field, self.boxed(Type::Int, less))
                }
            },
        }
    }
    fn choice(&mut self, ty: Type, depth: usize) -> Expr {
        Expr::If(self.boxed(Type::Bool, depth), self.boxed(ty, depth), self.boxed(ty, depth))
    }
    fn proposition(&mut self, depth: usize) -> Expr {
        match self.random.below(10) {
            0..2 => {
                let op = *self.random.pick(&[Op::And, Op::Or, Op::Implies, Op::Iff]);
                Expr::Binary(op, self.boxed(Type::Bool, depth), self.boxed(Type::Bool, depth))
            }
            2 => Expr::Not(self.boxed(Type::Bool, depth)),
            3..5 => {
                let op = *self.random.pick(&[Op::Less, Op::AtMost]);
                Expr::Binary(op, self.boxed(Type::Int, depth), self.boxed(Type::Int, depth))
            }
            5..8 => {
                let ty = *self.random.pick(&TYPES);
                let op = *self.random.pick(&[Op::Equal, Op::Equal, Op::Differ]);
                Expr::Binary(op, self.boxed(ty, depth), self.boxed(ty, depth))
            }
            8 => Expr::IsCons(self.boxed(Type::List, depth)),
            _ => {
                let (bound, from) = (self.bounds, self.random.between(-1, 1));
                let to = from + self.random.between(1, 3);
                self.bounds += 1;
                self.bound.push(bound);
                let body = self.boxed(Type::Bool, depth);
                self.bound.pop();
                Expr::Quantified { all: self.random.once_in(2), bound, from, to, body }
            }
        }
    }
    fn leaf(&mut self, ty: Type) -> Expr {
        if ty == Type::Int && !self.bound.is_empty() && self.random.once_in(2) {
            return Expr::Bound(*self.random.pick(&self.bound));
        }
        let globals = (0..GLOBALS.len()).filter(|var| GLOBALS[*var].1 == ty);
        let old: Vec<usize> = globals.collect();
        if self.has_old && !old.is_empty() && self.random.once_in(6) {
            return Expr::Old(*self.random.pick(&old));
        }
        let fitting: Vec<usize> = (0..self.vars.len()).filter(|var| self.vars[*var].1 == ty).collect();
        if !fitting.is_empty() && !self.random.once_in(4) {
            return Expr::Var(*self.random.pick(&fitting));
        }
        match ty {
            Type::Int => Expr::Int(self.random.between(-2, 4)),
            Type::Bool => Expr::Bool(self.random.once_in(2)),
            Type::List => Expr::Nil,
            // The globals are in scope in every procedure.
            Type::Ints => Expr::Var(1),
            Type::Record => Expr::Var(2),
        }
    }
}
