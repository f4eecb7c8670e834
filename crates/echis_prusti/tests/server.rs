//! A server modelled on one for the original crate, with the same generic code, lifetimes, lazy initialization and
//! threads.

use std::path::PathBuf;
use std::sync::{Arc, LazyLock, Mutex, OnceLock};
use viper::silicon_counterexample::{ModelEntry, SiliconCounterexample};
use viper::smt_manager::SmtManager;
use viper::{
    AstFactory, Cache, Declaration, PersistentCache, VerificationBackend, VerificationContext, VerificationError,
    VerificationResult, Viper,
};

/// A value that can be lowered to a node.
trait ToViper<'v, T> {
    fn to_viper(&self, ast: &AstFactory<'v>) -> T;
}

enum Type {
    Int,
    Ref,
    Snapshot(String),
}

impl<'v> ToViper<'v, viper::Type<'v>> for Type {
    fn to_viper(&self, ast: &AstFactory<'v>) -> viper::Type<'v> {
        match self {
            Type::Int => ast.int_type(),
            Type::Ref => ast.ref_type(),
            Type::Snapshot(name) => ast.domain_type(name, &[], &[]),
        }
    }
}

struct Position(i32, i32, u64);

impl<'v> ToViper<'v, viper::Position<'v>> for Position {
    fn to_viper(&self, ast: &AstFactory<'v>) -> viper::Position<'v> {
        ast.identifier_position(self.0, self.1, self.2.to_string())
    }
}

struct Variable(&'static str, Type);

impl<'v> ToViper<'v, viper::Expr<'v>> for Variable {
    fn to_viper(&self, ast: &AstFactory<'v>) -> viper::Expr<'v> {
        ast.local_var(self.0, self.1.to_viper(ast))
    }
}

impl<'v> ToViper<'v, viper::LocalVarDecl<'v>> for Variable {
    fn to_viper(&self, ast: &AstFactory<'v>) -> viper::LocalVarDecl<'v> {
        ast.local_var_decl(self.0, self.1.to_viper(ast))
    }
}

impl<'v, A: ToViper<'v, B>, B> ToViper<'v, Vec<B>> for Vec<A> {
    fn to_viper(&self, ast: &AstFactory<'v>) -> Vec<B> {
        self.iter().map(|node| node.to_viper(ast)).collect()
    }
}

/// Reads an integer under a predicate, adds one, and asserts that the result is three.
fn program<'v>(ast: &AstFactory<'v>) -> viper::Program<'v> {
    let (this, number) = (Variable("_1", Type::Ref), Variable("_2$n", Type::Int));
    let (x, n): (viper::Expr, viper::Expr) = (this.to_viper(ast), number.to_viper(ast));
    let field = ast.field("val_int", ast.int_type());
    let location = ast.field_access(x, field);
    let held = ast.field_access_predicate(location, ast.full_perm());
    let bound = ast.ge_cmp(location, ast.int_lit(-5));
    let predicate = ast.predicate("i32", &[this.to_viper(ast)], Some(ast.and(held, bound)));
    let instance = |amount| ast.predicate_access_predicate(ast.predicate_access(&[x], "i32"), amount);
    let (full, read) = (instance(ast.full_perm()), instance(ast.wildcard_perm()));

    let snapshot = Type::Snapshot("Snap".into()).to_viper(ast);
    let index = ast.local_var("i", ast.int_type());
    let index_decl = ast.local_var_decl("i", ast.int_type());
    let constructor = ast.domain_func("snap_of", &[index_decl], snapshot, false, "Snap");
    let value = ast.domain_func("value_of", &[ast.local_var_decl("s", snapshot)], ast.int_type(), false, "Snap");
    let made = ast.domain_func_app(constructor, &[index], &[]);
    let inverse = ast.domain_func_app2("value_of", &[made], &[], ast.int_type(), "Snap", ast.no_position());
    let inverse = ast.forall(&[index_decl], &[ast.trigger(&[made])], ast.eq_cmp(inverse, index));
    let axiom = ast.named_domain_axiom("inverse", inverse, "Snap");
    let domain = ast.domain("Snap", &[constructor, value], &[axiom], &[]);

    let result = ast.result_with_pos(ast.int_type(), ast.no_position());
    let function = ast.function(
        "m_read",
        &[this.to_viper(ast)],
        ast.int_type(),
        &[read],
        &[ast.ge_cmp(result, ast.int_lit(-5))],
        ast.no_position(),
        Some(ast.unfolding(read, location)),
    );
    let label = ast.label("before", &[]);
    let locals: Vec<viper::LocalVarDecl> = vec![number].to_viper(ast);
    let declarations: Vec<Declaration> = locals.into_iter().map(Into::into).chain([label.into()]).collect();
    let current = ast.func_app("m_read", &[x], ast.int_type(), ast.no_position());
    let three = ast.eq_cmp_with_pos(current, ast.int_lit(3), Position(3, 11, 78).to_viper(ast));
    let grown = ast.gt_cmp(current, ast.labelled_old(current, "before"));
    let body = [
        ast.comment("reads and writes"),
        ast.local_var_assign(n, current),
        label,
        ast.unfold(full),
        ast.field_assign(location, ast.add(n, ast.int_lit(1))),
        ast.fold(full),
        ast.if_stmt(grown, ast.seqn(&[], &[]), ast.seqn(&[ast.exhale(ast.false_lit(), ast.no_position())], &[])),
        ast.assert(three, Position(3, 4, 77).to_viper(ast)),
    ];
    let method = ast.method("m", &[this.to_viper(ast)], &[], &[full], &[full], Some(ast.seqn(&body, &declarations)));
    ast.program(&[domain], &[field], &[function], &[predicate], &[method])
}

/// A verifier with its context.
struct Backend<'a>(viper::Verifier<'a>, &'a VerificationContext<'a>);

impl Backend<'_> {
    fn verify(&mut self) -> VerificationResult {
        let Backend(verifier, context) = self;
        let utils = context.new_ast_utils();
        utils.with_local_frame(16, || {
            let program = program(&context.new_ast_factory());
            assert!(utils.to_string(program).contains("predicate i32"));
            verifier.verify(program)
        })
    }
}

fn new_verifier<'v, 't: 'v>(context: &'v VerificationContext<'t>, args: Vec<String>) -> viper::Verifier<'v> {
    let manager = SmtManager::new(PathBuf::from("trace"), true, true, false, Some(1), None, None, None, None);
    context.new_verifier(VerificationBackend::Silicon, args, None, String::new(), None, manager)
}

fn process<'v, 't: 'v>(
    context: &'v LazyLock<VerificationContext<'t>, impl FnOnce() -> VerificationContext<'t>>,
    hash: u64,
    cache: impl Cache,
) -> VerificationResult {
    if let Some(found) = cache.get(hash) {
        return found;
    }
    let context: &'v VerificationContext<'t> = context;
    let args = ["--counterexample=mapped", "--numberOfErrorsToReport", "0"].map(str::to_owned);
    let result = Backend(new_verifier(context, args.to_vec()), context).verify();
    if !matches!(result, VerificationResult::JavaException(_)) {
        cache.insert(hash, result.clone());
    }
    result
}

fn viper() -> &'static Viper {
    static VIPER: OnceLock<Viper> = OnceLock::new();
    VIPER.get_or_init(|| Viper::new_with_args("nowhere", vec!["-Xss1g".to_owned()]))
}

#[test]
fn requests_are_answered_and_remembered() {
    let place = std::env::temp_dir().join(format!("echis-prusti-server-{}.json", std::process::id()));
    let cache = Arc::new(Mutex::new(PersistentCache::load_cache(place.clone())));
    let answer = || process(&LazyLock::new(|| viper().attach_current_thread()), 5, &cache);
    let first = answer();
    let VerificationResult::Failure(errors) = &first else { panic!("{first:?}") };
    let [VerificationError { full_id, pos_id, offending_pos_id, reason_pos_id, counterexample, .. }] = &errors[..]
    else {
        panic!("{errors:?}")
    };
    assert_eq!(full_id, "assert.failed:assertion.false");
    assert_eq!([pos_id, offending_pos_id, reason_pos_id].map(|id| id.as_deref()), [Some("77"), Some("77"), Some("78")]);
    let Some(SiliconCounterexample { model, .. }) = counterexample else { panic!("one was asked for") };
    assert!(matches!(model.entries.get("_2$n"), Some(ModelEntry::LitInt(_))), "{model:?}");
    assert_eq!(answer(), first);

    let clone = cache.clone();
    let on_stop: Box<dyn Fn()> = Box::new(move || {
        if let Ok(cache) = clone.lock() {
            cache.save()
        }
    });
    on_stop();
    assert_eq!((&Mutex::new(PersistentCache::load_cache(place.clone()))).get(5), Some(first));
    std::fs::remove_file(place).expect("it was written");
}

#[test]
fn contexts_of_several_threads_share_a_viper() {
    let verify = || {
        let context = viper().attach_current_thread();
        let ast = context.new_ast_factory();
        let wrong = ast.assert(ast.int_lit(42), ast.no_position());
        let method = ast.method("m", &[], &[], &[], &[], Some(wrong));
        let mut verifier = context.new_verifier_with_default_smt(VerificationBackend::Carbon);
        let result = verifier.verify(ast.program(&[], &[], &[], &[], &[method]));
        assert!(matches!(result, VerificationResult::ConsistencyErrors(_)), "{result:?}");
        assert!(verifier.verify(ast.program(&[], &[], &[], &[], &[])).is_success());
    };
    std::thread::scope(|scope| (0..3).for_each(|_| drop(scope.spawn(verify))));
}

/// Requests contain a back end, and are serialized and hashed.
#[test]
fn back_ends_are_serialized() {
    let text = serde_json::to_string(&VerificationBackend::Silicon).expect("it is a name");
    assert_eq!(text, "\"Silicon\"");
    assert_eq!(serde_json::from_str::<VerificationBackend>("\"Carbon\"").ok(), "carbon".parse().ok());
}
