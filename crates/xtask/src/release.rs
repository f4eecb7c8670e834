//! `cargo xtask package` and `cargo xtask release`: what is published, made by one command.

use crate::command::{Ended, holds};
use clap::Args;
use std::path::{Path, PathBuf};
use std::process::Command;

const FOLDER: &str = "target/package";
const VERSION: &str = env!("CARGO_PKG_VERSION");
const MAINTAINER: &str = "The Echis developers";

#[derive(Args)]
pub struct Package {
    /// Of an executable that was built already
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
}

/// The Debian package.
pub fn package(options: &Package) -> Ended {
    debian(&options.binary.clone().map_or_else(build, Ok)?)?;
    holds(true)
}

/// Everything, in order: a clean tree, a section of the changes, all tests, the executable, the packages, their checksums.
/// What cannot be taken back (the tag, uploads) is printed, not done.
pub fn release() -> Ended {
    steps()?;
    holds(true)
}

fn steps() -> Result<(), String> {
    let version = VERSION;
    let status = output(Command::new("git").args(["status", "--porcelain"]))?;
    if !status.trim().is_empty() {
        return Err("there are changes that are not committed".into());
    }
    let changes = std::fs::read_to_string("CHANGELOG.md").map_err(|error| format!("CHANGELOG.md: {error}"))?;
    let heading = format!("## [{version}] - ");
    if !changes.lines().any(|line| line.starts_with(&heading)) {
        return Err(format!("CHANGELOG.md has no section `{heading}DATE`"));
    }
    run(Command::new("cargo").args(["xtask", "test"]))?;
    let binary = build()?;
    debian(&binary)?;
    wheel()?;
    checksums()?;
    println!("made in {FOLDER}; what is left to do:");
    println!("  git tag -a v{version} -m 'Echis {version}' && git push origin v{version}");
    println!("  twine upload {FOLDER}/*.whl");
    println!("  attach the files of {FOLDER} to the release");
    Ok(())
}

fn build() -> Result<PathBuf, String> {
    run(Command::new("cargo").args([
        "build",
        "--profile",
        "dist",
        "--locked",
        "-p",
        "echis_cli",
        "--features",
        "object-store",
    ]))?;
    Ok(PathBuf::from("target/dist/echis"))
}

/// With the manual and the completions that the executable writes itself.
fn debian(binary: &Path) -> Result<(), String> {
    let version = VERSION;
    let architecture = output(Command::new("dpkg").arg("--print-architecture"))?.trim().to_string();
    let root = Path::new(FOLDER).join("debian");
    let _ = std::fs::remove_dir_all(&root);
    let folder = |path: &str| -> Result<PathBuf, String> {
        let folder = root.join(path);
        std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        Ok(folder)
    };
    let write = |path: PathBuf, text: &[u8]| {
        std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))
    };
    let installed = folder("usr/bin")?.join("echis");
    run(Command::new("install").args(["-m", "755", "-s"]).arg(binary).arg(&installed))?;
    let man = folder("usr/share/man/man1")?;
    run(Command::new(binary).args(["generate", "--man"]).arg(&man))?;
    run(Command::new("gzip").args(["-9nr"]).arg(&man))?;
    for (shell, path, name) in [
        ("bash", "usr/share/bash-completion/completions", "echis"),
        ("zsh", "usr/share/zsh/vendor-completions", "_echis"),
        ("fish", "usr/share/fish/vendor_completions.d", "echis.fish"),
    ] {
        let text = output(Command::new(binary).args(["generate", "--completions", shell]))?;
        write(folder(path)?.join(name), text.as_bytes())?;
    }
    let doc = folder("usr/share/doc/echis")?;
    write(doc.join("copyright"), copyright()?.as_bytes())?;
    // Debian has a form of its own for changes between packages; what changed in Echis is beside it.
    let changes = std::fs::read("CHANGELOG.md").map_err(|error| format!("CHANGELOG.md: {error}"))?;
    write(doc.join("NEWS.md"), &changes)?;
    let date = output(Command::new("git").args(["log", "-1", "--format=%cD"]))?;
    let changelog = format!(
        "echis ({version}) unstable; urgency=medium\n\n  * Version {version}; NEWS.md.gz tells what is new.\n\n \
         -- {MAINTAINER}  {}\n",
        date.trim()
    );
    write(doc.join("changelog"), changelog.as_bytes())?;
    run(Command::new("gzip").arg("-9n").arg(doc.join("changelog")).arg(doc.join("NEWS.md")))?;
    let size = output(Command::new("du").args(["-sk", "--apparent-size"]).arg(root.join("usr")))?;
    let size = size.split_whitespace().next().unwrap_or("0").to_string();
    let control = format!(
        "Package: echis\nVersion: {version}\nArchitecture: {architecture}\nMaintainer: {MAINTAINER}\n\
         Installed-Size: {size}\nDepends: libc6, libgcc-s1, libstdc++6\nSection: science\nPriority: optional\n\
         Description: verifier for Viper programs that explains its proofs\n \
         Echis reads programs in the Viper intermediate verification language, proves\n \
         or refutes every obligation by symbolic execution with Z3, which it brings,\n \
         and tells what each proof rests on.\n"
    );
    write(folder("DEBIAN")?.join("control"), control.as_bytes())?;
    let file = Path::new(FOLDER).join(format!("echis_{version}_{architecture}.deb"));
    run(Command::new("dpkg-deb").args(["--root-owner-group", "--build"]).arg(&root).arg(&file))
}

fn copyright() -> Result<String, String> {
    let licence = std::fs::read_to_string("LICENSE-MIT").map_err(|error| format!("LICENSE-MIT: {error}"))?;
    Ok(format!(
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: echis\n\n\
         Files: *\nCopyright: 2026 the Echis developers\nLicense: MIT or Apache-2.0\n\n{licence}\n\
         Z3, which is packed into the executable, is Copyright Microsoft Corporation, under the MIT license.\n\
         The Apache license is in /usr/share/common-licenses/Apache-2.0.\n"
    ))
}

fn wheel() -> Result<(), String> {
    let out = std::env::current_dir().map_err(|error| error.to_string())?.join(FOLDER);
    run(Command::new("maturin").args(["build", "--release", "-o"]).arg(out).current_dir("python"))
        .map_err(|message| format!("{message} (`pip install maturin`)"))
}

fn checksums() -> Result<(), String> {
    let sums = output(Command::new("sh").arg("-c").arg("sha256sum *.deb *.whl").current_dir(FOLDER))?;
    std::fs::write(Path::new(FOLDER).join("SHA256SUMS"), sums).map_err(|error| format!("SHA256SUMS: {error}"))
}

fn run(command: &mut Command) -> Result<(), String> {
    let said = format!("{command:?}");
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{said} ended with {status}")),
        Err(error) => Err(format!("{said} cannot be started: {error}")),
    }
}

fn output(command: &mut Command) -> Result<String, String> {
    let said = format!("{command:?}");
    let output = command.output().map_err(|error| format!("{said} cannot be started: {error}"))?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(format!("{said} ended with {}: {}", output.status, String::from_utf8_lossy(&output.stderr))),
    }
}
