//! Silicon as a second opinion, if Java and the jar are available.

use crate::program::Text;
use echis_base::Name;
use echis_program::reach::Member;
use std::collections::BTreeSet;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Timeout for Silicon, in seconds.
const MOST_SECONDS: u32 = 120;

/// The environment variable with the path of the jar.
pub const JAR: &str = "ECHIS_SILICON_JAR";

pub struct Silicon {
    jar: PathBuf,
    z3: PathBuf,
}

/// Silicon's result for a program.
pub struct Opinion {
    /// The members with an error.
    pub failed: BTreeSet<Name>,
    /// The full output.
    pub output: String,
}

impl Silicon {
    /// Locates Silicon. `None` if it was not requested, an error if it is not available.
    pub fn find() -> Option<Result<Silicon, Box<dyn Error>>> {
        let jar = PathBuf::from(std::env::var_os(JAR)?);
        if !jar.is_file() {
            return Some(Err(format!("{JAR}: there is no file {}", jar.display()).into()));
        }
        let java = Command::new("java").arg("-version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        if !java.is_ok_and(|status| status.success()) {
            return Some(Err(format!("{JAR} is set, but there is no java").into()));
        }
        Some(echis::locate_solver(None).map(|z3| Silicon { jar, z3 }).map_err(Into::into))
    }

    /// Verifies a program after writing it to the given path.
    pub fn verify(&self, text: &Text, path: &Path) -> Result<Opinion, Box<dyn Error>> {
        std::fs::write(path, &text.text).map_err(|error| format!("{}: {error}", path.display()))?;
        let mut command = Command::new("java");
        command.arg("-Xss128m").arg("-cp").arg(&self.jar).arg("viper.silicon.SiliconRunner");
        command.arg("--timeout").arg(MOST_SECONDS.to_string()).arg("--z3Exe").arg(&self.z3).arg(path);
        let output = command.output().map_err(|error| format!("java: {error}"))?;
        let output = String::from_utf8_lossy(&output.stdout).into_owned();
        if output.contains("Silicon finished verification successfully") {
            return Ok(Opinion { failed: BTreeSet::new(), output });
        }
        let failed: BTreeSet<Name> = lines(&output).filter_map(|line| member_at(text, line)).collect();
        if failed.is_empty() {
            Err(format!("Silicon has no answer: {output}").into())
        } else {
            Ok(Opinion { failed, output })
        }
    }
}

/// The lines of reported errors, from `(file.vpr@12.3--12.9)`.
fn lines(output: &str) -> impl Iterator<Item = u32> {
    let errors = output.lines().filter(|line| line.trim_start().starts_with('['));
    let line = |text: &str| text.rsplit('@').next()?.split('.').next()?.parse().ok();
    errors.filter_map(line)
}

/// The member that contains a line.
fn member_at(text: &Text, line: u32) -> Option<Name> {
    let program = &text.program;
    let around = Member::all(program).find(|member| {
        let position = text.sources.position(program.syntax.span(member.id(program)));
        (position.start.line..=position.end.line).contains(&line)
    });
    around.map(|member| member.name(program).clone())
}
