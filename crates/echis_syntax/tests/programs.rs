//! The programs of the repository parse, print and reparse to the same tree, and format idempotently. Random changes
//! to them never cause a crash.

mod common;

use common::{comments, parse_text};
use echis_base::{FileId, SourceFile, SourceMap};
use echis_syntax::ast::Program;
use echis_syntax::{dump_program, format_source, parse_file, print_program};

fn own_programs() -> Vec<(String, String)> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let read = |path: std::path::PathBuf| {
        (path.display().to_string(), std::fs::read_to_string(path).expect("programs are readable"))
    };
    let programs: Vec<_> = common::programs(&folder).into_iter().map(read).collect();
    assert!(programs.len() >= 6, "the programs are there");
    programs
}

fn parse_alone(text: &str) -> (Program, Vec<String>) {
    let mut sources = SourceMap::default();
    let file: FileId = sources.add(SourceFile::new("file.vpr", text));
    let mut program = Program::default();
    let parsed = parse_file(file, sources.file(file), &mut program.exprs);
    program.members = parsed.members;
    let errors = parsed.diagnostics.into_iter().filter(|diagnostic| diagnostic.id == "parser.error");
    (program, errors.map(|diagnostic| diagnostic.message).collect())
}

fn format(text: &str) -> Option<String> {
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new("file.vpr", text));
    format_source(file, sources.file(file)).ok()
}

/// Printing and reparsing gives the same tree; formatting preserves the tree and comments and is idempotent.
fn check_round_trips(name: &str, text: &str) {
    let (program, errors) = parse_alone(text);
    if !errors.is_empty() {
        assert_eq!(format(text), None, "{name} does not parse, so it is not formatted");
        return;
    }
    let dump = dump_program(&program);
    let printed = print_program(&program);
    let (again, errors) = parse_alone(&printed);
    assert_eq!(errors, Vec::<String>::new(), "{name} printed:\n{printed}");
    assert_eq!(dump_program(&again), dump, "{name} printed:\n{printed}");
    let formatted = format(text).expect("what parses can be formatted");
    let (again, errors) = parse_alone(&formatted);
    assert_eq!(errors, Vec::<String>::new(), "{name} formatted:\n{formatted}");
    assert_eq!(dump_program(&again), dump, "{name} formatted:\n{formatted}");
    assert_eq!(format(&formatted).as_ref(), Some(&formatted), "{name}");
}

#[test]
fn own_programs_parse_print_and_format() {
    for (name, text) in own_programs() {
        assert_eq!(parse_alone(&text).1, Vec::<String>::new(), "{name}");
        check_round_trips(&name, &text);
        let formatted = format(&text).expect("it parses");
        assert_eq!(comments(&formatted), comments(&text), "{name}");
    }
}

#[test]
fn long_lines_are_broken_before_clauses_and_behind_the_loosest_operators() {
    let text = "method transfer(from: Ref, to: Ref, amount: Int) returns (done: Bool) requires acc(from.balance) && acc(to.balance) && from != to ensures acc(from.balance) && acc(to.balance)\n\
        {\n\
        assert forall i: Int :: {at(i)} 0 <= i && i < length && is_sorted(i) ==> at(i).balance >= minimum(i, length, amount)\n\
        }\n";
    let expected = "\
method transfer(from: Ref, to: Ref, amount: Int)
  returns (done: Bool)
  requires acc(from.balance) && acc(to.balance) && from != to
  ensures acc(from.balance) && acc(to.balance)
{
  assert forall i: Int :: {at(i)} 0 <= i && i < length && is_sorted(i) ==>
    at(i).balance >= minimum(i, length, amount)
}
";
    assert_eq!(format(text).as_deref(), Some(expected));
    check_round_trips("long lines", text);
}

#[test]
fn bodies_of_long_lines_get_lines_of_their_own() {
    let text = "\
predicate list(this: Ref, length: Int) { acc(this.value) && acc(this.next) && (this.next != null ==> list(this.next, length - 1)) }
domain Array {
axiom injective { forall a: Array, i: Int, j: Int :: {slot(a, i), slot(a, j)} 0 <= i && i < j && j < length(a) ==> slot(a, i) != slot(a, j) }
}
method m(first: Int, second: Int) { if (first > second) { assert first != second; assert second < first } else { assert first <= second /* last */ } }
";
    let expected = "\
predicate list(this: Ref, length: Int) {
  acc(this.value) && acc(this.next) && (this.next != null ==> list(this.next, length - 1))
}
domain Array {
  axiom injective {
    forall a: Array, i: Int, j: Int :: {slot(a, i), slot(a, j)} 0 <= i && i < j && j < length(a) ==>
    slot(a, i) != slot(a, j)
  }
}
method m(first: Int, second: Int) {
  if (first > second) {
    assert first != second;
    assert second < first
  } else {
    assert first <= second /* last */
  }
}
";
    assert_eq!(format(text).as_deref(), Some(expected));
    check_round_trips("bodies", text);
}

#[test]
fn variables_of_quantifiers_and_targets_of_assignments_stay_together() {
    let text = "\
method m(s: Seq[Int]) returns (first_result: Int, second_result: Int)
  requires forall first: Int, second: Int :: {s[first], s[second]} 0 <= first && first < second && second < |s| ==> s[first] <= s[second]
  ensures first_result == (second_result > 0 ? some_function(s, 0, second_result) : another_function(s, second_result, first_result))
{
  first_result, second_result := a_method_with_a_long_name(s ++ Seq(1, 2, 3, 4), first_result, second_result, |s|)
}
";
    let expected = "\
method m(s: Seq[Int]) returns (first_result: Int, second_result: Int)
  requires forall first: Int, second: Int :: {s[first], s[second]}
    0 <= first && first < second && second < |s| ==> s[first] <= s[second]
  ensures first_result ==
    (second_result > 0 ? some_function(s, 0, second_result) :
      another_function(s, second_result, first_result))
{
  first_result, second_result := a_method_with_a_long_name(s ++ Seq(1, 2, 3, 4), first_result,
    second_result, |s|)
}
";
    assert_eq!(format(text).as_deref(), Some(expected));
    check_round_trips("variables", text);
}

#[test]
fn very_long_lines_are_formatted_in_linear_time() {
    let text = format!("method m(x: Int) {{ assert {}x > 0 }}\n", "x + ".repeat(100_000));
    let formatted = format(&text).expect("it parses");
    assert!(formatted.lines().all(|line| line.len() <= 100));
}

#[test]
fn expanded_programs_print_and_read_back() {
    for (name, text) in own_programs() {
        let parsed = parse_text(&name, &text);
        assert_eq!(parsed.errors(), Vec::<String>::new(), "{name}");
        let printed = print_program(&parsed.program);
        let again = parse_text("file.vpr", &printed);
        assert_eq!(dump_program(&again.program), dump_program(&parsed.program), "{printed}");
    }
}

/// A small random number generator with a fixed seed, so that failures are reproducible.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }
}

const SNIPPETS: [&str; 40] = [
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    "|",
    "||",
    "&&",
    "==>",
    "--*",
    "?",
    ":",
    "::",
    ":=",
    "..",
    ".",
    ",",
    ";",
    "@a()",
    "!",
    "-",
    "/*",
    "*/",
    "//",
    "\"",
    "#",
    "\u{e9}",
    "\r\n",
    " ",
    "\t",
    "method",
    "define d(x) x",
    "forall x: Int ::",
    "old",
    "1",
    "x",
    "decreases",
    "acc(x.f)",
    "in",
];

fn mutate(random: &mut Random, text: &str, other: &str) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for _ in 0..1 + random.below(6) {
        let at = random.below(chars.len() + 1);
        let end = (at + random.below(12)).min(chars.len());
        match random.below(5) {
            0 => drop(chars.drain(at..end)),
            1 => drop(chars.splice(at..at, SNIPPETS[random.below(SNIPPETS.len())].chars())),
            2 => drop(chars.splice(at..end, SNIPPETS[random.below(SNIPPETS.len())].chars())),
            3 => {
                let copy: Vec<char> = chars[at..end].to_vec();
                let to = random.below(chars.len() + 1);
                chars.splice(to..to, copy);
            }
            _ => {
                let other: Vec<char> = other.chars().collect();
                let from = random.below(other.len());
                let part = &other[from..(from + random.below(60)).min(other.len())];
                chars.splice(at..at, part.iter().copied());
            }
        }
    }
    chars.into_iter().collect()
}

#[test]
fn random_changes_do_no_harm() {
    let programs = own_programs();
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let rounds = std::env::var("ECHIS_FUZZ_ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(3_000);
    let mut parsed_without_error = 0;
    for round in 0..rounds {
        let text = &programs[random.below(programs.len())].1;
        let other = &programs[random.below(programs.len())].1;
        // Small pieces stay well-formed more often.
        let text = match random.below(3) {
            0 => text.clone(),
            _ => text.lines().skip(random.below(40)).take(1 + random.below(25)).collect::<Vec<_>>().join("\n"),
        };
        let text = mutate(&mut random, &text, other);
        check_round_trips(&format!("round {round}: {text}"), &text);
        let parsed = parse_text("file.vpr", &text);
        parsed_without_error += usize::from(parsed.errors().is_empty());
        if parsed.errors().is_empty() {
            let printed = print_program(&parsed.program);
            let again = parse_text("file.vpr", &printed);
            assert_eq!(dump_program(&again.program), dump_program(&parsed.program), "{text}\n---\n{printed}");
        }
    }
    println!("{rounds} rounds, {parsed_without_error} of them without an error");
}
