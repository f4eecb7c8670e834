//! Silicon and its Z3, downloaded once into the user's cache folder; they are contained in Python packages.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

pub struct Silicon {
    jar: PathBuf,
    pub z3: PathBuf,
    folder: PathBuf,
}

/// Silicon's warm result for a file.
pub struct Timed {
    pub path: String,
    pub seconds: f64,
    pub verdict: String,
}

const PACKAGE: &str = "nagini==1.2.0";
const Z3_PACKAGE: &str = "z3-solver==4.8.7.0";
const HARNESS: &str = include_str!("SiliconTimes.java");

impl Silicon {
    /// Returns an error if Java, Python or the network is missing.
    pub fn fetch() -> Result<Self, String> {
        succeeds(Command::new("java").arg("-version"), "there is no Java")?;
        succeeds(Command::new("javac").arg("-version"), "there is no Java compiler")?;
        let folder = cache().join("echis-bench");
        std::fs::create_dir_all(&folder).map_err(|error| format!("{} cannot be created: {error}", folder.display()))?;
        let jar = unpacked(&folder, PACKAGE, "nagini", "silicon.jar")?;
        let z3 = unpacked(&folder, Z3_PACKAGE, "z3_solver", "z3")?;
        make_executable(&z3)?;
        std::fs::write(folder.join("SiliconTimes.java"), HARNESS).map_err(|error| error.to_string())?;
        let mut compile = Command::new("javac");
        compile.arg("-cp").arg(&jar).arg("-d").arg(&folder).arg(folder.join("SiliconTimes.java"));
        succeeds(&mut compile, "the harness does not compile")?;
        Ok(Silicon { jar, z3, folder })
    }

    /// The time of Silicon's own command line for a file, in seconds.
    pub fn cold(&self, file: &str) -> f64 {
        let start = Instant::now();
        let mut command = Command::new("java");
        command.arg("-Xss128m").arg("-cp").arg(&self.jar).arg("viper.silicon.SiliconRunner");
        command.arg("--z3Exe").arg(&self.z3).arg(file);
        let _ = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
        start.elapsed().as_secs_f64()
    }

    /// Verifies many files in one virtual machine. A file that takes too long ends it; a new one continues with the
    /// next file, after warming up on the first one again.
    pub fn warm(&self, files: &[String], limit: u64) -> Vec<Timed> {
        let mut results: Vec<Timed> = Vec::new();
        let warm_up: Vec<String> = files.iter().take(3).cloned().collect();
        while results.len() < files.len() {
            let list: Vec<&String> = warm_up.iter().chain(&files[results.len()..]).collect();
            let batch = self.one_machine(&list, limit);
            let new: Vec<Timed> = batch.into_iter().skip(warm_up.len()).collect();
            if new.is_empty() {
                break;
            }
            results.extend(new);
        }
        results
    }

    fn one_machine(&self, files: &[&String], limit: u64) -> Vec<Timed> {
        let list = self.folder.join(format!("files-{}", std::process::id()));
        let text: String = files.iter().map(|file| format!("{file}\n")).collect();
        if std::fs::write(&list, text).is_err() {
            return Vec::new();
        }
        let path = format!("{}{}{}", self.jar.display(), if cfg!(windows) { ";" } else { ":" }, self.folder.display());
        let mut command = Command::new("java");
        command.args(["-Xss512m", "-Xmx6g", "-cp", &path, "SiliconTimes"]);
        command.arg(&self.z3).arg(limit.to_string()).arg(&list);
        let output = command.stderr(Stdio::null()).output();
        let _ = std::fs::remove_file(&list);
        let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
        text.lines().filter_map(timed).collect()
    }
}

/// `seconds verdict path`
fn timed(line: &str) -> Option<Timed> {
    let mut words = line.splitn(3, ' ');
    let seconds = words.next()?.parse().ok()?;
    Some(Timed { seconds, verdict: words.next()?.to_string(), path: words.next()?.to_string() })
}

fn succeeds(command: &mut Command, otherwise: &str) -> Result<(), String> {
    let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
    if status.is_ok_and(|status| status.success()) { Ok(()) } else { Err(otherwise.to_string()) }
}

fn cache() -> PathBuf {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    set("XDG_CACHE_HOME").or_else(|| Some(set("HOME")?.join(".cache"))).unwrap_or_else(std::env::temp_dir)
}

/// A file of a Python package, which is downloaded and unpacked if missing.
fn unpacked(folder: &Path, package: &str, prefix: &str, file: &str) -> Result<PathBuf, String> {
    let target = folder.join(prefix);
    if let Some(found) = find(&target, file) {
        return Ok(found);
    }
    println!("fetching {package}");
    let wheels = folder.join("wheels");
    let mut download = Command::new("pip");
    download.args(["download", "--quiet", "--no-deps", "-d"]).arg(&wheels).arg(package);
    succeeds(&mut download, &format!("{package} cannot be downloaded"))?;
    let wheel = std::fs::read_dir(&wheels).into_iter().flatten().flatten().map(|entry| entry.path());
    let wheel =
        wheel.into_iter().find(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(prefix)));
    let wheel = wheel.ok_or_else(|| format!("{package} left no file"))?;
    let mut unpack = Command::new("python3");
    unpack.args(["-m", "zipfile", "-e"]).arg(wheel).arg(&target);
    succeeds(&mut unpack, &format!("{package} cannot be unpacked"))?;
    find(&target, file).ok_or_else(|| format!("{package} has no {file}"))
}

fn find(folder: &Path, file: &str) -> Option<PathBuf> {
    let entries: Vec<PathBuf> = std::fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path()).collect();
    let here = entries.iter().find(|path| path.is_file() && path.file_name().is_some_and(|name| name == file));
    here.cloned().or_else(|| entries.iter().filter(|path| path.is_dir()).find_map(|path| find(path, file)))
}

fn make_executable(path: &Path) -> Result<(), String> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).map_err(|error| error.to_string())?;
    }
    let _ = path;
    Ok(())
}
