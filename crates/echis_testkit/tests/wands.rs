//! Each packaged wand in the programs of the repository and the shared corpus is checked again, independently of how
//! its footprint was computed: the left-hand side is added to the footprint with arbitrary values, and the right-hand
//! side is removed.

use echis::{Cancel, Settings, Silent, Source};
use echis_testkit::corpus::{Case, corpus, corpus_folder, own_programs};
use echis_testkit::run::verifier;
use echis_testkit::run::{FIRST_ERROR, reported};
use echis_testkit::say;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(60);
/// A lower bound on the number of packages in the repository's programs.
const AT_LEAST: usize = 40;
/// In these programs, the left-hand side of an inner wand contradicts the surrounding heap. Any part of the heap shows
/// the contradiction, so the footprint of the inner package is arbitrary. It is larger if it is owned together with
/// the left-hand side.
const ARBITRARY: [&str; 2] = ["tests/programs/wands/nested.vpr:98", "viper/wands/regression/packaging_apply.vpr:12"];

#[test]
fn packaged_wands_hold_in_their_footprints() {
    let mut cases: Vec<Case> = own_programs();
    cases.extend(corpus_folder().iter().flat_map(|folder| corpus(folder)));
    cases.retain(|case| std::fs::read_to_string(&case.path).is_ok_and(|text| text.contains("package")));
    let run = Cancel::never();
    let verifier = verifier(&run);
    let jobs = std::thread::available_parallelism().map_or(2, |jobs| jobs.get());
    let verify = |(): &mut (), index: usize| {
        let settings = Settings { errors: FIRST_ERROR, recheck: true, ..Settings::new(run.within(LIMIT)) };
        verifier.verify_source(Source::file(&cases[index].path), &settings, &Silent)
    };
    let files = echis::run(&vec![Vec::new(); cases.len()], jobs, || (), verify);
    let mut checked = 0;
    let mut wrong = Vec::new();
    for (case, file) in cases.iter().zip(&files) {
        checked += file.warnings.iter().filter(|warning| warning.id == "wand.rechecked").count();
        let bad = reported(file).into_iter().filter(|(_, id)| id == "internal:internal");
        wrong.extend(bad.map(|(line, _)| format!("{}:{line}", case.name)));
    }
    wrong.retain(|place| !ARBITRARY.contains(&place.as_str()));
    say(&format!("wands: {checked} packages of {} programs hold in their footprints", cases.len()));
    assert!(wrong.is_empty(), "wands that do not hold in their footprints: {}", wrong.join(", "));
    assert!(checked >= AT_LEAST, "only {checked} packages were checked");
}

/// Independent conditions in a wand do not multiply its paths: the number of queries is linear in the number of
/// conditions, even if each of them affects the footprint.
#[test]
fn conditions_of_a_wand_do_not_multiply() {
    let [eight, sixteen] = [8, 16].map(|conditions| {
        let text = wand_with_conditions(conditions);
        let run = Cancel::never();
        let file = verifier(&run).verify_source(
            Source::text("wand.vpr", text.as_str()),
            &Settings::new(run.within(LIMIT)),
            &Silent,
        );
        assert!(reported(&file).is_empty(), "{conditions} conditions: {:?}", reported(&file));
        file.members.iter().map(|member| member.checks).sum::<usize>()
    });
    assert!(sixteen > 0 && sixteen <= 2 * eight, "{eight} and {sixteen} checks for 8 and 16 conditions");
}

fn wand_with_conditions(conditions: usize) -> String {
    let each = |text: &str, separator: &str| {
        (0..conditions).map(|index| text.replace('#', &index.to_string())).collect::<Vec<_>>().join(separator)
    };
    let fields = each("field b#: Bool field f#: Int", " ");
    let held = each("acc(x.f#)", " && ");
    let left = each("acc(x.b#) && (x.b# ==> acc(x.f#))", " && ");
    let right = each("acc(x.b#) && acc(x.f#)", " && ");
    format!("{fields} method m(x: Ref) requires {held} {{ package {left} --* {right} }}")
}
