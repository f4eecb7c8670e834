//! Syntax errors: one program for each parser rule with its own message.

mod common;

use common::errors;

errors! {
    statement_that_is_none:
        "procedure P() { 1; }"
        => ["17 parser.error: \"}\" expected"];
    comment_without_end:
        "axiom true; /* never closed"
        => ["13 parser.error: this comment has no end"];
    implications_of_both_directions:
        "axiom true ==> false <== true;"
        => ["22 parser.error: illegal mixture of ==> and <==, use parentheses to disambiguate"];
    definition_and_inlining_at_once:
        "function {:inline} {:define} f(): int { 1 }"
        => ["43 parser.error: function cannot have both :inline and :define attributes"];
    polymorphic_definition:
        "function {:define} f<a>(x: a): a { x }"
        => ["38 parser.error: function with :define attribute has to be monomorphic"];
    trigger_of_a_lambda:
        "const m: [int]int; axiom m == (lambda x: int :: { m[x] } x);"
        => ["58 parser.error: triggers not allowed in lambda expressions"];
    where_clause_of_a_bound_variable:
        "axiom (forall x: int where x > 0 :: true);"
        => ["32 parser.error: where clause not allowed on bound variables"];
    extract_with_a_variable:
        "const b: bv8; const i: int; axiom b[i:0] == b;"
        => ["39 parser.error: arguments of extract need to be integer literals"];
    free_measure:
        "procedure P(x: int); free measure x;"
        => ["27 parser.error: invalid SpecPrePost"];
    asynchronous_call:
        "procedure Q(); procedure P() { async call Q(); }"
        => ["32 unsupported.feature: asynchronous calls are not supported"];
    floating_point_number_without_a_place:
        "axiom 0x1.0e99f24e8 == 0x0.0e0f24e8;"
        => [
            "7 parser.error: incorrectly formatted floating point, Unable to parse '0x1.0e99f24e8' as BigFloat in strict mode",
        ];
    what_is_missing_counts_as_read:
        "procedure P() { var x: int x := 1; assert x = 1; }"
        => ["28 parser.error: \";\" expected", "45 parser.error: \";\" expected"];
    syntax_errors_are_reported_before_names:
        "axiom x +;"
        => ["10 parser.error: invalid AtomExpression"];
}
