//! `cargo xtask web`: checks that the bundle of the web interface is up to date, and every view in a browser.

use crate::command::{Binary, Ended, holds};
use crate::echis::repository;
use std::path::Path;
use std::process::{Command, ExitCode};

/// The bundled files.
const BUNDLE: [&str; 3] = ["app.js", "app.css", "app.sha256"];

pub fn run(binary: &Binary) -> Ended {
    let folder = repository().join("web");
    if !succeeds(Command::new("node").arg("--version"))? {
        println!("skipped: there is no Node. `apt install nodejs npm chromium` installs what is needed.");
        return Ok(ExitCode::SUCCESS);
    }
    if !folder.join("node_modules").is_dir() && !succeeds(npm(&folder).args(["ci", "--no-audit", "--no-fund"]))? {
        println!("skipped: `npm ci` failed in web/. It needs npm (`apt install npm`) and the network, once.");
        return Ok(ExitCode::SUCCESS);
    }
    let fine = succeeds(npm(&folder).args(["run", "--silent", "check"]))? && is_current(&folder)?;
    let echis = binary.find()?;
    let mut tests = npm(&folder);
    tests.args(["run", "--silent", "test"]).env("ECHIS", echis.binary()).env("ECHIS_CACHE", "");
    let passed = succeeds(&mut tests)?;
    holds(fine && passed)
}

fn npm(folder: &Path) -> Command {
    let mut command = Command::new("npm");
    command.current_dir(folder);
    command
}

fn succeeds(command: &mut Command) -> Result<bool, String> {
    match command.status() {
        Ok(status) => Ok(status.success()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(format!("{} cannot be run: {error}", command.get_program().to_string_lossy())),
    }
}

/// Builds the bundle elsewhere and compares it.
fn is_current(folder: &Path) -> Result<bool, String> {
    let built = std::env::temp_dir().join(format!("echis-bundle-{}", std::process::id()));
    if !succeeds(Command::new("node").arg("build.mjs").arg(&built).current_dir(folder))? {
        return Err("the web interface cannot be built".to_string());
    }
    let committed = repository().join("crates/echis_report/assets/web");
    let differs = |name: &&str| std::fs::read(built.join(name)).ok() != std::fs::read(committed.join(name)).ok();
    let changed: Vec<&str> = BUNDLE.iter().filter(|name| differs(name)).copied().collect();
    let _ = std::fs::remove_dir_all(&built);
    if !changed.is_empty() {
        println!("{} differ from what web/ gives: run `npm run build` there", changed.join(", "));
    }
    Ok(changed.is_empty())
}
