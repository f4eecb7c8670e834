//! Shared code of the command-line tests.

#![allow(dead_code, reason = "not every test uses everything")]

use std::path::PathBuf;
use std::process::{Command, Output};

/// A temporary folder of a test, deleted at the end.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new(test: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("echis-{test}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("the temporary folder can be written");
        Folder(folder)
    }
    /// A folder with one program.
    pub fn with(test: &str, program: &str) -> (Self, String) {
        let folder = Folder::new(test);
        let path = folder.file("program.vpr", program);
        (folder, path)
    }
    pub fn file(&self, name: &str, text: &str) -> String {
        self.bytes(name, text.as_bytes())
    }
    pub fn bytes(&self, name: &str, bytes: &[u8]) -> String {
        std::fs::write(self.0.join(name), bytes).expect("the temporary folder can be written");
        self.path(name)
    }
    pub fn path(&self, name: &str) -> String {
        self.0.join(name).to_string_lossy().into_owned()
    }
    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.join(name)).expect("it was written")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The command, with the bundled solver and an empty cache.
pub fn echis() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_echis"));
    command.env_remove("ECHIS_SOLVER").env("ECHIS_CACHE", "");
    command
}

pub fn run(args: &[&str]) -> Output {
    echis().args(args).output().expect("the binary runs")
}

/// The output of a successful run.
pub fn out(args: &[&str]) -> String {
    let output = run(args);
    assert_eq!(output.status.code(), Some(0), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}
