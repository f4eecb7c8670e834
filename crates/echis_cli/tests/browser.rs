//! The web interface: its bundle is up to date with `web/`, and pages are properly escaped. `cargo xtask web` runs the
//! browser tests. Without Node, the first test prints a message and passes.

mod common;

use common::{Folder, run};
use std::path::PathBuf;
use std::process::Command;

fn repository() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn the_bundle_is_what_the_sources_give() {
    let web = repository().join("web");
    if !web.join("node_modules").is_dir() {
        eprintln!("skipped: web/node_modules is not there; `npm ci` in web/ fetches it");
        return;
    }
    let folder = Folder::new("browser-bundle");
    let built = Command::new("node").arg("build.mjs").arg(folder.path("built")).current_dir(&web).output();
    let Ok(built) = built else {
        eprintln!("skipped: there is no Node");
        return;
    };
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    for name in ["app.js", "app.css", "app.sha256"] {
        let committed = std::fs::read_to_string(repository().join("crates/echis_report/assets/web").join(name));
        let committed = committed.expect("the bundle is committed");
        assert!(committed == folder.read(&format!("built/{name}")), "{name}: run `npm run build` in web/");
    }
}

#[test]
fn packages_come_from_nowhere_in_particular() {
    let lock = std::fs::read_to_string(repository().join("web/package-lock.json")).expect("there is one");
    assert!(lock.contains("\"integrity\"") && !lock.contains("\"resolved\""), "name no registry");
}

#[test]
fn a_page_runs_one_script_and_its_data_cannot_end_it() {
    let folder = Folder::new("browser-page");
    let file = folder.file("a.vpr", "// </script><script>alert(1)</script>\nmethod m() { assert 1 > 2 }\n");
    let page = folder.path("a.html");
    assert_eq!(run(&["report", "-q", &file, "-o", &page]).status.code(), Some(1));
    let html = folder.read("a.html");
    assert!(html.contains("\\u003c/script>\\u003cscript>alert(1)"), "data is escaped");
    let before = html.split("<script>").next().unwrap_or_default();
    assert_eq!(before.matches("<script").count(), 1, "one element of data before the application");
    let policy = html.split("http-equiv=\"Content-Security-Policy\" content=\"").nth(1).expect("there is a policy");
    let policy = policy.split('"').next().unwrap_or_default();
    assert!(policy.starts_with("default-src 'none'") && policy.contains("script-src 'sha256-"), "{policy}");
}
