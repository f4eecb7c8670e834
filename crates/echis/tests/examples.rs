//! Runs the library's examples.

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
    let expected = expect![[r#"
        line 10: `check sum == n` may be wrong (assert.failed:assertion.false)
    "#]];
    check(small_language::report(), &expected);
}

#[test]
fn a_counterexample_is_read_as_values() {
    let expected = expect![[r#"
        field value: Int

        field next: Ref

        predicate list(this: Ref)
        {
          this != null ==> acc(this.value) && acc(this.next) && list(this.next)
        }

        function length(this: Ref): Int
          requires list(this)
          ensures result >= 0
        {
          unfolding list(this) in this != null ? 1 + length(this.next) : 0
        }

        method remove_first(this: Ref) returns (rest: Ref)
          requires list(this)
          ensures list(rest)
        {
          assert length(this) > 0
          unfold list(this)
          rest := this.next
        }
        assert.failed:assertion.false at Some(NotEmpty)
          this is null
          rest is the object rest
          current: list(null)
          old: list(null)
    "#]];
    check(linked_list::report(), &expected);
}

#[test]
fn a_proof_is_explained_in_the_words_of_the_caller() {
    let expected = expect![[r#"
        verified: true
        why is "there is more than before"?
        - access to the account
        - the amount is positive
        - the deposit
        what falls if not "the amount is positive"?
        - there is more than before
        what does no proof need?
        - the amount is limited (assumption.unused)
        what is needed verifies alone: true
        field balance: Int

        method deposit(account: Ref, amount: Int)
          requires acc(account.balance)
          requires amount > 0
        {
          account.balance := account.balance + amount
          assert account.balance > old(account.balance)
        }

    "#]];
    check(explain_a_proof::report(), &expected);
}

#[test]
fn many_programs_share_a_verifier() {
    let (members, failed, _) = many_programs::verify(200, 2).expect("there is a solver");
    assert_eq!((members, failed), (200, 20));
}
