//! Results for built programs refer to origins wherever the program text has them.

use echis::build::{Built, Method, ProgramBuilder, Type};
use echis::counterexample::Value;
use echis::{Branch, Config, Settings, Silent, Source, Verification, Verifier};

fn finish(builder: ProgramBuilder<u32>) -> Built<u32> {
    builder.finish().expect("the program can be written down")
}

fn verify(built: &Built<u32>) -> Verification {
    let verifier = Verifier::new(Config::default()).expect("there is a solver");
    verifier.verify(&verifier.check(Source::program(built)), &Settings::default(), &Silent)
}

/// `if (x > 0) { assert 1 < 2 && x > 9 }`, with an origin on each node.
fn branching() -> Built<u32> {
    let mut b = ProgramBuilder::new();
    let (x, zero, nine) = (b.var("x"), b.int(0), b.int(9));
    let positive = b.gt(x, zero);
    let positive = b.at(positive, 10);
    let (one, two) = (b.int(1), b.int(2));
    let (trivial, large) = (b.lt(one, two), b.gt(x, nine));
    let (trivial, large) = (b.at(trivial, 20), b.at(large, 21));
    let both = b.and(trivial, large);
    let assert = b.assert(both);
    let assert = b.stmt_at(assert, 22);
    let branch = b.if_else(positive, [assert], []);
    b.method(Method::new("m").param("x", Type::Int).body([branch]).at(1));
    finish(b)
}

#[test]
fn a_failure_has_the_origins_of_its_parts() {
    let built = branching();
    let verification = verify(&built);
    let answers = verification.by_origin(&built.origins);
    let failures = answers.failures();
    let [failure] = &failures[..] else { panic!("{failures:?}") };
    assert_eq!(failure.id, "assert.failed:assertion.false");
    assert_eq!(failure.member.as_deref(), Some("m"));
    assert_eq!((failure.offending, failure.reason_origin), (Some(22), Some(21)));
    let [path] = &failure.paths[..] else { panic!("{failure:?}") };
    let [Branch { origin: Some(10), taken: true, .. }] = &path[..] else { panic!("{path:?}") };
    let example = answers.counterexample(failure).expect("there are values");
    let x = example.store.iter().find(|variable| variable.name == "x").expect("it is a parameter");
    assert!(matches!(x.value.value, Value::Int(1..=9)), "{:?}", x.value);
}

#[test]
fn what_is_no_program_says_where() {
    let mut b = ProgramBuilder::new();
    let (x, truth) = (b.var("x"), b.bool(true));
    let sum = b.add(x, truth);
    let sum = b.at(sum, 7);
    let assign = b.assign(x, sum);
    let unknown = b.var("undeclared");
    let unknown = b.at(unknown, 8);
    let assert = b.assert(unknown);
    b.method(Method::new("m").returns("x", Type::Int).body([assign, assert]).at(1));
    let built = finish(b);
    let verification = verify(&built);
    assert!(!verification.checked().is_valid());
    let answers = verification.by_origin(&built.origins);
    let found: Vec<Option<u32>> = answers.failures().iter().map(|failure| failure.origin).collect();
    assert!(found.contains(&Some(7)) && found.contains(&Some(8)), "{:?}", answers.failures());
    assert!(answers.dependencies(echis::depend::Minimization::Fast).is_err());
}

/// A node without an origin has that of the enclosing node, and the origin of a member stands for all its parts.
#[test]
fn members_stand_for_their_parts() {
    let mut b = ProgramBuilder::new();
    let (x, zero) = (b.var("x"), b.int(0));
    let (positive, natural) = (b.gt(x, zero), b.ge(x, zero));
    let natural = b.at(natural, 3);
    let assert = b.assert(natural);
    b.method(Method::new("m").param("x", Type::Int).requires(positive).body([assert]).at(1));
    let built = finish(b);
    let verification = verify(&built);
    let dependencies = verification.by_origin(&built.origins).dependencies(echis::depend::Minimization::Fast);
    let dependencies = dependencies.unwrap_or_else(|errors| panic!("{errors:?}"));
    assert_eq!(dependencies.of(&3), [1], "the precondition is in the method");
    assert_eq!(dependencies.impact(&1), [3]);
    assert_eq!(dependencies.of(&99), [0; 0]);
}

/// Verifiers and their results can be shared by threads.
#[test]
fn values_can_be_shared_by_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<Verifier>();
    shared::<Verification>();
    shared::<Settings>();
    shared::<Config>();
    shared::<Built<u64>>();
}
