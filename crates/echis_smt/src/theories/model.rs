//! Checks the axioms against the meaning of collections: each is evaluated in the standard model, for all small
//! values of its variables. Witnesses are searched for. Contradictory or false axioms are found immediately.

use super::{Theory, Vocabulary};
use crate::names::Style;
use echis_term::{Integer, Op, Sort, Terms, Text, ValueRef};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Elements, keys and values are 0 or 1; values of other sorts are named after their sort.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Value {
    Bool(bool),
    Int(i64),
    Seq(Vec<Value>),
    Set(BTreeSet<Value>),
    /// The number of occurrences of each element.
    Multiset(BTreeMap<Value, Integer>),
    Map(BTreeMap<Value, Value>),
    Pair(Box<[Value; 2]>),
}
use Value::{Bool, Int, Map, Multiset, Pair, Seq, Set};

impl echis_term::Value for Value {
    fn view(&self) -> ValueRef<'_, Self> {
        match self {
            Int(value) => ValueRef::Int((*value).into()),
            Seq(items) => ValueRef::Seq(items),
            Set(items) => ValueRef::Set(items),
            Multiset(counts) => ValueRef::Multiset(counts),
            Map(entries) => ValueRef::Map(entries),
            Bool(_) | Pair(_) => ValueRef::Other,
        }
    }
    fn truth(value: bool) -> Self {
        Bool(value)
    }
    fn int(value: Integer) -> Self {
        Int(value.try_into().expect("all numbers here are small"))
    }
    fn seq(elements: Vec<Self>) -> Self {
        Seq(elements)
    }
    fn set(elements: BTreeSet<Self>) -> Self {
        Set(elements)
    }
    fn multiset(counts: BTreeMap<Self, Integer>) -> Self {
        Multiset(counts)
    }
    fn map(entries: BTreeMap<Self, Self>) -> Self {
        Map(entries)
    }
}

enum Tree {
    Word(String),
    List(Vec<Tree>),
}

fn read(text: &str) -> Vec<Tree> {
    let spaced = text.lines().filter(|line| !line.starts_with(';')).collect::<Vec<_>>().join(" ");
    let spaced = spaced.replace('(', " ( ").replace(')', " ) ");
    let mut open: Vec<Vec<Tree>> = vec![Vec::new()];
    for word in spaced.split_whitespace() {
        match word {
            "(" => open.push(Vec::new()),
            ")" => {
                let list = open.pop().expect("parentheses match");
                open.last_mut().expect("parentheses match").push(Tree::List(list));
            }
            // The instance of a name is dropped: there is only one of each here.
            word => {
                let name = if word.len() > 2 { word.split('<').next().unwrap_or(word) } else { word };
                open.last_mut().expect("parentheses match").push(Tree::Word(name.into()));
            }
        }
    }
    open.pop().expect("parentheses match")
}

impl Tree {
    fn list(&self) -> &[Tree] {
        match self {
            Tree::List(list) => list,
            Tree::Word(_) => &[],
        }
    }
    fn word(&self) -> &str {
        match self {
            Tree::Word(word) => word,
            Tree::List(_) => "",
        }
    }
}

fn element(number: i64) -> Value {
    Int(number)
}

/// All small values of a sort.
fn values(sort: &str) -> Vec<Value> {
    let elements = [element(0), element(1)];
    let chosen = |mask: usize| elements.iter().enumerate().filter(move |(bit, _)| mask >> bit & 1 == 1);
    match sort {
        "Int" => (-1..=3).map(Int).collect(),
        "Ref" => elements.to_vec(),
        "Seq" => {
            let mut all = vec![Vec::new()];
            for length in 0..2 {
                let longer: Vec<Vec<Value>> = all.iter().filter(|seq| seq.len() == length).cloned().collect();
                all.extend(
                    longer
                        .iter()
                        .flat_map(|seq| elements.iter().map(|one| [&seq[..], std::slice::from_ref(one)].concat())),
                );
            }
            all.into_iter().map(Seq).collect()
        }
        "Set" => (0..4).map(|mask| Set(chosen(mask).map(|(_, one)| one.clone()).collect())).collect(),
        "Multiset" => (0..9)
            .map(|code| [(0, code % 3), (1, code / 3)])
            .map(|counts| {
                Multiset(
                    counts.into_iter().filter(|count| count.1 > 0).map(|(one, n)| (element(one), n.into())).collect(),
                )
            })
            .collect(),
        "Snap" => {
            let mut all = vec![Int(0), Int(1)];
            all.extend([[0, 0], [0, 1]].map(|[a, b]| Pair(Box::new([Int(a), Int(b)]))));
            all
        }
        // Maps, and maps of quantified resources with their keys.
        _ => (0..9)
            .map(|code| [(0, code % 3), (1, code / 3)])
            .map(|entries| {
                let entries = entries.into_iter().filter(|entry| entry.1 > 0);
                Map(entries.map(|(key, value)| (element(key), element(value - 1))).collect())
            })
            .collect(),
    }
}

fn eval(tree: &Tree, scope: &HashMap<String, Value>) -> Value {
    let list = tree.list();
    if list.is_empty() {
        return match tree.word() {
            "true" => Bool(true),
            "false" => Bool(false),
            word if scope.contains_key(word) => scope[word].clone(),
            word => word.parse().map(Int).unwrap_or_else(|_| apply(word, &[])),
        };
    }
    match list[0].word() {
        "!" => eval(&list[1], scope),
        "forall" => Bool(instances(list[1].list(), scope).iter().all(|scope| eval(&list[2], scope) == Bool(true))),
        head => {
            let args: Vec<Value> = list[1..].iter().map(|arg| eval(arg, scope)).collect();
            apply(head, &args)
        }
    }
}

fn instances(vars: &[Tree], scope: &HashMap<String, Value>) -> Vec<HashMap<String, Value>> {
    let mut scopes = vec![scope.clone()];
    for var in vars {
        let (name, sort) = (var.list()[0].word(), var.list()[1].word());
        scopes = scopes
            .iter()
            .flat_map(|scope| {
                values(sort).into_iter().map(|value| {
                    let mut scope = scope.clone();
                    scope.insert(name.into(), value);
                    scope
                })
            })
            .collect();
    }
    scopes
}

fn count(bag: &BTreeMap<Value, Integer>, one: &Value) -> Integer {
    bag.get(one).cloned().unwrap_or(Integer::ZERO)
}

/// An element for which a test holds, or else an arbitrary one.
fn witness(test: impl Fn(&Value) -> bool) -> Value {
    [element(0), element(1)].into_iter().find(|one| test(one)).unwrap_or(element(0))
}

fn apply(head: &str, args: &[Value]) -> Value {
    match (head, args) {
        ("and", _) => Bool(args.iter().all(|arg| *arg == Bool(true))),
        ("or", _) => Bool(args.contains(&Bool(true))),
        ("not", [arg]) => Bool(*arg == Bool(false)),
        ("=>", [left, right]) => Bool(*left == Bool(false) || *right == Bool(true)),
        ("=" | "Seq.equal" | "Set.equal" | "Multiset.equal" | "Map.equal", [left, right]) => Bool(left == right),
        ("ite", [condition, then, otherwise]) => if *condition == Bool(true) { then } else { otherwise }.clone(),
        ("+", _) => Int(args.iter().map(|arg| if let Int(n) = arg { *n } else { 0 }).sum()),
        ("-", [Int(left), Int(right)]) | ("Seq.minus", [Int(left), Int(right)]) => Int(left - right),
        ("Seq.plus", [Int(left), Int(right)]) => Int(left + right),
        ("<=", [Int(left), Int(right)]) => Bool(left <= right),
        ("<", [Int(left), Int(right)]) => Bool(left < right),
        // The remainder is never negative. Division by zero has an arbitrary value.
        ("div" | "mod", [Int(_), Int(0)]) => Int(7),
        ("div", [Int(left), Int(right)]) => Int(left.div_euclid(*right)),
        ("mod", [Int(left), Int(right)]) => Int(left.rem_euclid(*right)),
        _ => operation(head, args).or_else(|| witnessed(head, args)).unwrap_or_else(|| snapshot(head, args)),
    }
}

/// An operator of terms, with arbitrary values outside its domain.
fn operation(head: &str, args: &[Value]) -> Option<Value> {
    let int = Terms::new().int_sort();
    let op = Op::all(int).into_iter().find(|op| matches!(op.row().text, Text::Family(family) if family == head))?;
    echis_term::evaluate(op, args).or_else(|| match op {
        Op::SeqUpdate => Some(args[0].clone()),
        Op::SeqIndex | Op::MapLookup => Some(element(0)),
        _ => None,
    })
}

/// Functions that occur only in axioms: witnesses and marks.
fn witnessed(head: &str, args: &[Value]) -> Option<Value> {
    let position = |position: Option<usize>| Int(position.unwrap_or(0) as i64);
    Some(match (head, args) {
        ("Seq.apart", [Seq(left), Seq(right)]) => {
            position(left.iter().zip(right).position(|(one, other)| one != other))
        }
        ("Seq.read", [Seq(seq), one]) => Bool(seq.contains(one)),
        ("Seq.at", [Seq(seq), one]) => position(seq.iter().position(|other| other == one)),
        ("Set.some", [Set(set)]) => witness(|one| set.contains(one)),
        ("Set.outside", [Set(left), Set(right)]) => witness(|one| left.contains(one) && !right.contains(one)),
        ("Set.apart", [Set(left), Set(right)]) => witness(|one| left.contains(one) != right.contains(one)),
        ("Multiset.some", [Multiset(all)]) => witness(|one| count(all, one) > Integer::ZERO),
        ("Multiset.outside", [Multiset(left), Multiset(right)]) => witness(|one| count(left, one) > count(right, one)),
        ("Multiset.apart", [Multiset(left), Multiset(right)]) => witness(|one| count(left, one) != count(right, one)),
        ("Map.read", [Map(all), value]) => Bool(all.values().any(|one| one == value)),
        ("Map.key", [Map(all), value]) => witness(|key| all.get(key) == Some(value)),
        ("Map.apart", [Map(left), Map(right)]) => witness(|key| left.get(key) != right.get(key)),
        _ => return None,
    })
}

/// The maps of quantified resources and their snapshots. A map has values only for its keys, so these determine it.
fn snapshot(head: &str, args: &[Value]) -> Value {
    match (head, args) {
        ("Snap.wrap" | "Snap.unwrap", [value]) => value.clone(),
        ("Snap.combine", [left, right]) => Pair(Box::new([left.clone(), right.clone()])),
        ("Snap%compared", _) | ("SnapMap.mark" | "SnapMap.keyed", _) => Bool(true),
        ("SnapMap.keys", _) => apply("Map.domain", args),
        ("SnapMap.lookup", _) => apply("Map.lookup", args),
        ("SnapMap.apart", _) => apply("Map.apart", args),
        _ => panic!("nothing is known of {head} {args:?}"),
    }
}

#[test]
fn axioms_hold_of_what_collections_mean() {
    let mut terms = Terms::new();
    let (int, reference) = (terms.int_sort(), terms.ref_sort());
    let fields = terms.sort(Sort::SnapMap { resource: "f".into(), key: reference, value: reference });
    let all = [
        vec![Theory::SeqMembers(reference)],
        vec![Theory::SeqRange(int)],
        vec![Theory::Set(reference), Theory::Multiset(reference)],
        vec![Theory::Map(reference, reference)],
        vec![Theory::KeySet(fields), Theory::Lookup(fields)],
        vec![Theory::Remainder],
    ];
    let mut checked = 0;
    for theories in all {
        let mut vocabulary = Vocabulary::new(Style::Readable);
        theories.into_iter().for_each(|theory| vocabulary.theory(&terms, theory));
        for command in read(&vocabulary.axioms) {
            let [head, axiom] = command.list() else { continue };
            if head.word() == "assert" {
                checked += 1;
                assert_eq!(eval(axiom, &HashMap::new()), Bool(true), "{}", shown(axiom));
            }
        }
    }
    assert!(checked > 100, "only {checked} axioms were found");
}

#[test]
fn wrong_laws_are_found() {
    let wrong = "(forall ((s Set) (t Set)) (! (< (Set.card (Set.intersection s t)) (Set.card s)) :qid wrong))
        (forall ((s Seq) (x Ref)) (! (= (Seq.in (Seq.append s (Seq.singleton x)) x) (Seq.in s x)) :qid wrong))
        (forall ((m Map) (k Ref)) (! (Map.read m (Map.lookup m k)) :qid wrong))";
    for law in read(wrong) {
        assert_eq!(eval(&law, &HashMap::new()), Bool(false), "{}", shown(&law));
    }
}

fn shown(tree: &Tree) -> String {
    match tree {
        Tree::Word(word) => word.clone(),
        Tree::List(list) => format!("({})", list.iter().map(shown).collect::<Vec<_>>().join(" ")),
    }
}
