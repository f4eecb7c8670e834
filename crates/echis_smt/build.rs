//! Fetches the pinned Z3 wheel, and hands the executable's own deflate stream to the library.
//!
//! The wheel is kept outside `target/`, so that a clean build needs no network. Where it cannot be fetched the build fails,
//! unless ECHIS_WITHOUT_Z3 is set: then a solver has to be found at run time.

use std::env;
#[cfg(feature = "embedded-z3")]
use std::path::{Path, PathBuf};

/// One executable that is known to work, by platform.
#[cfg_attr(not(feature = "embedded-z3"), allow(dead_code))]
struct Pin {
    os: &'static str,
    arch: &'static str,
    version: &'static str,
    /// The platform tag that pip selects the wheel by.
    platform: &'static str,
    wheel_sha256: &'static str,
    executable: &'static str,
}

/// The version is the oldest that a platform has: quantifiers behave best in 4.8.7.
const PINS: &[Pin] = &[
    Pin {
        os: "linux",
        arch: "x86_64",
        version: "4.8.7.0",
        platform: "manylinux1_x86_64",
        wheel_sha256: "ecdf7cb3df9661bdc8953a552a7c09e1c0b7f4195e5eeeab8ff90f672490bf3f",
        executable: "z3",
    },
    Pin {
        os: "windows",
        arch: "x86_64",
        version: "4.8.7.0",
        platform: "win_amd64",
        wheel_sha256: "7e04e1b56a100f4fef79c2f20be0aeb6dac4efc6ab66ba5bac41dbe6820cbd7e",
        executable: "z3.exe",
    },
    Pin {
        os: "macos",
        arch: "aarch64",
        version: "4.12.6.0",
        platform: "macosx_11_0_arm64",
        wheel_sha256: "9347c9c4f966c97c807f73b1b4365d11dbb25e390b3908b1c3a6e3bceff62e6d",
        executable: "z3",
    },
    Pin {
        os: "macos",
        arch: "x86_64",
        version: "4.12.6.0",
        platform: "macosx_11_0_x86_64",
        wheel_sha256: "359d2af6dbcc017dadb99f286b39df101edf6ac9a45332ba15c0a2012ff46d45",
        executable: "z3",
    },
    Pin {
        os: "linux",
        arch: "aarch64",
        version: "4.13.4.0",
        platform: "manylinux_2_34_aarch64",
        wheel_sha256: "f674d758c199006fa0a527bdf78cb31b4ba5baaaef6c6c0fa80fb063d3834a6c",
        executable: "z3",
    },
];

fn main() {
    println!("cargo::rustc-check-cfg=cfg(has_z3)");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=ECHIS_Z3_WHEEL");
    println!("cargo::rerun-if-env-changed=ECHIS_WITHOUT_Z3");
    let target = |name: &str| env::var(name).unwrap_or_default();
    let (os, arch) = (target("CARGO_CFG_TARGET_OS"), target("CARGO_CFG_TARGET_ARCH"));
    let pin = PINS.iter().find(|pin| pin.os == os && pin.arch == arch);
    #[cfg(feature = "embedded-z3")]
    {
        let embedded = match pin {
            Some(pin) => embed(pin),
            None => Err(format!("there is no Z3 for {os} on {arch}")),
        };
        if let Err(reason) = embedded {
            match env::var_os("ECHIS_WITHOUT_Z3").is_some_and(|value| !value.is_empty()) {
                true => println!("cargo::warning=built without Z3: a solver has to be found at run time"),
                false => println!("cargo::error=Z3, which is part of Echis, cannot be had: {reason}. {HELP}"),
            }
        }
    }
    #[cfg(not(feature = "embedded-z3"))]
    let _ = pin;
}

#[cfg(feature = "embedded-z3")]
const HELP: &str = "Python with pip fetches it; ECHIS_Z3_WHEEL names a wheel of z3-solver that was fetched by other means; \
    with ECHIS_WITHOUT_Z3=1 Echis is built without it, and uses a Z3 that --solver, ECHIS_SOLVER or PATH names.";

#[cfg(feature = "embedded-z3")]
fn embed(pin: &Pin) -> Result<(), String> {
    use sha2::{Digest, Sha256};
    let wheel = wheel(pin)?;
    let bytes = std::fs::read(&wheel).map_err(|error| format!("{}: {error}", wheel.display()))?;
    let sha256: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    if sha256 != pin.wheel_sha256 {
        return Err(format!("{} has an unexpected checksum {sha256}", wheel.display()));
    }
    let entry = find_entry(&bytes, &format!("data/bin/{}", pin.executable))
        .ok_or_else(|| format!("{} has no executable of the expected form", wheel.display()))?;
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("no OUT_DIR")?).join("z3.deflate");
    std::fs::write(&out, entry.data).map_err(|error| format!("{}: {error}", out.display()))?;
    println!("cargo::rustc-cfg=has_z3");
    println!("cargo::rustc-env=ECHIS_Z3_DEFLATE={}", out.display());
    println!("cargo::rustc-env=ECHIS_Z3_VERSION={}", pin.version);
    println!("cargo::rustc-env=ECHIS_Z3_KEY={}", &pin.wheel_sha256[..16]);
    println!("cargo::rustc-env=ECHIS_Z3_SIZE={}", entry.size);
    println!("cargo::rustc-env=ECHIS_Z3_FILE={}", pin.executable);
    Ok(())
}

/// The wheel's path: given by the environment, cached, or fetched now.
#[cfg(feature = "embedded-z3")]
fn wheel(pin: &Pin) -> Result<PathBuf, String> {
    if let Some(path) = env::var_os("ECHIS_Z3_WHEEL") {
        return Ok(PathBuf::from(path));
    }
    let cache = cache_folder().ok_or("there is no folder to cache in")?.join("wheels");
    let cached = cache.join(format!("z3-{}-{}.whl", pin.version, &pin.wheel_sha256[..16]));
    if !cached.exists() {
        fetch(pin, &cache, &cached)?;
    }
    Ok(cached)
}

/// Downloads into a folder of our own, then renames: builds that run at once do not see half a file.
#[cfg(feature = "embedded-z3")]
fn fetch(pin: &Pin, cache: &Path, cached: &Path) -> Result<(), String> {
    let folder = cache.join(format!("download-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let fetched = run_pip(pin, &folder).and_then(|()| {
        let mut entries = std::fs::read_dir(&folder).map_err(|error| error.to_string())?;
        let wheel = entries.next().ok_or("pip fetched nothing")?.map_err(|error| error.to_string())?;
        std::fs::rename(wheel.path(), cached).map_err(|error| error.to_string())
    });
    let _ = std::fs::remove_dir_all(&folder);
    fetched
}

#[cfg(feature = "embedded-z3")]
fn run_pip(pin: &Pin, folder: &Path) -> Result<(), String> {
    let package = format!("z3-solver=={}", pin.version);
    let mut reason = "pip is not installed".to_owned();
    for command in [&["pip"][..], &["pip3"], &["python3", "-m", "pip"], &["python", "-m", "pip"]] {
        let output = std::process::Command::new(command[0])
            .args(&command[1..])
            .args(["download", "--quiet", "--no-deps", "--disable-pip-version-check", "--only-binary=:all:"])
            .args(["--platform", pin.platform, "--dest"])
            .arg(folder)
            .arg(&package)
            .stdin(std::process::Stdio::null())
            .output();
        match output {
            Ok(output) if output.status.success() => return Ok(()),
            Ok(output) => {
                let text = String::from_utf8_lossy(&output.stderr);
                reason = format!("pip: {}", text.lines().last().unwrap_or("failed"));
            }
            Err(_) => {}
        }
    }
    Err(reason)
}

#[cfg(feature = "embedded-z3")]
fn cache_folder() -> Option<PathBuf> {
    let set = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let base = set("XDG_CACHE_HOME").or_else(|| set("LOCALAPPDATA")).or_else(|| Some(set("HOME")?.join(".cache")))?;
    Some(base.join("echis"))
}

#[cfg(feature = "embedded-z3")]
struct Entry<'a> {
    data: &'a [u8],
    size: u32,
}

/// The deflated member of a zip file whose name ends in `suffix`. Reads the central directory, since local
/// headers may lack sizes.
#[cfg(feature = "embedded-z3")]
fn find_entry<'a>(zip: &'a [u8], suffix: &str) -> Option<Entry<'a>> {
    let u16_at = |at: usize| Some(u16::from_le_bytes(zip.get(at..at + 2)?.try_into().ok()?) as usize);
    let u32_at = |at: usize| Some(u32::from_le_bytes(zip.get(at..at + 4)?.try_into().ok()?));
    let end = (0..zip.len().checked_sub(21)?).rev().find(|&at| zip[at..].starts_with(b"PK\x05\x06"))?;
    let count = u16_at(end + 10)?;
    let mut at = u32_at(end + 16)? as usize;
    for _ in 0..count {
        let (name, extra, comment) = (u16_at(at + 28)?, u16_at(at + 30)?, u16_at(at + 32)?);
        if zip.get(at + 46..at + 46 + name)?.ends_with(suffix.as_bytes()) && u16_at(at + 10)? == 8 {
            let local = u32_at(at + 42)? as usize;
            let start = local + 30 + u16_at(local + 26)? + u16_at(local + 28)?;
            let data = zip.get(start..start + u32_at(at + 20)? as usize)?;
            return Some(Entry { data, size: u32_at(at + 24)? });
        }
        at += 46 + name + extra + comment;
    }
    None
}
