//! Fault injection: solvers that crash, give wrong answers or hang, large or malformed files, and folders that cannot
//! be written. The result is always correct or a clear error, and never a proof of a wrong program.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A temporary folder of a test, deleted at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(test: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("echis-faults-{test}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("the temporary folder can be written");
        Folder(folder)
    }

    fn file(&self, name: impl AsRef<Path>, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, text).expect("the temporary folder can be written");
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn echis() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_echis"));
    command.env_remove("ECHIS_SOLVER");
    command
}

fn verify(file: &Path, options: &[&str]) -> Output {
    echis().arg("verify").args(options).arg(file).output().expect("the binary runs")
}

fn told(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// Several members with solver queries in each; the last assertion is wrong.
fn wrong() -> String {
    let mut text = "field f: Int\n".to_string();
    for index in 0..6 {
        text += &format!(
            "method m{index}(x: Ref, s: Seq[Int]) requires acc(x.f) && |s| > {index}\n\
             {{ x.f := s[{index}]; assert x.f in s; assert |s ++ s| > {index} }}\n"
        );
    }
    text + "method last(s: Seq[Int], i: Int) requires i > 3 { assert i in s }\n"
}

#[cfg(unix)]
#[test]
fn a_solver_that_breaks_down_proves_nothing() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new("solvers");
    let file = folder.file("wrong.vpr", wrong());
    let z3 = echis::locate_solver(None).expect("there is a solver");
    let z3 = z3.display();
    let scripts = [
        ("it reads no more after some questions", format!("head -n 400 | {z3} \"$@\"")),
        ("it closes its output in the middle of an answer", format!("{z3} \"$@\" | head -c 700")),
        ("it is killed", format!("{z3} \"$@\" & sleep 0.3; kill -9 $!")),
        ("it has little memory", format!("exec {z3} \"$@\" -memory:12")),
        ("it answers garbage after a while", format!("{z3} \"$@\" | sed -u 's/^unsat$/unsatisfactory/'")),
        ("it hangs after a while", format!("{z3} \"$@\" | head -c 700; sleep 9")),
    ];
    for (what, commands) in scripts {
        let script = folder.file("solver.sh", format!("#!/bin/sh\n{commands}\n"));
        std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).expect("the file is ours");
        let output = verify(&file, &["--solver", &script.to_string_lossy(), "--timeout", "5"]);
        let told = told(&output);
        assert!(matches!(output.status.code(), Some(1 | 3)), "{what}: {:?}\n{told}", output.status);
        assert!(!told.contains("panicked"), "{what}: {told}");
    }
}

#[test]
fn large_programs_are_answered() {
    let folder = Folder::new("large");
    let parentheses = format!("method m() {{ assert {}true{} }}", "(".repeat(100_000), ")".repeat(100_000));
    let members: String = (0..1000).map(|index| format!("method m{index}(i: Int) {{ assert i == i + 0 }}\n")).collect();
    let lines: String = (0..5_000).map(|_| "  i := i + 1\n").collect();
    let long = format!("method m() {{\n  var i: Int := 0\n{lines}  assert i == 5000\n}}\n");
    for (name, text) in [("members", members), ("lines", long)] {
        let file = folder.file(format!("{name}.vpr"), text);
        let output = verify(&file, &[]);
        assert_eq!(output.status.code(), Some(0), "{name}: {}", told(&output));
    }
    let output = verify(&folder.file("parentheses.vpr", parentheses), &[]);
    assert_eq!(output.status.code(), Some(2), "{}", told(&output));
    assert!(told(&output).contains("nested too deeply"), "{}", told(&output));
}

#[test]
fn files_that_are_no_programs_are_refused() {
    let folder = Folder::new("refused");
    let huge = folder.0.join("huge.vpr");
    std::fs::File::create(&huge).and_then(|file| file.set_len(1 << 30)).expect("a file with a hole takes no room");
    let output = verify(&huge, &[]);
    assert_eq!(output.status.code(), Some(2), "{}", told(&output));
    assert!(told(&output).contains("is larger than"), "{}", told(&output));
    let bytes = folder.file("bytes.vpr", b"method m() { assert \xff\xfe }");
    assert_eq!(verify(&bytes, &[]).status.code(), Some(2));
    let comment = folder.file("comment.vpr", b"// \xff\xfe\nmethod m() { assert true }");
    assert_eq!(verify(&comment, &[]).status.code(), Some(0));
}

#[cfg(unix)]
#[test]
fn strange_names_of_files_are_names() {
    use std::os::unix::ffi::OsStrExt;
    let folder = Folder::new("names");
    let names: [&[u8]; 3] = [b"new\nline.vpr", b"\xff\xfe.vpr", b" --help .vpr"];
    for name in names {
        let good = folder.file(std::ffi::OsStr::from_bytes(name), "method m() { assert true }");
        let output = verify(&good, &[]);
        assert_eq!(output.status.code(), Some(0), "{name:?}: {}", told(&output));
        let failing = folder.file(std::ffi::OsStr::from_bytes(name), "method m() { assert false }");
        let output = verify(&failing, &["--format", "json"]);
        assert_eq!(output.status.code(), Some(1), "{name:?}: {}", told(&output));
        serde_json::from_slice::<serde_json::Value>(&output.stdout).expect("standard output is JSON");
    }
}

/// If one folder is not writable, another is used; if none is, there is a clear error.
#[cfg(unix)]
#[test]
fn a_cache_that_cannot_be_written_is_done_without() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new("cache");
    let file = folder.file("good.vpr", "method m(i: Int) { assert i + 1 > i }");
    let no_folder = folder.file("file", "");
    let temporary = folder.0.join("tmp");
    std::fs::create_dir_all(&temporary).expect("it can be made");
    let run = |temporary: &Path| {
        let mut command = echis();
        command.env("XDG_CACHE_HOME", &no_folder).env("TMPDIR", temporary).env("PATH", "");
        command.arg("verify").arg(&file).output().expect("the binary runs")
    };
    let output = run(&temporary);
    assert_eq!(output.status.code(), Some(0), "{}", told(&output));
    // Other users cannot modify the unpacked solver.
    let made = std::fs::read_dir(&temporary).expect("it is there").flatten().next().expect("something was unpacked");
    let mode = made.metadata().expect("it is there").permissions().mode();
    assert_eq!(mode & 0o077, 0, "{}", made.path().display());
    // Without a solver nothing can run: this is a missing file.
    let output = run(&no_folder);
    assert_eq!(output.status.code(), Some(2), "{}", told(&output));
    assert!(told(&output).contains("cannot be unpacked into"), "{}", told(&output));
}

/// A full disk is a clear error too, and no partial solver is left behind. The file size limit makes writes fail in
/// the same way.
#[cfg(unix)]
#[test]
fn a_solver_that_does_not_fit_on_the_disk_is_not_run() {
    let folder = Folder::new("full");
    let file = folder.file("good.vpr", "method m(i: Int) { assert i + 1 > i }");
    let mut command = Command::new("/bin/sh");
    command
        .args(["-c", "trap '' XFSZ; ulimit -f 64; exec \"$0\" verify \"$1\"", env!("CARGO_BIN_EXE_echis")])
        .arg(&file);
    command.env_remove("ECHIS_SOLVER").env("XDG_CACHE_HOME", &folder.0).env("TMPDIR", &folder.0).env("PATH", "");
    let output = command.output().expect("there is a shell");
    assert_eq!(output.status.code(), Some(2), "{}", told(&output));
    assert!(told(&output).contains("cannot be unpacked into"), "{}", told(&output));
    assert_eq!(size_of_files(&folder.0), std::fs::metadata(&file).expect("it is there").len());
}

fn size_of_files(folder: &Path) -> u64 {
    let entries = std::fs::read_dir(folder).expect("it can be read").flatten();
    entries
        .map(|entry| {
            if entry.path().is_dir() {
                size_of_files(&entry.path())
            } else {
                entry.metadata().map_or(0, |data| data.len())
            }
        })
        .sum()
}
