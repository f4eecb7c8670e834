//! Every simplification is an equivalence: the constructors' result equals the unsimplified term in every model.

mod common;

use common::{session, tree};
use echis_proof::{Bound, ProofTree, Prover, Verdict};
use echis_smt::{Process, Session};
use echis_term::{FreshRole, Op, Rational, Scope, SortId, TermId};

/// A term as written, and as simplified by the constructors.
#[derive(Clone, Copy)]
struct Pair {
    written: TermId,
    simplified: TermId,
}

struct Lab {
    tree: ProofTree,
    session: Session<Process>,
    /// The number of applications that were simplified.
    changed: usize,
}

impl Lab {
    fn new() -> Self {
        Lab { tree: tree(), session: session(), changed: 0 }
    }
    fn same(&mut self, term: TermId) -> Pair {
        Pair { written: term, simplified: term }
    }
    fn constants(&mut self, sort: SortId, names: &[&str]) -> Vec<Pair> {
        names
            .iter()
            .map(|name| {
                let term = self.tree.terms.fresh(&Scope::default(), FreshRole::Named((*name).into()), &[], sort);
                self.same(term)
            })
            .collect()
    }
    fn ints(&mut self) -> Vec<Pair> {
        let sort = self.tree.terms.int_sort();
        let literals = [0, 1, -1, 2, -3, 7].map(|value| self.tree.terms.int(value));
        let literals: Vec<Pair> = literals.into_iter().map(|term| self.same(term)).collect();
        [literals, self.constants(sort, &["x", "y"])].concat()
    }
    fn perms(&mut self) -> Vec<Pair> {
        let sort = self.tree.terms.perm_sort();
        let literals = [(0, 1), (1, 1), (1, 2), (-1, 3), (5, 2)]
            .map(|(over, under)| self.tree.terms.perm(Rational::from(over) / Rational::from(under)));
        let literals: Vec<Pair> = literals.into_iter().map(|term| self.same(term)).collect();
        [literals, self.constants(sort, &["p", "q"])].concat()
    }
    fn bools(&mut self) -> Vec<Pair> {
        let sort = self.tree.terms.bool_sort();
        let literals = [true, false].map(|value| self.tree.terms.bool(value));
        let literals: Vec<Pair> = literals.into_iter().map(|term| self.same(term)).collect();
        [literals, self.constants(sort, &["a", "b", "c"])].concat()
    }
    fn snaps(&mut self) -> Vec<Pair> {
        let sort = self.tree.terms.snap_sort();
        let unit = self.tree.terms.unit();
        let unit = self.same(unit);
        [vec![unit], self.constants(sort, &["s", "t"])].concat()
    }

    /// Applies an operator to both versions and compares the results.
    fn apply(&mut self, op: Op, args: &[Pair]) -> Pair {
        let written: Vec<TermId> = args.iter().map(|arg| arg.written).collect();
        let simplified: Vec<TermId> = args.iter().map(|arg| arg.simplified).collect();
        let pair =
            Pair { written: self.tree.terms.op(op, written), simplified: self.tree.terms.rebuild(op, &simplified) };
        self.compare(pair);
        pair
    }
    fn compare(&mut self, pair: Pair) {
        if pair.written == pair.simplified {
            return;
        }
        self.changed += 1;
        let goal = self.tree.terms.op(Op::Eq, [pair.written, pair.simplified]);
        let root = self.tree.root();
        let verdict = self.session.check(&self.tree, root, goal, Bound::Full);
        let terms = &self.tree.terms;
        assert_eq!(verdict, Verdict::Proved, "{} became {}", terms.text(pair.written), terms.text(pair.simplified));
    }
    /// All applications of an operator to operands from these lists.
    fn apply_all(&mut self, op: Op, operands: &[&[Pair]]) -> Vec<Pair> {
        let mut tuples: Vec<Vec<Pair>> = vec![Vec::new()];
        for choices in operands {
            tuples = tuples
                .iter()
                .flat_map(|tuple| choices.iter().map(move |choice| [&tuple[..], &[*choice]].concat()))
                .collect();
        }
        tuples.iter().map(|tuple| self.apply(op, tuple)).collect()
    }
}

/// A fixed sample of many terms.
fn some(pairs: &[Pair], step: usize) -> Vec<Pair> {
    pairs.iter().copied().step_by(step).collect()
}

#[test]
fn propositions() {
    let mut lab = Lab::new();
    let atoms = lab.bools();
    let negations = lab.apply_all(Op::Not, &[&atoms]);
    let simple = [atoms.clone(), negations].concat();
    lab.apply_all(Op::Not, &[&simple]);
    let mut level = simple.clone();
    for op in [Op::And, Op::Or, Op::Implies, Op::Eq] {
        level.extend(lab.apply_all(op, &[&simple, &simple]));
    }
    level.extend(lab.apply_all(Op::Ite, &[&simple, &atoms, &atoms]));
    let few = some(&level, 7);
    for op in [Op::And, Op::Or, Op::Implies, Op::Eq] {
        lab.apply_all(op, &[&few, &few]);
        lab.apply_all(op, &[&few, &atoms]);
    }
    lab.apply_all(Op::And, &[&atoms, &some(&level, 19), &simple]);
    lab.apply_all(Op::Or, &[&atoms, &some(&level, 19), &simple]);
    lab.apply_all(Op::Ite, &[&some(&level, 13), &simple, &some(&level, 23)]);
    assert!(lab.changed > 1000, "{}", lab.changed);
}

#[test]
fn integers() {
    let mut lab = Lab::new();
    let atoms = lab.ints();
    let mut level = atoms.clone();
    level.extend(lab.apply_all(Op::Neg, &[&atoms]));
    for op in [Op::Add, Op::Sub, Op::Mul] {
        level.extend(lab.apply_all(op, &[&atoms, &atoms]));
    }
    for op in [Op::Div, Op::Mod, Op::Eq, Op::Lt, Op::Le] {
        lab.apply_all(op, &[&atoms, &atoms]);
    }
    let few = some(&level, 5);
    for op in [Op::Add, Op::Sub, Op::Eq, Op::Lt, Op::Le] {
        lab.apply_all(op, &[&few, &few]);
    }
    let conditions = lab.bools();
    lab.apply_all(Op::Ite, &[&conditions, &some(&atoms, 2), &some(&atoms, 3)]);
    assert!(lab.changed > 200, "{}", lab.changed);
}

#[test]
fn permissions() {
    let mut lab = Lab::new();
    let atoms = lab.perms();
    let ints = lab.ints();
    let mut level = atoms.clone();
    level.extend(lab.apply_all(Op::Neg, &[&atoms]));
    level.extend(lab.apply_all(Op::ToPerm, &[&ints]));
    for op in [Op::Add, Op::Sub, Op::Mul, Op::PermDiv, Op::Min, Op::Max] {
        level.extend(lab.apply_all(op, &[&atoms, &atoms]));
    }
    for op in [Op::Eq, Op::Lt, Op::Le] {
        lab.apply_all(op, &[&atoms, &atoms]);
    }
    let few = some(&level, 7);
    for op in [Op::Add, Op::Sub, Op::Eq, Op::Lt, Op::Le, Op::Min, Op::Max] {
        lab.apply_all(op, &[&few, &few]);
    }
    let conditions = lab.bools();
    let conditional = lab.apply_all(Op::Ite, &[&conditions, &atoms, &atoms]);
    for op in [Op::Add, Op::Sub, Op::Eq, Op::Lt, Op::Le, Op::Min] {
        lab.apply_all(op, &[&some(&conditional, 11), &atoms]);
        lab.apply_all(op, &[&atoms, &some(&conditional, 11)]);
    }
    let zero = lab.tree.terms.no_perm();
    for perm in conditional.iter().chain(&level) {
        let written = lab.tree.terms.op(Op::Lt, [zero, perm.written]);
        let simplified = lab.tree.terms.positive(perm.simplified);
        lab.compare(Pair { written, simplified });
    }
    let terms: Vec<TermId> = few.iter().map(|pair| pair.simplified).collect();
    let simplified = lab.tree.terms.sum(terms.iter().copied());
    let written = terms.iter().fold(zero, |sum, term| lab.tree.terms.op(Op::Add, [sum, *term]));
    lab.compare(Pair { written, simplified });
    assert!(lab.changed > 400, "{}", lab.changed);
}

#[test]
fn snapshots() {
    let mut lab = Lab::new();
    let atoms = lab.snaps();
    let (ints, bools) = (lab.ints(), lab.bools());
    let (int, bool_sort) = (lab.tree.terms.int_sort(), lab.tree.terms.bool_sort());
    let mut level = atoms.clone();
    level.extend(lab.apply_all(Op::Wrap(int), &[&some(&ints, 3)]));
    level.extend(lab.apply_all(Op::Wrap(bool_sort), &[&some(&bools, 2)]));
    level.extend(lab.apply_all(Op::Combine, &[&atoms, &atoms]));
    let pairs = lab.apply_all(Op::Combine, &[&level, &some(&level, 4)]);
    level.extend(some(&pairs, 5));
    for op in [Op::First, Op::Second, Op::Unwrap(int), Op::Unwrap(bool_sort)] {
        lab.apply_all(op, &[&level]);
    }
    lab.apply_all(Op::Eq, &[&some(&level, 2), &some(&level, 3)]);
    lab.apply_all(Op::Ite, &[&bools, &some(&level, 5), &some(&level, 7)]);
    assert!(lab.changed > 20, "{}", lab.changed);
}
