//! Name resolution errors: one program for each rule of the resolver.

mod common;

use common::errors;

errors! {
    undeclared_identifier:
        "procedure P() { assert x; }"
        => ["24 resolver.error: undeclared identifier: x"];
    undeclared_function:
        "axiom f(1);"
        => ["7 resolver.error: use of undeclared function: f"];
    undeclared_procedure:
        "procedure P() { call Q(); }"
        => ["17 resolver.error: call to undeclared procedure: Q"];
    undeclared_type:
        "const c: T;"
        => ["10 resolver.error: undeclared type: T (replacing with \"bool\" to continue resolving)"];
    implementation_of_nothing:
        "implementation P() {}"
        => ["16 resolver.error: implementation given for undeclared procedure: P"];
    variable_declared_twice:
        "var x: int; const x: bool;"
        => ["19 resolver.error: more than one declaration of variable name: x"];
    local_declared_twice:
        "procedure P(x: int) { var x: int; }"
        => ["27 resolver.error: more than one declaration of variable name: x"];
    function_declared_twice:
        "function f(): int; function f(): bool;"
        => ["29 resolver.error: more than one declaration of function name: f"];
    procedure_declared_twice:
        "procedure P(); procedure P();"
        => ["26 resolver.error: more than one declaration of procedure name: P"];
    type_declared_twice:
        "type T; type T a;"
        => ["14 resolver.error: more than one declaration of type name: T"];
    type_variable_declared_twice:
        "function f<a, a>(x: a): int;"
        => ["15 resolver.error: more than one declaration of type variable: a"];
    label_declared_twice:
        "procedure P() { a: assert true; a: return; }"
        => ["33 resolver.error: more than one declaration of block name: a"];
    label_in_a_loop_declared_twice:
        "procedure P() { a: while (*) { a: assert true; } }"
        => ["32 resolver.error: more than one declaration of block name: a"];
    statement_id_used_twice:
        r#"procedure P() { assert {:id "a"} true; assume {:id "a"} true; }"#
        => ["40 resolver.error: more than one statement with same id: a"];
    global_in_an_axiom:
        "var x: int; axiom x > 0;"
        => ["19 resolver.error: cannot refer to a global variable in this context: x"];
    global_in_a_function:
        "var x: int; function f(): int { x }"
        => ["33 resolver.error: cannot refer to a global variable in this context: x"];
    old_in_a_precondition:
        "var x: int; procedure P(); requires old(x) > 0;"
        => ["37 resolver.error: old expressions allowed only in two-state contexts"];
    old_in_a_postcondition_is_fine: "var x: int; procedure P(); modifies x; ensures old(x) < x;" => [];
    type_variable_of_a_function_not_in_its_arguments:
        "function f<a>(x: int): int;"
        => ["10 resolver.error: type variable must occur in function arguments: a"];
    type_variable_of_a_procedure_not_in_its_arguments:
        "procedure P<a>(x: int);"
        => ["11 resolver.error: type variable must occur in procedure arguments: a"];
    type_variable_of_a_map_not_in_its_arguments:
        "var m: <a>[int]int;"
        => ["8 resolver.error: type variable must occur in map arguments: a"];
    type_constructor_with_too_few_arguments:
        "type T a; const c: T;"
        => ["20 resolver.error: type constructor received wrong number of arguments: T"];
    type_synonym_with_too_many_arguments:
        "type T = int; const c: T int;"
        => ["24 resolver.error: type synonym received wrong number of arguments: T"];
    bitvector_type_with_arguments:
        "const c: bv8 int;"
        => ["10 resolver.error: bitvector types must not be applied to arguments: bv8"];
    type_variable_with_arguments:
        "function f<a>(x: a int): int;"
        => ["18 resolver.error: type variables must not be applied to arguments: a"];
    type_synonyms_in_a_circle:
        "type A = B; type B = A;"
        => [
            "6 resolver.error: type synonym could not be resolved because of cycles: A (replacing body with \"bool\" to continue resolving)",
            "18 resolver.error: type synonym could not be resolved because of cycles: B (replacing body with \"bool\" to continue resolving)",
        ];
    type_synonym_of_a_circle:
        "type A = A; type B = [A]int;"
        => [
            "6 resolver.error: type synonym could not be resolved because of cycles: A (replacing body with \"bool\" to continue resolving)",
            "18 resolver.error: type synonym could not be resolved because of cycles: B (replacing body with \"bool\" to continue resolving)",
        ];
    assignment_of_two_values_to_one_variable:
        "procedure P() { var x: int; x := 1, 2; }"
        => ["31 resolver.error: number of left-hand sides does not match number of right-hand sides"];
    assignment_to_one_variable_twice:
        "procedure P() { var x: int; x, x := 1, 2; }"
        => ["32 resolver.error: variable x is assigned more than once in parallel assignment"];
    call_with_too_few_arguments:
        "procedure Q(x: int); procedure P() { call Q(); }"
        => ["38 resolver.error: wrong number of arguments in call to Q: 0"];
    call_with_too_many_results:
        "procedure Q(); procedure P() { var x: int; call x := Q(); }"
        => ["44 resolver.error: wrong number of result variables in call to Q: 1"];
    call_that_returns_twice_to_one_variable:
        "procedure Q() returns (a: int, b: int); procedure P() { var x: int; call x, x := Q(); }"
        => ["69 resolver.error: left-hand side of call command contains variable twice: x"];
    call_of_an_impure_procedure:
        "pure procedure P(); procedure Q(); pure procedure R() { call P(); call Q(); }"
        => ["67 resolver.error: pure procedure may only call a pure procedure"];
    call_of_a_yield_procedure:
        "yield procedure {:layer 1} P(); procedure Q() { call P(); }"
        => ["49 resolver.error: a procedure may only call other procedures"];
    let_with_too_few_values:
        "axiom (var x, y := 1; x == y);"
        => ["8 resolver.error: number of left-hand sides does not match number of right-hand sides"];
    trigger_without_a_variable:
        "function f(x: int): bool; axiom (forall x, y: int :: { f(x) } f(x) || f(y));"
        => ["54 resolver.error: trigger must mention all quantified variables, but does not mention: y"];
    assignment_to_bits:
        "procedure P() { var b: bv8; b[3:0] := 0bv3; }"
        => ["32 resolver.error: bitvector bounds in illegal position"];
    bitvector_bounds_outside_of_brackets:
        "function f(b: bv8): bool; axiom f(7:3);"
        => ["36 resolver.error: bitvector bounds in illegal position"];
    datatype_without_finite_values:
        "datatype D { C(d: D) }"
        => ["- resolver.error: Datatype declarations are not well-founded: D"];
    datatypes_without_finite_values_together:
        "datatype D { C(e: E) } datatype E { F(d: D) } datatype G { H() }"
        => ["- resolver.error: Datatype declarations are not well-founded: D, E"];
    modifies_clause_of_a_pure_procedure:
        "var x: int; pure procedure P(); modifies x;"
        => ["28 resolver.error: unnecessary modifies clause for pure procedure"];
    attribute_verified_under_with_two_arguments:
        "procedure P() { assert {:verified_under true, false} true; }"
        => ["24 resolver.error: attribute :verified_under accepts only one argument"];
    measure_without_a_layer:
        "yield procedure {:layer 1} P(); measure 1;"
        => ["33 resolver.error: measure command in a yield procedure must specify at least one layer"];
}
