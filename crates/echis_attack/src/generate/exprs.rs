//! Random expressions, as text. They are always well-defined: partial operators are generated with guards.

use crate::random::Random;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Ty {
    Int,
    Bool,
    Seq,
    Set,
    Multiset,
    /// `adt List { Nil() Cons(head: Int, tail: List) }`
    List,
    /// `adt Tree { Leaf() Node(left: Tree, value: Int, right: Tree) }`
    Tree,
}

impl Ty {
    pub fn text(self) -> &'static str {
        match self {
            Ty::Int => "Int",
            Ty::Bool => "Bool",
            Ty::Seq => "Seq[Int]",
            Ty::Set => "Set[Int]",
            Ty::Multiset => "Multiset[Int]",
            Ty::List => "List",
            Ty::Tree => "Tree",
        }
    }
}

pub const ADTS: &str = "adt List { Nil() Cons(head: Int, tail: List) }\n\
                        adt Tree { Leaf() Node(left: Tree, value: Int, right: Tree) }\n";

/// A total function.
#[derive(Clone, Debug)]
pub struct Signature {
    pub name: String,
    pub params: Vec<Ty>,
    pub result: Ty,
    /// Whether its body is hidden unless revealed.
    pub opaque: bool,
}

/// The terms, with their types, and the functions in scope.
#[derive(Clone, Default, Debug)]
pub struct Scope {
    pub terms: Vec<(String, Ty)>,
    pub functions: Vec<Signature>,
    /// Number of bound variables so far, for fresh names.
    pub bound: usize,
}

impl Scope {
    pub fn with(&self, term: impl Into<String>, ty: Ty) -> Scope {
        let mut scope = self.clone();
        scope.terms.push((term.into(), ty));
        scope
    }
    fn of(&self, ty: Ty) -> Vec<&str> {
        self.terms.iter().filter(|(_, other)| *other == ty).map(|(term, _)| term.as_str()).collect()
    }
    fn bind(&mut self) -> String {
        self.bound += 1;
        format!("v{}", self.bound)
    }
}

pub fn expr(random: &mut Random, ty: Ty, scope: &Scope, depth: usize) -> String {
    if depth == 0 || random.once_in(4) {
        return leaf(random, ty, scope);
    }
    if random.once_in(9) {
        let [condition, then, otherwise] = [Ty::Bool, ty, ty].map(|ty| expr(random, ty, scope, depth - 1));
        return format!("({condition} ? {then} : {otherwise})");
    }
    if random.once_in(14) {
        return bound(random, ty, scope, depth);
    }
    let fitting: Vec<&Signature> = scope.functions.iter().filter(|function| function.result == ty).collect();
    if !fitting.is_empty() && random.once_in(4) {
        let function = (*random.pick(&fitting)).clone();
        return application(random, &function, scope, depth - 1);
    }
    let sub = |random: &mut Random, ty| expr(random, ty, scope, depth - 1);
    match ty {
        Ty::Int => match random.below(11) {
            0 | 1 => format!("({} + {})", sub(random, Ty::Int), sub(random, Ty::Int)),
            2 => format!("({} - {})", sub(random, Ty::Int), sub(random, Ty::Int)),
            3 => format!("({} * {})", random.between(-2, 3), sub(random, Ty::Int)),
            4 => format!("|{}|", sub(random, Ty::Seq)),
            5 => format!("|{}|", sub(random, Ty::Set)),
            6 => format!("({} in {})", sub(random, Ty::Int), sub(random, Ty::Multiset)),
            7 => {
                let (items, index) = (leaf(random, Ty::Seq, scope), leaf(random, Ty::Int, scope));
                format!("(0 <= {index} && {index} < |{items}| ? {items}[{index}] : {})", random.between(-1, 2))
            }
            8 => {
                let divisor = random.pick(&["2", "3", "-2"]);
                let operator = random.pick(&["%", "\\"]);
                format!("({} {operator} {divisor})", sub(random, Ty::Int))
            }
            9 => {
                let list = leaf(random, Ty::List, scope);
                format!("({list}.isCons ? {list}.head : {})", random.between(-1, 2))
            }
            _ => format!("|{}|", sub(random, Ty::Multiset)),
        },
        Ty::Bool => match random.below(13) {
            0..=3 => {
                let operator = random.pick(&["<", "<=", "==", "!=", ">", ">="]);
                format!("({} {operator} {})", sub(random, Ty::Int), sub(random, Ty::Int))
            }
            4 => format!("({} && {})", sub(random, Ty::Bool), sub(random, Ty::Bool)),
            5 => format!("({} || {})", sub(random, Ty::Bool), sub(random, Ty::Bool)),
            6 => format!("({} ==> {})", sub(random, Ty::Bool), sub(random, Ty::Bool)),
            7 => format!("!{}", sub(random, Ty::Bool)),
            8 => format!("({} in {})", sub(random, Ty::Int), sub(random, Ty::Set)),
            9 => format!("({} in {})", sub(random, Ty::Int), sub(random, Ty::Seq)),
            10 => {
                let ty = *random.pick(&[Ty::Seq, Ty::Set, Ty::Multiset, Ty::List]);
                format!("({} == {})", sub(random, ty), sub(random, ty))
            }
            11 => {
                let ty = *random.pick(&[Ty::Set, Ty::Multiset]);
                format!("({} subset {})", sub(random, ty), sub(random, ty))
            }
            _ => quantifier(random, scope, depth),
        },
        Ty::Seq => match random.below(7) {
            0 | 1 => format!("({} ++ {})", sub(random, Ty::Seq), sub(random, Ty::Seq)),
            2 => format!("{}[..{}]", leaf(random, Ty::Seq, scope), sub(random, Ty::Int)),
            3 => format!("{}[{}..]", leaf(random, Ty::Seq, scope), sub(random, Ty::Int)),
            4 => format!("[{}..{})", random.between(-1, 2), random.between(0, 4)),
            5 => format!("Seq({}, {})", sub(random, Ty::Int), sub(random, Ty::Int)),
            _ => {
                let (items, index) = (leaf(random, Ty::Seq, scope), leaf(random, Ty::Int, scope));
                let value = sub(random, Ty::Int);
                format!("(0 <= {index} && {index} < |{items}| ? {items}[{index} := {value}] : {items})")
            }
        },
        Ty::Set | Ty::Multiset => match random.below(4) {
            0 => format!("({} union {})", sub(random, ty), sub(random, ty)),
            1 => format!("({} intersection {})", sub(random, ty), sub(random, ty)),
            2 => format!("({} setminus {})", sub(random, ty), sub(random, ty)),
            _ => format!("{}({})", if ty == Ty::Set { "Set" } else { "Multiset" }, sub(random, Ty::Int)),
        },
        Ty::List => match random.below(3) {
            0 | 1 => format!("Cons({}, {})", sub(random, Ty::Int), sub(random, Ty::List)),
            _ => {
                let list = leaf(random, Ty::List, scope);
                format!("({list}.isCons ? {list}.tail : Nil())")
            }
        },
        Ty::Tree => match random.below(3) {
            0 | 1 => {
                format!("Node({}, {}, {})", sub(random, Ty::Tree), sub(random, Ty::Int), sub(random, Ty::Tree))
            }
            _ => {
                let tree = leaf(random, Ty::Tree, scope);
                format!("({tree}.isNode ? {tree}.left : Leaf())")
            }
        },
    }
}

pub fn application(random: &mut Random, function: &Signature, scope: &Scope, depth: usize) -> String {
    let args: Vec<String> = function.params.iter().map(|ty| expr(random, *ty, scope, depth.min(1))).collect();
    let applied = format!("{}({})", function.name, args.join(", "));
    if function.opaque && random.once_in(2) { format!("(@reveal() {applied})") } else { applied }
}

fn bound(random: &mut Random, ty: Ty, scope: &Scope, depth: usize) -> String {
    let of = *random.pick(&[Ty::Int, Ty::Seq, Ty::Bool, Ty::List]);
    // Names bound inside must be fresh, including with respect to the bound value.
    let mut inner = scope.clone();
    let name = inner.bind();
    let value = expr(random, of, &inner, depth - 1);
    let body = expr(random, ty, &inner.with(&name, of), depth - 1);
    format!("(let {name} == ({value}) in {body})")
}

fn quantifier(random: &mut Random, scope: &Scope, depth: usize) -> String {
    let mut inner = scope.clone();
    let name = inner.bind();
    let inner = inner.with(&name, Ty::Int);
    let body = expr(random, Ty::Bool, &inner, depth - 1);
    let guard = if random.once_in(2) {
        format!("0 <= {name} && {name} < {}", random.pick(&["3", "2", "4"]))
    } else {
        format!("{name} in {}", leaf(random, *random.clone().pick(&[Ty::Seq, Ty::Set]), scope))
    };
    if random.percent(70) {
        format!("(forall {name}: Int :: {guard} ==> {body})")
    } else {
        format!("(exists {name}: Int :: {guard} && {body})")
    }
}

pub fn leaf(random: &mut Random, ty: Ty, scope: &Scope) -> String {
    let terms = scope.of(ty);
    if !terms.is_empty() && random.percent(75) {
        return random.pick(&terms).to_string();
    }
    match ty {
        Ty::Int => random.pick(&["0", "1", "2", "-1", "3"]).to_string(),
        Ty::Bool => random.pick(&["true", "false"]).to_string(),
        Ty::Seq => random.pick(&["Seq[Int]()", "Seq(1)", "Seq(0, 2)"]).to_string(),
        Ty::Set => random.pick(&["Set[Int]()", "Set(1)", "Set(0, 2)"]).to_string(),
        Ty::Multiset => random.pick(&["Multiset[Int]()", "Multiset(1)", "Multiset(1, 1)"]).to_string(),
        Ty::List => random.pick(&["Nil()", "Cons(1, Nil())"]).to_string(),
        Ty::Tree => random.pick(&["Leaf()", "Node(Leaf(), 1, Leaf())"]).to_string(),
    }
}
