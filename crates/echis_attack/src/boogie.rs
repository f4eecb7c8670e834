//! Random Boogie programs, and an interpreter that refutes procedures on small values.
//!
//! Programs are generated as data (`generate`), printed for Echis, and executed here (`execute`). If a procedure
//! and all its callees verify but an execution refutes it, it was accepted wrongly.

mod execute;
mod generate;
mod print;

use crate::program::{Verdict, Verifier};
use crate::random::Random;
use echis_base::Name;
use std::collections::BTreeMap;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Type {
    Int,
    Bool,
    /// `[int]int`
    Ints,
    /// A data type of lists.
    List,
    /// The polymorphic map `<a>[Field a]a`.
    Record,
}

/// The fields with which records are indexed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Field {
    Size,
    Rank,
    Flag,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Op {
    Add,
    Sub,
    Mul,
    Div,
    Mod,
    Less,
    AtMost,
    Equal,
    Differ,
    And,
    Or,
    Implies,
    Iff,
}

#[derive(Clone, Debug)]
enum Expr {
    Int(i64),
    Bool(bool),
    Var(usize),
    /// The initial value of a global variable.
    Old(usize),
    Not(Box<Expr>),
    Negate(Box<Expr>),
    Binary(Op, Box<Expr>, Box<Expr>),
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    Select(Box<Expr>, Box<Expr>),
    Store(Box<Expr>, Box<Expr>, Box<Expr>),
    Read(Box<Expr>, Field),
    Write(Box<Expr>, Field, Box<Expr>),
    Nil,
    Cons(Box<Expr>, Box<Expr>),
    IsCons(Box<Expr>),
    Head(Box<Expr>),
    Tail(Box<Expr>),
    /// An application of the prelude function `twice` or `length`.
    Twice(Box<Expr>),
    /// Universal or existential quantification over the integers of a half-open interval.
    Quantified {
        all: bool,
        bound: usize,
        from: i64,
        to: i64,
        body: Box<Expr>,
    },
    /// The bound variable of a quantifier.
    Bound(usize),
}

#[derive(Clone, Debug)]
enum Stmt {
    Assign(usize, Expr),
    Havoc(usize),
    Assume(Expr),
    Assert(Condition),
    If {
        condition: Option<Expr>,
        then: Vec<Stmt>,
        otherwise: Vec<Stmt>,
        as_jumps: bool,
    },
    While {
        condition: Expr,
        invariants: Vec<Condition>,
        /// Invariants that are believed where the loop begins an iteration or ends, and shown nowhere.
        free: Vec<Expr>,
        body: Vec<Stmt>,
        as_jumps: bool,
    },
    Call {
        procedure: usize,
        args: Vec<Expr>,
        result: usize,
    },
}

/// A proof obligation. The number identifies it in the program.
#[derive(Clone, Debug)]
struct Condition {
    number: usize,
    expr: Expr,
}

#[derive(Clone, Debug)]
struct Procedure {
    name: String,
    /// All variables, by index: globals first, then parameters, the result, and locals.
    vars: Vec<(String, Type)>,
    params: usize,
    requires: Vec<Condition>,
    ensures: Vec<Condition>,
    body: Vec<Stmt>,
}

/// The globals shared by all procedures; they are the first variables of each.
const GLOBALS: [(&str, Type); 3] = [("g", Type::Int), ("heap", Type::Ints), ("object", Type::Record)];

/// A random program.
pub struct Program {
    procedures: Vec<Procedure>,
}

/// A procedure that was verified although an execution refutes it.
pub struct Accepted {
    pub procedure: String,
    pub what: String,
}

/// The results for one program.
#[derive(Default)]
pub struct Found {
    pub procedures: usize,
    pub verified: usize,
    pub refuted: usize,
    pub executions: u64,
    pub unanswered: usize,
    pub accepted: Vec<Accepted>,
}

/// Executions of each procedure.
const EXECUTIONS: usize = 120;

impl Program {
    pub fn random(random: &mut Random) -> Self {
        generate::program(random)
    }

    pub fn text(&self) -> String {
        print::program(self)
    }

    /// Verifies the program and executes its procedures.
    pub fn judge(&self, verifier: &Verifier, random: &mut Random) -> Result<Found, String> {
        let verdicts: BTreeMap<Name, Verdict> = verifier.boogie(&self.text())?;
        let verdict = |procedure: &Procedure| verdicts.get(&*procedure.name).copied().unwrap_or(Verdict::None);
        let mut found = Found { procedures: self.procedures.len(), ..Found::default() };
        for (index, procedure) in self.procedures.iter().enumerate() {
            found.verified += usize::from(verdict(procedure) == Verdict::Verified);
            found.unanswered += usize::from(verdict(procedure) == Verdict::None);
            let runs = execute::runs(self, index, random, EXECUTIONS);
            found.executions += runs.ended;
            let Some(fault) = runs.fault else { continue };
            found.refuted += 1;
            // A procedure calls only earlier ones.
            if self.procedures[..=index].iter().all(|one| verdict(one) == Verdict::Verified) {
                found.accepted.push(Accepted { procedure: procedure.name.clone(), what: fault });
            }
        }
        Ok(found)
    }
}
