//! Built programs parse back to the same program, and ranges of their text map to origins.

use echis_base::{Severity, SourceFile, SourceMap};
use echis_build::{
    Adt, Axiom, Built, Constructor, Decreases, Domain, DomainFunction, Function, Loop, Method, Param, Predicate,
    Problem, ProgramBuilder, Type,
};
use echis_syntax::{NoLoader, parse_program, print_program};

mod rebuild;

type Builder = ProgramBuilder<&'static str>;

/// The parts of the text with the given origin.
fn text_of<'a>(built: &'a Built<&'static str>, origin: &str) -> Vec<&'a str> {
    let ranges = built.origins.ranges().filter(|(_, found)| **found == origin);
    ranges.map(|((start, end), _)| &built.text[start as usize..end as usize]).collect()
}

fn finish(builder: Builder) -> Built<&'static str> {
    builder.finish().expect("the program can be written down")
}

/// A program that uses every construct once.
fn everything() -> Builder {
    let mut b = Builder::new();
    b.import_library("decreases/int.vpr");
    b.field("f", Type::Int);
    b.field("next", Type::Ref);
    b.adt(
        Adt::new("List").type_param("T").constructor(Constructor::new("Nil")).constructor(
            Constructor::new("Cons")
                .arg("head", Type::named("T"))
                .arg("tail", Type::Named("List".into(), vec![Type::named("T")])),
        ),
    );
    let (x, y) = (b.var("x"), b.var("y"));
    let (loc_x, loc_y) = (b.apply("loc", [x]), b.apply("loc", [y]));
    let (same, equal) = (b.eq(loc_x, loc_y), b.eq(x, y));
    let injective = b.implies(same, equal);
    let vars = || [Param::new("x", Type::Int), Param::new("y", Type::Int)];
    let injective = b.forall(vars(), vec![vec![loc_x, loc_y]], injective);
    b.domain(
        Domain::new("Loc")
            .function(DomainFunction::new("loc", Type::Ref).param("i", Type::Int))
            .function(DomainFunction::new("start", Type::Int).unique())
            .axiom(Axiom::new(injective).named("injective").at("axiom")),
    );
    let this = b.var("this");
    let value = b.field_of(this, "f");
    let half = {
        let (one, two) = (b.int(1), b.int(2));
        b.div(one, two)
    };
    let (held, write) = (b.acc_full(value), b.write());
    b.predicate(Predicate::new("cell").param("this", Type::Ref).body(held).at("predicate"));
    let cell = b.apply("cell", [this]);
    let (some, all) = (b.acc(cell, half), b.acc(cell, write));
    let (inside, wildcard) = (b.unfolding(some, value), b.wildcard());
    let readable = b.acc(cell, wildcard);
    let (result, zero) = (b.result(), b.int(0));
    let positive = b.ge(result, zero);
    let (is_positive, negated) = (b.ge(inside, zero), b.neg(inside));
    let body = b.conditional(is_positive, inside, negated);
    b.function(
        Function::new("size", Type::Int)
            .param("this", Type::Ref)
            .requires(readable)
            .ensures(positive)
            .decreases(Decreases::Assumed(None))
            .body(body)
            .at("function"),
    );
    let n = b.var("n");
    let stmts = {
        let (minus_seven, ten) = (b.int(-7), b.int(10));
        let (seq, empty) = (b.seq([n, ten]), b.empty_set(&Type::Int));
        let (one_key, none) = (b.map([(n, ten)]), b.empty_map(&Type::Int, &Type::Bool));
        let (size, first) = (b.size(seq), b.index(seq, zero));
        let (taken, dropped) = (b.take(seq, size), b.drop_first(seq, zero));
        let (sliced, updated) = (b.slice(seq, zero, size), b.update(seq, zero, minus_seven));
        let joined = b.append(taken, dropped);
        let parts = [b.eq(joined, updated), b.eq(sliced, seq), b.contains(n, seq), b.contains(first, empty)];
        let collections = b.and_all(parts);
        let (keys, values) = (b.map_domain(one_key), b.map_range(one_key));
        let (key_count, value_count, no_keys) = (b.size(keys), b.size(values), b.size(none));
        let counted = [key_count, value_count, no_keys].map(|count| b.ge(count, zero));
        let counted = b.and_all(counted);
        let old_value = b.old(value);
        let (labelled, still) = (b.old_at("before", value), b.le(old_value, value));
        let named = b.let_in("v", labelled, still);
        let wand = b.wand(all, held);
        let (applied, looked) = (b.applying(wand, named), b.asserting(still, still));
        let (choice, permitted) = (b.inhale_exhale(applied, looked), b.perm(value));
        let amount = b.gt(permitted, half);
        let r = b.var("r");
        let location = b.field_of(r, "f");
        let bounded = b.ge(location, zero);
        let forperm = b.forperm([Param::new("r", Type::Ref)], location, bounded);
        let exists = b.exists([Param::new("v", Type::Int)], vec![], still);
        let nil = b.apply_as("Nil", [], &Type::Named("List".into(), vec![Type::Int]));
        let discriminated = b.field_of(nil, "isNil");
        let annotated = b.annotate(discriminated, "reason", ["a \\ b"]);
        let range = b.range(zero, n);
        let ranged = b.contains(zero, range);
        let (less, measure) = (b.lt(n, ten), b.sub(ten, n));
        let spec = Loop { invariants: vec![less], decreases: vec![Decreases::Terms(vec![measure], Some(less))] };
        let (null, fresh) = (b.null(), b.var("fresh"));
        let not_null = b.ne(fresh, null);
        let increment = b.add(n, ten);
        let (assert, goto) = (b.assert(not_null), b.goto("end"));
        let assert = b.stmt_at(assert, "assert");
        let step = b.assign(n, increment);
        let script = b.fold(all);
        vec![
            b.label("before", Loop::default()),
            b.declare("n", &Type::Int),
            b.declare_as("s", &Type::seq(Type::Int), seq),
            b.declare("fresh", &Type::Ref),
            b.inhale(collections),
            b.exhale(counted),
            b.assume(choice),
            b.refute(amount),
            b.assert(forperm),
            b.assert(exists),
            b.assert(annotated),
            b.assert(ranged),
            b.unfold(all),
            b.while_loop(less, spec, [step]),
            b.new_object(fresh, ["f", "next"]),
            b.new_object_with_all_fields(fresh),
            b.if_else(less, [assert], [goto]),
            b.package(wand, [script]),
            b.apply_wand(wand),
            b.call("m", [fresh], [n]),
            b.quasihavoc(Some(less), value),
            b.quasihavoc_all([Param::new("r", Type::Ref)], None, location),
            b.block([]),
            b.label("end", Loop::default()),
        ]
    };
    b.method(
        Method::new("m")
            .param("this", Type::Ref)
            .returns("n", Type::Int)
            .requires(all)
            .ensures(all)
            .body(stmts)
            .annotate("opaque", [] as [&str; 0])
            .at("method"),
    );
    b
}

#[test]
fn every_construct_reads_back_to_the_same_text() {
    let built = finish(everything());
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new("built", &*built.text));
    let (read, diagnostics) = parse_program(&mut sources, file, &NoLoader);
    assert!(diagnostics.iter().all(|diagnostic| diagnostic.severity != Severity::Error), "{diagnostics:?}");
    // The import is resolved; the rest of the program is unchanged.
    let own = built.text.split_once('\n').expect("the import is the first line").1;
    assert!(print_program(&read).starts_with(own.trim_start()), "{}\n{}", print_program(&read), built.text);
}

#[test]
fn origins_lead_from_ranges_to_nodes() {
    let built = finish(everything());
    assert_eq!(text_of(&built, "assert"), ["assert fresh != null"]);
    assert!(text_of(&built, "axiom")[0].starts_with("axiom injective {"));
    assert!(text_of(&built, "predicate")[0].starts_with("predicate cell(this: Ref)"));
    assert!(text_of(&built, "function")[0].starts_with("function size("));
    let assert = built.text.find("fresh != null").expect("it is there") as u32;
    assert_eq!(built.origins.around(assert, assert + 5), Some(&"assert"));
    assert_eq!(built.origins.exact(assert, assert + 5), None);
}

#[test]
fn a_node_that_is_used_twice_has_its_origin_in_both_places() {
    let mut b = Builder::new();
    let x = b.var("x");
    let marked = b.at(x, "x");
    let twice = b.add(marked, marked);
    let plain = b.eq(twice, x);
    let assert = b.assert(plain);
    b.method(Method::new("m").param("x", Type::Int).body([assert]));
    let built = finish(b);
    assert_eq!(text_of(&built, "x"), ["x", "x"]);
}

#[test]
fn all_problems_are_reported_at_once() {
    let mut b = Builder::new();
    let mut other = Builder::new();
    let foreign = other.bool(true);
    let injected = b.var("x) && (true");
    let (keyword, digits) = (b.var("method"), b.int_text("1x"));
    let all = b.and_all([foreign, injected, keyword, digits]);
    b.function(Function::new("f", Type::Bool).body(all).annotate("a", ["say \"no\""]));
    let name = |text: &str| Problem::Name(text.to_owned());
    let problems = b.finish().expect_err("there are problems");
    assert_eq!(
        problems,
        [
            name("x) && (true"),
            name("method"),
            Problem::Digits("1x".to_owned()),
            Problem::Foreign,
            Problem::Text("say \"no\"".to_owned()),
        ]
    );
}

/// Rebuilds the programs of the repository node by node: every program that parses can be built, and the result parses
/// to the same program.
#[test]
fn whatever_can_be_read_can_be_built() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs");
    let (mut folders, mut built) = (vec![folder], 0);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("the folder is there") {
            let path = entry.expect("it can be listed").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "vpr") {
                built += usize::from(is_rebuilt(&path));
            }
        }
    }
    assert!(built > 80, "{built} programs");
}

/// Invalid programs and those that import files are skipped.
fn is_rebuilt(path: &std::path::Path) -> bool {
    let read = |text: &str| {
        let mut sources = SourceMap::default();
        let file = sources.add(SourceFile::new("program", text));
        let (program, diagnostics) = parse_program(&mut sources, file, &NoLoader);
        let is_valid = diagnostics.iter().all(|diagnostic| diagnostic.severity != Severity::Error);
        is_valid.then_some(program)
    };
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let Some(program) = read(&text) else { return false };
    let built = rebuild::rebuild(&program).unwrap_or_else(|problems| panic!("{}: {problems:?}", path.display()));
    let again = read(&built.text).unwrap_or_else(|| panic!("{} cannot be read:\n{}", path.display(), built.text));
    let again = rebuild::rebuild(&again).unwrap_or_else(|problems| panic!("{}: {problems:?}", path.display()));
    assert_eq!(again.text, built.text, "{}", path.display());
    // After reparsing, an `elseif` is a separate statement.
    assert!(again.origins.ranges().count() >= built.origins.ranges().count(), "{}", path.display());
    true
}
