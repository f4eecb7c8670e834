//! Type errors: one program for each rule of the type checker.

mod common;

use common::errors;

errors! {
    assertion_of_a_number:
        "procedure P() { assert 1; }"
        => ["17 typechecker.error: an asserted expression must be of type bool (got: int)"];
    assumption_of_a_number:
        "procedure P() { assume 1; }"
        => ["17 typechecker.error: an assumed expression must be of type bool (got: int)"];
    condition_of_a_branch:
        "procedure P() { if (1) {} }"
        => ["17 typechecker.error: an assumed expression must be of type bool (got: int)"];
    condition_of_a_loop:
        "procedure P() { while (1) {} }"
        => ["17 typechecker.error: an assumed expression must be of type bool (got: int)"];
    invariant:
        "procedure P() { while (*) invariant 1; {} }"
        => ["27 typechecker.error: an asserted expression must be of type bool (got: int)"];
    precondition:
        "procedure P(x: int); requires x;"
        => ["22 typechecker.error: preconditions must be of type bool"];
    postcondition:
        "procedure P(x: int); ensures x;"
        => ["22 typechecker.error: postconditions must be of type bool"];
    axiom:
        "axiom 1;"
        => ["1 typechecker.error: axioms must be of type bool"];
    where_clause:
        "var x: int where x;"
        => ["5 typechecker.error: where clauses must be of type bool"];
    quantifier_body:
        "axiom (forall x: int :: x);"
        => ["8 typechecker.error: quantifier body must be of type bool"];
    function_body:
        "function f(): int { true }"
        => ["10 typechecker.error: invalid argument types (int and bool) to binary operator =="];
    body_of_an_inlined_function:
        "function {:inline} f(): int { true }"
        => ["31 typechecker.error: function body with invalid type: bool (expected: int)"];
    inlined_function_without_a_body:
        "function {:inline} f(): int;"
        => ["20 typechecker.error: Function with :inline attribute must have a body"];
    inlined_function_with_a_number:
        "function {:inline 1} f(): int { 1 }"
        => ["22 typechecker.error: Parameter to :inline attribute on a function must be Boolean"];
    clause_that_is_applied_wrongly:
        "function f(x: int): int; axiom f(true);"
        => [
            "34 typechecker.error: invalid type for argument 0 in application of f: bool (expected: int)",
            "26 typechecker.error: axioms must be of type bool",
        ];
    unpacking_what_is_no_constructor:
        "function f(x: int): int; procedure P() { var x: int; f(x) := 1; }"
        => ["59 typechecker.error: left side of unpack command must be a constructor application"];
    sum_of_a_truth_value:
        "const c: int; axiom c + true == c;"
        => ["23 typechecker.error: invalid argument types (int and bool) to binary operator +"];
    comparison_of_different_types:
        "axiom 1 == true;"
        => ["9 typechecker.error: invalid argument types (int and bool) to binary operator =="];
    negation_of_a_number:
        "axiom !1;"
        => ["7 typechecker.error: invalid argument type (int) to unary operator !"];
    minus_of_a_truth_value:
        "axiom -true == 1;"
        => ["7 typechecker.error: invalid argument type (bool) to unary operator -"];
    integer_division_of_reals:
        "axiom 1.0 div 2.0 == 0.5;"
        => ["11 typechecker.error: invalid argument types (real and real) to binary operator div"];
    division_of_integers_is_real: "const c: real; axiom 1 / 2 == c;" => [];
    integers_and_reals_do_not_mix:
        "const c: real; axiom c < 1;"
        => ["24 typechecker.error: invalid argument types (real and int) to binary operator <"];
    conversion_of_the_wrong_type:
        "axiom int(1) == 1;"
        => ["7 typechecker.error: argument type int does not match expected type real"];
    coercion:
        "axiom (1 : bool);"
        => ["10 typechecker.error: int cannot be coerced to bool"];
    if_with_a_number_as_condition:
        "axiom (if 1 then true else false);"
        => ["8 typechecker.error: the first argument to if-then-else should be bool, not int"];
    if_with_incompatible_branches:
        "axiom (if true then 1 else false) == 1;"
        => ["8 typechecker.error: branches of if-then-else have incompatible types int and bool"];
    assignment_of_the_wrong_type:
        "procedure P() { var x: int; x := true; }"
        => ["29 typechecker.error: mismatched types in assignment command (cannot assign bool to int)"];
    assignment_to_a_parameter:
        "procedure P(x: int) { x := 1; }"
        => ["25 typechecker.error: command assigns to an immutable variable: x"];
    assignment_to_a_constant:
        "const c: int; procedure P() { c := 1; }"
        => ["33 typechecker.error: command assigns to an immutable variable: c"];
    assignment_to_a_global_outside_of_modifies:
        "var x: int; procedure P() { x := 1; }"
        => [
            "31 typechecker.error: command assigns to a global variable that is not in the enclosing procedure's modifies clause: x",
        ];
    assignment_to_a_global_inside_of_modifies_is_fine: "var x: int; procedure P() modifies x; { x := 1; }" => [];
    havoc_of_a_global_outside_of_modifies:
        "var x: int; procedure P() { havoc x; }"
        => [
            "29 typechecker.error: command assigns to a global variable that is not in the enclosing procedure's modifies clause: x",
        ];
    call_that_modifies_more:
        "var x: int; procedure Q(); modifies x; procedure P() { call Q(); }"
        => [
            "56 typechecker.error: command assigns to a global variable that is not in the enclosing procedure's modifies clause: x",
        ];
    constant_in_a_modifies_clause:
        "const c: int; procedure P(); modifies c;"
        => ["25 typechecker.error: modifies list contains constant: c"];
    argument_of_a_call:
        "procedure Q(x: int); procedure P() { call Q(true); }"
        => ["45 typechecker.error: invalid type for argument 0 in call to Q: bool (expected: int)"];
    result_of_a_call:
        "procedure Q() returns (x: int); procedure P() { var b: bool; call b := Q(); }"
        => ["67 typechecker.error: invalid type for out-parameter 0 in call to Q: bool (expected: int)"];
    argument_of_a_function:
        "function f(x: int): bool; axiom f(true);"
        => ["35 typechecker.error: invalid type for argument 0 in application of f: bool (expected: int)"];
    number_of_arguments_of_a_function:
        "function f(x: int): bool; axiom f(1, 2);"
        => ["33 typechecker.error: wrong number of arguments to function: f (2 instead of 1)"];
    arguments_of_one_type_variable:
        "function same<a>(x: a, y: a): bool; axiom same(1, true);"
        => ["51 typechecker.error: invalid type for argument 1 in application of same: bool (expected: a)"];
    selection_from_a_number:
        "axiom 1[2];"
        => ["8 typechecker.error: map select applied to a non-map: int"];
    selection_with_too_many_arguments:
        "const m: [int]bool; axiom m[1, 2];"
        => ["28 typechecker.error: wrong number of arguments in map select: 2 instead of 1"];
    selection_with_an_argument_of_the_wrong_type:
        "const m: [int]bool; axiom m[true];"
        => ["29 typechecker.error: invalid type for argument 0 in map select: bool (expected: int)"];
    update_of_a_map_with_the_wrong_value:
        "const m: [int]bool; axiom m[1 := 2] == m;"
        => ["34 typechecker.error: right-hand side in map store with wrong type: int (expected: bool)"];
    assignment_to_an_element_of_the_wrong_type:
        "procedure P() { var m: [int]bool; m[1] := 2; }"
        => ["36 typechecker.error: mismatched types in assignment command (cannot assign int to bool)"];
    assignment_to_an_element_of_a_number:
        "procedure P() { var x: int; x[1] := 2; }"
        => ["30 typechecker.error: map assignment applied to a non-map: int"];
    polymorphic_map_takes_any_argument: "const m: <a>[a]bool; axiom m[1] && m[true];" => [];
    lambda_is_a_map:
        "const m: [int]bool; axiom m == (lambda x: int :: x);"
        => ["29 typechecker.error: invalid argument types ([int]bool and [int]int) to binary operator =="];
    type_variable_not_in_the_parameters_of_a_lambda:
        "const m: [int]int; axiom m == (lambda<a> x: int :: x);"
        => ["32 typechecker.error: the type variable a does not occur in types of the lambda parameters"];
    extract_from_too_few_bits:
        "const b: bv8; axiom b[9:0] == b[9:0];"
        => [
            "22 typechecker.error: extract operand must be a bitvector of at least 9 bits (got bv8)",
            "32 typechecker.error: extract operand must be a bitvector of at least 9 bits (got bv8)",
        ];
    extract_backwards:
        "const b: bv8; axiom b[2:4] == 0bv2;"
        => ["22 typechecker.error: start index in extract must be no bigger than the end index"];
    extract_has_as_many_bits:
        "const b: bv8; axiom b[4:2] == 0bv3;"
        => ["28 typechecker.error: invalid argument types (bv2 and bv3) to binary operator =="];
    concatenation_of_numbers:
        "const b: bv8; axiom b ++ 1 == b;"
        => ["23 typechecker.error: concat operands must be bitvectors"];
    field_of_a_number:
        "axiom 1->f;"
        => ["10 typechecker.error: field-access must be applied to a datatype, int is not a datatype"];
    field_that_the_datatype_does_not_have:
        "datatype D { C(f: bool) } const d: D; axiom d->g;"
        => ["48 typechecker.error: datatype D does not have a field with name g"];
    constructor_that_the_datatype_does_not_have:
        "datatype D { C() } const d: D; axiom d is E;"
        => ["43 typechecker.error: datatype D does not have a constructor with name E"];
    constructor_of_a_number:
        "datatype D { C() } axiom 1 is C;"
        => ["31 typechecker.error: is-constructor must be applied to a datatype, int is not a datatype"];
    update_of_a_field_with_the_wrong_value:
        "datatype D { C(f: bool) } const d: D; axiom d->(f := 1) == d;"
        => ["49 typechecker.error: right-hand side in field update with wrong type: int (expected: bool)"];
    fields_of_one_name_with_two_types:
        "datatype D { C(f: bool), E(f: int) }"
        => ["28 typechecker.error: type mismatch between field f and identically-named field in constructor C"];
    unpacking_of_another_type:
        "datatype D { C(f: bool) } procedure P() { var b: bool; C(b) := 1; }"
        => ["61 typechecker.error: mismatched types in assignment command (cannot assign int to D)"];
    unpacking_into_a_variable_of_another_type:
        "datatype D { C(f: bool) } procedure P(d: D) { var x: int; C(x) := d; }"
        => ["64 typechecker.error: mismatched types in assignment command (cannot assign bool to int)"];
    unpacking_into_one_variable_twice:
        "datatype D { C(f: bool, g: bool) } procedure P(d: D) { var b: bool; C(b, b) := d; }"
        => ["77 typechecker.error: variable b is assigned more than once in unpack command"];
    unpacking_into_too_few_variables:
        "datatype D { C(f: bool, g: bool) } procedure P(d: D) { var b: bool; C(b) := d; }"
        => ["74 typechecker.error: wrong number of arguments to function: C (1 instead of 2)"];
    implementation_with_other_parameters:
        "procedure P(x: int); implementation P() {}"
        => ["37 typechecker.error: mismatched number of in-parameters in procedure implementation: P"];
    implementation_with_other_results:
        "procedure P(); implementation P() returns (x: int) {}"
        => ["31 typechecker.error: mismatched number of out-parameters in procedure implementation: P"];
    implementation_with_other_type_parameters:
        "procedure P<a>(x: a); implementation P(x: int) {}"
        => ["38 typechecker.error: mismatched number of type parameters in procedure implementation: P"];
    implementation_with_a_parameter_of_another_type:
        "procedure P(x: int); implementation P(y: bool) {}"
        => ["37 typechecker.error: mismatched type of in-parameter in implementation P: x (named y in implementation)"];
    inlined_functions_in_a_circle:
        "function {:inline} f(x: int): int { g(x) } function {:inline} g(x: int): int { f(x) }"
        => ["20 typechecker.error: Call cycle detected among functions: f, g"];
    measure_of_a_map:
        "procedure P(m: [int]int); measure m;"
        => ["35 typechecker.error: a measure must be of type int or bool (got: [int]int)"];
    two_measures_of_a_procedure:
        "procedure P(x: int); measure x; measure x;"
        => ["33 typechecker.error: Sequential procedure may contain at most one measure command"];
    two_measures_of_a_loop:
        "procedure P(x: int) { while (*) measure x; measure x; {} }"
        => ["44 typechecker.error: Loop head may contain at most one measure command in a sequential procedure"];
    attribute_verified_under_a_number:
        "procedure P() { assert {:verified_under 1} true; }"
        => ["24 typechecker.error: attribute :verified_under accepts only one argument of type bool"];
    concurrency_is_left_out:
        "yield procedure {:layer 1} P();"
        => ["1 unsupported.feature: P is not verified: concurrent programs (CIVL) are not supported"];
}
