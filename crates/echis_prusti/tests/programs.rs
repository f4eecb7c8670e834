//! Programs built with the interface of Prusti's `viper` crate: their text, verdicts, error ids and positions.

use viper::{
    AstFactory, BinOpBv, BinOpFloat, BvSize, Cache, Expr, FloatSizeViper, Method, ModelEntry, PersistentCache, Program,
    SmtManager, Stmt, UnOpBv, UnOpFloat, VerificationBackend, VerificationError, VerificationResult, Viper,
};

/// Verifies a program with a back end and arguments, and prints it.
macro_rules! verify {
    ($backend:ident, $args:expr, |$ast:ident| $program:expr) => {{
        let viper = Viper::new_for_tests();
        let context = viper.attach_current_thread();
        let $ast = context.new_ast_factory();
        let program: Program = $program;
        let args: Vec<String> = $args.iter().map(|arg: &&str| arg.to_string()).collect();
        let mut verifier = context.new_verifier_with_default_smt_and_extra_args(VerificationBackend::$backend, args);
        (verifier.verify(program), context.new_ast_utils().pretty_print(program))
    }};
    (|$ast:ident| $program:expr) => {
        verify!(Silicon, [] as [&str; 0], |$ast| $program)
    };
}

fn methods_only<'a>(ast: &AstFactory<'a>, methods: &[Method]) -> Program<'a> {
    ast.program(&[], &[], &[], &[], methods)
}

fn body_only<'a>(ast: &AstFactory<'a>, stmts: &[Stmt]) -> Program<'a> {
    methods_only(ast, &[ast.method("m", &[], &[], &[], &[], Some(ast.seqn(stmts, &[])))])
}

/// A method that asserts each of the goals.
fn asserting<'a>(ast: &AstFactory<'a>, goals: &[Expr]) -> Program<'a> {
    let asserts: Vec<Stmt> = goals.iter().map(|goal| ast.assert(*goal, ast.no_position())).collect();
    body_only(ast, &asserts)
}

fn failures(result: VerificationResult) -> Vec<VerificationError> {
    match result {
        VerificationResult::Failure(errors) => errors,
        other => panic!("{other:?} is no failure"),
    }
}

fn success((result, text): (VerificationResult, String)) {
    assert!(result.is_success(), "{result:?}\n{text}");
}

#[test]
fn a_program_without_members_verifies() {
    success(verify!(|ast| ast.program(&[], &[], &[], &[], &[])));
}

fn assert_false<'a>(ast: &AstFactory<'a>) -> Program<'a> {
    let whole = ast.identifier_position(1, 2, "the statement");
    let literal = ast.identifier_position(1, 9, "the literal");
    body_only(ast, &[ast.comment("fails"), ast.assert(ast.false_lit_with_pos(literal), whole)])
}

#[test]
fn errors_have_ids_and_the_positions_of_their_nodes() {
    let by_silicon = verify!(|ast| assert_false(&ast)).0;
    let by_carbon = verify!(Carbon, [] as [&str; 0], |ast| assert_false(&ast)).0;
    for result in [by_silicon, by_carbon] {
        let errors = failures(result);
        assert_eq!(errors.len(), 1);
        assert_eq!(errors[0].full_id, "assert.failed:assertion.false");
        assert_eq!(errors[0].reason_pos_id.as_deref(), Some("the literal"));
        assert_eq!(errors[0].pos_id.as_deref(), Some("the statement"));
        assert_eq!(errors[0].offending_pos_id.as_deref(), Some("the statement"));
    }
}

#[test]
fn one_error_is_reported_for_each_method_unless_all_are_asked_for() {
    let one = verify!(|ast| asserting(&ast, &[ast.false_lit(), ast.eq_cmp(ast.int_lit(1), ast.int_lit(2))]));
    assert_eq!(failures(one.0).len(), 1);
    let all = verify!(Silicon, ["--numberOfErrorsToReport=0"], |ast| {
        let x = ast.local_var("x", ast.int_type());
        let goals = [ast.gt_cmp(x, ast.int_lit(5)), ast.lt_cmp(x, ast.int_lit(3))];
        let asserts = goals.map(|goal| ast.assert(goal, ast.no_position()));
        let variable = ast.local_var_decl("x", ast.int_type());
        methods_only(&ast, &[ast.method("m", &[variable], &[], &[], &[], Some(ast.seqn(&asserts, &[])))])
    });
    assert_eq!(failures(all.0).len(), 2);
}

#[test]
fn names_and_types_are_checked_before_verification() {
    let (unknown, _) = verify!(|ast| asserting(&ast, &[ast.local_var("undeclared", ast.bool_type())]));
    assert!(matches!(unknown, VerificationResult::ConsistencyErrors(ref errors) if errors.len() == 1), "{unknown:?}");
    let (unwritable, text) = verify!(|ast| asserting(&ast, &[ast.local_var("x || true", ast.bool_type())]));
    assert!(matches!(unwritable, VerificationResult::ConsistencyErrors(_)), "{unwritable:?}");
    assert_eq!(text, "// `x || true` is not an identifier, or is a keyword\n");
}

#[test]
fn arithmetic_logic_and_comparisons() {
    success(verify!(|ast| {
        let int = |value| ast.int_lit(value);
        let here = ast.no_position();
        asserting(
            &ast,
            &[
                ast.eq_cmp(ast.add(int(2), int(3)), int(5)),
                ast.eq_cmp(ast.sub(int(2), int(3)), int(-1)),
                ast.eq_cmp(ast.mul(int(2), int(3)), ast.int_lit_from_ref(&6u8)),
                ast.eq_cmp(ast.div(int(7), int(2)), int(3)),
                ast.eq_cmp(ast.module(int(7), int(2)), int(1)),
                ast.eq_cmp(ast.minus(int(7)), int(-7)),
                ast.and(ast.lt_cmp(int(1), int(2)), ast.le_cmp(int(2), int(2))),
                ast.or(ast.gt_cmp(int(1), int(2)), ast.ge_cmp(int(2), int(2))),
                ast.implies(ast.false_lit(), ast.ne_cmp(int(1), int(1))),
                ast.not(ast.false_lit_with_pos(here)),
                ast.cond_exp(ast.true_lit(), ast.true_lit(), ast.false_lit()),
                ast.eq_cmp(ast.null_lit(), ast.null_lit_with_pos(here)),
                ast.simplified_expression(ast.eq_cmp_with_pos(
                    ast.int_lit_from_ref_with_pos(&"340282366920938463463374607431768211456", here),
                    ast.mul_with_pos(int(1 << 62), ast.int_lit_from_ref(&"73786976294838206464"), here),
                    here,
                )),
            ],
        )
    }));
}

#[test]
fn collections() {
    success(verify!(|ast| {
        let int = |value| ast.int_lit(value);
        let numbers = ast.explicit_seq(&[int(1), int(2), int(3)]);
        let set = ast.explicit_set(&[int(1), int(2)]);
        let bag = ast.explicit_multiset(&[int(1), int(1)]);
        let map = ast.update_map(ast.explicit_map(&[int(1), int(10)]), int(2), int(20));
        let empty_set = ast.empty_set(ast.int_type());
        asserting(
            &ast,
            &[
                ast.eq_cmp(ast.seq_length(numbers), int(3)),
                ast.eq_cmp(ast.seq_index(numbers, int(1)), int(2)),
                ast.eq_cmp(ast.seq_append(ast.seq_take(numbers, int(1)), ast.seq_drop(numbers, int(1))), numbers),
                ast.eq_cmp(ast.seq_index(ast.seq_update(numbers, int(0), int(7)), int(0)), int(7)),
                ast.seq_contains(int(3), numbers),
                ast.eq_cmp(ast.seq_length(ast.empty_seq(ast.int_type())), int(0)),
                ast.seq_contains(int(4), ast.range_seq(int(0), int(5))),
                ast.any_set_contains(int(1), ast.any_set_union(set, empty_set)),
                ast.any_set_subset(ast.any_set_intersection(set, set), set),
                ast.eq_cmp(ast.any_set_minus(set, set), empty_set),
                ast.eq_cmp(ast.any_set_cardinality(set), int(2)),
                ast.eq_cmp(ast.any_set_cardinality(bag), int(2)),
                ast.eq_cmp(ast.any_set_cardinality(ast.empty_multiset(ast.int_type())), int(0)),
                ast.eq_cmp(ast.lookup_map(map, int(2)), int(20)),
                ast.map_contains(map, int(1)),
                ast.eq_cmp(ast.map_len(ast.empty_map(ast.int_type(), ast.bool_type())), int(0)),
            ],
        )
    }));
}

#[test]
fn bit_vectors_and_floats_are_those_of_the_solver() {
    success(verify!(|ast| {
        let bits = |value| ast.backend_bv8_lit(value);
        let bv = |op, left, right| ast.bv_binop(op, BvSize::BV8, left, right);
        let float = |value: f32| ast.backend_f32_lit(value.to_bits());
        let fp = |op, left, right| ast.float_binop(op, FloatSizeViper::F32, left, right);
        let is = |op, arg| ast.float_unop(op, FloatSizeViper::F32, arg);
        asserting(
            &ast,
            &[
                ast.eq_cmp(bv(BinOpBv::BvAdd, bits(200), bits(100)), bits(44)),
                ast.eq_cmp(bv(BinOpBv::BvSub, bits(1), bits(2)), bits(255)),
                ast.eq_cmp(bv(BinOpBv::BvMul, bits(16), bits(16)), bits(0)),
                ast.eq_cmp(bv(BinOpBv::BvUDiv, bits(7), bits(2)), bits(3)),
                ast.eq_cmp(bv(BinOpBv::BitAnd, bits(12), bits(10)), bits(8)),
                ast.eq_cmp(bv(BinOpBv::BitOr, bits(12), bits(10)), bits(14)),
                ast.eq_cmp(bv(BinOpBv::BitXor, bits(12), bits(10)), bits(6)),
                ast.eq_cmp(bv(BinOpBv::BvShl, bits(1), bits(3)), bits(8)),
                ast.eq_cmp(bv(BinOpBv::BvLShr, bits(128), bits(7)), bits(1)),
                ast.eq_cmp(bv(BinOpBv::BvAShr, bits(128), bits(7)), bits(255)),
                ast.eq_cmp(ast.bv_unnop(UnOpBv::Not, BvSize::BV8, bits(0)), bits(255)),
                ast.eq_cmp(ast.bv_unnop(UnOpBv::Neg, BvSize::BV8, bits(1)), bits(255)),
                ast.eq_cmp(ast.backend_bv_to_int(BvSize::BV8, bits(7)), ast.int_lit(7)),
                ast.eq_cmp(ast.backend_bv16_lit(3), ast.backend_bv16_lit_str(&"3")),
                ast.eq_cmp(ast.backend_bv32_lit(3), ast.backend_bv32_lit_str(&3)),
                ast.eq_cmp(ast.backend_bv64_lit(u64::MAX), ast.backend_bv64_lit_str(&u64::MAX)),
                ast.eq_cmp(ast.backend_bv128_lit(1), ast.backend_bv128_lit_str(&1)),
                ast.eq_cmp(fp(BinOpFloat::Add, float(0.5), float(0.25)), float(0.75)),
                ast.eq_cmp(fp(BinOpFloat::Sub, float(0.5), float(0.25)), float(0.25)),
                ast.eq_cmp(fp(BinOpFloat::Mul, float(0.5), float(4.0)), float(2.0)),
                ast.eq_cmp(fp(BinOpFloat::Div, float(1.0), float(4.0)), float(0.25)),
                ast.eq_cmp(fp(BinOpFloat::Min, float(1.0), float(4.0)), float(1.0)),
                ast.eq_cmp(fp(BinOpFloat::Max, float(1.0), float(4.0)), float(4.0)),
                fp(BinOpFloat::Eq, float(0.0), float(-0.0)),
                fp(BinOpFloat::Lt, float(1.0), float(2.0)),
                fp(BinOpFloat::Leq, float(1.0), float(2.0)),
                fp(BinOpFloat::Gt, float(2.0), float(1.0)),
                fp(BinOpFloat::Geq, float(2.0), float(1.0)),
                is(UnOpFloat::IsNan, float(f32::NAN)),
                is(UnOpFloat::IsInfinite, float(f32::INFINITY)),
                is(UnOpFloat::IsZero, float(-0.0)),
                is(UnOpFloat::IsNegative, is(UnOpFloat::Neg, float(1.0))),
                is(UnOpFloat::IsPositive, is(UnOpFloat::Abs, float(-1.0))),
                ast.eq_cmp(ast.backend_f64_lit(1.0f64.to_bits()), ast.backend_f64_lit(1.0f64.to_bits())),
            ],
        )
    }));
    let wrong = verify!(|ast| {
        let (low, high) = (ast.backend_bv8_lit(1), ast.backend_bv8_lit(2));
        asserting(&ast, &[ast.eq_cmp(low, high)])
    });
    assert_eq!(failures(wrong.0).len(), 1);
}

/// A linked list with a predicate, a function that unfolds it, and a method that prepends.
fn list<'a>(ast: &AstFactory<'a>, sum: i64) -> Program<'a> {
    let here = ast.identifier_position(0, 0, "postcondition");
    let (int, reference) = (ast.int_type(), ast.ref_type());
    let (value, next) = (ast.field("value", int), ast.field("next", reference));
    let this_decl = ast.local_var_decl("this", reference);
    let this = ast.local_var("this", reference);
    let held = |field| ast.field_access_predicate(ast.field_access(this, field), ast.full_perm());
    let list = |of| ast.predicate_access_predicate(ast.predicate_access(&[of], "list"), ast.full_perm());
    let rest = ast.field_access(this, next);
    let tail = ast.implies(ast.ne_cmp(rest, ast.null_lit()), list(rest));
    let predicate = ast.predicate("list", &[this_decl], Some(ast.and(held(value), ast.and(held(next), tail))));
    let length_of = |of| ast.func_app("length", &[of], int, ast.no_position());
    let inside =
        ast.cond_exp(ast.eq_cmp(rest, ast.null_lit()), ast.int_lit(1), ast.add(ast.int_lit(1), length_of(rest)));
    let positive = ast.gt_cmp(ast.result_with_pos(int, ast.no_position()), ast.int_lit(0));
    let body = ast.unfolding(list(this), inside);
    let length = ast.function("length", &[this_decl], int, &[list(this)], &[positive], ast.no_position(), Some(body));
    let (v_decl, res_decl) = (ast.local_var_decl("v", int), ast.local_var_decl("res", reference));
    let (v, res) = (ast.local_var("v", int), ast.local_var("res", reference));
    let longer = ast.eq_cmp_with_pos(length_of(res), ast.add(ast.old(length_of(this)), ast.int_lit(sum)), here);
    let body = ast.seqn(
        &[
            ast.new_stmt(res, &[value, next]),
            ast.field_assign(ast.field_access(res, value), v),
            ast.abstract_assign(ast.field_access(res, next), this),
            ast.fold(list(res)),
        ],
        &[],
    );
    let not_null = ast.ne_cmp(this, ast.null_lit());
    let prepend = ast.method(
        "prepend",
        &[this_decl, v_decl],
        &[res_decl],
        &[not_null, list(this)],
        &[list(res), longer],
        Some(body),
    );
    ast.program(&[], &[value, next], &[length], &[predicate], &[prepend])
}

#[test]
fn a_linked_list() {
    success(verify!(|ast| list(&ast, 1)));
    let errors = failures(verify!(|ast| list(&ast, 2)).0);
    assert_eq!(errors.len(), 1);
    assert_eq!(errors[0].full_id, "postcondition.violated:assertion.false");
    assert_eq!(errors[0].pos_id.as_deref(), Some("postcondition"));
}

#[test]
fn statements() {
    success(verify!(|ast| {
        let here = ast.no_position();
        let (int, reference) = (ast.int_type(), ast.ref_type());
        let f = ast.field("f", int);
        let (x_decl, i_decl) = (ast.local_var_decl("x", reference), ast.local_var_decl("i", int));
        let (x, i) = (ast.local_var("x", reference), ast.local_var("i", int));
        let x_f = ast.field_access(x, f);
        let held = ast.field_access_predicate(x_f, ast.full_perm());
        let half = ast.fractional_perm(ast.int_lit(1), ast.int_lit(2));
        let cell = |amount| ast.predicate_access_predicate(ast.predicate_access(&[x], "cell"), amount);
        let predicate = ast.predicate_with_annotations(
            "cell",
            &[x_decl],
            Some(held),
            &[("note".to_owned(), vec!["a cell".to_owned()])].into(),
        );
        let wand = ast.magic_wand(held, cell(ast.full_perm()));
        let callee = ast.method("set", &[x_decl, i_decl], &[], &[held], &[held, ast.eq_cmp(x_f, i)], None);
        let below = ast.le_cmp(i, ast.int_lit(3));
        let step = ast.local_var_assign(i, ast.add(i, ast.int_lit(1)));
        let skip = ast.seqn(&[], &[]);
        let r_decl = ast.local_var_decl("r", reference);
        let r_f = ast.field_access(ast.local_var("r", reference), f);
        let body = ast.seqn(
            &[
                ast.label("start", &[]),
                ast.inhale_with_comment(held, here, "held"),
                ast.method_call("set", &[x, ast.int_lit(7)], &[]),
                ast.assert(ast.eq_cmp(x_f, ast.int_lit(7)), here),
                ast.assert(ast.perm_gt_cmp(ast.current_perm(x_f), half), here),
                ast.assert(ast.for_perm(r_decl, &[f.into()], ast.eq_cmp(r_f, r_f)), here),
                ast.local_var_assign(i, ast.int_lit(0)),
                ast.while_stmt(ast.lt_cmp(i, ast.int_lit(3)), &[below], step),
                ast.assert(ast.eq_cmp(i, ast.int_lit(3)), here),
                ast.if_stmt(below, ast.goto("end"), skip),
                ast.assert(ast.false_lit(), here),
                ast.label("end", &[]),
                ast.package(wand, ast.fold(cell(ast.full_perm())), here),
                ast.assert(ast.applying(wand, ast.unfolding(cell(ast.full_perm()), ast.true_lit())), here),
                ast.apply(wand, here),
                ast.unfold(cell(ast.full_perm())),
                ast.assert(ast.labelled_old(ast.eq_cmp(i, i), "start"), here),
                ast.refute(ast.eq_cmp(x_f, ast.int_lit(8)), here),
                ast.exhale_with_comment(held, here, "given away"),
            ],
            &[i_decl.into()],
        );
        let method = ast.method("m", &[x_decl], &[], &[], &[], Some(body));
        ast.program(&[], &[f], &[], &[predicate], &[callee, method])
    }));
}

#[test]
fn domains_axioms_and_quantifiers() {
    success(verify!(|ast| {
        let here = ast.no_position();
        let (variable, int) = (ast.type_var("T"), ast.int_type());
        let boxed = ast.domain_type("Box", &[], &[variable]);
        let value = ast.local_var_decl("value", variable);
        let wrapped = ast.local_var_decl("wrapped", boxed);
        let wrap = ast.domain_func("wrap", &[value], boxed, false, "Box");
        let unwrap = ast.domain_func("unwrap", &[wrapped], variable, false, "Box");
        let wrap_value = ast.domain_func_app(wrap, &[ast.local_var("value", variable)], &[]);
        let back = ast.eq_cmp(ast.domain_func_app(unwrap, &[wrap_value], &[]), ast.local_var("value", variable));
        let axiom = ast.forall(&[value], &[ast.trigger(&[wrap_value])], back);
        let axiom = ast.named_domain_axiom_with_comment("inverse", axiom, "Box", "wrapping loses nothing");
        let domain = ast.domain("Box", &[wrap, unwrap], &[axiom], &[variable]);
        let map = [(variable, int)];
        let boxed_int = ast.domain_type("Box", &map, &[variable]);
        let seven = ast.domain_func_app2("wrap", &[ast.int_lit(7)], &map, boxed_int, "Box", here);
        let goal = ast.eq_cmp(ast.domain_func_app2("unwrap", &[seven], &map, int, "Box", here), ast.int_lit(7));
        let i = ast.local_var_decl("i", int);
        let exists = ast.exists(&[i], &[], ast.eq_cmp(ast.local_var("i", int), ast.int_lit(3)));
        let bound = ast.let_expr(i, ast.int_lit(3), ast.eq_cmp(ast.local_var("i", int), ast.int_lit(3)));
        let stmts = [goal, bound].map(|goal| ast.assert(goal, here));
        let assume = ast.inhale(exists, here);
        let body = ast.seqn(&[assume, stmts[0], stmts[1]], &[]);
        ast.program(&[domain], &[], &[], &[], &[ast.method("m", &[], &[], &[], &[], Some(body))])
    }));
}

#[test]
fn types_and_functions_of_the_solver_can_be_declared() {
    success(verify!(|ast| {
        let word_type = ast.domain_type("Word", &[], &[]);
        let (a, b) = (ast.local_var_decl("a", word_type), ast.local_var_decl("b", word_type));
        let and = ast.backend_func("both", &[a, b], word_type, "Word", "bvand");
        let interpretations = [("SMTLIB".to_owned(), "(_ BitVec 4)".to_owned())].into();
        let domain = ast.backend_type("Word", &[and], &interpretations);
        let (x, y) = (ast.local_var("a", word_type), ast.local_var("b", word_type));
        let both = |left, right| ast.backend_func_app(and, &[left, right], ast.no_position());
        let goal = ast.assert(ast.eq_cmp(both(x, y), both(y, x)), ast.no_position());
        let method = ast.method("m", &[a, b], &[], &[], &[], Some(ast.seqn(&[goal], &[])));
        ast.program(&[domain], &[], &[], &[], &[method])
    }));
}

#[test]
fn counterexamples_are_values() {
    let (result, _) = verify!(Silicon, ["--counterexample=mapped"], |ast| {
        let (int, reference) = (ast.int_type(), ast.ref_type());
        let f = ast.field("f", int);
        let (x_decl, n_decl) = (ast.local_var_decl("x", reference), ast.local_var_decl("n", int));
        let (x, n) = (ast.local_var("x", reference), ast.local_var("n", int));
        let x_f = ast.field_access(x, f);
        let held = ast.field_access_predicate(x_f, ast.full_perm());
        let pre = [held, ast.eq_cmp(x_f, ast.int_lit(5)), ast.eq_cmp(n, ast.int_lit(4))];
        let goal = ast.assert(ast.lt_cmp(x_f, n), ast.no_position());
        let method = ast.method("m", &[x_decl, n_decl], &[], &pre, &[], Some(ast.seqn(&[goal], &[])));
        ast.program(&[], &[f], &[], &[], &[method])
    });
    let errors = failures(result);
    let found = errors[0].counterexample.as_ref().expect("one was asked for");
    assert_eq!(found.model.entries["n"], ModelEntry::LitInt("4".to_owned()));
    let ModelEntry::Ref(_, fields) = &found.model.entries["x"] else { panic!("{found:?}") };
    assert_eq!(fields["f"], ModelEntry::LitInt("5".to_owned()));
}

#[test]
fn results_are_kept_in_a_file() {
    let path = std::env::temp_dir().join(format!("echis-prusti-cache-{}.json", std::process::id()));
    let mut cache = PersistentCache::load_cache(path.clone());
    assert_eq!((&mut cache).insert(1, VerificationResult::Success), None);
    cache.save();
    let mut again = PersistentCache::load_cache(path.clone());
    let _ = std::fs::remove_file(path);
    assert_eq!((&&mut again).get(1), Some(VerificationResult::Success));
    assert_eq!((&&mut again).get(2), None);
}

#[test]
fn a_solver_that_is_not_there_is_an_internal_error() {
    let viper = Viper::new_with_args("nowhere", vec!["-Xmx1g".to_owned()]);
    let context = viper.attach_current_thread();
    let program = assert_false(&context.new_ast_factory());
    let manager = SmtManager::default();
    let mut verifier =
        context.new_verifier(VerificationBackend::Silicon, vec![], None, "/no/such/z3".to_owned(), None, manager);
    assert!(matches!(verifier.verify(program), VerificationResult::JavaException(_)));
}
