//! Builds, prints, checks and verifies a program with every method of the factory; `programs.rs` covers the others.

use std::collections::BTreeMap;
use std::path::Path;
use viper::{
    AstFactory, BinOpBv, BvSize, Expr, FunctionEntry, ModelEntry, PersistentCache, Program, SmtManager, Stmt, Type,
    UnOpFloat, VerificationBackend, VerificationError, VerificationResult, Viper,
};

/// Verifies a program and prints it.
macro_rules! verify {
    (|$ast:ident| $program:expr) => {{
        let viper = Viper::new("/no/jars/are/needed");
        let context = viper.attach_current_thread();
        let $ast = context.new_ast_factory();
        let program: Program = $program;
        let mut verifier = context.new_verifier_with_default_smt(VerificationBackend::Silicon);
        let text = context.new_ast_utils().with_local_frame(16, || context.new_ast_utils().to_string(program));
        (verifier.verify(program), text)
    }};
}

fn success((result, text): (VerificationResult, String)) {
    assert!(result.is_success(), "{result:?}\n{text}");
}

fn failure((result, text): (VerificationResult, String)) -> VerificationError {
    match result {
        VerificationResult::Failure(mut errors) if errors.len() == 1 => errors.remove(0),
        other => panic!("{other:?} is not one failure\n{text}"),
    }
}

/// A method with the given parameters and statements.
fn method<'a>(ast: &AstFactory<'a>, variables: &[(&str, Type)], stmts: &[Stmt]) -> Program<'a> {
    let params: Vec<_> = variables.iter().map(|(name, ty)| ast.local_var_decl(name, *ty)).collect();
    let method = ast.method("m", &params, &[], &[], &[], Some(ast.seqn(stmts, &[])));
    ast.program(&[], &[], &[], &[], &[method])
}

#[test]
fn expressions_with_positions_mean_what_they_mean_without() {
    success(verify!(|ast| {
        let at = ast.line_column_position(3, 4);
        let int = |value| ast.int_lit_with_pos(value, at);
        let truth = ast.true_lit_with_pos(at);
        let goals = [
            ast.eq_cmp(ast.add_with_pos(int(2), int(3), at), int(5)),
            ast.eq_cmp(ast.sub_with_pos(int(2), int(3), at), ast.minus_with_pos(int(1), at)),
            ast.eq_cmp(ast.div_with_pos(int(7), int(2), at), int(3)),
            ast.eq_cmp(ast.module_with_pos(int(7), int(2), at), int(1)),
            ast.and_with_pos(ast.lt_cmp_with_pos(int(1), int(2), at), ast.le_cmp_with_pos(int(2), int(2), at), at),
            ast.or_with_pos(ast.gt_cmp_with_pos(int(1), int(2), at), ast.ge_cmp_with_pos(int(2), int(2), at), at),
            ast.implies_with_pos(truth, ast.ne_cmp_with_pos(int(1), int(2), at), at),
            ast.not_with_pos(ast.false_lit(), at),
            ast.cond_exp_with_pos(truth, truth, ast.false_lit(), at),
        ];
        let asserts: Vec<Stmt> = goals.iter().map(|goal| ast.assert_with_comment(*goal, at, "it holds")).collect();
        method(&ast, &[], &asserts)
    }));
}

/// Each expression is false in some state; the error identifies the expression by its position.
#[test]
fn errors_name_the_positions_of_expressions() {
    type Make = for<'a> fn(&AstFactory<'a>, viper::Position) -> Expr<'a>;
    let makes: [(&str, Make); 10] = [
        ("lt", |ast, at| ast.lt_cmp_with_pos(ast.local_var("x", ast.int_type()), ast.int_lit(0), at)),
        ("le", |ast, at| ast.le_cmp_with_pos(ast.local_var("x", ast.int_type()), ast.int_lit(0), at)),
        ("gt", |ast, at| ast.gt_cmp_with_pos(ast.local_var("x", ast.int_type()), ast.int_lit(0), at)),
        ("ge", |ast, at| ast.ge_cmp_with_pos(ast.local_var("x", ast.int_type()), ast.int_lit(0), at)),
        ("ne", |ast, at| ast.ne_cmp_with_pos(ast.local_var("x", ast.int_type()), ast.int_lit(0), at)),
        ("or", |ast, at| ast.or_with_pos(ast.local_var("b", ast.bool_type()), ast.false_lit(), at)),
        ("not", |ast, at| ast.not_with_pos(ast.local_var("b", ast.bool_type()), at)),
        ("variable", |ast, at| ast.local_var_with_pos("b", ast.bool_type(), at)),
        ("forall", |ast, at| {
            let n = ast.local_var_decl("n", ast.int_type());
            let body = ast.gt_cmp(ast.local_var("n", ast.int_type()), ast.int_lit(0));
            ast.forall_with_pos(&[n], &[], body, at)
        }),
        ("exists", |ast, at| {
            let n = ast.local_var_decl("n", ast.int_type());
            let number = ast.local_var("n", ast.int_type());
            ast.exists_with_pos(&[n], &[], ast.lt_cmp(number, number), at)
        }),
    ];
    for (name, make) in makes {
        let error = failure(verify!(|ast| {
            let goal = make(&ast, ast.identifier_position(1, 1, name));
            let variables = [("x", ast.int_type()), ("b", ast.bool_type())];
            method(&ast, &variables, &[ast.assert(goal, ast.no_position())])
        }));
        assert_eq!(error.full_id, "assert.failed:assertion.false");
        assert_eq!(error.reason_pos_id.as_deref(), Some(name), "{error:?}");
    }
}

#[test]
fn permissions_are_numbers() {
    success(verify!(|ast| {
        let fraction = |a, b| ast.fractional_perm(ast.int_lit(a), ast.int_lit(b));
        let (half, quarter) = (fraction(1, 2), fraction(1, 4));
        let p = ast.local_var("p", ast.perm_type());
        let goals = [
            ast.eq_cmp(ast.perm_add(quarter, quarter), half),
            ast.eq_cmp(ast.perm_sub(half, quarter), quarter),
            ast.eq_cmp(ast.perm_mul(half, half), quarter),
            ast.eq_cmp(ast.int_perm_mul(ast.int_lit(2), quarter), half),
            ast.eq_cmp(ast.perm_div(half, ast.int_lit(2)), quarter),
            ast.eq_cmp(ast.perm_add(half, ast.perm_minus(half)), ast.no_perm()),
            ast.perm_lt_cmp(quarter, half),
            ast.perm_le_cmp(half, ast.full_perm()),
            ast.perm_gt_cmp(half, quarter),
            ast.perm_ge_cmp(ast.full_perm(), half),
            ast.implies(ast.perm_gt_cmp(p, half), ast.perm_ge_cmp(p, quarter)),
        ];
        let asserts: Vec<Stmt> = goals.iter().map(|goal| ast.assert(*goal, ast.no_position())).collect();
        method(&ast, &[("p", ast.perm_type())], &asserts)
    }));
}

/// A cell with a predicate, read and written, with a position on every node.
fn cell<'a>(ast: &AstFactory<'a>, expected: i64) -> Program<'a> {
    let at = ast.identifier_position(1, 1, "somewhere");
    let (field, this_decl) = (ast.field("f", ast.int_type()), ast.local_var_decl("this", ast.ref_type()));
    let this = ast.local_var_with_pos("this", ast.ref_type(), at);
    let value = ast.field_access_with_pos(this, field, at);
    let held = ast.field_access_predicate_with_pos(value, ast.full_perm(), at);
    let named = BTreeMap::from([("opaque".to_string(), vec![])]);
    let _ = ast.annotations(&named);
    let predicate = ast.predicate_with_annotations("cell", &[this_decl], Some(held), &BTreeMap::new());
    let instance = ast.predicate_access_with_pos(&[this], "cell", at);
    let whole = ast.predicate_access_predicate_with_pos(instance, ast.full_perm(), at);
    let some = ast.predicate_access_predicate(instance, ast.wildcard_perm());
    let inside = ast.unfolding_with_pos(some, value, at);
    let x = ast.local_var_decl("x", ast.int_type());
    let named_value =
        ast.let_expr_with_pos(x, inside, ast.eq_cmp(ast.local_var("x", ast.int_type()), ast.int_lit(expected)), at);
    let before = ast.labelled_old_with_pos(inside, "start", at);
    let stmts = [
        ast.unfold_with_pos(whole, at),
        ast.field_assign(value, ast.int_lit(7)),
        ast.fold_with_pos(whole, at),
        ast.label("start", &[]),
        ast.refute_with_comment(ast.false_lit(), at, "it is reached"),
        ast.assert(named_value, ast.identifier_position(2, 2, "the value")),
        ast.method_call_with_pos("look", &[this], &[], at),
        ast.assert(ast.eq_cmp(inside, before), at),
        ast.inhale_with_comment(ast.inhale_exhale_pred(ast.true_lit(), ast.false_lit()), at, "one of both"),
        ast.exhale(some, at),
        ast.assert(ast.perm_gt_cmp(ast.current_perm(instance), ast.no_perm()), at),
    ];
    let look = ast.method("look", &[this_decl], &[], &[some], &[some], None);
    let main = ast.method("m", &[this_decl], &[], &[whole], &[], Some(ast.seqn(&stmts, &[])));
    ast.program(&[], &[field], &[], &[predicate], &[look, main])
}

#[test]
fn predicates_and_statements_with_positions() {
    success(verify!(|ast| cell(&ast, 7)));
    let error = failure(verify!(|ast| cell(&ast, 8)));
    assert_eq!((&*error.full_id, error.pos_id.as_deref()), ("assert.failed:assertion.false", Some("the value")));
}

#[test]
fn wands_with_positions() {
    success(verify!(|ast| {
        let at = ast.no_position();
        let (field, x) = (ast.field("f", ast.int_type()), ast.local_var("x", ast.ref_type()));
        let held = ast.field_access_predicate(ast.field_access(x, field), ast.full_perm());
        let wand = ast.magic_wand_with_pos(held, held, at);
        let stmts = [
            ast.package(wand, ast.seqn(&[], &[]), at),
            ast.inhale(held, at),
            ast.apply(wand, at),
            ast.exhale_with_comment(held, at, "it came back"),
        ];
        let params = [ast.local_var_decl("x", ast.ref_type())];
        let method = ast.method("m", &params, &[], &[], &[], Some(ast.seqn(&stmts, &[])));
        ast.program(&[], &[field], &[], &[], &[method])
    }));
}

/// Variables of every type; each equals itself.
#[test]
fn types() {
    success(verify!(|ast| {
        let int = ast.int_type();
        let types = [
            ast.perm_type(),
            ast.wand_type(),
            ast.seq_type(int),
            ast.set_type(int),
            ast.multiset_type(int),
            ast.map_type(int, ast.bool_type()),
            ast.backend_bv8_type(),
            ast.backend_bv16_type(),
            ast.backend_bv32_type(),
            ast.backend_bv64_type(),
            ast.backend_bv128_type(),
            ast.backend_f32_type(),
            ast.backend_f64_type(),
        ];
        let names: Vec<String> = (0..types.len()).map(|index| format!("v{index}")).collect();
        let variables: Vec<(&str, Type)> = names.iter().map(|name| &**name).zip(types).collect();
        let same = |(name, ty): &(&str, Type)| {
            let variable = ast.local_var(name, *ty);
            ast.assert(ast.eq_cmp(variable, variable), ast.no_position())
        };
        let asserts: Vec<Stmt> = variables.iter().map(same).collect();
        method(&ast, &variables, &asserts)
    }));
}

#[test]
fn literals_of_the_solver() {
    success(verify!(|ast| {
        let sizes = [
            (BvSize::BV8, ast.backend_bv8_lit(200), ast.backend_bv8_lit_str(&200)),
            (BvSize::BV16, ast.backend_bv16_lit(200), ast.backend_bv16_lit_str(&200)),
            (BvSize::BV32, ast.backend_bv32_lit(200), ast.backend_bv32_lit_str(&"200")),
            (BvSize::BV64, ast.backend_bv64_lit(200), ast.backend_bv64_lit_str(&200)),
            (BvSize::BV128, ast.backend_bv128_lit(200), ast.backend_bv128_lit_str(&200)),
        ];
        let mut goals = Vec::new();
        for (size, number, text) in sizes {
            goals.push(ast.eq_cmp(number, text));
            goals.push(ast.eq_cmp(number, ast.int_to_backend_bv(size, ast.int_lit(200))));
            goals.push(ast.eq_cmp(ast.backend_bv_to_int(size, number), ast.int_lit(200)));
            let zero = ast.bv_binop(BinOpBv::BvSub, size, number, text);
            goals.push(ast.eq_cmp(ast.backend_bv_to_int(size, zero), ast.int_lit(0)));
        }
        let nan = ast.backend_f32_lit(f32::NAN.to_bits());
        goals.push(ast.float_unop(UnOpFloat::IsNan, viper::FloatSizeViper::F32, nan));
        let infinite = ast.backend_f64_lit(f64::INFINITY.to_bits());
        goals.push(ast.float_unop(UnOpFloat::IsInfinite, viper::FloatSizeViper::F64, infinite));
        let asserts: Vec<Stmt> = goals.iter().map(|goal| ast.assert(*goal, ast.no_position())).collect();
        method(&ast, &[], &asserts)
    }));
}

/// An axiom with a positioned trigger proves exactly its instances.
#[test]
fn axioms() {
    let program = |value: i64| {
        verify!(|ast| {
            let (int, at) = (ast.int_type(), ast.no_position());
            let n = ast.local_var_decl("n", int);
            let number = ast.local_var("n", int);
            let twice = ast.domain_func("twice", &[n], int, false, "Numbers");
            let applied = ast.domain_func_app(twice, &[number], &[]);
            let body = ast.eq_cmp(applied, ast.mul(ast.int_lit(2), number));
            let axiom = ast.forall_with_pos(&[n], &[ast.trigger_with_pos(&[applied], at)], body, at);
            let axiom = ast.named_domain_axiom("doubles", axiom, "Numbers");
            let domain = ast.domain("Numbers", &[twice], &[axiom], &[]);
            let goal = ast.eq_cmp(ast.domain_func_app(twice, &[ast.int_lit(4)], &[]), ast.int_lit(value));
            let body = ast.seqn(&[ast.assert(goal, at)], &[]);
            ast.program(&[domain], &[], &[], &[], &[ast.method("m", &[], &[], &[], &[], Some(body))])
        })
    };
    success(program(8));
    assert_eq!(failure(program(9)).full_id, "assert.failed:assertion.false");
}

/// Silver's `epsilon` permission is no longer supported.
#[test]
fn epsilon_is_refused_as_an_amount() {
    let (result, text) = verify!(|ast| {
        let goal = ast.perm_gt_cmp(ast.epsilon_perm(), ast.no_perm());
        method(&ast, &[], &[ast.assert(goal, ast.no_position())])
    });
    assert!(text.contains("epsilon"), "{text}");
    assert!(!result.is_success(), "{result:?}");
}

#[test]
fn arguments_of_silicon_have_their_meaning() {
    let run = |args: &[&str]| {
        let viper = Viper::new_with_args("", vec!["-Xmx1g".to_string()]);
        let context = viper.attach_current_thread();
        let ast = context.new_ast_factory();
        let x = ast.local_var("x", ast.int_type());
        let goals = [ast.gt_cmp(x, ast.int_lit(5)), ast.lt_cmp(x, ast.int_lit(3))];
        let asserts = goals.map(|goal| ast.assert(goal, ast.no_position()));
        let program = method(&ast, &[("x", ast.int_type())], &asserts);
        let args: Vec<String> = args.iter().map(ToString::to_string).collect();
        context.new_verifier_with_default_smt(VerificationBackend::Silicon).initialize(&args).verify(program)
    };
    match run(&["--numberOfErrorsToReport", "0", "--unheardOf", "3", "--counterexample=mapped"]) {
        VerificationResult::Failure(errors) => {
            assert_eq!(errors.len(), 2);
            assert!(errors[0].counterexample.is_some());
        }
        other => panic!("{other:?}"),
    }
    match run(&["--respectFunctionPrePermAmounts"]) {
        VerificationResult::JavaException(exception) => {
            assert!(exception.get_message().contains("some permission"), "{exception:?}");
            assert_eq!(exception.get_stack_trace(), "");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_belongs_to_the_jvm_does_nothing() {
    let manager = SmtManager::new("logs".into(), false, false, false, None, None, None, None, None);
    assert_eq!(manager.port(), 0);
    manager.stop_and_check();
}

#[test]
fn functions_of_models_have_values() {
    let one = || Some(ModelEntry::LitInt("1".to_string()));
    let entry = FunctionEntry { options: vec![(vec![one()], Some(ModelEntry::LitBool(true)))], default: None };
    assert_eq!(entry.get_function_value(&vec![one()]), &Some(ModelEntry::LitBool(true)));
    assert_eq!(entry.get_function_value(&vec![None]), &None);
}

#[test]
fn a_cache_can_be_saved_elsewhere() {
    let folder = std::env::temp_dir().join(format!("echis-prusti-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("it can be made");
    let place = folder.join("cache.bin");
    PersistentCache::load_cache(folder.join("nothing.bin")).save_cache(&place);
    assert!(place.is_file());
    std::fs::remove_dir_all(folder).expect("it can be removed");
}

/// Every method must be mentioned in a test.
#[test]
fn every_method_of_the_factory_is_tested() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |path: &str| std::fs::read_to_string(folder.join(path)).expect("the file is there");
    let tests = read("tests/programs.rs") + &read("tests/factory.rs");
    let mut missing = Vec::new();
    for part in ["backend", "expressions", "members", "statements", "types"] {
        let source = read(&format!("src/factory/{part}.rs"));
        // Operators are defined by rows of a macro: the names, then the operator.
        let rows =
            source.lines().filter(|line| line.ends_with(';') && line.starts_with("    ") && !line.contains(['=', '(']));
        let rows = rows.flat_map(|row| row.split_whitespace().filter(|word| word.contains('_') || word.len() > 3));
        let rows = rows.filter(|word| word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_'));
        let functions = source.split("pub fn ").skip(1).filter_map(|rest| rest.split(['(', '<']).next());
        let named = rows.chain(functions.filter(|name| !name.starts_with('$')));
        missing.extend(named.filter(|name| !tests.contains(&format!("ast.{name}("))).map(str::to_string));
    }
    assert!(missing.is_empty(), "{missing:?}");
}
