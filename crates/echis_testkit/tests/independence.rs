//! Verdicts only depend on the meaning of a program: not on the number of workers, the order of members, or the choice
//! of names.

use echis::{Cancel, FileResult, Settings, Silent, Source, Verifier};
use echis_testkit::corpus::own_programs;
use echis_testkit::rewrite::{rename, reverse_members};
use echis_testkit::run::verifier;
use std::path::{Path, PathBuf};

struct Runner {
    cancel: Cancel,
    verifier: Verifier,
    folder: PathBuf,
}

impl Runner {
    fn new(test: &str) -> Self {
        let cancel = Cancel::never();
        let verifier = verifier(&cancel);
        let folder = std::env::temp_dir().join(format!("echis-{test}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("the temporary folder can be written");
        Runner { cancel, verifier, folder }
    }

    fn verify(&self, path: &Path, jobs: usize) -> FileResult {
        let settings = Settings { jobs, ..Settings::new(self.cancel.clone()) };
        self.verifier.verify_source(Source::file(path), &settings, &Silent)
    }

    fn verify_text(&self, text: &str) -> FileResult {
        let path = self.folder.join("program.vpr");
        std::fs::write(&path, text).expect("the temporary folder can be written");
        self.verify(&path, 1)
    }
}

impl Drop for Runner {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// Programs without imports, with their texts. Rewriting changes line numbers, so positions are not compared.
fn programs() -> Vec<(PathBuf, String)> {
    let alone = |text: &String| !text.contains("import \"");
    let programs = own_programs().into_iter().map(|case| {
        let text = std::fs::read_to_string(&case.path).expect("own programs can be read");
        (case.path, text)
    });
    programs.filter(|(_, text)| alone(text)).collect()
}

/// The printed results without times.
fn printed(file: &FileResult) -> String {
    let mut file = file.clone();
    file.time = Default::default();
    file.members.iter_mut().for_each(|member| member.time = Default::default());
    echis_report::json(echis_report::Run { command: "verify", solver: None, second: None }, &[file])
}

fn ids(file: &FileResult) -> Vec<String> {
    let mut ids: Vec<String> = file.errors.iter().map(|finding| finding.diagnostic.id.clone()).collect();
    ids.sort();
    ids
}

#[test]
fn the_number_of_workers_is_not_visible() {
    let runner = Runner::new("jobs");
    for (path, _) in programs() {
        let one = printed(&runner.verify(&path, 1));
        for jobs in [2, 5] {
            assert_eq!(one, printed(&runner.verify(&path, jobs)), "{} with {jobs} workers", path.display());
        }
    }
}

#[test]
fn the_order_of_members_does_not_matter() {
    let runner = Runner::new("order");
    for (path, text) in programs() {
        let reversed = reverse_members(&text);
        assert_eq!(ids(&runner.verify(&path, 1)), ids(&runner.verify_text(&reversed)), "{}", path.display());
    }
}

#[test]
fn names_do_not_matter() {
    let runner = Runner::new("names");
    for (path, text) in programs() {
        let renamed = rename(&text);
        assert_ne!(text, renamed);
        assert_eq!(ids(&runner.verify(&path, 1)), ids(&runner.verify_text(&renamed)), "{}", path.display());
    }
}
