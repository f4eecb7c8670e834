//! The examples of the library, run.

#[path = "../examples/explain_a_proof.rs"]
#[expect(dead_code, reason = "`main` is for `cargo run --example`")]
mod explain_a_proof;
#[path = "../examples/linked_list.rs"]
#[expect(dead_code, reason = "`main` is for `cargo run --example`")]
mod linked_list;
#[path = "../examples/many_programs.rs"]
#[expect(dead_code, reason = "`main` is for `cargo run --example`")]
mod many_programs;
#[path = "../examples/small_language.rs"]
#[expect(dead_code, reason = "`main` is for `cargo run --example`")]
mod small_language;

use expect_test::{Expect, expect};

fn check(report: Result<String, Box<dyn std::error::Error>>, expected: &Expect) {
    expected.assert_eq(&report.expect("the example runs"));
}

#[test]
fn a_small_language_is_told_its_own_lines() {
    check(small_language::report(), &expect![[r#""#]]);
}

#[test]
fn a_counterexample_is_read_as_values() {
    check(linked_list::report(), &expect![[r#""#]]);
}

#[test]
fn a_proof_is_explained_in_the_words_of_the_caller() {
    check(explain_a_proof::report(), &expect![[r#""#]]);
}

#[test]
fn many_programs_share_a_verifier() {
    let (members, failed, _) = many_programs::verify(200, 2).expect("there is a solver");
    assert_eq!((members, failed), (200, 20));
}
