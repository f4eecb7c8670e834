//! Runs the tests of the Python package with this executable. They only need Python.

use std::path::Path;
use std::process::Command;

#[test]
fn the_python_package_works() {
    let package = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../python");
    let tests = Command::new("python3")
        .args(["-m", "unittest", "discover", "-s"])
        .arg(package.join("tests"))
        .env("PYTHONPATH", package.join("src"))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("ECHIS", env!("CARGO_BIN_EXE_echis"))
        .env("ECHIS_CACHE", "")
        .output();
    match tests {
        Ok(output) => assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr)),
        Err(error) => println!("skipped: python3 cannot be run: {error}"),
    }
}
