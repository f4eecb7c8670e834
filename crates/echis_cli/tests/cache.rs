//! The verification cache on the command line.

mod common;

use common::{Folder, echis};
use std::process::{Child, Stdio};
use std::time::Duration;

const PROGRAM: &str = "\
field f: Int
function one(): Int ensures result > 0 { 1 }
method good(r: Ref) requires acc(r.f) { r.f := one() assert r.f > 0 }
method bad(r: Ref) requires acc(r.f) { assert r.f > 0 }
";

fn verify(folder: &Folder, program: &str, more: &[&str]) -> serde_json::Value {
    let cache = folder.path("cache");
    let output = echis()
        .env("ECHIS_CACHE", cache)
        .args(["verify", "--format", "json", program])
        .args(more)
        .output()
        .expect("the binary runs");
    serde_json::from_slice(&output.stdout).expect("it is JSON")
}

/// The names of members whose verdict came from the cache.
fn cached(found: &serde_json::Value) -> Vec<String> {
    let members = found["files"][0]["members"].as_array().expect("there are members");
    let known = members.iter().filter(|member| member["cached"] == true);
    known.map(|member| member["name"].as_str().expect("it has a name").to_string()).collect()
}

/// The line of the only error.
fn line(found: &serde_json::Value) -> u64 {
    assert_eq!(found["files"][0]["errors"].as_array().map(Vec::len), Some(1), "{found}");
    found["files"][0]["errors"][0]["position"]["line"].as_u64().expect("it has a line")
}

#[test]
fn only_what_changed_is_verified_again() {
    let (folder, path) = Folder::with("cache", PROGRAM);
    let first = verify(&folder, &path, &[]);
    assert_eq!((cached(&first).len(), line(&first)), (0, 4));
    let second = verify(&folder, &path, &[]);
    assert_eq!((cached(&second), line(&second)), (["one", "good", "bad"].map(String::from).to_vec(), 4));
    folder.file("program.vpr", &format!("// moved\n\n{}", PROGRAM.replace("{ 1 }", "{ 2 }")));
    let edited = verify(&folder, &path, &[]);
    assert_eq!((cached(&edited), line(&edited)), (vec!["bad".to_string()], 6));
    folder.file("program.vpr", &PROGRAM.replace("assert r.f > 0 }\nmethod bad", "assert r.f > 1 }\nmethod bad"));
    let failing = verify(&folder, &path, &[]);
    assert_eq!(cached(&failing), ["one", "bad"]);
    assert_eq!(failing["files"][0]["errors"].as_array().map(Vec::len), Some(2));
    assert!(cached(&verify(&folder, &path, &["--no-cache"])).is_empty());
    // Other settings are separate cache entries.
    assert!(cached(&verify(&folder, &path, &["--errors", "1"])).is_empty());
    assert!(cached(&verify(&folder, &path, &["--rlimit", "1000"])).is_empty());
    // Counterexamples are not cached, so failed members are verified again.
    let values = verify(&folder, &path, &["--counterexample", "variables"]);
    assert_eq!(cached(&values), ["one"]);
}

/// Two concurrent processes, killed at random moments, never leave entries that a later run would misread.
#[test]
fn killed_processes_leave_no_wrong_entries() {
    let (folder, path) = Folder::with("killed", PROGRAM);
    let start = |more: &[&str]| -> Child {
        echis()
            .env("ECHIS_CACHE", folder.path("cache"))
            .args(["verify", &path])
            .args(more)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the binary runs")
    };
    for round in 0..12u64 {
        folder.file("program.vpr", &PROGRAM.replace("{ 1 }", &format!("{{ {} }}", round / 2 + 1)));
        let mut both = [start(&[]), start(&["--cache", "cores"])];
        std::thread::sleep(Duration::from_millis(3 + round * 11));
        both.iter_mut().for_each(|child| drop(child.kill()));
        both.iter_mut().for_each(|child| drop(child.wait()));
        let manner: &[&str] = if round % 2 == 0 { &[] } else { &["--cache", "cores"] };
        let found = verify(&folder, &path, manner);
        let fresh = verify(&folder, &path, &["--no-cache"]);
        let verdicts = |found: &serde_json::Value| {
            let members = found["files"][0]["members"].as_array().expect("there are members").clone();
            members.iter().map(|member| member["verdict"].clone()).collect::<Vec<_>>()
        };
        assert_eq!(verdicts(&found), verdicts(&fresh));
        assert_eq!(found["files"][0]["errors"], fresh["files"][0]["errors"]);
    }
}

#[test]
fn a_folder_that_cannot_be_used_is_no_reason_to_fail() {
    let (folder, path) = Folder::with("no-cache", PROGRAM);
    folder.file("file", "");
    let output = echis().env("ECHIS_CACHE", folder.path("file")).args(["verify", &path]).output().expect("it runs");
    assert_eq!(output.status.code(), Some(1));
}

/// A running `echis watch`, with its standard error.
struct Watcher {
    child: Child,
    said: std::sync::mpsc::Receiver<String>,
}

impl Watcher {
    fn new(folder: &Folder, path: &str) -> Self {
        let mut command = echis();
        command.env("ECHIS_CACHE", folder.path("cache")).args(["watch", path]);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("the binary runs");
        let lines = std::io::BufRead::lines(std::io::BufReader::new(child.stderr.take().expect("it has one")));
        let (sender, said) = std::sync::mpsc::channel();
        std::thread::spawn(move || lines.map_while(Result::ok).try_for_each(|line| sender.send(line)));
        Watcher { child, said }
    }
    /// The next line, without the program's name and path.
    fn says(&self) -> String {
        let line = self.said.recv_timeout(Duration::from_secs(60)).expect("it says something");
        line.rsplit_once(".vpr: ").map_or(line.clone(), |(_, told)| told.to_string())
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_watcher_says_what_changed() {
    let (folder, path) = Folder::with("watch", &format!("import \"more.vpr\"\n{PROGRAM}"));
    folder.file("more.vpr", "\u{feff}method more() { assert true }");
    let watcher = Watcher::new(&folder, &path);
    assert_eq!(watcher.says(), "4 of 4 members checked, 0 known; 1 failed: bad");
    folder.file("program.vpr", &format!("import \"more.vpr\"\n{}", PROGRAM.replace("r.f := one()", "r.f := 0")));
    assert_eq!(watcher.says(), "1 of 4 members checked (good), 3 known; 2 failed: good (was verified), bad");
    // Cached results are reported as well.
    folder.file("program.vpr", &format!("import \"more.vpr\"\n{PROGRAM}"));
    assert_eq!(watcher.says(), "0 of 4 members checked, 4 known; 1 failed: bad; 1 verified: good (was failed)");
    folder.file("more.vpr", "method other() { assert false }");
    assert_eq!(watcher.says(), "1 of 4 members checked (other), 3 known; 2 failed: bad, other (new); more: gone");
}

#[test]
fn a_shared_cache_is_believed_if_it_is_signed_or_declared_trusted() {
    let (folder, path) = Folder::with("shared", PROGRAM);
    let run = |own: &str, key: &str, more: &[&str]| {
        let output = echis()
            .env("ECHIS_CACHE", folder.path(own))
            .env("ECHIS_CACHE_KEY", key)
            .args(["verify", "--format", "json", "--cache-url", &folder.path("all"), &path])
            .args(more)
            .output()
            .expect("the binary runs");
        (output.status.code(), serde_json::from_slice::<serde_json::Value>(&output.stdout).ok(), output.stderr)
    };
    let known = |run: (Option<i32>, Option<serde_json::Value>, Vec<u8>)| cached(&run.1.expect("it is JSON")).len();
    assert_eq!(known(run("a", "secret", &[])), 0);
    assert_eq!(known(run("b", "secret", &[])), 3);
    assert_eq!(known(run("c", "another", &[])), 0);
    // An entry signed with another key replaced the first; with `--trust-cache` no key is needed.
    assert_eq!(known(run("d", "", &["--trust-cache"])), 3);
    // The trust does not persist: the next run without the option ignores the entries.
    let alone = echis().env("ECHIS_CACHE", folder.path("d")).args(["verify", "--format", "json", &path]).output();
    let alone = serde_json::from_slice(&alone.expect("the binary runs").stdout).expect("it is JSON");
    assert_eq!(cached(&alone).len(), 0);
    let (code, _, said) = run("e", "", &[]);
    assert_eq!(code, Some(2));
    assert!(String::from_utf8_lossy(&said).contains("--trust-cache"));
}

#[test]
fn parts_are_joined_to_the_whole() {
    let (folder, path) = Folder::with("shards", PROGRAM);
    let part = |name: &str, shard: &str| {
        let output = echis().args(["verify", "--format", "json", "--shard", shard, &path]).output();
        folder.file(name, &String::from_utf8_lossy(&output.expect("the binary runs").stdout))
    };
    let (one, two) = (part("one.json", "1/2"), part("two.json", "2/2"));
    let merge = |reports: &[&str]| {
        let output = echis().args(["merge", "--format", "json"]).args(reports).output().expect("the binary runs");
        (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let (code, text) = merge(&[&one, &two]);
    let whole: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
    assert_eq!((code, &whole["files"][0]["verdict"]), (Some(1), &serde_json::json!("failed")));
    assert_eq!(whole["files"][0]["members"].as_array().map(Vec::len), Some(3));
    assert_eq!(line(&whole), 4);
    assert_eq!(merge(&[&one]).0, Some(2));
    assert_eq!(merge(&[&one, &one]).0, Some(2));
}

#[test]
fn a_program_that_was_verified_is_known_with_what_it_imports() {
    let text = "import \"more.vpr\"\nmethod m() { assert one() == 1 }\n";
    let (folder, path) = Folder::with("whole", text);
    folder.file("more.vpr", "function one(): Int { 1 }");
    assert_eq!(cached(&verify(&folder, &path, &[])).len(), 0);
    let again = verify(&folder, &path, &[]);
    assert_eq!((cached(&again).len(), &again["files"][0]["verdict"]), (2, &serde_json::json!("verified")));
    // The same text with a different imported file is a different program.
    folder.file("more.vpr", "function one(): Int { 2 }");
    let other = verify(&folder, &path, &[]);
    assert_eq!((cached(&other).len(), &other["files"][0]["verdict"]), (0, &serde_json::json!("failed")));
    std::fs::remove_file(folder.path("more.vpr")).expect("it is there");
    assert_eq!(verify(&folder, &path, &[])["files"][0]["verdict"], "invalid");
}

#[test]
fn a_program_that_is_known_is_warned_about_as_before() {
    let text = "method m(s: Seq[Int])\n{\n  assume forall i: Int :: i > 3 ==> i * i > 9\n  assert |s| >= 0\n}\n";
    let (folder, path) = Folder::with("warned", text);
    let warnings = |document: &serde_json::Value| document["files"][0]["warnings"].clone();
    let (first, again) = (verify(&folder, &path, &[]), verify(&folder, &path, &[]));
    assert_eq!((cached(&first).len(), cached(&again).len()), (0, 1));
    assert_eq!(warnings(&first).as_array().map(Vec::len), Some(1), "{first}");
    assert_eq!(warnings(&first), warnings(&again));
}

/// Verifies two programs in sequence with `--cache cores`. Returns the cached members of the second run, and its
/// verdict.
fn cores(name: &str, first: &str, second: &str) -> (Vec<String>, String) {
    let (folder, path) = Folder::with(name, first);
    let before = verify(&folder, &path, &["--cache", "cores"]);
    assert_eq!(before["files"][0]["verdict"], "verified", "{before}");
    folder.file("program.vpr", second);
    let (plain, found) = (verify(&folder, &path, &["--no-cache"]), verify(&folder, &path, &["--cache", "cores"]));
    assert_eq!(plain["files"][0]["errors"], found["files"][0]["errors"]);
    let verdict = found["files"][0]["verdict"].as_str().expect("it has one");
    (cached(&found), verdict.to_string())
}

const CALLS: &str = "\
field f: Int
domain D { function d(i: Int): Int axiom used { forall i: Int :: {d(i)} d(i) > i } axiom unused { d(0) < 9 } }
function two(): Int ensures result > 1
function three(): Int { 3 }
method callee(r: Ref, n: Int) returns (m: Int)
  requires acc(r.f) && n > 0
  ensures acc(r.f) && m > n && r.f == m
  ensures m > 0
method caller(r: Ref) requires acc(r.f) 
{ var m: Int m := callee(r, 1) assert m + two() > 3 assert d(m) > 2 assert three() == three() }
";

#[test]
fn what_a_proof_does_not_use_may_change() {
    for (number, (from, to)) in [
        ("r.f == m", "r.f <= m"),
        (" && r.f == m", ""),
        ("ensures m > 0", "ensures m > 0 && r.f > 0 ensures m != 5"),
        ("{ 3 }", "{ 4 }"),
        ("{ 3 }", "ensures result < 9 { 3 }"),
        ("ensures result > 1", "ensures result > 1 ensures result < 9"),
        ("d(0) < 9", "d(1) < 8"),
        ("axiom unused", "function e(): Int axiom more { e() == 1 } axiom unused"),
        ("method caller", "method other(r: Ref) { var k: Int k := callee(r, 0) }\nmethod caller"),
    ]
    .into_iter()
    .enumerate()
    {
        let (known, _) = cores(&format!("cores-{number}"), CALLS, &CALLS.replacen(from, to, 1));
        let expected = !to.contains("function e");
        assert_eq!(known.contains(&"caller".to_string()), expected, "{from} -> {to}");
    }
}

#[test]
fn what_a_proof_uses_or_has_to_show_may_not() {
    for (number, (from, to, verdict)) in [
        ("m > n && ", "m >= n && ", "failed"),
        ("n > 0", "n > 1", "failed"),
        ("ensures acc(r.f) &&", "ensures acc(r.f, 1/2) && r.f == r.f &&", "verified"),
        ("ensures result > 1", "ensures result > 0", "failed"),
        ("d(i) > i", "d(i) > i - 9", "failed"),
        ("assert d(m) > 2", "assert d(m) > 2 refute m > 1", "failed"),
        // Where the postcondition is assumed, it is not well-defined.
        ("ensures m > 0", "ensures m > 0 && 1 / (m - 2) < 2", "failed"),
    ]
    .into_iter()
    .enumerate()
    {
        let second = CALLS.replacen(from, to, 1);
        let (known, found) = cores(&format!("no-cores-{number}"), CALLS, &second);
        assert!(!known.contains(&"caller".to_string()), "{from} -> {to}");
        assert_eq!(found, verdict, "{from} -> {to}");
    }
}

/// Members with `refute` have no cores, because with fewer facts less can be proved.
#[test]
fn a_member_that_refutes_sees_everything() {
    let refuting = CALLS.replace("assert d(m) > 2", "refute m > 7");
    let (known, verdict) = cores("refuting", &refuting, &refuting.replace("ensures m > 0", "ensures m > 8"));
    assert_eq!((known.contains(&"caller".to_string()), verdict.as_str()), (false, "failed"));
}
