//! A linked list, built node by node. A method forgets that a list may be empty; the state in which it fails is read as
//! values.

use echis::build::{Function, Method, Predicate, ProgramBuilder, Type};
use echis::counterexample::{Entry, Value};
use echis::{Config, Settings, Silent, Source, Verifier};
use std::error::Error;
use std::fmt::Write;

/// What the nodes of the program are for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Role {
    List,
    Length,
    RemoveFirst,
    NotEmpty,
    Unfold,
}

/// Builds and verifies the program.
pub fn report() -> Result<String, Box<dyn Error>> {
    let mut b = ProgramBuilder::<Role>::new();
    b.field("value", Type::Int);
    b.field("next", Type::Ref);

    // predicate list(this: Ref) { this != null ==> acc(this.value) && acc(this.next) && list(this.next) }
    let (this, null) = (b.var("this"), b.null());
    let (value, next) = (b.field_of(this, "value"), b.field_of(this, "next"));
    let (has_value, has_next, tail) = (b.acc_full(value), b.acc_full(next), b.apply("list", [next]));
    let (cell, is_cell) = (b.and_all([has_value, has_next, tail]), b.ne(this, null));
    let body = b.implies(is_cell, cell);
    b.predicate(Predicate::new("list").param("this", Type::Ref).body(body).at(Role::List));

    // function length(this: Ref): Int requires list(this) ensures result >= 0
    let (list, zero, result) = (b.apply("list", [this]), b.int(0), b.result());
    let (rest, one) = (b.apply("length", [next]), b.int(1));
    let (longer, natural) = (b.add(one, rest), b.ge(result, zero));
    let counted = b.conditional(is_cell, longer, zero);
    let body = b.unfolding(list, counted);
    let length = Function::new("length", Type::Int).param("this", Type::Ref).requires(list).ensures(natural);
    b.function(length.body(body).at(Role::Length));

    // method remove_first(this: Ref) returns (rest: Ref) requires list(this) ensures list(rest)
    let (rest, unfold) = (b.var("rest"), b.unfold(list));
    let (result_list, unfold) = (b.apply("list", [rest]), b.stmt_at(unfold, Role::Unfold));
    let length = b.apply("length", [this]);
    let not_empty = b.gt(length, zero);
    let not_empty = b.at(not_empty, Role::NotEmpty);
    let (check, take) = (b.assert(not_empty), b.assign(rest, next));
    let method = Method::new("remove_first").param("this", Type::Ref).returns("rest", Type::Ref);
    let method = method.requires(list).ensures(result_list).body([check, unfold, take]);
    b.method(method.at(Role::RemoveFirst));
    let built = b.finish().map_err(|problems| format!("{problems:?}"))?;

    let verifier = Verifier::new(Config::default())?;
    let verification = verifier.verify(&verifier.check(Source::program(&built)), &Settings::default(), &Silent);
    let answers = verification.by_origin(&built.origins);
    let mut report = built.text.clone();
    for failure in answers.failures().iter().filter(|failure| !failure.is_consequence) {
        writeln!(report, "{} at {:?}", failure.id, failure.origin)?;
        let example = answers.counterexample(failure)?;
        for variable in &example.store {
            match &variable.value.value {
                Value::Null => writeln!(report, "  {} is null", variable.name)?,
                Value::Int(number) => writeln!(report, "  {} is the number {number}", variable.name)?,
                Value::Ref(object) => writeln!(report, "  {} is the object {object}", variable.name)?,
                value => writeln!(report, "  {} is {value}", variable.name)?,
            }
        }
        for heap in &example.heaps {
            for entry in &heap.entries {
                if let Entry::Predicate { name, args, .. } = entry {
                    let args: Vec<String> = args.iter().map(|arg| arg.value.to_string()).collect();
                    writeln!(report, "  {}: {name}({})", heap.state, args.join(", "))?;
                }
            }
        }
    }
    Ok(report)
}

fn main() -> Result<(), Box<dyn Error>> {
    print!("{}", report()?);
    Ok(())
}
