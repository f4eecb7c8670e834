//! Every law that users rely on follows from the axioms, for several element sorts; and the axioms are consistent as
//! far as the solver can tell.

use super::{Theory, Vocabulary};
use crate::dialect::Z3;
use crate::names::{self, Style};
use crate::settings::PRELUDE;
use crate::{Backend, Fault, Process, locate};
use echis_term::{Sort, SortId, Terms};
use std::time::Duration;

fn ask(commands: &str) -> Vec<String> {
    let mut process = Process::new(locate(None).expect("a solver is there"));
    process.restart().expect("the solver starts");
    process.send(&[Z3.options, PRELUDE, commands].concat()).expect("the solver reads");
    process.receive(Duration::from_secs(120)).expect("the solver answers")
}

/// Instantiates a law, in which names omit the sorts.
fn instantiate(law: &str, terms: &Terms, sorts: &[SortId]) -> String {
    let mut tag = String::new();
    names::write_instance(terms, Style::Readable, "", sorts, &mut tag);
    let sort_text = |sort| {
        let mut text = String::new();
        names::write_sort(terms, Style::Readable, sort, &mut text);
        text
    };
    let mut out = String::new();
    for token in law.split_inclusive([' ', '(', ')']) {
        let word = token.trim_end_matches([' ', '(', ')']);
        let text = match word {
            "T" | "K" => sort_text(sorts[0]),
            "V" => sort_text(sorts[1]),
            "Seq" | "Set" | "Multiset" | "Map" => format!("{word}{tag}"),
            _ if word.contains('<') && word.ends_with("<K>") => {
                instantiate(word.trim_end_matches("<K>"), terms, &sorts[..1])
            }
            _ if word.ends_with("<V>") => instantiate(word.trim_end_matches("<V>"), terms, &sorts[1..]),
            _ if ["Seq.", "Set.", "Multiset.", "Map."].iter().any(|head| word.starts_with(head)) => {
                format!("{word}{tag}")
            }
            _ => word.into(),
        };
        out.push_str(&text);
        out.push_str(&token[word.len()..]);
    }
    out
}

fn setting(terms: &Terms, theories: &[Theory]) -> String {
    let mut vocabulary = Vocabulary::new(Style::Readable);
    for theory in theories {
        vocabulary.theory(terms, *theory);
    }
    vocabulary.declarations + &vocabulary.axioms
}

/// Each paragraph of `laws` is a name and a proposition that must follow.
fn check(terms: &Terms, theories: &[Theory], sorts: &[SortId], laws: &str) {
    let laws: Vec<&str> = laws.split("\n\n").map(str::trim).filter(|law| !law.is_empty()).collect();
    let mut commands = setting(terms, theories) + "(set-option :rlimit 20000000)\n";
    for law in &laws {
        let (_, proposition) = law.split_once('\n').expect("a law has a name");
        let proposition = instantiate(&proposition.replace('\n', " "), terms, sorts);
        commands.push_str(&format!("(push)\n(assert (not {proposition}))\n(check-sat)\n(pop)\n"));
    }
    let answers = ask(&commands);
    let failed: Vec<_> = laws
        .iter()
        .zip(&answers)
        .filter(|(_, answer)| *answer != "unsat")
        .map(|(law, answer)| format!("{answer}: {law}"))
        .collect();
    assert_eq!(answers.len(), laws.len(), "{answers:?}");
    assert!(failed.is_empty(), "{}", failed.join("\n\n"));
}

/// Checks that the solver finds no contradiction, for the given ground terms, with and without model search. Giving
/// up, even by not terminating, is not a contradiction.
fn check_consistent(terms: &Terms, theories: &[Theory], sorts: &[SortId], population: &str) {
    let population = instantiate(population, terms, sorts);
    let setting = setting(terms, theories);
    for options in ["", "(set-option :smt.mbqi true)\n"] {
        for population in ["", &population] {
            let mut process = Process::new(locate(None).expect("a solver is there"));
            process.restart().expect("the solver starts");
            let commands = [Z3.options, PRELUDE, options, &setting, "(push)\n", population, "(check-sat)\n"].concat();
            process.send(&commands).expect("the solver reads");
            match process.receive(CONSISTENCY_LIMIT) {
                Ok(answers) => assert!(
                    matches!(answers[..], [ref answer] if answer == "sat" || answer == "unknown"),
                    "{answers:?}"
                ),
                Err(fault) => assert_eq!(fault, Fault::Hung(CONSISTENCY_LIMIT)),
            }
        }
    }
}

/// Increase it to search longer.
const CONSISTENCY_LIMIT: Duration = Duration::from_secs(2);

fn with_elements(test: impl Fn(&mut Terms, SortId)) {
    let mut terms = Terms::new();
    let (int, reference) = (terms.int_sort(), terms.ref_sort());
    let nested = terms.sort(Sort::Seq(int));
    let set = terms.sort(Sort::Set(int));
    for sort in [int, reference, nested, set] {
        test(&mut terms, sort);
    }
}

#[test]
fn laws_of_sequences() {
    with_elements(|terms, sort| check(terms, &[Theory::SeqMembers(sort)], &[sort], include_str!("laws/seq.smt2")));
}
#[test]
fn laws_of_ranges() {
    let mut terms = Terms::new();
    let int = terms.int_sort();
    check(&terms, &[Theory::SeqRange(int)], &[int], include_str!("laws/range.smt2"));
}
#[test]
fn laws_of_sets() {
    with_elements(|terms, sort| check(terms, &[Theory::Set(sort)], &[sort], include_str!("laws/set.smt2")));
}
#[test]
fn laws_of_multisets() {
    with_elements(|terms, sort| check(terms, &[Theory::Multiset(sort)], &[sort], include_str!("laws/multiset.smt2")));
}
#[test]
fn laws_of_maps() {
    let mut terms = Terms::new();
    let (int, reference) = (terms.int_sort(), terms.ref_sort());
    let seq = terms.sort(Sort::Seq(int));
    for (key, value) in [(int, int), (reference, int), (int, reference), (seq, seq)] {
        check(&terms, &[Theory::Map(key, value)], &[key, value], include_str!("laws/map.smt2"));
    }
}
#[test]
fn axioms_are_consistent() {
    let mut terms = Terms::new();
    let int = terms.int_sort();
    let nested = terms.sort(Sort::Seq(int));
    for sort in [int, nested] {
        check_consistent(&terms, &[Theory::SeqMembers(sort)], &[sort], include_str!("laws/seq-population.smt2"));
        check_consistent(&terms, &[Theory::Set(sort)], &[sort], include_str!("laws/set-population.smt2"));
        check_consistent(&terms, &[Theory::Multiset(sort)], &[sort], include_str!("laws/multiset-population.smt2"));
        check_consistent(&terms, &[Theory::Map(sort, sort)], &[sort, sort], include_str!("laws/map-population.smt2"));
    }
}
#[test]
fn laws_of_snapshot_maps() {
    let mut terms = Terms::new();
    let (key, value) = (terms.ref_sort(), terms.int_sort());
    let map = terms.sort(Sort::SnapMap { resource: "f".into(), key, value });
    let laws = include_str!("laws/snapmap.smt2").replace("<T>", "<f.6>");
    check(&terms, &[Theory::KeySet(map), Theory::Set(key)], &[key], &laws.replace("SnapMap ", "f.6 "));
}
