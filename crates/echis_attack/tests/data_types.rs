//! Random data types: nested, mutually recursive and generic. Echis must reject exactly those without values. The test
//! searches for values by constructing them, independently of Echis's algorithm.

use echis_attack::program::Text;
use echis_attack::random::Random;
use std::collections::BTreeMap;

const PROGRAMS: u64 = 400;
/// The maximum depth of values to search. Greater depths are not needed: there are at most four types, and their
/// argument either has values or does not.
const DEPTH: usize = 9;

#[derive(Clone)]
enum Type {
    Int,
    Param,
    /// A collection, which may be empty.
    Seq(Box<Type>),
    Data(usize, Box<Type>),
}

/// Data types, each with one parameter, as lists of constructors with their fields.
struct Declared(Vec<Vec<Vec<Type>>>);

impl Declared {
    fn new(random: &mut Random) -> Self {
        let count = 1 + random.below(4);
        let constructors = |random: &mut Random| {
            let fields = |random: &mut Random| (0..1 + random.below(2)).map(|_| field(random, count, 2)).collect();
            (0..1 + random.below(2)).map(|_| fields(random)).collect()
        };
        Declared((0..count).map(|_| constructors(random)).collect())
    }
    /// Whether a type without parameters has a value of at most the given depth.
    fn has_value(&self, ty: &Type, depth: usize, known: &mut BTreeMap<(String, usize), bool>) -> bool {
        let Type::Data(index, inner) = ty else { return true };
        if depth == 0 {
            return false;
        }
        let key = (written(ty), depth);
        if let Some(found) = known.get(&key) {
            return *found;
        }
        let mut has_value = |field: &Type| self.has_value(&substituted(field, inner), depth - 1, known);
        let found = self.0[*index].iter().any(|fields| fields.iter().all(&mut has_value));
        known.insert(key, found);
        found
    }
    fn text(&self) -> String {
        let mut text = String::new();
        for (index, constructors) in self.0.iter().enumerate() {
            text += &format!("adt T{index}[P] {{\n");
            for (number, fields) in constructors.iter().enumerate() {
                let fields = fields.iter().enumerate();
                let fields: Vec<String> =
                    fields.map(|(place, ty)| format!("f{index}_{number}_{place}: {}", written(ty))).collect();
                text += &format!("  C{index}_{number}({})\n", fields.join(", "));
            }
            text += "}\n";
        }
        text
    }
}

fn field(random: &mut Random, count: usize, depth: usize) -> Type {
    let inner = |random: &mut Random| Box::new(field(random, count, depth.saturating_sub(1)));
    match random.below(8) {
        0 => Type::Int,
        1 => Type::Param,
        2 if depth > 0 => Type::Seq(inner(random)),
        _ if depth > 0 => Type::Data(random.below(count), inner(random)),
        _ => Type::Param,
    }
}

fn substituted(ty: &Type, arg: &Type) -> Type {
    match ty {
        Type::Int => Type::Int,
        Type::Param => arg.clone(),
        Type::Seq(_) => Type::Int,
        Type::Data(index, inner) => Type::Data(*index, Box::new(substituted(inner, arg))),
    }
}

fn written(ty: &Type) -> String {
    match ty {
        Type::Int => "Int".into(),
        Type::Param => "P".into(),
        Type::Seq(inner) => format!("Seq[{}]", written(inner)),
        Type::Data(index, inner) => format!("T{index}[{}]", written(inner)),
    }
}

#[test]
fn types_without_values_are_refused_and_no_others() {
    let (mut refused, mut accepted) = (0, 0);
    for seed in 0..PROGRAMS {
        let mut random = Random::new(seed);
        random.draw();
        let declared = Declared::new(&mut random);
        let types = 0..declared.0.len();
        let mut known = BTreeMap::new();
        let all = types
            .into_iter()
            .all(|index| declared.has_value(&Type::Data(index, Box::new(Type::Int)), DEPTH, &mut known));
        let text = declared.text();
        match Text::parse(&text) {
            Ok(_) => assert!(all, "a type without values is accepted:\n{text}"),
            Err(error) => {
                assert!(error.contains("has no values"), "{error}\n{text}");
                assert!(!all, "a type with values is refused:\n{text}");
            }
        }
        *(if all { &mut accepted } else { &mut refused }) += 1;
    }
    assert!(refused > 50 && accepted > 50, "{refused} refused, {accepted} accepted");
}
